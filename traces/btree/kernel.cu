// btree: searches in a tree of 2 KB nodes, 256 keys and 256 values each, a CTA of 256 threads a query. All keys of a
// node are compared at once; the thread whose key is the greatest not above the query's names the next node.
#include "device.h"

enum { ORDER = 256, NONE = 0xffffffff };

struct node {
	uint32_t key[ORDER];   // ascending; behind the last, NONE
	uint32_t value[ORDER]; // of a leaf the records, else the numbers of the nodes below
};

// The slot of this thread holds the greatest key that is not above q.
static __device__ __forceinline__ bool holds(const node *at, uint32_t t, uint32_t q)
{
	return at->key[t] <= q && (t == ORDER - 1 || q < at->key[t + 1]);
}

// The record with key query[blockIdx.x], NONE if there is none. `height` is the number of nodes from the root to a
// leaf.
extern "C" __global__ void btree_find(const node *tree, uint32_t height, uint32_t root, const uint32_t *query, uint32_t *record)
{
	__shared__ uint32_t next;
	uint32_t t = threadIdx.x, q = query[blockIdx.x], at = root;

#pragma unroll 1
	for (uint32_t level = 1; level < height; level++) {
		if (holds(tree + at, t, q))
			next = tree[at].value[t];
		__syncthreads();
		at = next;
		__syncthreads();
	}
	if (tree[at].key[t] == q)
		record[blockIdx.x] = tree[at].value[t];
}

// How many keys there are from `first`, which is one of them, to `last`. Leaves are the nodes from 0 on, all full but
// the last.
extern "C" __global__ void btree_count(const node *tree, uint32_t height, uint32_t root, const uint32_t *first, const uint32_t *last,
				       uint32_t *count)
{
	__shared__ uint32_t next[2], place[2];
	uint32_t t = threadIdx.x, q[2] = {first[blockIdx.x], last[blockIdx.x]}, at[2] = {root, root};

#pragma unroll 1
	for (uint32_t level = 1; level < height; level++) {
#pragma unroll
		for (uint32_t i = 0; i < 2; i++)
			if (holds(tree + at[i], t, q[i]))
				next[i] = tree[at[i]].value[t];
		__syncthreads();
		at[0] = next[0];
		at[1] = next[1];
		__syncthreads();
	}
#pragma unroll
	for (uint32_t i = 0; i < 2; i++)
		if (holds(tree + at[i], t, q[i]))
			place[i] = at[i] * ORDER + t;
	__syncthreads();
	if (t == 0)
		count[blockIdx.x] = place[1] - place[0] + 1;
}
