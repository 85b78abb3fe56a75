#include "base/outside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/region.h"

/* Below are a sanitizer's shadows, and programs that are not position independent; a sanitizer's other shadows are
 * larger than any real mapping. Nothing points into any of these. */
#define LOWEST	(UINT64_C(1) << 40)
#define LARGEST (UINT64_C(1) << 40)

static bool is_of_region(uint64_t from)
{
	return from >= REGION_AT && from < REGION_AT + REGION_ROOM;
}

static void add(struct outside *o, uint64_t from, uint64_t to)
{
	if (o->n && o->range[o->n - 1].to == from) {
		o->range[o->n - 1].to = to;
		return;
	}
	if (o->n == o->cap) {
		o->cap = o->cap ? 2 * o->cap : 64;
		o->range = xrealloc(o->range, o->cap * sizeof *o->range);
	}
	o->range[o->n++] = (struct outside_range){from, to};
}

/* "55d0c0a0e000-55d0c0a2f000 r--p ...", of memory that can be read: what is only reserved has nothing to point to. The
 * rest of a longer line is none. */
static bool is_range(const char *line, uint64_t *from, uint64_t *to)
{
	char *end;

	*from = strtoull(line, &end, 16);
	if (*end != '-')
		return false;
	*to = strtoull(end + 1, &end, 16);
	return *end == ' ' && end[1] == 'r' && *to > *from;
}

int outside_read(struct outside *o, struct err *e)
{
	FILE *f = fopen("/proc/self/maps", "r");
	uint64_t from, to;
	char line[4352];

	*o = (struct outside){.n = 0};
	if ((uintptr_t)outside_read < LOWEST)
		err_set(e, "this program has been built without -pie: its own addresses cannot be told from numbers");
	else if (!f)
		err_set(e, "/proc/self/maps: %s", strerror(errno));
	while (!e->text[0] && fgets(line, sizeof line, f))
		if (is_range(line, &from, &to) && from >= LOWEST && to - from < LARGEST && !is_of_region(from))
			add(o, from, to);
	if (f)
		fclose(f);
	if (!e->text[0] && o->n)
		return 0;
	outside_free(o);
	return err_set(e, "/proc/self/maps: cannot be read");
}

void outside_free(struct outside *o)
{
	free(o->range);
	*o = (struct outside){.n = 0};
}

bool outside_find(const struct outside *o, uint64_t word)
{
	unsigned low = 0, high = o->n;

	while (high - low > 1) {
		unsigned middle = (low + high) / 2;

		if (o->range[middle].from <= word)
			low = middle;
		else
			high = middle;
	}
	return word >= o->range[low].from && word < o->range[low].to;
}
