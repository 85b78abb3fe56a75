/* Loops whose iterations repeat: accelsim_waits.h. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash_map.h"
#include "trace/accelsim_waits.h"

enum { ALIKE = 3, MOST_LOOPS = 1 << 20, MOST_WORDS = 1 << 20, REGISTERS = 336 };
enum kind { KIND_PLAIN, KIND_LOAD, KIND_EXCHANGE, KIND_EFFECT };

/* Odd and without a pattern: a sum of products of addresses with them stands for the addresses. */
static uint64_t factor(unsigned lane)
{
	uint64_t v = hash_multiply(lane + 1);

	v = (v ^ v >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
	return (v ^ v >> 29) | 1;
}

struct sass_waits *sass_waits_new(void)
{
	struct sass_waits *w = xcalloc(1, sizeof *w);

	for (unsigned i = 0; i < TRACE_WARP_SIZE; i++)
		w->find.factor[i] = factor(i);
	w->n_slots = 64;
	w->slot = xcalloc(w->n_slots, sizeof *w->slot);
	return w;
}

void sass_waits_free(struct sass_waits *w)
{
	if (!w)
		return;
	free(w->loop);
	free(w->polled);
	free(w->word);
	free(w->event);
	free(w->actor);
	free(w->mark);
	free(w->slot);
	free(w->sync.word);
	free(w->sync.item);
	free(w->sync.tail);
	free(w->sync.access);
	free(w->sync.first_access);
	free(w);
}

/* ---- words by address ---- */

static uint32_t *slot_of(const struct sass_waits *w, uint64_t addr)
{
	uint32_t mask = w->n_slots - 1, i = (uint32_t)(hash_multiply(addr) >> 32) & mask;

	while (w->slot[i] && w->word[w->slot[i] - 1].addr != addr)
		i = (i + 1) & mask;
	return &w->slot[i];
}

uint32_t sass_waits_word(const struct sass_waits *w, uint64_t addr)
{
	return *slot_of(w, addr) - 1;
}

static uint32_t word_of(struct sass_waits *w, uint64_t addr)
{
	uint32_t *slot = slot_of(w, addr);

	if (*slot)
		return *slot - 1;
	w->word = xgrow(w->word, w->n_words, sizeof *w->word);
	w->word[w->n_words] = (struct word){.addr = addr, .loop = WAITS_NONE};
	*slot = ++w->n_words;
	if (2 * w->n_words <= w->n_slots)
		return w->n_words - 1;
	free(w->slot);
	w->n_slots *= 2;
	w->slot = xcalloc(w->n_slots, sizeof *w->slot);
	for (uint32_t i = 0; i < w->n_words; i++)
		*slot_of(w, w->word[i].addr) = i + 1;
	return w->n_words - 1;
}

/* ---- an instruction ---- */

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static enum kind kind_of(const struct sass *i, unsigned space, uint32_t mask)
{
	if (!mask)
		return KIND_PLAIN;
	switch (i->code.op) {
	case OP_LOAD:
		if (space == SPACE_GLOBAL && !begins(i->name, "LDGSTS")) /* that one writes shared memory */
			return KIND_LOAD;
		return space == SPACE_GLOBAL || space == SPACE_SHARED || space == SPACE_TEX ? KIND_EFFECT : KIND_PLAIN;
	case OP_ATOM:
		return space == SPACE_GLOBAL && (opcode_has(i->name, "CAS") || opcode_has(i->name, "EXCH")) ? KIND_EXCHANGE
													    : KIND_EFFECT;
	case OP_STORE:
	case OP_BARRIER:
	case OP_EXIT:
		return KIND_EFFECT;
	case OP_SFU:
		/* surfaces; textures without addresses */
		return begins(i->name, "SU") || begins(i->name, "T") ? KIND_EFFECT : KIND_PLAIN;
	default:
		return KIND_PLAIN;
	}
}

static uint64_t print_of(const struct finder *f, const struct sass *i, unsigned space, uint32_t mask)
{
	bool access = space != SPACE_NONE && space != SPACE_PARAM;
	uint64_t what = (uint64_t)i->code.op << 8 | space | (uint64_t)i->width << 16 | (uint64_t)mask << 32;
	uint64_t print = hash_multiply(hash_multiply(i->pc) ^ what) ^ i->pc >> 7;

	for (uint32_t rest = access ? mask : 0; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);

		print += i->addr[lane] * f->factor[lane];
	}
	return print;
}

