#include "waves/track.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "waves/tracks/tracks.h"

track_teller *track_of(const struct hw_block *b)
{
	static const struct {
		const struct hw_block *block;
		track_teller *tell;
	} row[] = {
		{&pric_block, track_pric},
		{&set_monitor_block, track_set_monitor},
		{&addr_decoder_block, track_decoder},
		{&addr_decoder_pipe_block, track_decoder_pipe},
		{&tafe_block, track_tafe},
		{&paver_block, track_paver},
		{&pin_replacement_block, track_pin_replacement},
		{&locality_table_block, track_locality_table},
		{&prefetch_unit_block, track_prefetch_unit},
		{&bypass_monitor_block, track_bypass_monitor},
		{&throttle_block, track_throttle},
		{&throttle_coordinator_block, track_coordinator},
	};

	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++)
		if (row[i].block == b)
			return row[i].tell;
	return NULL;
}

void track_say(struct track_text *t, const char *format, ...)
{
	char text[256];
	size_t room = BIND_TEXT - t->n;
	va_list ap;
	int n;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	n = snprintf(t->at + t->n, room + 1, "%s%s", t->n ? "; " : "", text);
	if (n > 0 && (size_t)n > room)
		memcpy(t->at + BIND_TEXT - 2, "..", 2);
	t->n += n > 0 && (size_t)n < room ? (size_t)n : room;
}

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
