#include "signoff/steps.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "workload/random.h"

enum { EPISODE = 2000, RATE_LASTS = 32 };

static uint64_t largest(uint32_t width)
{
	return UINT64_MAX >> (64 - width);
}

static uint64_t draw(struct host_random *r, uint32_t width, uint64_t last)
{
	uint64_t one_bit = UINT64_C(1) << host_random_below(r, width), value;

	switch (host_random_below(r, 12)) {
	case 0:
		value = 0;
		break;
	case 1:
		value = largest(width);
		break;
	case 2:
		value = host_random_below(r, 2) ? 1 : largest(width) - 1;
		break;
	case 3:
		value = one_bit;
		break;
	case 4:
		value = last ^ one_bit;
		break;
	case 5:
		value = last + host_random_below(r, 3) - 1;
		break;
	case 6:
	case 7:
	case 8: /* few values, which meet one another */
		value = host_random_below(r, 4);
		break;
	default:
		value = host_random_u64(r);
	}
	return value & largest(width);
}

/* Of 16 steps, those in which a bit is high. */
static void draw_rates(struct host_random *r, unsigned *rate, unsigned n)
{
	static const unsigned char choice[] = {0, 1, 4, 8, 12, 15, 16, 16};

	for (unsigned i = 0; i < n; i++)
		rate[i] = choice[host_random_below(r, 8)];
}

static void put(uint64_t *words, const struct bind_slot *slot, uint32_t element, uint64_t value)
{
	for (uint32_t bit = 0; bit < slot->f.width; bit++) {
		uint32_t at = element * slot->f.width + bit;
		uint64_t *w = &words[slot->word + at / 64], mask = UINT64_C(1) << at % 64;

		*w = value >> bit & 1 ? *w | mask : *w & ~mask;
	}
}

void steps_fill(struct scenario *s, uint64_t seed, uint64_t steps)
{
	const struct bind_side *in = &s->layout.side[HW_INPUT];
	uint64_t *words = xcalloc(in->words + 1, sizeof *words), cycle = 0;
	unsigned *rate = xcalloc(in->n + 1, sizeof *rate);
	struct host_random r = {seed};

	for (uint64_t i = 0; i < steps; i++) {
		bool reset = s->block->tick && i % EPISODE == 0;

		if (i % RATE_LASTS == 0)
			draw_rates(&r, rate, in->n);
		for (unsigned k = 0; k < in->n && !reset; k++)
			for (uint32_t element = 0; element < in->slot[k].f.count; element++)
				put(words, &in->slot[k], element,
				    in->slot[k].f.width == 1
					    ? host_random_below(&r, 16) < rate[k]
					    : draw(&r, in->slot[k].f.width, bind_element(&in->slot[k], words, element)));
		stim_append(&s->stim, cycle++, reset, words);
	}
	free(rate);
	free(words);
}