static struct seen *seen_at(struct finder *f, uint64_t at)
{
	return &f->seen[at & (LOOP_RING - 1)];
}

static void keep_poll(struct finder *f, const struct sass *i, uint32_t mask)
{
	struct poll *p = &f->poll[f->polls++ % LOOP_POLLS];

	p->at = f->at;
	p->mask = mask;
	p->width = i->width;
	memcpy(p->addr, i->addr, sizeof p->addr);
}

static void keep(struct finder *f, const struct sass *i, uint64_t print, unsigned space, uint32_t mask)
{
	struct seen *s = seen_at(f, f->at);

	s->print = print;
	s->mask = mask;
	s->kind = (uint8_t)kind_of(i, space, mask);
	s->ndst = i->ndst;
	s->nsrc = i->nsrc;
	memcpy(s->reg, i->reg, sizeof s->reg);
	if (s->kind == KIND_LOAD || s->kind == KIND_EXCHANGE)
		keep_poll(f, i, mask);
	if (s->kind == KIND_EFFECT)
		f->effect = f->at + 1;
	f->last_pc = i->pc;
	f->branched = i->code.op == OP_BRANCH && mask;
	f->at++;
}

/* ---- a loop ---- */

static bool repeats(struct finder *f, uint32_t length, uint32_t times)
{
	for (uint64_t at = f->at; at > f->at - (uint64_t)(times - 1) * length; at--)
		if (seen_at(f, at - 1)->print != seen_at(f, at - 1 - length)->print)
			return false;
	return true;
}

static uint32_t lanes_that_exchange(struct finder *f, uint32_t length)
{
	uint32_t lanes = 0;

	for (uint64_t at = f->at - length; at < f->at; at++)
		lanes |= seen_at(f, at)->kind == KIND_EXCHANGE ? seen_at(f, at)->mask : 0;
	return lanes;
}

/* Whether an exchange of the last iteration has a register that depends on what the loop reads. */
static bool computes(struct finder *f, uint32_t length)
{
	uint32_t lanes = lanes_that_exchange(f, length);
	bool depends_on[REGISTERS] = {false};

	for (uint64_t at = lanes ? f->at - 2 * (uint64_t)length : f->at; at < f->at; at++) {
		const struct seen *s = seen_at(f, at);
		bool depends = false;

		for (unsigned r = s->ndst; r < (unsigned)s->ndst + s->nsrc; r++)
			depends |= depends_on[s->reg[r]];
		if (depends && s->kind == KIND_EXCHANGE)
			return true;
		depends |= s->kind == KIND_LOAD || s->kind == KIND_EXCHANGE;
		for (unsigned r = 0; r < s->ndst; r++)
			if (depends || !(lanes & ~s->mask))
				depends_on[s->reg[r]] = depends;
	}
	return false;
}

static bool list_word(struct sass_waits *w, struct loop *l, uint64_t addr, uint32_t offset)
{
	uint32_t number = word_of(w, addr);
	struct word *word = &w->word[number];

	if (word->loop == w->n_loops) { /* listed before */
		w->polled[word->poll].offset = offset;
		return true;
	}
	if (l->n_polls == LOOP_WORDS)
		return false;
	word->loop = w->n_loops;
	word->poll = w->n_polled;
	w->polled = xgrow(w->polled, w->n_polled, sizeof *w->polled);
	w->polled[w->n_polled++] = (struct polled){number, offset};
	l->n_polls++;
	return true;
}

static bool list_words(struct sass_waits *w, struct loop *l, const struct poll *p, uint32_t offset)
{
	for (uint32_t rest = p->mask; rest; rest &= rest - 1) {
		uint64_t addr = p->addr[__builtin_ctz(rest)] & ~UINT64_C(3);

		for (uint32_t i = 0; i < sass_words(p->width); i++)
			if (!list_word(w, l, addr + (uint64_t)4 * i, offset))
				return false;
		l->lanes |= rest & -rest;
	}
	return true;
}

static uint32_t count_polls(struct finder *f, uint32_t length)
{
	uint32_t n = 0;

	for (uint64_t at = f->at - length; at < f->at; at++)
		n += seen_at(f, at)->kind == KIND_LOAD || seen_at(f, at)->kind == KIND_EXCHANGE;
	return n;
}

