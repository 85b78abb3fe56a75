/* 153: loops of an Accel-Sim trace that wait for another warp become waits for the modification that releases them, as
 * csim/trace/accelsim_waits.h has it; the model gives them their time. Who releases whom follows from each program. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/chase.h"
#include "support/program.h"
#include "support/sass.h"

#define FLAG  UINT64_C(0x7f0000000000)
#define OTHER UINT64_C(0x7f0000001000)

/* ---- a program ---- */

enum { CTAS = 4, WARPS = 4 };

struct text {
	unsigned ctas, warps;
	struct {
		char *lines;
		size_t size;
		FILE *f;
		unsigned n;
	} of[CTAS][WARPS];
};

static void begin(struct text *x, unsigned ctas, unsigned warps)
{
	*x = (struct text){.ctas = ctas, .warps = warps};
	for (unsigned c = 0; c < ctas; c++)
		for (unsigned w = 0; w < warps; w++)
			x->of[c][w].f = open_memstream(&x->of[c][w].lines, &x->of[c][w].size);
}

/* An instruction of warp w of CTA c. */
__attribute__((format(printf, 4, 5))) static void line(struct text *x, unsigned c, unsigned w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(x->of[c][w].f, fmt, ap);
	va_end(ap);
	fputc('\n', x->of[c][w].f);
	x->of[c][w].n++;
}

static void work(struct text *x, unsigned c, unsigned w, unsigned n)
{
	while (n--)
		line(x, c, w, "0100 ffffffff 1 R5 IADD3 1 R5 0 0");
}

static void store(struct text *x, unsigned c, unsigned w, uint64_t addr)
{
	line(x, c, w, "0200 00000001 0 STG.E.STRONG.GPU 2 R2 R5 4 1 0x%llx 0 0", (unsigned long long)addr);
}

static void barrier(struct text *x, unsigned c, unsigned w)
{
	line(x, c, w, "0300 ffffffff 0 BAR.SYNC 0 0 0");
}

/* n attempts fail, and one succeeds. */
static void wait_for(struct text *x, unsigned c, unsigned w, uint64_t addr, unsigned n)
{
	for (unsigned i = 0; i <= n; i++) {
		line(x, c, w, "0400 00000001 1 R4 LDG.E.STRONG.GPU 1 R2 4 1 0x%llx 0 0", (unsigned long long)addr);
		line(x, c, w, "0410 00000001 1 P0 ISETP.NE.AND 1 R4 0 0");
		line(x, c, w, "0420 %08x 0 BRA 1 P0 0 0", i < n);
	}
}

/* Ends all warps: the file. */
static const char *end(struct text *x)
{
	char *all = NULL;
	size_t size;
	FILE *f = open_memstream(&all, &size);
	const char *path;

	fprintf(f, "-kernel name = k\n-grid dim = (%u,1,1)\n-block dim = (%u,1,1)\n-nregs = 16\n" SASS_V3, x->ctas, 32 * x->warps);
	for (unsigned c = 0; c < x->ctas; c++) {
		fprintf(f, "#BEGIN_TB\n\nthread block = %u,0,0\n", c);
		for (unsigned w = 0; w < x->warps; w++) {
			line(x, c, w, "0500 ffffffff 0 EXIT 0 0 0");
			fclose(x->of[c][w].f);
			fprintf(f, "\nwarp = %u\ninsts = %u\n%s", w, x->of[c][w].n, x->of[c][w].lines);
			free(x->of[c][w].lines);
		}
		fprintf(f, "#END_TB\n");
	}
	fclose(f);
	path = sass_write("k.traceg", all);
	free(all);
	return path;
}

static struct trace *import(struct text *x)
{
	struct err e = {""};
	struct trace *t = sass_import(end(x), NULL, &e);

	cr_assert_not_null(t, "%s", e.text);
	return t;
}

/* The n-th wait of warp w of CTA c needs so many modifications by the warp that modifies the word for it; 0: there is
 * no such wait. */
static uint32_t needs(const struct trace *t, unsigned c, unsigned w, unsigned n)
{
	const struct trace_sync *s = trace_sync(t, 0);

	for (uint32_t i = s ? s->first_access[c] : 0; s && i < s->first_access[c + 1]; i++)
		if (s->access[i].warp == w && s->access[i].insts && n-- == 0)
			return s->item[s->access[i].first_item].need;
	return 0;
}

