/* 643: Icarus Verilog runs whole launches of PAVER's golden twin through the RTL; illegal parameters stop all tools and
 * the twin.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "hw/twins/paver.h"
#include "support/icarus.h"
#include "support/paver_bench.h"
#include "support/refusal.h"

struct vectors {
	FILE *f;
	uint64_t flip_in; /* this cycle's last output bit is written wrong */
};

static void print_cycle(void *ctx, const struct paver_bench *b)
{
	struct paver_out out = b->out;
	struct vectors *v = ctx;

	out.busy ^= b->cycle == v->flip_in;
	icarus_print_fields(v->f, &paver_block, &b->port.params, HW_INPUT, &b->in);
	fputc(' ', v->f);
	icarus_print_fields(v->f, &paver_block, &b->port.params, HW_OUTPUT, &out);
	fputc('\n', v->f);
}

/* Launches until `cycles` have passed; steals among them. Returns what the bench says of its *n cycles. */
static struct program through_icarus(struct paver_params p, uint64_t cycles, uint64_t flip_in, uint64_t *n)
{
	static struct paver_launch l;
	char path[4096], arguments[100];
	struct vectors v = {icarus_vectors(path), flip_in};
	struct paver golden;
	struct paver_bench b;

	paver_reset(&golden, &p);
	paver_bench_init(&b, (struct paver_port){.params = p, .golden = &golden}, p.sms);
	b.watch = print_cycle;
	b.watch_ctx = &v;
	for (unsigned i = 0; b.cycle < cycles; i++) {
		uint32_t size[6] = {i % 7, 3, i % 5 ? 5 : p.ptr_w < 6 ? 8 : 4 * p.sms, i % 3 ? 4 : 1, i % 2, i % 3};

		b.latency = i % 4 * 5;
		b.stall_in = i % 3 ? 0 : 2;
		b.hold_in = i % 5 ? 0 : 3;
		b.contexts = 1 + i % 3;
		b.run_min = i % 2 ? 5 : 60;
		paver_launch_make(&l, i % 7, size, i % 9 != 0);
		paver_launch_shuffle(&l, &b);
		paver_bench_run(&b, &l);
	}
	cr_assert(b.steals || p.sms == 1);
	fclose(v.f);
	*n = b.cycle;
	paver_bench_free(&b);
	snprintf(arguments, sizeof arguments, "SMS=%u PTR_W=%u TB_W=%u", p.sms, p.ptr_w, p.tb_w);
	return icarus_simulate(
		"paver_top_tb", arguments, path,
		"rtl/paver/paver_top_tb.v rtl/paver/paver_top.v rtl/paver/paver_sm_queue.v rtl/paver/paver_dispatch.v "
		"rtl/paver/paver_steal.v rtl/paver/paver_pick.v");
}

Test(icarus_paver, does_in_every_cycle_what_its_twin_does)
{
	static const struct paver_params shape[] = {{1, 5, 8}, {3, 5, 5}, {15, 16, 16}, {28, 16, 16}, {80, 16, 16}};

	for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++) {
		char want[100];
		uint64_t n;
		struct program p = through_icarus(shape[i], 4000, UINT64_MAX, &n);

		snprintf(want, sizeof want, "%llu cycles, 0 mismatches\n", (unsigned long long)n);
		cr_assert_str_eq(p.out, want, "%u SMs: %s", shape[i].sms, p.out);
		program_free(&p);
	}
}

Test(icarus_paver, a_single_wrong_bit_among_the_cycles_is_seen)
{
	uint64_t n;
	struct program p = through_icarus((struct paver_params){3, 5, 5}, 2000, 1000, &n);

	cr_assert(strstr(p.out, ", 1 mismatches\n"), "%s", p.out);
	program_free(&p);
}

Test(icarus_paver, illegal_parameters_stop_all_tools_and_the_twin)
{
	static const struct refusal refusal[] = {
		{"SMS=0", "paver: 0 SMs: 1 to 256 are possible"},
		{"SMS=257", "paver: 257 SMs: 1 to 256 are possible"},
		{"PTR_W=1 TB_W=1", "paver: positions of 1 bits in the list of CTAs: 2 to 32 are possible"},
		{"PTR_W=33", "paver: positions of 33 bits in the list of CTAs: 2 to 32 are possible"},
		{"TB_W=0", "paver: CTA numbers of 0 bits"},
		{"TB_W=33", "paver: CTA numbers of 33 bits: 1 to 32 are possible, and twice ptr_w (16) at most"},
		{"PTR_W=4 TB_W=9", "paver: CTA numbers of 9 bits: 1 to 32 are possible, and twice ptr_w (4) at most"},
	};

	refusals_hold(&paver_block, refusal, sizeof refusal / sizeof refusal[0]);
}
