#include "support/cpu_bench.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "support/machine.h"

static const char *const plain[] = {"cpu.count=1",	 "clock.cpu=4000",
				    "clock.core=2000",	 "clock.net=2000",
				    "clock.l2=2000",	 "clock.dram=1000",
				    "cpu.l1.latency=4",	 "cpu.l2.latency=14",
				    "cpu.l3.latency=40", "cpu.ports=8",
				    "cpu.mshr=1024",	 "cpu.store_buffer=64",
				    "cpu.l3.mshr=4096",	 NULL};

static int begin(struct cpu_feed *f, uint32_t launch, uint32_t piece, struct err *e)
{
	(void)launch;
	(void)piece;
	(void)e;
	((struct cpu_list *)f)->at = 0;
	return 0;
}

static bool next(struct cpu_feed *f, struct cpu_inst *out)
{
	struct cpu_list *l = (struct cpu_list *)f;

	if (l->at == l->n)
		return false;
	*out = l->inst[l->at++];
	return true;
}

struct cpu_bench *cpu_bench_new(const char *const *set)
{
	struct cpu_bench *b = xcalloc(1, sizeof *b);
	struct err e = {""};

	b->m = machine_with(plain);
	for (; set && *set; set++)
		cr_assert_eq(machine_set(&b->m, *set, &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&b->m, &e), 0, "%s", e.text);
	b->memory_cycles = 200;
	for (unsigned i = 0; i < b->m.cpu.count; i++)
		b->list[i] = (struct cpu_list){.feed = {begin, next}, .inst = xcalloc(CPU_BENCH_INSTS, sizeof *b->list[i].inst)};
	return b;
}

void cpu_bench_free(struct cpu_bench *b)
{
	for (unsigned i = 0; i < CPU_BENCH_CORES; i++)
		free(b->list[i].inst);
	arena_free(&b->arena);
	free(b);
}

static struct cpu_inst *append(struct cpu_bench *b, unsigned core, enum cpu_kind kind, uint32_t back)
{
	struct cpu_list *l = &b->list[core];
	struct cpu_inst *in = &l->inst[l->n++];

	cr_assert_leq(l->n, CPU_BENCH_INSTS);
	*in = (struct cpu_inst){.kind = (uint8_t)kind, .latency = 1, .n_back = back > 0, .back = {back}};
	return in;
}

void cpu_bench_compute(struct cpu_bench *b, unsigned core, uint32_t latency, uint32_t back)
{
	append(b, core, CPU_COMPUTE, back)->latency = (uint16_t)latency;
}

void cpu_bench_block(struct cpu_bench *b, unsigned core, uint32_t insts)
{
	append(b, core, CPU_COMPUTE, 0)->block = insts;
	b->in_blocks[core] += insts - 1;
}

void cpu_bench_load(struct cpu_bench *b, unsigned core, uint64_t addr, uint32_t back)
{
	cpu_inst_touch(append(b, core, CPU_LOAD, back), addr, 4, (uint32_t)__builtin_ctz(b->m.cpu.line));
}

void cpu_bench_store(struct cpu_bench *b, unsigned core, uint64_t addr, uint32_t back)
{
	cpu_inst_touch(append(b, core, CPU_STORE, back), addr, 4, (uint32_t)__builtin_ctz(b->m.cpu.line));
}

void cpu_bench_store_value(struct cpu_bench *b, struct cpu_store s, uint32_t back)
{
	struct cpu_inst *in = append(b, 0, CPU_STORE, back);

	in->store = s;
	cpu_inst_touch(in, s.addr, s.bytes, (uint32_t)__builtin_ctz(b->m.cpu.line));
}

void cpu_bench_fence(struct cpu_bench *b, uint32_t command)
{
	append(b, 0, CPU_FENCE, 0)->command = command;
}

void cpu_bench_flush(struct cpu_bench *b)
{
	append(b, 0, CPU_FENCE, 0)->flush = true;
}

void cpu_bench_clear(struct cpu_bench *b)
{
	for (unsigned i = 0; i < CPU_BENCH_CORES; i++)
		b->list[i].n = 0;
}

/* ---- running ---- */

static uint32_t place(void *ctx, struct mem_req *r)
{
	(void)ctx;
	(void)r;
	return 0;
}

static void build(struct cpu_bench *b)
{
	uint64_t period = b->m.clock.period[CLOCK_CPU];
	struct ticks cycle = ticks_of(1, period), none = {0};

	cr_assert_eq(period * b->m.clock.mhz[CLOCK_CPU], b->m.clock.ticks_per_us);
	queue_init(&b->out, &b->arena, 1 << 12, cycle);
	queue_init(&b->in, &b->arena, 1 << 13, none);
	b->port = (struct cpu_l3_port){{&b->out, period, cycle}, &b->in};
	cpu_l3_init(&b->l3, &b->arena, &b->m, (struct cpu_l3_memory){&b->port, 1, 9, place, NULL});
	b->out.ring.producer.wake = b->in.ring.consumer.wake = &b->next[CPU_BENCH_CORES];
	for (unsigned i = 0; i < b->m.cpu.count; i++) {
		struct cpu_core_ports p = {&b->start[i], &b->done[i],
					   cpu_l3_wires(&b->l3, i, &b->m, (struct queue_end){&b->next[CPU_BENCH_CORES], NULL},
							(struct queue_end){&b->next[i], NULL})};

		queue_init(&b->start[i], &b->arena, 1, none);
		queue_init(&b->done[i], &b->arena, 1, none);
		b->start[i].ring.consumer.wake = &b->next[i];
		cpu_core_init(&b->core[i], &b->arena, &b->m, i, p, &b->list[i].feed);
	}
}