/* The program runs to its end; returns the cycles. */
static uint64_t play(struct trace *t, uint64_t *warp_insts)
{
	struct machine m = chase_machine(NULL);
	struct gpu_config config = {.machine = &m, .trace = t};
	struct audit a = {0};
	struct err e = {""};
	uint64_t cycles;
	struct gpu g;

	cr_assert_eq(gpu_build(&g, &config, &e), 0, "%s", e.text);
	cr_assert_eq(gpu_simulate(&g, &e), 0, "%s", e.text);
	gpu_audit(&g, &a);
	cr_assert_eq(a.failed, 0);
	if (warp_insts)
		*warp_insts = gpu_count(&g, GPU_ALL, g.cycles, g.end).sm.sm.warp_insts;
	cycles = g.cycles;
	gpu_free(&g);
	return cycles;
}

/* ---- a flag ---- */

static void flag(struct text *x, unsigned iterations, unsigned n)
{
	begin(x, 2, 1);
	wait_for(x, 0, 0, FLAG, iterations);
	work(x, 1, 0, n);
	store(x, 1, 0, FLAG);
}

/* LDG, ISETP, BRA and EXIT are instructions 2 to 5 by their PCs, behind IADD3 and STG. */
Test(recorded_waits, an_attempt_is_kept_with_what_it_needs_and_repeats)
{
	const struct trace_sync *s;
	struct trace_cta c = {0};
	struct err e = {""};
	struct text x;
	struct trace *t;

	flag(&x, 7, 3);
	t = import(&x);
	s = trace_sync(t, 0);
	cr_assert_not_null(s);
	cr_assert(s->n_words == 1 && s->word[0].addr == FLAG && s->word[0].cta == TRACE_SYNC_GLOBAL && s->word[0].n == 1);
	cr_assert(s->n_accesses == 2 && s->n_items == 2 && s->n_tails == 1);
	cr_expect(s->access[0].access == 0 && s->access[0].insts == 1 && s->access[0].records == 1 && s->access[0].n_tail == 1);
	cr_expect(s->item[0].need == 1 && s->item[0].n == 0);
	cr_expect(s->tail[0].pc == 3 && s->tail[0].len == 2 && s->tail[0].mask == 1);
	cr_expect(s->access[1].insts == 0 && s->item[1].need == 0 && s->item[1].first == 0 && s->item[1].n == 1);
	cr_assert_eq(trace_read_cta(t, 0, 0, &c, &e), 0, "%s", e.text);
	cr_expect_eq(c.warp[0].insts, 4);
	cr_expect_eq(c.warp[0].n_addrs, 1);
	cr_expect(c.runs[0].pc == 2 && c.runs[0].len == 2 && c.runs[0].mask == 1);
	cr_expect(c.runs[1].pc == 4 && c.runs[1].len == 1 && c.runs[1].mask == 0);
	trace_cta_free(&c);
	trace_close(t);
}

/* The consumer ends after the store has come to the L2 and the load is back: later than the producer's instructions
 * take, each of which waits for the one before, by at least the L2's latency and at most three trips to it. The empty
 * attempt is a program of the consumer's instructions alone. */
Test(recorded_waits, a_flag_takes_the_producers_time_whatever_the_recorded_count)
{
	enum { WORK = 2000 };
	struct machine m = chase_machine(NULL);
	uint64_t alone, cycles = 0, least = (uint64_t)WORK * m.op.int32.latency[0] + m.l2.latency, insts;
	struct text x;
	struct trace *t;

	flag(&x, 0, 0);
	t = import(&x);
	alone = play(t, NULL);
	trace_close(t);
	for (unsigned n = 3; n <= 3000; n *= 10) {
		flag(&x, n, WORK);
		t = import(&x);
		cycles = cycles ? cycles : play(t, NULL);
		cr_expect_eq(play(t, &insts), cycles, "%u", n);
		cr_expect_eq(insts, WORK + 2 + 4);
		trace_close(t);
	}
	cr_expect_geq(cycles, least);
	cr_expect_leq(cycles, least + 3 * alone);
}

/* A store in every second step of the chain: each waits for the one before. */
Test(recorded_waits, two_warps_pass_a_flag_back_and_forth)
{
	enum { ROUNDS = 20 };
	struct machine m = chase_machine(NULL);
	struct text x;
	struct trace *t;

	begin(&x, 2, 1);
	for (unsigned i = 0; i < ROUNDS; i++) {
		store(&x, 0, 0, FLAG);
		wait_for(&x, 1, 0, FLAG, 3 + i);
		store(&x, 1, 0, OTHER);
		wait_for(&x, 0, 0, OTHER, 40 - i);
	}
	t = import(&x);
	for (unsigned i = 0; i < ROUNDS; i++)
		cr_expect(needs(t, 0, 0, i) == i + 1 && needs(t, 1, 0, i) == i + 1, "round %u", i);
	cr_expect_geq(play(t, NULL), (uint64_t)2 * ROUNDS * m.l2.latency);
	trace_close(t);
}

