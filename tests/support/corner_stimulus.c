#include "support/corner_stimulus.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

enum { STRETCH = 64, SHORT_EPISODE = 1000, LONG_EPISODE = 12000 };

/* ---- fields ---- */

static const void *base_of(const struct corner_stimulus *s, enum hw_side side)
{
	return side == HW_INPUT ? s->in : side == HW_OUTPUT ? s->out : s->state;
}

static uint64_t element(const struct corner_stimulus *s, enum hw_side side, unsigned field, uint32_t i)
{
	const struct hw_field *f = &s->field[side][field];

	return hw_get(base_of(s, side), f->offset + i * f->size, f->size);
}

static void put(struct corner_stimulus *s, unsigned field, uint32_t i, uint64_t value)
{
	const struct hw_field *f = &s->field[HW_INPUT][field];

	hw_put(s->in, f->offset + i * f->size, f->size, value);
}

/* "acc" of acc_valid and acc_addr. */
static bool same_group(const struct hw_field *a, const struct hw_field *b)
{
	size_t n = strcspn(a->name, "_");

	return n == strcspn(b->name, "_") && !strncmp(a->name, b->name, n);
}

static void find_groups(struct corner_stimulus *s)
{
	const struct hw_field *f = s->field[HW_INPUT];

	for (unsigned i = 0; i < s->n[HW_INPUT]; i++) {
		s->input[i].first = i;
		s->input[i].valid = -1;
		for (unsigned k = s->n[HW_INPUT]; k-- > 0;) {
			if (!same_group(&f[i], &f[k]))
				continue;
			s->input[i].first = k;
			s->input[k].last = s->input[k].last > i ? s->input[k].last : i;
			if (k != i && !strcmp(f[k].name + strcspn(f[k].name, "_"), "_valid"))
				s->input[i].valid = (int)k;
		}
	}
}

static void find_related(struct corner_stimulus *s, unsigned input)
{
	unsigned width = s->field[HW_INPUT][input].width, found = input; /* the input itself is one */

	for (unsigned at = s->n_all; at-- > 0;) {
		if (s->field[s->all[at].side][s->all[at].field].width == width)
			found = at;
		s->input[input].related[at] = (uint16_t)found;
	}
	/* Behind the last one it goes on with the first. */
	for (unsigned at = s->n_all; at-- > 0 && s->field[s->all[at].side][s->all[at].field].width != width;)
		s->input[input].related[at] = s->input[input].related[0];
}

static void list_fields(struct corner_stimulus *s)
{
	for (enum hw_side side = HW_INPUT; side < HW_SIDES; side++)
		for (unsigned i = 0; i < s->n[side]; i++)
			s->all[s->n_all++] = (struct corner_known){side, i};
	for (unsigned i = 0; i < s->n[HW_INPUT]; i++)
		find_related(s, i);
}

void corner_stimulus_init(struct corner_stimulus *s, const struct hw_block *b, const void *params, uint64_t seed)
{
	memset(s, 0, sizeof *s);
	s->block = b;
	s->params = params;
	s->seed = seed;
	s->reset = true; /* nothing has been given that the twin could take */
	s->in = calloc(1, b->in_size);
	s->out = calloc(1, b->out_size);
	s->state = calloc(1, b->state_size);
	cr_assert(s->in && s->out && s->state);
	for (enum hw_side side = HW_INPUT; side < HW_SIDES; side++)
		s->n[side] = b->fields(params, side, s->field[side]);
	find_groups(s);
	list_fields(s);
}

void corner_stimulus_free(struct corner_stimulus *s)
{
	free(s->in);
	free(s->out);
	free(s->state);
}

/* ---- values ---- */

/* A value of as many bits that the block has in a register or shows, or that was an input: an element of the first such
 * field from a random one on. */
static uint64_t related(struct corner_stimulus *s, unsigned field)
{
	struct corner_known k = s->all[s->input[field].related[random_below(&s->seed, s->n_all)]];

	return element(s, k.side, k.field, (uint32_t)random_below(&s->seed, s->field[k.side][k.field].count));
}

static bool one_in(struct corner_stimulus *s, unsigned n)
{
	return random_below(&s->seed, n) == 0;
}

static uint64_t next_now(struct corner_stimulus *s, unsigned field, uint32_t i, uint64_t near)
{
	unsigned width = s->field[HW_INPUT][field].width;

	if (one_in(s, 8))
		return corner_value(&s->seed, width, near);
	return (element(s, HW_INPUT, field, i) + 1) & (UINT64_MAX >> (64 - width));
}

