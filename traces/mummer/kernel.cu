// mummer: where in a long text the letters of many short queries stand. A thread a query walks the text's suffix tree:
// for each start in the query, down as far as letters agree; then over a suffix link to where the string without its
// first letter ends.
#include "device.h"

enum : uint32_t { LETTERS = 4, ROOT = 0 };

struct node {
	uint32_t start, end, link, parent, child[LETTERS]; // as the host's struct suffix_node
};
struct match {
	uint32_t at, length; // a place in the text
};

// query: `length` letters each; found: `starts` matches each.
extern "C" __global__ void mummer(const node *tree, const uint8_t *text, const uint8_t *query, match *found, uint32_t length,
				  uint32_t starts, uint32_t n)
{
	uint32_t q = blockIdx.x * blockDim.x + threadIdx.x, v = ROOT, depth = 0, matched = 0, at = 0;

	if (q >= n)
		return;
	query += q * length;
	found += q * starts;
#pragma unroll 1
	for (uint32_t i = 0; i < starts; i++) {
		uint32_t below = ROOT, from = 0, edge = 0;

		// What is known to match needs only first letters: down to the last node at or above its end.
#pragma unroll 1
		while (depth < matched) {
			below = tree[v].child[query[i + depth]];
			from = tree[below].start;
			edge = tree[below].end - from;
			if (depth + edge > matched)
				break;
			v = below;
			depth += edge;
		}
#pragma unroll 1
		while (i + matched < length) {
			uint8_t letter = query[i + matched];

			if (matched == depth) {
				below = tree[v].child[letter];
				if (below == ROOT)
					break;
				from = tree[below].start;
				edge = tree[below].end - from;
				at = from - depth;
			} else if (text[from + matched - depth] != letter) {
				break;
			}
			matched++;
			if (matched - depth == edge) {
				v = below;
				depth = matched;
			}
		}
		found[i].at = at;
		found[i].length = matched;
		if (matched > 0) {
			matched--;
			at++;
		}
		v = tree[v].link;
		depth -= depth > 0;
	}
}