/* The memory: takes what has left the L3 and puts the reply on its way. */
static void serve(struct cpu_bench *b)
{
	uint64_t period = b->m.clock.period[CLOCK_CPU];
	const struct mem_req *r;

	while ((r = queue_front(&b->out, b->now))) {
		struct ticks sent = ticks_between(ticks_of(1, period), queue_next_arrival(&b->out));

		cr_assert_lt(b->n_sent, CPU_BENCH_SENT);
		cr_assert_eq(r->requester, 9);
		cr_assert_eq(r->bytes, b->m.cpu.line);
		*queue_push(&b->in, ticks_after(sent, b->memory_cycles, period)) = *r;
		b->sent[b->n_sent] = *r;
		b->sent_at[b->n_sent++] = cycles_in(sent, period);
		queue_pop(&b->out, b->now);
	}
}

static void step(struct cpu_bench *b)
{
	unsigned n = b->m.cpu.count;

	for (unsigned k = 0; k <= n; k++) {
		unsigned i = b->reverse ? n - k : k; /* n: the L3 */
		struct ticks *at = i == n ? &b->next[CPU_BENCH_CORES] : &b->next[i], t;

		if (ticks_before(b->now, *at))
			continue;
		*at = TIME_NEVER;
		t = i == n ? cpu_l3_step(&b->l3, b->now) : cpu_core_step(&b->core[i], b->now);
		cr_assert(ticks_before(b->now, t));
		*at = ticks_earlier(t, *at);
	}
}

static bool take_done(struct cpu_bench *b, struct ticks began)
{
	uint64_t period = b->m.clock.period[CLOCK_CPU];
	bool all = true;

	for (unsigned i = 0; i < b->m.cpu.count; i++) {
		if (queue_front(&b->done[i], b->now)) {
			b->cycles[i] = cycles_in(ticks_between(began, queue_next_arrival(&b->done[i])), period) - 1;
			queue_pop(&b->done[i], b->now);
		}
		all &= b->cycles[i] != UINT64_MAX;
	}
	return all;
}

static void check_core(const struct cpu_bench *b, const struct cpu_core *c)
{
	const struct private_caches_stats *p = &c->cache.stats;
	uint64_t sum = 0;

	for (unsigned i = 0; i < CPU_STALLS; i++)
		sum += c->stats.stalls[i];
	cr_assert_eq(sum, c->counted);
	cr_assert_eq(c->stats.insts, c->tail + b->in_blocks[c->id]);
	cr_assert_eq(c->head, c->tail);
	cr_assert_eq(c->sb_head, c->sb_tail);
	cr_assert_eq(c->heap_n, 0);
	cr_assert_eq(p->l1_accesses, p->loads + p->stores);
	cr_assert_eq(p->l1_accesses, p->l1_hits + p->l2_accesses);
	cr_assert_eq(p->l2_accesses, p->l2_hits + p->l2_reserved + p->l2_misses);
	cr_assert_eq(p->l2_misses, p->fetched);
	cr_assert_eq(mshr_in_use(&c->cache.mshr), 0);
	cr_assert_leq(p->l1_accesses, c->counted * b->m.cpu.ports);
}

static void check(struct cpu_bench *b)
{
	const struct cpu_l3_stats *s = &b->l3.stats;
	uint64_t fetches = 0, writes = 0, sent_writes = 0;

	for (unsigned i = 0; i < b->m.cpu.count; i++) {
		check_core(b, &b->core[i]);
		fetches += b->core[i].cache.stats.l2_misses;
		writes += b->core[i].cache.stats.l2_write_backs;
	}
	for (uint32_t i = 0; i < b->n_sent; i++)
		sent_writes += b->sent[i].kind == REQ_WRITE;
	cr_assert_eq(s->accesses, fetches);
	cr_assert_eq(s->accesses, s->hits + s->reserved + s->misses);
	cr_assert_eq(s->answered, s->accesses);
	cr_assert_eq(s->writes, writes);
	cr_assert_eq(s->sent, s->replies);
	cr_assert_eq(s->sent, s->misses + s->write_backs);
	cr_assert_eq(s->sent, b->n_sent);
	cr_assert_eq(s->write_backs, sent_writes);
	cr_assert_eq(cpu_l3_in_flight(&b->l3), 0);
	cr_assert_eq(mshr_in_use(&b->l3.mshr), 0);
}

void cpu_bench_play(struct cpu_bench *b)
{
	uint64_t period = b->m.clock.period[CLOCK_CPU];
	struct ticks began;
	bool busy = true;

	if (!b->core[0].width)
		build(b);
	began = b->now;
	cpu_core_set_store_hook(&b->core[0], b->hook);
	for (unsigned i = 0; i < b->m.cpu.count; i++) {
		b->cycles[i] = UINT64_MAX;
		*queue_push(&b->start[i], b->now) = (struct cta_start){.cta = 0};
	}
	for (; busy; b->now = ticks_after(b->now, 1, period)) {
		cr_assert_lt(cycles_in(ticks_between(began, b->now), period), 20000000, "a CPU core hangs");
		step(b);
		serve(b);
		busy = !take_done(b, began) || cpu_l3_in_flight(&b->l3);
	}
	check(b);
}