static uint64_t value(struct corner_stimulus *s, unsigned field, uint32_t i, uint64_t near)
{
	unsigned width = s->field[HW_INPUT][field].width;

	if (width == 1)
		return random_below(&s->seed, 16) < s->input[field].rate;
	if (!strcmp(s->field[HW_INPUT][field].name, "now"))
		return next_now(s, field, i, near);
	if (s->input[field].draws == DRAWS_SMALL)
		return random_below(&s->seed, width > 2 ? 6 : 3);
	if (s->input[field].draws == DRAWS_KNOWN && !one_in(s, 4))
		return near;
	return corner_value(&s->seed, width, near);
}

/* Whether the block looks at the element. */
static bool counts(const struct corner_stimulus *s, unsigned field, uint32_t i)
{
	int valid = s->input[field].valid;

	return valid < 0 || element(s, HW_INPUT, (unsigned)valid, s->field[HW_INPUT][valid].count > 1 ? i : 0);
}

static void draw(struct corner_stimulus *s, unsigned field, uint32_t i)
{
	unsigned width = s->field[HW_INPUT][field].width;
	uint64_t near = related(s, field), drawn = value(s, field, i, near);

	put(s, field, i, drawn);
	if (counts(s, field, i))
		corner_note(&s->input[field].points, width, drawn, near);
}

static void change_a_bit(struct corner_stimulus *s, unsigned field, uint32_t i)
{
	unsigned width = s->field[HW_INPUT][field].width;
	uint64_t before = element(s, HW_INPUT, field, i), changed = before ^ UINT64_C(1) << random_below(&s->seed, width);

	put(s, field, i, changed);
	if (counts(s, field, i))
		corner_note(&s->input[field].points, width, changed, before);
}

/* ---- steps ---- */

static void draw_group(struct corner_stimulus *s, unsigned first)
{
	for (unsigned k = first; k <= s->input[first].last; k++)
		for (uint32_t i = 0; s->input[k].first == first && i < s->field[HW_INPUT][k].count; i++)
			draw(s, k, i);
}

static void change_one_of(struct corner_stimulus *s, unsigned first)
{
	unsigned n = 0, chosen = first;

	for (unsigned k = first; k <= s->input[first].last; k++)
		if (s->input[k].first == first && one_in(s, ++n))
			chosen = k;
	change_a_bit(s, chosen, (uint32_t)random_below(&s->seed, s->field[HW_INPUT][chosen].count));
}

static void new_episode(struct corner_stimulus *s)
{
	static const enum corner_draws of[] = {DRAWS_CORNERS, DRAWS_CORNERS, DRAWS_SMALL, DRAWS_KNOWN};

	s->reset = true;
	s->episode = (unsigned)random_below(&s->seed, one_in(s, 8) ? LONG_EPISODE : SHORT_EPISODE);
	s->block->reset(s->state, s->params);
	for (unsigned k = 0; k < s->n[HW_INPUT]; k++)
		s->input[k].draws = of[random_below(&s->seed, 4)];
}

static void new_stretch(struct corner_stimulus *s)
{
	static const unsigned rate[] = {0, 1, 4, 8, 12, 15, 16, 16};
	static const unsigned hold[] = {1, 1, 2, 8};

	for (unsigned k = 0; k < s->n[HW_INPUT]; k++) {
		s->input[k].rate = rate[random_below(&s->seed, 8)];
		s->input[k].hold = hold[random_below(&s->seed, 4)];
	}
}

static void tick_twin(struct corner_stimulus *s)
{
	if (s->block->tick && !s->reset)
		s->block->tick(s->state, s->in);
}

void corner_stimulus_next(struct corner_stimulus *s)
{
	tick_twin(s); /* the step that was given last */
	s->reset = false;
	if (s->cycle++ % STRETCH == 0)
		new_stretch(s);
	if (s->episode-- == 0)
		new_episode(s);
	for (unsigned k = 0; k < s->n[HW_INPUT]; k++) {
		if (s->input[k].first != k || !one_in(s, s->input[k].hold))
			continue;
		if (one_in(s, 4))
			change_one_of(s, k);
		else
			draw_group(s, k);
	}
	s->block->eval(s->state, s->in, s->out);
}

/* ---- coverage ---- */

void corner_stimulus_count(const struct corner_stimulus *s, struct corner_tally *t)
{
	for (unsigned k = 0; k < s->n[HW_INPUT]; k++)
		corner_count(t, &s->input[k].points, s->field[HW_INPUT][k].width);
}

void corner_stimulus_print_missing(const struct corner_stimulus *s, FILE *to)
{
	for (unsigned k = 0; k < s->n[HW_INPUT]; k++) {
		size_t size;
		char *text;
		FILE *f = open_memstream(&text, &size);

		corner_print_missing(&s->input[k].points, s->field[HW_INPUT][k].width, f);
		fclose(f);
		if (size)
			fprintf(to, "%s (%s) ", s->field[HW_INPUT][k].name, text);
		free(text);
	}
}
