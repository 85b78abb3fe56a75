#include "waves/tracks/tracks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
