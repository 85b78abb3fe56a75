#include "support/ports.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bind/params.h"
#include "hw/twins/blocks.h"

void ports_init(struct ports *p, const char *block, const char *shape)
{
	struct err e = {""};

	p->block = hw_block_named(block);
	cr_assert_not_null(p->block, "no block is called %s", block);
	p->params = calloc(1, BIND_PARAMS_MAX);
	p->state = calloc(1, p->block->state_size);
	p->in = calloc(1, p->block->in_size);
	p->out = calloc(1, p->block->out_size);
	cr_assert_eq(bind_params_read(p->block, p->params, shape, &e), 0, "%s", e.text);
	for (enum hw_side side = HW_INPUT; side < HW_SIDES; side++)
		p->n[side] = p->block->fields(p->params, side, p->field[side]);
	ports_reset(p);
}

void ports_free(struct ports *p)
{
	free(p->params);
	free(p->state);
	free(p->in);
	free(p->out);
}

void ports_reset(struct ports *p)
{
	memset(p->in, 0, p->block->in_size);
	p->block->reset(p->state, p->params);
}

void ports_eval(struct ports *p)
{
	p->block->eval(p->state, p->in, p->out);
}

void ports_tick(struct ports *p)
{
	p->block->tick(p->state, p->in);
}

uint64_t ports_param(const struct ports *p, const char *name)
{
	for (unsigned i = 0; i < p->block->n_params; i++)
		if (!strcmp(p->block->params[i].name, name))
			return hw_get(p->params, p->block->params[i].offset, p->block->params[i].size);
	cr_assert_fail("%s has no parameter %s", p->block->name, name);
	return 0;
}

static const struct hw_field *field(const struct ports *p, enum hw_side side, const char *name)
{
	for (unsigned i = 0; i < p->n[side]; i++)
		if (!strcmp(p->field[side][i].name, name))
			return &p->field[side][i];
	cr_assert_fail("%s has no port %s", p->block->name, name);
	return NULL;
}

uint64_t ports_get(const struct ports *p, enum hw_side side, const char *name, unsigned element)
{
	const struct hw_field *f = field(p, side, name);

	return hw_get(side == HW_INPUT ? p->in : p->out, f->offset + element * f->size, f->size);
}

void ports_put(struct ports *p, const char *input, unsigned element, uint64_t value)
{
	const struct hw_field *f = field(p, HW_INPUT, input);

	hw_put(p->in, f->offset + element * f->size, f->size, f->width < 64 ? value & ((UINT64_C(1) << f->width) - 1) : value);
}

unsigned ports_width(const struct ports *p, enum hw_side side, const char *name)
{
	return field(p, side, name)->width;
}

uint64_t ports_out(const struct ports *p, const char *name)
{
	return ports_get(p, HW_OUTPUT, name, 0);
}

uint64_t ports_in(const struct ports *p, const char *name)
{
	return ports_get(p, HW_INPUT, name, 0);
}