/* A loop whose next load comes ahead of its branch: no attempt follows the iterations, so the last of them is it. */
Test(recorded_waits, the_last_iteration_is_the_attempt_if_none_follows)
{
	struct text x;
	struct trace_cta c = {0};
	struct err e = {""};
	struct trace *t;

	begin(&x, 2, 1);
	for (unsigned i = 0; i < 6; i++) {
		line(&x, 0, 0, "0010 00000001 1 P0 ISETP.NE.AND 1 R4 0 0");
		line(&x, 0, 0, "0020 %08x 0 BRA 1 P0 0 0", i == 5);
		line(&x, 0, 0, "%s", i == 5 ? "0050 ffffffff 0 NOP 0 0 0" : "0030 00000001 1 R4 LDG.E 1 R2 4 1 0x7f0000000000 0 0");
		line(&x, 0, 0, "%s", i == 5 ? "0060 ffffffff 0 NOP 0 0 0" : "0040 00000001 0 BRA 0 0 0");
	}
	store(&x, 1, 0, FLAG);
	t = import(&x);
	cr_expect_eq(needs(t, 0, 0, 0), 1);
	cr_expect_eq(trace_sync(t, 0)->access[0].insts, 3);
	cr_assert_eq(trace_read_cta(t, 0, 0, &c, &e), 0, "%s", e.text);
	cr_expect_eq(c.warp[0].insts, 4 + 4 + 1);
	cr_expect_eq(c.warp[0].n_addrs, 1);
	trace_cta_free(&c);
	trace_close(t);
}

/* ---- which modification ---- */

Test(recorded_waits, the_last_modification_of_the_other_warp_releases)
{
	struct text x;
	struct trace *t;

	flag(&x, 5, 10);
	line(&x, 1, 0, "0210 00000001 0 RED.E.ADD.STRONG.GPU 2 R2 R5 4 1 0x7f0000000000 0 0");
	t = import(&x);
	cr_assert_eq(trace_sync(t, 0)->word[0].n, 1);
	cr_expect_eq(trace_sync(t, 0)->access[1].access, 1, "the store orders nobody");
	play(t, NULL);
	trace_close(t);
}

/* Each one's second store comes after its wait: so the first ones release. */
Test(recorded_waits, waits_for_one_anothers_later_store_are_released_by_the_earlier)
{
	struct text x;
	struct trace *t;

	begin(&x, 2, 1);
	for (unsigned c = 0; c < 2; c++) {
		work(&x, c, 0, 100 * c);
		store(&x, c, 0, c ? FLAG : OTHER);
		wait_for(&x, c, 0, c ? OTHER : FLAG, 5);
		store(&x, c, 0, c ? FLAG : OTHER);
	}
	t = import(&x);
	cr_expect(needs(t, 0, 0, 0) == 1 && needs(t, 1, 0, 0) == 1);
	cr_expect(trace_sync(t, 0)->n_accesses == 4, "the later stores release nobody");
	play(t, NULL);
	trace_close(t);
}

/* A third warp is in no circle with the two: the last store does not wait for it. */
Test(recorded_waits, who_holds_nobody_waits_for_the_last_store)
{
	struct text x;
	struct trace *t;

	begin(&x, 3, 1);
	for (unsigned c = 0; c < 2; c++) {
		store(&x, c, 0, c ? FLAG : OTHER);
		wait_for(&x, c, 0, c ? OTHER : FLAG, 5);
		store(&x, c, 0, c ? FLAG : OTHER);
	}
	wait_for(&x, 2, 0, FLAG, 5);
	t = import(&x);
	cr_expect(needs(t, 0, 0, 0) == 1 && needs(t, 1, 0, 0) == 1);
	cr_expect_eq(needs(t, 2, 0, 0), 2);
	play(t, NULL);
	trace_close(t);
}

/* Warp 1 of CTA 0 stores OTHER once warp 0 has come to the barrier, which it does after its wait; so CTA 1's second
 * store of FLAG waits for that. */
