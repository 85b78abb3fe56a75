#include "support/corner.h"

#include <stdbool.h>

#include "support/random.h"

static uint64_t largest(unsigned width)
{
	return UINT64_MAX >> (64 - width);
}

static uint64_t halves(uint64_t *seed, unsigned width)
{
	uint64_t low = corner_value(seed, width / 2, 0), beside = low + random_below(seed, 3) - 1;
	uint64_t high = random_u64(seed) & 1 ? beside : corner_value(seed, width / 2, low);

	return (high & largest(width / 2)) << width / 2 | low;
}

enum kind { IS_ZERO, IS_ONE, IS_LARGEST, IS_LESS_ONE, IS_ONE_BIT, IS_BESIDE, IS_CHANGED, IS_HALVES, IS_UNIFORM };

static enum kind draw_kind(uint64_t *seed)
{
	static const unsigned char weight[] = {2, 2, 2, 2, 5, 6, 5, 2, 6};
	uint64_t r = random_below(seed, 32);
	unsigned kind = IS_ZERO;

	for (; r >= weight[kind]; kind++)
		r -= weight[kind];
	return kind;
}

/* The highest in one of four draws. */
static uint64_t draw_bit(uint64_t *seed, unsigned width)
{
	return UINT64_C(1) << (random_below(seed, 4) ? random_below(seed, width) : width - 1);
}

static uint64_t draw(uint64_t *seed, unsigned width, uint64_t near)
{
	enum kind kind = draw_kind(seed);
	uint64_t r = random_u64(seed), bit = draw_bit(seed, width);

	switch (kind) {
	case IS_ZERO:
		return 0;
	case IS_ONE:
		return 1;
	case IS_LARGEST:
		return largest(width);
	case IS_LESS_ONE:
		return largest(width) - 1;
	case IS_ONE_BIT:
		return bit;
	case IS_BESIDE:
		return near + r % 3 - 1;
	case IS_CHANGED:
		return near ^ bit;
	case IS_HALVES:
		return width > 3 ? halves(seed, width) : r;
	default:
		return r;
	}
}

uint64_t corner_value(uint64_t *seed, unsigned width, uint64_t near)
{
	return draw(seed, width, near) & largest(width);
}

/* ---- coverage ---- */

enum point { ZERO, ONE, LARGEST, LARGEST_LESS_ONE, BELOW, SAME, ABOVE, POINTS };

static const char *const name[POINTS] = {"0", "1", "max", "max-1", "one below another", "another's", "one above another"};

/* One bit has two values, and no neighbours but these. */
static bool exists(enum point at, unsigned width)
{
	return width > 1 || at == ZERO || at == ONE;
}

static bool single_bit(uint64_t value)
{
	return value && !(value & (value - 1));
}

void corner_note(struct corner_points *p, unsigned width, uint64_t value, uint64_t near)
{
	uint64_t max = largest(width);

	p->met |= (unsigned)(value == 0) << ZERO | (unsigned)(value == 1) << ONE | (unsigned)(value == max) << LARGEST |
		  (unsigned)(value == max - 1) << LARGEST_LESS_ONE | (unsigned)(value == ((near - 1) & max)) << BELOW |
		  (unsigned)(value == near) << SAME | (unsigned)(value == ((near + 1) & max)) << ABOVE;
	if (single_bit(value))
		p->one_bit |= value;
	if (single_bit(value ^ near))
		p->changed_bit |= value ^ near;
}

void corner_count(struct corner_tally *t, const struct corner_points *p, unsigned width)
{
	for (enum point at = ZERO; at < POINTS; at++) {
		enum corner_class of = at < BELOW ? CORNER_VALUE : CORNER_BESIDE;

		t->points[of] += exists(at, width);
		t->met[of] += exists(at, width) && p->met >> at & 1;
	}
	if (width == 1)
		return;
	t->points[CORNER_BIT] += width;
	t->met[CORNER_BIT] += (unsigned)__builtin_popcountll(p->one_bit);
	t->points[CORNER_CHANGED] += width;
	t->met[CORNER_CHANGED] += (unsigned)__builtin_popcountll(p->changed_bit);
}

static void print_bits(const char *what, uint64_t bits, const char **between, FILE *to)
{
	for (unsigned i = 0; i < 64; i++)
		if (bits >> i & 1) {
			fprintf(to, "%s%s %u", *between, what, i);
			*between = ", ";
		}
}

void corner_print_missing(const struct corner_points *p, unsigned width, FILE *to)
{
	const char *between = "";

	for (enum point at = ZERO; at < POINTS; at++)
		if (exists(at, width) && !(p->met >> at & 1)) {
			fprintf(to, "%s%s", between, name[at]);
			between = ", ";
		}
	if (width > 1) {
		print_bits("bit alone", ~p->one_bit & largest(width), &between, to);
		print_bits("bit changed", ~p->changed_bit & largest(width), &between, to);
	}
}
