#include "sm/lsu/loads.h"

#include <string.h>

#include "base/metrics.h"
#include "base/panic.h"
#include "base/region.h"

#define NO_LOAD UINT32_MAX
enum { FIRST_LOADS = 256 };

void loads_init(struct loads *l, struct arena *a, uint32_t buffers, uint64_t period)
{
	*l = (struct loads){.region = a->region, .free = NO_LOAD, .buffers = buffers, .period = period};
	l->latency = arena_array(a, (size_t)buffers + 1, sizeof *l->latency);
}

void loads_free(struct loads *l)
{
	region_drop(l->region, l->load);
	l->load = NULL;
}

static void grow(struct loads *l)
{
	uint32_t n = l->n ? 2 * l->n : FIRST_LOADS;

	PANIC_UNLESS(n > l->n, "lsu", n);
	l->load = region_grow(l->region, l->load, l->n * sizeof *l->load, n * sizeof *l->load);
	memset(l->load + l->n, 0, (n - l->n) * sizeof *l->load);
	for (uint32_t k = n; k-- > l->n;) {
		l->load[k].next_free = l->free;
		l->free = k;
	}
	l->n = n;
}

uint32_t loads_new(struct loads *l)
{
	uint32_t i;

	if (l->free == NO_LOAD)
		grow(l);
	i = l->free;
	l->free = l->load[i].next_free;
	return i;
}

static void count_latency(struct loads *l, const struct load *d, uint64_t now, uint32_t buffer, const struct stamp *at)
{
	struct load_counts *c = &l->latency[buffer < l->buffers ? buffer : l->buffers];
	uint64_t readable = now + d->latency - 1;

	load_latency_count(c, readable - d->issued);
	load_latency_split(c, ticks_of(d->issued, l->period), ticks_of(now, l->period), ticks_of(readable, l->period), at);
}

void loads_end(struct loads *l, uint32_t token, uint64_t now, uint32_t buffer, const struct stamp *at)
{
	struct load *d = &l->load[token];

	if (d->timed)
		count_latency(l, d, now, buffer, at);
	d->next_free = l->free;
	l->free = token;
}

struct load_counts loads_total(const struct loads *l)
{
	struct load_counts t = {0};

	for (uint32_t b = 0; b <= l->buffers; b++)
		METRICS_ADD(&t, &l->latency[b]);
	return t;
}
