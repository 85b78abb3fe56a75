/* MD5 of private chunks, 128 a CTA. */
#include "workload/program.h"
#include "workload/md5.h"
#include "workload/random.h"

enum { THREADS = 128, CHUNK = 31 /* words */ };

static int run(struct host *h, struct err *e)
{
	uint32_t ctas, length, seed, *words, *want;
	uint64_t data, digest, chunks, bytes;
	struct host_random r;
	const char *text;
	uint8_t *v;

	if (host_arg_u32(h, "ctas", 16, 96, 384, 1, 4096, &ctas, e) ||
	    host_arg_u32(h, "bytes", 124, 124, 124, 0, 4 * CHUNK, &length, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e))
		return -1;
	text = host_arg_text(h, "text", NULL);
	if (host_args_done(h, e))
		return -1;
	if (text && strlen(text) > 4 * CHUNK)
		return err_set(e, "--arg text: has %zu bytes, a chunk %u", strlen(text), 4 * CHUNK);
	length = text ? (uint32_t)strlen(text) : length;
	chunks = (uint64_t)ctas * THREADS;
	host_describe(h, "storegpu %llu chunks of %u bytes", (unsigned long long)chunks, length);
	if (!(words = host_alloc_u32(h, "data", chunks * CHUNK, &data, e)) || !host_alloc_u32(h, "digest", 4 * chunks, &digest, e))
		return -1;
	v = (uint8_t *)words;
	bytes = chunks * 4 * CHUNK;
	r.state = seed;
	for (uint64_t i = 0; i < bytes; i++)
		v[i] = (uint8_t)host_random_below(&r, 256);
	for (uint64_t i = 0; text && i < chunks; i++)
		memcpy(v + i * 4 * CHUNK, text, length);
	want = host_scratch(h, 4 * chunks, sizeof *want);
	for (uint64_t i = 0; i < chunks; i++)
		md5(v + i * 4 * CHUNK, length, want + 4 * i);
	if (host_launch(h, "storegpu", (struct host_dim){ctas, 1, 1}, (struct host_dim){THREADS, 1, 1}, 0, 3,
			(struct host_arg[]){host_u64(data), host_u64(digest), host_u32(length)}, e))
		return -1;
	return host_check_u32(h, "digest", digest, want, 4 * chunks, e);
}

static const struct workload_option options[] = {
	{"ctas", "of 128 chunks", "16 / 96 / 384"},
	{"bytes", "hashed of each chunk, at most 124", "124"},
	{"seed", "of the chunks", "1"},
	{"text", "that every chunk is, instead of random bytes", "none"},
	{0},
};
const struct workload workload_storegpu = {
	.name = "storegpu",
	.summary = "MD5 of private chunks",
	.suite = "ISPASS-2009",
	.original = "ISPASS-2009 STO",
	.grid = "ctas x 128, 16,256 bytes shared",
	.access = "private chunks, streamed into shared memory",
	.differences = "Hashes a chunk of at most 124 bytes per thread by MD5 (--arg bytes, or a given --arg text), not "
		       "overlapping windows.",
	.pattern = "streaming",
	.sharing = "low",
	.launches = "1",
	.sizes = "2 K / 12 K / 48 K chunks",
	.options = options,
	.run = run,
};