/* The words that the last n polls read; false: they are too many. */
static bool list_polls(struct sass_waits *w, struct loop *l, uint32_t n)
{
	const struct finder *f = &w->find;
	bool fits = true;

	for (uint64_t i = f->polls - n; i < f->polls && fits; i++) {
		const struct poll *p = &f->poll[i % LOOP_POLLS];

		fits = list_words(w, l, p, (uint32_t)(p->at + l->length - f->at));
	}
	for (uint32_t i = fits ? l->n_polls : 0; i < l->n_polls; i++)
		w->word[w->polled[l->first_poll + i].word].loop = WAITS_NONE;
	w->n_polled = fits ? w->n_polled : l->first_poll;
	return fits;
}

static void enter(struct sass_waits *w, uint32_t length)
{
	struct finder *f = &w->find;
	struct loop l = {.from = f->at - (uint64_t)ALIKE * length,
			 .length = length,
			 .cta = w->cta,
			 .warp = w->warp,
			 .first_poll = w->n_polled};
	uint32_t n;

	if (f->at - f->floor < (uint64_t)ALIKE * length || f->effect > l.from || !repeats(f, length, ALIKE))
		return;
	n = count_polls(f, length);
	if (!n || n > LOOP_POLLS || computes(f, length))
		return;
	f->is_counted = w->n_loops == MOST_LOOPS || w->n_polled > MOST_WORDS - LOOP_WORDS || w->n_words > MOST_WORDS - LOOP_WORDS;
	if (!f->is_counted && !list_polls(w, &l, n))
		return;
	l.offset = (uint32_t)(f->poll[(f->polls - 1) % LOOP_POLLS].at + length - f->at);
	f->loop = l;
	f->in_loop = true;
}

/* The instruction that comes next is not that of an iteration. */
static void leave(struct sass_waits *w)
{
	struct finder *f = &w->find;
	struct loop *l = &f->loop;
	uint64_t times = (f->at - l->from) / l->length, rest = (f->at - l->from) % l->length;

	l->iterations = rest > l->offset ? times : times - 1;
	l->attempt = l->from + l->iterations * l->length;
	f->in_loop = false;
	f->floor = f->at;
	f->n_heads = 0;
	if (f->is_counted) {
		w->kept += l->iterations;
		w->kept_loops++;
		return;
	}
	w->loop = xgrow(w->loop, w->n_loops, sizeof *w->loop);
	w->loop[w->n_loops++] = *l;
}

/* A backward branch has come to pc. */
static void arrive(struct sass_waits *w, uint64_t pc)
{
	struct finder *f = &w->find;
	uint64_t length;
	unsigned i = 0;

	while (i < f->n_heads && f->head[i].pc != pc)
		i++;
	if (i == f->n_heads) {
		f->n_heads += f->n_heads < LOOP_HEADS;
		memmove(&f->head[1], &f->head[0], (f->n_heads - 1) * sizeof f->head[0]);
		f->head[0].pc = pc;
		f->head[0].at = f->at;
		return;
	}
	length = f->at - f->head[i].at;
	f->head[i].at = f->at;
	if (length <= LOOP_LONGEST)
		enter(w, (uint32_t)length);
}

void sass_waits_find_begin(struct sass_waits *w, uint32_t cta, uint32_t warp)
{
	struct finder *f = &w->find;

	w->cta = cta;
	w->warp = warp;
	f->at = f->floor = f->effect = f->polls = f->last_pc = 0;
	f->branched = f->in_loop = false;
	f->n_heads = 0;
}

void sass_waits_find(struct sass_waits *w, const struct sass *i, unsigned space, uint32_t mask)
{
	struct finder *f = &w->find;
	uint64_t print = print_of(f, i, space, mask);

	if (f->in_loop && print != seen_at(f, f->at - f->loop.length)->print)
		leave(w);
	if (!f->in_loop && f->branched && i->pc <= f->last_pc)
		arrive(w, i->pc);
	if (f->in_loop && print != seen_at(f, f->at - f->loop.length)->print)
		leave(w);
	keep(f, i, print, space, mask);
}

void sass_waits_find_end(struct sass_waits *w)
{
	if (w->find.in_loop)
		leave(w);
}
