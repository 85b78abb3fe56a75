#include "taf/stores.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/panic.h"

void taf_stores_free(struct taf_stores *s)
{
	free(s->run);
	free(s->value);
	*s = (struct taf_stores){0};
}

static void append_values(struct taf_stores *s, const void *value, uint64_t bytes)
{
	if (s->cap_bytes - s->n_bytes < bytes) {
		s->cap_bytes = s->n_bytes + bytes > 2 * s->cap_bytes ? s->n_bytes + bytes : 2 * s->cap_bytes;
		s->value = xrealloc(s->value, s->cap_bytes);
	}
	memcpy(s->value + s->n_bytes, value, bytes);
	s->n_bytes += bytes;
}

static bool follows(const struct taf_run *last, uint64_t addr, uint32_t bytes, uint32_t insts)
{
	return last->bytes == bytes && last->insts == insts && last->addr + last->n * bytes == addr;
}

void taf_stores_add(struct taf_stores *s, uint64_t addr, uint32_t bytes, uint64_t n, const void *value)
{
	PANIC_UNLESS(bytes && bytes <= 8 && !(bytes & (bytes - 1)), "taf", s->n);
	if (!n)
		return;
	if (!s->n_runs || !follows(&s->run[s->n_runs - 1], addr, bytes, s->insts)) {
		if (s->n_runs == s->cap_runs) {
			s->cap_runs = s->cap_runs ? 2 * s->cap_runs : 16;
			s->run = xrealloc(s->run, s->cap_runs * sizeof *s->run);
		}
		s->run[s->n_runs++] = (struct taf_run){.addr = addr, .bytes = bytes, .insts = s->insts, .at = s->n_bytes};
	}
	s->run[s->n_runs - 1].n += n;
	s->n += n;
	append_values(s, value, n * bytes);
}

bool taf_stores_next(const struct taf_stores *s, struct taf_stores_at *at, struct taf_store *out)
{
	const struct taf_run *r;

	if (at->run == s->n_runs)
		return false;
	r = &s->run[at->run];
	*out = (struct taf_store){.addr = r->addr + at->i * r->bytes, .bytes = r->bytes, .insts = r->insts};
	memcpy(&out->value, s->value + r->at + at->i * r->bytes, r->bytes); /* as values are in memory: little endian */
	if (++at->i == r->n)
		*at = (struct taf_stores_at){at->run + 1, 0};
	return true;
}

/* The bytes that a run and [base, limit) share: false if none. */
static bool shared(const struct taf_run *r, uint64_t base, uint64_t limit, uint64_t *first, uint64_t *behind)
{
	uint64_t end = r->addr + r->n * r->bytes;

	*first = r->addr > base ? r->addr : base;
	*behind = end < limit ? end : limit;
	return *first < *behind;
}

uint64_t taf_stores_cover(const struct taf_stores *s, uint64_t base, uint64_t n, uint32_t size)
{
	uint8_t *seen = xcalloc(n + 1, 1);
	uint64_t first, behind, count = 0;

	for (uint64_t r = 0; r < s->n_runs; r++)
		if (shared(&s->run[r], base, base + n * size, &first, &behind))
			memset(seen + (first - base) / size, 1, (behind - 1 - base) / size - (first - base) / size + 1);
	for (uint64_t i = 0; i < n; i++)
		count += seen[i];
	free(seen);
	return count;
}

uint64_t taf_stores_last(const struct taf_stores *s, uint64_t base, uint64_t limit)
{
	uint64_t before = s->n, first, behind;

	for (uint64_t r = s->n_runs; r-- > 0;) {
		before -= s->run[r].n;
		if (shared(&s->run[r], base, limit, &first, &behind))
			return before + (behind - 1 - s->run[r].addr) / s->run[r].bytes + 1;
	}
	return 0;
}

void taf_stores_replay(const struct taf_stores *s, uint64_t base, uint64_t limit, uint8_t *out)
{
	uint64_t first, behind;

	for (uint64_t r = 0; r < s->n_runs; r++)
		if (shared(&s->run[r], base, limit, &first, &behind))
			memcpy(out + (first - base), s->value + s->run[r].at + (first - s->run[r].addr), behind - first);
}
