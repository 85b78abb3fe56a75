/* Addresses as few ranges, and ranges as buffers. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "trace/accelsim_impl.h"

enum { MAX_RANGES = 4096 };

static bool apart(const struct ranges *r, uint64_t lower_end, uint64_t upper_base)
{
	return upper_base >= lower_end && upper_base - lower_end >= r->gap;
}

static void thin_out(struct ranges *r)
{
	while (r->n >= MAX_RANGES) {
		uint32_t n = 1;

		r->gap = r->gap ? 2 * r->gap : 1;
		for (uint32_t i = 1; i < r->n; i++)
			if (apart(r, r->r[n - 1].end, r->r[i].base))
				r->r[n++] = r->r[i];
			else
				r->r[n - 1].end = r->r[i].end;
		r->n = n;
	}
}

void ranges_add(struct ranges *r, uint64_t base, uint64_t end)
{
	uint32_t lo = 0, hi = r->n, last;

	while (lo < hi) { /* the first that is not wholly below */
		uint32_t mid = (lo + hi) / 2;

		if (apart(r, r->r[mid].end, base))
			lo = mid + 1;
		else
			hi = mid;
	}
	for (last = lo; last < r->n && !apart(r, end, r->r[last].base); last++) {
		base = base < r->r[last].base ? base : r->r[last].base;
		end = end > r->r[last].end ? end : r->r[last].end;
	}
	if (last > lo) {
		r->r[lo] = (struct range){base, end};
		memmove(&r->r[lo + 1], &r->r[last], (r->n - last) * sizeof *r->r);
		r->n -= last - lo - 1;
		return;
	}
	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 64;
		r->r = xrealloc(r->r, r->cap * sizeof *r->r);
	}
	memmove(&r->r[lo + 1], &r->r[lo], (r->n - lo) * sizeof *r->r);
	r->r[lo] = (struct range){base, end};
	r->n++;
	thin_out(r);
}

static int add(struct trace_writer *w, const char *kind, uint64_t base, uint64_t end, struct err *e)
{
	char name[64];

	snprintf(name, sizeof name, "%s%#llx", kind, (unsigned long long)base);
	return trace_add_buffer(w, name, base, end - base, e);
}

int ranges_to_buffers(const struct ranges *touched, const struct ranges *copied, struct trace_writer *w, struct err *e)
{
	uint32_t c = 0;

	for (uint32_t i = 0; i < copied->n; i++)
		if (add(w, "copy ", copied->r[i].base, copied->r[i].end, e))
			return -1;
	for (uint32_t i = 0; i < touched->n; i++) {
		uint64_t at = touched->r[i].base, end = touched->r[i].end;

		while (c < copied->n && copied->r[c].end <= at)
			c++;
		for (uint32_t k = c; k < copied->n && copied->r[k].base < end; k++) {
			if (at < copied->r[k].base && add(w, "", at, copied->r[k].base, e))
				return -1;
			at = copied->r[k].end;
		}
		if (at < end && add(w, "", at, end, e))
			return -1;
	}
	return 0;
}
