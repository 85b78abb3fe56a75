#include "hw/tafe/tafe.h"
#include "support/tafe_bench.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

/* ---- the machine around the block ---- */

void tafe_bench_init(struct tafe_bench *b, struct tafe_port port, uint64_t seed)
{
	memset(b, 0, sizeof *b);
	b->port = port;
	b->seed = seed;
	b->mem = calloc(TAFE_BENCH_LINES, 64);
	cr_assert_not_null(b->mem);
}

void tafe_bench_free(struct tafe_bench *b)
{
	free(b->mem);
}

uint64_t tafe_bench_random(struct tafe_bench *b)
{
	return random_u64(&b->seed) >> 16;
}

static bool one_in(struct tafe_bench *b, unsigned n)
{
	return n && tafe_bench_random(b) % n == 0;
}

static void offer_response(struct tafe_bench *b)
{
	unsigned first = tafe_bench_random(b) & 1;

	b->in.rsp_valid = 0;
	for (unsigned k = 0; k < 2 && !b->in.rsp_valid; k++) {
		unsigned tag = first ^ k;

		if (!b->read[tag].busy || b->read[tag].due > b->cycle)
			continue;
		b->read[tag].busy = false;
		b->in.rsp_valid = 1;
		b->in.rsp_tag = (uint8_t)tag;
		memcpy(b->in.rsp_data, b->read[tag].data, sizeof b->in.rsp_data);
	}
}

static void take_request(struct tafe_bench *b)
{
	const struct tafe_out *out = &b->out;
	uint64_t line = out->req_line - b->first_line;

	cr_assert_lt(line, TAFE_BENCH_LINES, "a request for line %llx", (unsigned long long)out->req_line);
	if (out->req_write) {
		memcpy(b->mem + line * 64, out->req_data, 64);
		b->writes++;
		return;
	}
	cr_assert_not(b->read[out->req_tag].busy, "two reads of one tag");
	b->reads++;
	b->read[out->req_tag].busy = true;
	b->read[out->req_tag].due = b->cycle + 1 + (b->latency ? tafe_bench_random(b) % (b->latency + 1) : 0);
	memcpy(b->read[out->req_tag].data, b->mem + line * 64, 64);
}

void tafe_bench_step(struct tafe_bench *b)
{
	tafe_port_eval(&b->port, b->cycle, &b->in, &b->out);
	b->in.req_ready = !one_in(b, b->stall_in);
	offer_response(b);
	tafe_port_tick(&b->port, b->cycle, &b->in);
	b->tracked += b->out.ev_tracked;
	b->missed += b->out.ev_miss;
	b->unmatched += b->out.ev_unmatched;
	b->saturated += b->out.ev_saturated;
	b->stalled += b->in.st_valid && !b->out.st_ready;
	if (b->out.req_valid && b->in.req_ready)
		take_request(b);
	if (b->watch)
		b->watch(b->watch_ctx, b);
	b->cycle++;
}

void tafe_bench_settle(struct tafe_bench *b)
{
	unsigned cycles = 0;

	do {
		tafe_bench_step(b);
		cr_assert_lt(cycles++, 1000000u, "the pipeline never gets empty");
	} while (b->out.busy);
}

void tafe_bench_store(struct tafe_bench *b, uint64_t addr, uint64_t data, unsigned size)
{
	unsigned cycles = 0;

	while (one_in(b, b->gap_in))
		tafe_bench_step(b);
	b->in.st_valid = 1;
	b->in.st_addr = addr;
	b->in.st_data = data;
	b->in.st_size = (uint8_t)size;
	do {
		tafe_bench_step(b);
		cr_assert_lt(cycles++, 1000000u, "a store never gets in");
	} while (!b->out.st_ready);
	b->in.st_valid = 0;
}

/* ---- commands ---- */

static void command(struct tafe_bench *b, enum tafe_op op)
{
	unsigned cycles = 0;

	b->in.cmd_valid = 1;
	b->in.cmd_op = (uint8_t)op;
	do {
		tafe_bench_step(b);
		cr_assert_lt(cycles++, 1000000u, "a command is never taken");
	} while (!b->out.cmd_ready);
	b->in.cmd_valid = 0;
}

