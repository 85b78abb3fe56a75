#include "waves/track.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void track_init(struct track *t, const struct hw_block *b, const void *params, const struct bind_layout *l)
{
	memset(t, 0, sizeof *t);
	t->layout = l;
	t->tell = track_of(b);
	t->params = params;
	t->in = xcalloc(1, b->in_size);
	t->out = xcalloc(1, b->out_size);
	t->before = xcalloc(1, b->state_size);
	t->after = xcalloc(1, b->state_size);
}

void track_free(struct track *t)
{
	free(t->in);
	free(t->out);
	free(t->before);
	free(t->after);
	memset(t, 0, sizeof *t);
}

void track_before(struct track *t, const uint64_t *in, const uint64_t *out, const uint64_t *reg)
{
	bind_unpack(&t->layout->side[HW_INPUT], in, t->in);
	bind_unpack(&t->layout->side[HW_OUTPUT], out, t->out);
	if (reg)
		bind_unpack(&t->layout->side[HW_REG], reg, t->before);
}

bool track_after(struct track *t, const uint64_t *reg)
{
	struct track_text text = {.n = 0};

	if (!t->tell)
		return false;
	if (reg)
		bind_unpack(&t->layout->side[HW_REG], reg, t->after);
	t->tell(&(struct track_step){t->in, t->out, t->before, t->after, t->params}, &text);
	if (!text.n)
		return false;
	if (!strcmp(text.at, t->text.at) && text.n < BIND_TEXT)
		text.at[text.n++] = ' ';
	t->text = text;
	return true;
}
