#include "lockstep/stim.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void stim_init(struct stim *s, const struct bind_side *in)
{
	memset(s, 0, sizeof *s);
	s->in = in;
	s->step_bytes = 11 + 8; /* a head of up to 10 bytes; the last field is copied in whole words */
	for (unsigned i = 0; i < in->n; i++)
		s->step_bytes += (in->slot[i].bits + 7) / 8;
}

void stim_free(struct stim *s)
{
	free(s->data);
	memset(s, 0, sizeof *s);
}

void stim_append(struct stim *s, uint64_t cycle, bool reset, const uint64_t *in)
{
	uint64_t head = (cycle - s->last_cycle) << 1 | reset;
	unsigned char *to;

	if (s->cap - s->bytes < s->step_bytes) {
		s->cap = s->cap * 2 + 4096 + s->step_bytes;
		s->data = xrealloc(s->data, s->cap);
	}
	to = s->data + s->bytes;
	for (; head >= 128; head >>= 7)
		*to++ = (unsigned char)(head | 128);
	*to++ = (unsigned char)head;
	for (unsigned i = 0; i < s->in->n; i++) {
		const struct bind_slot *slot = &s->in->slot[i];
		size_t n = (slot->bits + 7) / 8;

		if (n <= 8)
			memcpy(to, in + slot->word, 8); /* little endian; the room is there */
		else
			memcpy(to, in + slot->word, n);
		to += n;
	}
	s->bytes = (size_t)(to - s->data);
	s->last_cycle = cycle;
	s->steps++;
}

void stim_restart(struct stim *s, uint64_t step, uint64_t cycle)
{
	s->bytes = 0;
	s->steps = 0;
	s->first_step = step;
	s->first_base = s->last_cycle = cycle;
}

struct stim_mark stim_mark(const struct stim *s)
{
	return (struct stim_mark){s->bytes, s->first_step + s->steps, s->last_cycle};
}

void stim_drop_before(struct stim *s, struct stim_mark m)
{
	if (s->bytes > m.bytes)
		memmove(s->data, s->data + m.bytes, s->bytes - m.bytes);
	s->bytes -= m.bytes;
	s->steps -= m.step - s->first_step;
	s->first_step = m.step;
	s->first_base = m.cycle;
}

void stim_read(struct stim_reader *r, const struct stim *s)
{
	*r = (struct stim_reader){.s = s, .step = s->first_step - 1, .cycle = s->first_base};
}

bool stim_next(struct stim_reader *r, uint64_t *in)
{
	const unsigned char *at;
	uint64_t head = 0;
	unsigned shift = 0;

	if (r->at >= r->s->bytes)
		return false;
	at = r->s->data + r->at;
	for (; *at & 128; shift += 7)
		head |= (uint64_t)(*at++ & 127) << shift;
	head |= (uint64_t)*at++ << shift;
	for (unsigned i = 0; i < r->s->in->n; i++) {
		const struct bind_slot *slot = &r->s->in->slot[i];
		size_t n = (slot->bits + 7) / 8;

		memset(in + slot->word, 0, slot->words * sizeof *in);
		memcpy(in + slot->word, at, n);
		at += n;
	}
	r->at = (size_t)(at - r->s->data);
	r->cycle += head >> 1;
	r->reset = head & 1;
	r->step++;
	return true;
}
