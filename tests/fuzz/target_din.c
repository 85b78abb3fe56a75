/* Dinero traces. The first byte chooses the cache, the rest is the trace. */
#include "fuzz/fuzz.h"
#include "replay/dinero.h"

static const struct dinero_params shapes[] = {
	{.bytes = 1024, .line = 32, .assoc = 2},
	{.bytes = 4096, .line = 128, .assoc = 1, .poly = 37, .classify = true},
	{.bytes = 512, .line = 16, .assoc = 0, .write_through = true, .classify = true},
	{.bytes = 2048, .line = 64, .assoc = 4, .no_write_allocate = true, .classify = true},
};

void fuzz_din(const uint8_t *data, size_t n)
{
	struct dinero_params p = shapes[n ? data[0] % 4 : 0];
	struct dinero_counts count;
	struct dinero_cache *c;
	struct err e = {""};
	FILE *f;

	if (n < 2)
		return;
	f = fmemopen((void *)(uintptr_t)(data + 1), n - 1, "r");
	c = dinero_open(&p, &e);
	REQUIRE(f && c);
	if (dinero_replay(c, f, "t.din", &e))
		fuzz_told(&e);
	count = dinero_count(c);
	for (int k = 0; k < DIN_KINDS; k++)
		REQUIRE(count.misses[k] <= count.accesses[k]);
	REQUIRE(count.write_backs <= count.evictions && (!p.write_through || !count.write_backs));
	dinero_close(c);
	fclose(f);
}