Test(recorded_waits, a_barrier_makes_a_store_wait_for_others_of_its_cta)
{
	struct text x;
	struct trace *t;

	begin(&x, 2, 2);
	wait_for(&x, 0, 0, FLAG, 5);
	barrier(&x, 0, 0);
	barrier(&x, 0, 1);
	store(&x, 0, 1, OTHER);
	store(&x, 1, 0, FLAG);
	wait_for(&x, 1, 0, OTHER, 5);
	store(&x, 1, 0, FLAG);
	t = import(&x);
	cr_expect_eq(needs(t, 0, 0, 0), 1);
	cr_expect_eq(needs(t, 1, 0, 0), 1);
	cr_expect_eq(trace_sync(t, 0)->word[trace_sync(t, 0)->item[0].word].n, 1);
	play(t, NULL);
	trace_close(t);
}

/* A lock of two: the other warp's release, an exchange, comes last. */
Test(recorded_waits, a_lock_is_granted_by_the_other_warps_release)
{
	struct text x;
	struct trace *t;

	begin(&x, 2, 1);
	for (unsigned c = 0; c < 2; c++) {
		for (unsigned i = 0; i <= 5 * c; i++) {
			line(&x, c, 0, "0010 00000001 1 R7 MOV 0 0 1");
			line(&x, c, 0, "0020 00000001 1 R7 ATOMG.E.CAS.STRONG.GPU 3 R2 R6 R7 4 1 0x7f0000000000 0 0");
			line(&x, c, 0, "0030 %08x 0 BRA 1 P0 0 0", i < 5 * c);
		}
		work(&x, c, 0, 10);
		line(&x, c, 0, "0040 00000001 1 R7 ATOMG.E.EXCH.STRONG.GPU 2 R2 R6 4 1 0x7f0000000000 0 0");
	}
	t = import(&x);
	cr_expect_eq(needs(t, 1, 0, 0), 1);
	cr_expect_eq(trace_sync(t, 0)->access[0].access, 1, "CTA 0's exchange");
	play(t, NULL);
	trace_close(t);
}

/* ---- what is kept ---- */

/* The program's line, which says so of `kept` iterations and `loops` loops; 0: there is none. */
static void check_kept(struct text *x, unsigned kept, unsigned loops, unsigned warp_insts)
{
	struct program p = program_run("locus run %s", end(x));
	char want[256];

	snprintf(want, sizeof want,
		 "k.traceg: %u recorded iterations of %u polling loops are kept: no other warp, or more than one,", kept, loops);
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect(kept ? strstr(p.err, want) != NULL : !*p.err, "%s", p.err);
	cr_expect(!strchr(p.err, '\n') || !strchr(strchr(p.err, '\n') + 1, '\n'), "one line: %s", p.err);
	cr_expect(!strstr(p.out, "wait.insts"), "%s", p.out);
	cr_expect_eq(strtoul(strstr(p.out, "  warp_insts ") + 13, NULL, 10), warp_insts, "%s", p.out);
	program_free(&p);
}

Test(recorded_waits, a_wait_that_nobody_releases_keeps_its_iterations)
{
	struct text x;

	begin(&x, 2, 1);
	wait_for(&x, 0, 0, FLAG, 6);
	store(&x, 0, 0, FLAG);
	store(&x, 1, 0, OTHER);
	check_kept(&x, 6, 1, 7 * 3 + 1 + 1 + 2);
}

Test(recorded_waits, waits_that_several_may_release_keep_their_iterations)
{
	struct text x;

	begin(&x, 4, 1);
	wait_for(&x, 0, 0, FLAG, 6);
	store(&x, 1, 0, FLAG);
	store(&x, 2, 0, FLAG);
	wait_for(&x, 3, 0, FLAG, 9);
	check_kept(&x, 6 + 9, 2, 7 * 3 + 10 * 3 + 2 + 4);
}

/* The other lanes of the warp may have stored before the other warp did, or after it. */
Test(recorded_waits, other_lanes_of_the_warp_count_as_another)
{
	struct text x;

	flag(&x, 6, 0);
	line(&x, 0, 0, "0600 00000002 0 STG.E.STRONG.GPU 2 R2 R5 4 1 0x7f0000000000 0 0");
	check_kept(&x, 6, 1, 7 * 3 + 2 + 2);
}

Test(recorded_waits, a_circle_without_an_earlier_store_keeps_its_iterations)
{
	struct text x;

	begin(&x, 2, 1);
	wait_for(&x, 0, 0, FLAG, 5);
	store(&x, 0, 0, OTHER);
	wait_for(&x, 1, 0, OTHER, 7);
	store(&x, 1, 0, FLAG);
	check_kept(&x, 5 + 7, 2, (6 + 8) * 3 + 2 + 2);
}

