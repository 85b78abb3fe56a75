#include "support/chase.h"

#include <criterion/criterion.h>

const char *const chase_clocks[CHASE_CLOCKS][5] = {
	{NULL},
	{"clock.core=1000", "clock.net=700", "clock.l2=650", "clock.dram=1111", NULL},
	{"clock.core=600", "clock.net=1000", "clock.l2=900", "clock.dram=500", NULL},
};

struct machine chase_machine(const char *const *set)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, "gtx480", "csim/machines", &e), 0, "%s", e.text);
	cr_assert_eq(machine_set(&m, "dram.refresh=false", &e), 0, "%s", e.text);
	for (; set && *set; set++)
		cr_assert_eq(machine_set(&m, *set, &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	return m;
}

static void note(void *ctx, uint64_t cycle, unsigned scheduler, unsigned slot, uint32_t pc)
{
	struct chase *c = ctx;

	(void)scheduler, (void)slot, (void)pc;
	cr_assert_leq(c->seen, c->n);
	c->issued[c->seen++] = cycle;
}

static struct trace *record(const struct chase *c)
{
	struct trace_inst inst[2] = {
		{.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .nsrc = 1, .line = 1},
		{.op = OP_EXIT, .nsrc = 1, .line = 2} /* reads the register, so that the last load's end shows too */
	};
	char *name = (char *)"op";
	struct trace_kernel k = {.name = (char *)"chase",
				 .n_inst = 2,
				 .inst = inst,
				 .n_names = 1,
				 .names = &name,
				 .n_regs = 1,
				 .regs_per_thread = 2};
	struct trace_options o = {.name = "chase"};
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {c->lanes ? c->lanes : 1, 1, 1};
	const unsigned lanes = block[0];
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);

	trace_add_kernel(w, &k);
	if (c->bytes)
		cr_assert_eq(trace_add_buffer(w, "x", c->base, c->bytes, &e), 0, "%s", e.text);
	cr_assert_eq(trace_launch_begin(w, 0, grid, block, 0, &e), 0, "%s", e.text);
	trace_cta_begin(w, 0);
	for (unsigned i = 0; i < c->n; i++) {
		uint64_t addr[TRACE_WARP_SIZE];

		for (unsigned l = 0; l < lanes; l++)
			addr[l] = c->addr[i] + l * c->stride;
		trace_put_run(w, 0, 0, 1, (uint32_t)((UINT64_C(1) << lanes) - 1));
		trace_put_addrs(w, 0, (uint32_t)((UINT64_C(1) << lanes) - 1), addr);
	}
	trace_put_run(w, 0, 1, 1, (uint32_t)((UINT64_C(1) << lanes) - 1));
	cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
	cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
	return trace_writer_finish(w, &e);
}

static void note_entries(struct chase *c, const struct pages *p)
{
	for (unsigned i = 0; i < c->n; i++) {
		uint64_t node = p->root;

		for (uint32_t l = 0; l < p->levels; l++) {
			c->entry_at[i][l] = pages_entry_in(p, node, c->addr[i] >> p->page_bits, l);
			node = pages_entry_addr(bytes_read64(&p->bytes, c->entry_at[i][l]));
		}
	}
}

void chase_play(struct chase *c, const struct machine *m)
{
	struct trace *t = record(c);
	struct gpu_config config = {.machine = m, .trace = t};
	struct audit a = {0};
	struct err e = {""};
	struct gpu g;

	cr_assert_eq(gpu_build(&g, &config, &e), 0, "%s", e.text);
	g.sm[0].watch = note;
	g.sm[0].watch_ctx = c;
	cr_assert_eq(gpu_simulate(&g, &e), 0, "%s", e.text);
	gpu_audit(&g, &a);
	cr_assert_eq(a.failed, 0);
	cr_assert_eq(c->seen, c->n + 1);
	c->latency = loads_total(&g.sm[0].lsu.loads);
	if (g.vm.on) {
		c->mmu = g.vm.mmu[0].stats;
		c->tlb = g.sm[0].lsu.translate.stats;
		note_entries(c, &g.vm.pages);
	}
	gpu_free(&g);
	trace_close(t);
}