void tafe_bench_setup(struct tafe_bench *b, const struct tafe_launch *l)
{
	b->in.cmd_ctas = tafe_launch_ctas(l);
	b->in.cmd_grid_x = l->grid[0];
	b->in.cmd_grid_y = l->grid[1];
	for (int i = 0; i < 3; i++)
		b->in.cmd_block[i] = (uint16_t)(l->block[i] - 1);
	command(b, TAFE_SETUP);
}

static void put32(uint8_t *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

void tafe_bench_register(struct tafe_bench *b, struct tafe_array *a, uint32_t ctas)
{
	uint8_t *apd = b->mem + a->apd * 64;
	uint32_t mask = UINT32_MAX >> (32 - b->port.params.index_w);

	put32(apd + TAFE_APD_C, (uint32_t)a->c);
	for (int i = 0; i < 6; i++)
		put32(apd + TAFE_APD_M + 4 * i, (uint32_t)a->m[i]);
	put32(apd + TAFE_APD_N, a->n);
	put32(apd + TAFE_APD_OFS, (uint32_t)a->ofs);
	memset(b->mem + a->extents * 64, 0, ((size_t)ctas + 6) / 7 * 64);
	b->in.cmd_entry = a->entry;
	b->in.cmd_base = a->base;
	b->in.cmd_limit = a->base + ((uint64_t)a->elements << a->size);
	b->in.cmd_size = (uint8_t)a->size;
	b->in.cmd_type = (uint8_t)a->type;
	b->in.cmd_extents = b->first_line + a->extents;
	b->in.cmd_source = b->first_line + (a->nested ? a->nested->extents : a->apd);
	b->in.cmd_c_s = a->c_s & mask;
	b->in.cmd_c_e = a->c_e & mask;
	command(b, TAFE_REGISTER);
}

void tafe_bench_release(struct tafe_bench *b, const struct tafe_array *a, enum tafe_op op)
{
	b->in.cmd_entry = a->entry;
	command(b, op);
}

/* ---- the tracker ---- */

void tafe_array_init(struct tafe_array *a)
{
	a->least = calloc(a->elements, sizeof *a->least);
	a->largest = calloc(a->elements, sizeof *a->largest);
	a->stored = calloc(a->elements, sizeof *a->stored);
	a->saturated = calloc(a->elements, sizeof *a->saturated);
	cr_assert(a->least && a->largest && a->stored && a->saturated);
}

void tafe_array_free(struct tafe_array *a)
{
	free(a->least);
	free(a->largest);
	free(a->stored);
	free(a->saturated);
}

static void log_value(struct tafe_array *a, uint32_t index, uint64_t value, unsigned index_w)
{
	if (value >> index_w) {
		a->saturated[index] = true;
		return;
	}
	if (!a->stored[index] || value < a->least[index])
		a->least[index] = value;
	if (!a->stored[index] || value > a->largest[index])
		a->largest[index] = value;
	a->stored[index] = true;
}

void tafe_array_store(struct tafe_bench *b, struct tafe_array *a, uint32_t index, uint64_t value)
{
	value &= UINT64_MAX >> (64 - (8u << a->size));
	log_value(a, index, value, b->port.params.index_w);
	tafe_bench_store(b, a->base + ((uint64_t)index << a->size), value, a->size);
}

uint32_t tafe_launch_ctas(const struct tafe_launch *l)
{
	return l->grid[0] * l->grid[1] * l->grid[2];
}

/* Calls back for each element that CTA tb reads by a TID_DEP relation, those outside of the array left out. */
static void walk_tid(const struct tafe_launch *l, const struct tafe_array *a, uint32_t tb, void (*visit)(void *, uint32_t),
		     void *ctx)
{
	int64_t cta[3] = {tb % l->grid[0], tb / l->grid[0] % l->grid[1], tb / l->grid[0] / l->grid[1]};

	for (uint32_t z = 0; z < l->block[2]; z++)
		for (uint32_t y = 0; y < l->block[1]; y++)
			for (uint32_t x = 0; x < l->block[0]; x++)
				for (uint32_t i = 0; i < (a->n ? a->n : 1); i++) {
					int64_t at = (int64_t)a->m[0] * x + (int64_t)a->m[1] * y + (int64_t)a->m[2] * z +
						     a->m[3] * cta[0] + a->m[4] * cta[1] + a->m[5] * cta[2] + a->c +
						     (int64_t)i * a->ofs;

					if (at >= 0 && at < a->elements)
						visit(ctx, (uint32_t)at);
				}
}

static void walk_range(const struct tafe_launch *l, const struct tafe_array *a, uint32_t tb, void (*visit)(void *, uint32_t),
		       void *ctx)
{
	uint32_t from, to, last;

	if (!tafe_extent(l, a->nested, tb, &from, &last))
		return;
	from += a->c_s;
	to = a->elements;
	for (uint32_t next = tb + 1; next < tafe_launch_ctas(l); next++) {
		uint32_t min;

		if (tafe_extent(l, a->nested, next, &min, &last)) {
			to = min + a->c_e;
			break;
		}
	}
	for (uint32_t k = from; k < to && k < a->elements; k++)
		visit(ctx, k);
}

static void walk(const struct tafe_launch *l, const struct tafe_array *a, uint32_t tb, void (*visit)(void *, uint32_t), void *ctx)
{
	if (a->type == TAFE_TID_DEP)
		walk_tid(l, a, tb, visit, ctx);
	else
		walk_range(l, a, tb, visit, ctx);
}

struct extent {
	const struct tafe_array *a;
	bool any, whole;
	uint64_t min, max;
};

static void widen(void *ctx, uint32_t index)
{
	struct extent *x = ctx;

	x->whole |= x->a->saturated[index];
	if (!x->a->stored[index])
		return;
	if (!x->any || x->a->least[index] < x->min)
		x->min = x->a->least[index];
	if (!x->any || x->a->largest[index] > x->max)
		x->max = x->a->largest[index];
	x->any = true;
}

bool tafe_extent(const struct tafe_launch *l, const struct tafe_array *a, uint32_t tb, uint32_t *min, uint32_t *max)
{
	struct extent x = {.a = a};

	walk(l, a, tb, widen, &x);
	*min = x.whole ? 0 : (uint32_t)x.min;
	*max = x.whole ? UINT32_MAX : (uint32_t)x.max;
	return x.any || x.whole;
}

struct search {
	uint32_t index;
	bool found;
};

static void look(void *ctx, uint32_t index)
{
	struct search *s = ctx;

	s->found |= s->index == index;
}

uint32_t tafe_readers(const struct tafe_launch *l, const struct tafe_array *a, uint32_t index)
{
	uint32_t n = 0;

	for (uint32_t tb = 0; tb < tafe_launch_ctas(l); tb++) {
		struct search s = {.index = index};

		walk(l, a, tb, look, &s);
		n += s.found;
	}
	return n;
}

size_t tafe_bench_compare(const struct tafe_bench *b, const struct tafe_launch *l, const struct tafe_array *a)
{
	uint32_t ctas = tafe_launch_ctas(l), largest = UINT32_MAX >> (32 - b->port.params.index_w);
	size_t bytes = (ctas + 6) / 7 * (size_t)64, wrong = 0;
	uint8_t *want = calloc(1, bytes);

	for (uint32_t tb = 0; tb < ctas; tb++) {
		uint8_t *at = want + tb / 7 * 64 + tb % 7 * 9;
		uint32_t min, max;

		if (!tafe_extent(l, a, tb, &min, &max))
			continue;
		at[0] = 1;
		put32(at + 1, min);
		put32(at + 5, max < largest ? max : largest);
	}
	for (size_t i = 0; i < bytes; i++)
		wrong += want[i] != b->mem[a->extents * 64 + i];
	free(want);
	return wrong;
}