Test(recorded_waits, a_store_that_a_barrier_puts_before_the_loop_releases_nobody)
{
	struct text x;

	begin(&x, 1, 2);
	store(&x, 0, 1, FLAG);
	barrier(&x, 0, 0);
	barrier(&x, 0, 1);
	wait_for(&x, 0, 0, FLAG, 5);
	check_kept(&x, 5, 1, 6 * 3 + 1 + 2 + 2);
}

/* The same kernel twice. */
Test(recorded_waits, one_line_counts_the_iterations_of_all_launches)
{
	struct text x;
	struct program p;

	begin(&x, 1, 1);
	wait_for(&x, 0, 0, FLAG, 6);
	end(&x);
	p = program_run("cd %s && cp k.traceg kernel-1.traceg && printf 'kernel-1.traceg\nkernel-1.traceg\n' >kernelslist.g",
			program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run("locus record %s/kernelslist.g -o %s/k.ltrace", program_tmp(), program_tmp());
	cr_expect(strstr(p.err, "kernelslist.g: 12 recorded iterations of 2 polling loops are kept"), "%s", p.err);
	cr_expect_eq(strchr(p.err, '\n')[1], '\0', "%s", p.err);
	program_free(&p);
}

/* ---- what is no wait ---- */

/* An iteration of so many loads of the flag, and so many instructions in all. */
static uint32_t needs_of(unsigned loads, unsigned insts)
{
	struct text x;
	struct trace *t;
	uint32_t need;

	begin(&x, 2, 1);
	for (unsigned i = 0; i < 4; i++)
		for (unsigned k = 0; k < insts; k++)
			if (k + 1 == insts)
				line(&x, 0, 0, "9000 00000001 0 BRA 0 0 0");
			else
				line(&x, 0, 0,
				     k < loads ? "%04x 00000001 1 R4 LDG.E 1 R2 4 1 0x7f0000000000 0 0"
					       : "%04x 00000001 1 R5 IADD3 1 R5 0 0",
				     16 * k);
	store(&x, 1, 0, FLAG);
	t = import(&x);
	need = needs(t, 0, 0, 0);
	trace_close(t);
	return need;
}

Test(recorded_waits, long_iterations_are_none)
{
	cr_expect_eq(needs_of(16, 256), 1);
	cr_expect_eq(needs_of(17, 256), 0);
	cr_expect_eq(needs_of(16, 257), 0);
}

/* Iterations with a number in place of %u, or without. CTA 1 stores FLAG. */
Test(recorded_waits, loops_that_do_something_else_are_none)
{
	static const struct {
		const char *name, *line;
		unsigned times;
	} loops[] = {
		{"too few", "0010 00000001 1 R4 LDG.E 1 R2 4 1 0x7f0000000000 0 0", 2},
		{"other addresses", "0010 00000001 1 R4 LDG.E 1 R2 4 1 0x7f000000000%u 0 0", 9},
		{"other lanes", "0010 0000000%u 1 R4 LDG.E 1 R2 4 1 0x7f0000000000 0 0", 4},
		{"a store", "0010 00000001 0 STG.E 2 R2 R4 4 1 0x7f0000000000 0 0", 9},
		{"an atomic", "0010 00000001 1 R4 ATOMG.E.ADD 2 R2 R3 4 1 0x7f0000000000 0 0", 9},
		{"an update", "0010 00000001 1 R4 ATOMG.E.CAS 3 R2 R4 R5 4 1 0x7f0000000000 0 0", 9},
		{"shared memory", "0010 00000001 1 R4 LDS 1 R2 4 1 0x10 0 0", 9},
		{"no access", "0010 00000001 1 R4 IADD3 1 R4 0 0", 9},
	};

	for (unsigned i = 0; i < sizeof loops / sizeof *loops; i++) {
		struct text x;
		char text[256];

		begin(&x, 2, 1);
		for (unsigned k = 1; k <= loops[i].times; k++) {
			/* a load that alone would make it a wait */
			if (i > 2 && i < 7)
				line(&x, 0, 0, "0000 00000001 1 R9 LDG.E 1 R2 4 1 0x7f0000000000 0 0");
			snprintf(text, sizeof text, loops[i].line, k); /* NOLINT(clang-diagnostic-format-nonliteral) */
			line(&x, 0, 0, "%s", text);
			line(&x, 0, 0, "0020 00000001 0 BRA 0 0 0");
		}
		store(&x, 1, 0, FLAG);
		check_kept(&x, 0, 0, loops[i].times * (i > 2 && i < 7 ? 3 : 2) + 1 + 2);
	}
}
