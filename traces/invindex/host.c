/* An index of the links of a text of n bytes: counts, bases, then the index itself. As in Mars, a thread has `chunk`
 * bytes and what is left of the line in which they end, so that chunks, and with them the lanes of a warp, are not a
 * power of two apart. */
#include "workload/program.h"
#include "workload/random.h"

#include <string.h>

enum { THREADS = 256 };
static const char MARK[] = "<a href=\"";

/* The index as the text is written: place of the link, place of its target in `name`, the targets one behind the
 * other. */
struct index {
	uint32_t links, bytes, *place, *target;
	uint8_t *name;
};

/* Words and, between them, a link for every `words` of them; a line ends behind every tenth word. What is cut off at
 * the end of the text still counts as far as it goes. Keeps the index from what it writes, without looking at the text
 * again. */
static void write_text(char *text, uint32_t n, uint32_t words, uint32_t seed, struct index *x)
{
	struct host_random r = {seed};
	char piece[64];
	uint32_t at = 0;

	while (at < n) {
		bool link = !host_random_below(&r, words);
		uint32_t letters = 2 + host_random_below(&r, link ? 30 : 8), prefix = link ? (uint32_t)strlen(MARK) : 0, size;

		memcpy(piece, MARK, prefix);
		for (uint32_t i = 0; i < letters; i++)
			piece[prefix + i] = (char)('a' + (char)host_random_below(&r, 26));
		memcpy(piece + prefix + letters, link ? "\">" : host_random_below(&r, 10) ? " <" : " \n", 2);
		size = prefix + letters + 2 < n - at ? prefix + letters + 2 : n - at;
		memcpy(text + at, piece, size);
		if (link && size >= prefix) {
			uint32_t whole = size - prefix < letters ? size - prefix : letters;

			x->place[x->links] = at;
			x->target[x->links++] = x->bytes;
			memcpy(x->name + x->bytes, piece + prefix, whole);
			x->bytes += whole;
		}
		at += size;
	}
}

/* Where chunks begin; the last of them ends at n, begins[return value]. */
static uint32_t cut(const char *text, uint32_t n, uint32_t chunk, uint32_t *begins)
{
	uint32_t chunks = 0, at = 0;

	while (at < n) {
		begins[chunks++] = at;
		for (at = chunk < n - at ? at + chunk : n; at < n && text[at - 1] != '\n'; at++)
			;
	}
	begins[chunks] = n;
	return chunks;
}

static int run(struct host *h, struct err *e)
{
	uint64_t text, begins, before, of_cta, place, target, name, most_links, most_words;
	uint32_t n, chunk, words, seed, ctas, chunks, *v, *first;
	struct index x = {0};

	if (host_arg_u32(h, "n", 32 << 10, 2 << 20, 28 << 20, 1, 256 << 20, &n, e) ||
	    host_arg_u32(h, "chunk", 64, 256, 1024, 16, 64 << 10, &chunk, e) ||
	    host_arg_u32(h, "words", 10, 50, 50, 1, 1 << 20, &words, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "invindex of %u bytes", n);
	most_links = n / 13 + UINT64_C(1); /* a mark, two letters, two characters behind them */
	most_words = n / 4 + UINT64_C(1);
	x.place = host_scratch(h, most_links, sizeof *x.place);
	x.target = host_scratch(h, most_links, sizeof *x.target);
	x.name = host_scratch(h, most_words, sizeof(uint32_t));
	if (!(v = host_alloc_u32(h, "text", n / 4 + UINT64_C(1), &text, e)) ||
	    !(first = host_alloc_u32(h, "begins", host_blocks(n, chunk) + UINT64_C(1), &begins, e)))
		return -1;
	write_text((char *)v, n, words, seed, &x);
	chunks = cut((const char *)v, n, chunk, first);
	ctas = host_blocks(chunks, THREADS);
	if (!host_alloc_u32(h, "before", UINT64_C(2) * ctas * THREADS, &before, e) ||
	    !host_alloc_u32(h, "of_cta", UINT64_C(2) * (ctas + 1), &of_cta, e) ||
	    !host_alloc_u32(h, "place", most_links, &place, e) || !host_alloc_u32(h, "target", most_links, &target, e) ||
	    !host_alloc_u32(h, "name", most_words, &name, e))
		return -1;
	if (host_launch(h, "invindex_count", (struct host_dim){ctas, 1, 1}, (struct host_dim){THREADS, 1, 1}, 0, 6,
			(struct host_arg[]){host_u64(text), host_u32(n), host_u64(begins), host_u32(chunks), host_u64(before),
					    host_u64(of_cta)},
			e) ||
	    host_launch(h, "invindex_bases", (struct host_dim){1, 1, 1}, (struct host_dim){THREADS, 1, 1}, 0, 2,
			(struct host_arg[]){host_u64(of_cta), host_u32(ctas)}, e) ||
	    /* A wrong sum must not send the next launch out of its buffers. */
	    host_check_u32(h, "sums", of_cta + UINT64_C(8) * ctas, (const uint32_t[]){x.links, x.bytes}, 2, e) ||
	    host_launch(h, "invindex_emit", (struct host_dim){ctas, 1, 1}, (struct host_dim){THREADS, 1, 1}, 0, 9,
			(struct host_arg[]){host_u64(text), host_u32(n), host_u64(begins), host_u32(chunks), host_u64(before),
					    host_u64(of_cta), host_u64(place), host_u64(target), host_u64(name)},
			e))
		return -1;
	if (host_check_u32(h, "place", place, x.place, most_links, e) ||
	    host_check_u32(h, "target", target, x.target, most_links, e))
		return -1;
	return host_check_u32(h, "name", name, (const uint32_t *)x.name, most_words, e);
}

static const struct workload_option options[] = {
	{"n", "bytes of text", "32K / 2M / 28M"},
	{"chunk", "bytes a thread scans at least: to the end of the line", "64 / 256 / 1024"},
	{"words", "of the text, for each link", "10 / 50 / 50"},
	{"seed", "of the text", "1"},
	{0},
};
const struct workload workload_invindex = {
	.name = "invindex",
	.summary = "an index of a text's links",
	.suite = "Mars",
	.original = "Mars InvertedIndex",
	.grid = "chunks/256 x 256, 1 x 256, chunks/256 x 256; 4 KB shared",
	.access = "each thread scans a chunk of its own byte by byte, lanes a chunk of whole lines of text apart",
	.differences = "The text is random; --arg words says how many of its words there are to a link. Links stay in the text's "
		       "order, without the sort and the grouping of Mars. A chunk goes on to the end of its line, as there; a "
		       "thread has one chunk.",
	.pattern = "thrashing",
	.sharing = "none",
	.launches = "3",
	.sizes = "32 KB / 2 MB / 28 MB of text",
	.options = options,
	.run = run,
};
