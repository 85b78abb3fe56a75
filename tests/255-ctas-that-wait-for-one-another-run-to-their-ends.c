/* 255: barriers over the grid, locks and chains of CTAs: one that waits is put aside, up to as many as a GPU holds. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

#include "support/ptx.h"

#define FRAME                                                                                                                      \
	"ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, "         \
	"%nctaid.x;\nmul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd3, %rd3, %rd2;\n"

static struct ptx_try run(const char *body, uint32_t ctas, uint32_t threads, struct trace_writer *w)
{
	const uint32_t grid[3] = {ctas, 1, 1}, block[3] = {threads, 1, 1};
	struct ptx_try t;

	ptx_try_run(&t, "", body, grid, block, NULL, 0, w);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	return t;
}

/* What nvcc makes of grid.sync(): the first CTA adds 2^31 - (n - 1), others 1; the top bit turns when all are there. */
#define GRID_SYNC(n)                                                                                                               \
	"bar.sync 0;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra MET" n ";\nmov.u32 %r12, %envreg2;\ncvt.u64.u32 %rd5, %r12;\n"            \
	"mov.u32 %r12, %envreg1;\ncvt.u64.u32 %rd6, %r12;\nbfi.b64 %rd7, %rd6, %rd5, 32, 32;\n"                                    \
	"sub.u32 %r11, 0x80000001, %r3;\nsetp.eq.u32 %p1, %r2, 0;\nselp.b32 %r11, %r11, 1, %p1;\n"                                 \
	"atom.add.release.gpu.u32 %r10, [%rd7+4], %r11;\nWAIT" n ": ld.acquire.gpu.u32 %r11, [%rd7+4];\n"                          \
	"xor.b32 %r11, %r11, %r10;\nsetp.gt.s32 %p1, %r11, -1;\n@%p1 bra WAIT" n ";\nMET" n ": bar.sync 0;\n"

/* x[i] = i + 1; then twice x[i] += x[i + 1] over a ring of CTAs of two warps, between barriers of the whole grid. */
static const char grid_rounds[] =
	FRAME "add.u32 %r4, %r2, 1;\nrem.u32 %r5, %r4, %r3;\nmul.wide.u32 %rd4, %r5, 4;\nadd.s64 %rd4, %rd4, %rd2;\n"
	      "st.global.u32 [%rd3], %r4;\n" GRID_SYNC("1") "ld.global.u32 %r6, [%rd4];\nadd.u32 %r4, %r4, %r6;\n" GRID_SYNC(
		      "2") "st.global.u32 [%rd3], %r4;\n" GRID_SYNC("3") "ld.global.u32 %r6, [%rd4];\nadd.u32 %r4, %r4, "
									 "%r6;\n" GRID_SYNC("4") "st.global.u32 [%rd3], %r4;\n";

Test(ptx_together, a_grid_meets_at_its_barriers)
{
	struct ptx_try t = run(grid_rounds, 40, 64, NULL);
	uint32_t x[40], y[40];

	for (uint32_t i = 0; i < 40; i++)
		x[i] = i + 1;
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 40; i++)
			y[i] = x[i] + x[(i + 1) % 40];
		memcpy(x, y, sizeof x);
	}
	cr_assert_arr_eq(ptx_try_out(&t), x, sizeof x);
	ptx_try_free(&t);
}

/* CTA i waits until CTA i + 1 has stored: they end in descending order; the last one's sum is that of 1 to 100. */
static const char chain[] = FRAME "add.u32 %r4, %r2, 1;\nsetp.eq.u32 %p1, %r4, %r3;\nmov.u32 %r5, 0;\n@%p1 bra LAST;\n"
				  "WAIT: ld.volatile.global.u32 %r5, [%rd3+4];\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 bra WAIT;\n"
				  "LAST: add.u32 %r5, %r5, %r4;\nst.volatile.global.u32 [%rd3], %r5;\n";

Test(ptx_together, a_chain_of_ctas_resolves_from_its_end)
{
	struct ptx_try t = run(chain, 100, 1, NULL);
	uint32_t sum = 0;

	for (uint32_t i = 100; i-- > 0;) {
		sum += i + 1;
		cr_assert_eq(ptx_try_out(&t)[i], sum);
	}
	ptx_try_free(&t);
}

/* Likewise, with 1,000 tries, after which a wait counts as in vain: they last, with a trace and without, as long as
 * another CTA can store. */
Test(ptx_together, a_limit_of_tries_ends_no_wait_that_others_can_end)
{
	static const char body[] =
		FRAME "add.u32 %r4, %r2, 1;\nsetp.eq.u32 %p1, %r4, %r3;\nmov.u32 %r5, 0;\nmov.u32 %r6, 0;\n@%p1 bra LAST;\n"
		      "WAIT: ld.volatile.global.u32 %r5, [%rd3+4];\nadd.u32 %r6, %r6, 1;\nsetp.eq.u32 %p2, %r5, 0;\n"
		      "setp.lt.and.u32 %p3, %r6, 1000, %p2;\n@%p3 bra WAIT;\n@%p2 mov.u32 %r5, 1000000;\n"
		      "LAST: add.u32 %r5, %r5, %r4;\nst.volatile.global.u32 [%rd3], %r5;\n";

	for (int with_trace = 0; with_trace < 2; with_trace++) {
		struct err e;
		struct trace_writer *w = with_trace ? trace_writer_new(&(struct trace_options){.name = "tries"}, &e) : NULL;
		struct ptx_try t = run(body, 100, 1, w);

		cr_expect_eq(ptx_try_out(&t)[0], 5050, "%u", ptx_try_out(&t)[0]);
		trace_writer_drop(w);
		ptx_try_free(&t);
	}
}

/* Every thread of 50 CTAs takes the lock once, adds 1 without an atomic, and gives it back in a fence's shadow. The
 * lock is free whenever a CTA ends, but CTA 0 takes it first and keeps it until all other CTAs have asked for it. */
static const char lock[] = FRAME "setp.ne.u32 %p3, %r2, 0;\natom.global.add.u32 %r6, [%rd1+8], 1;\n"
				 "L: atom.global.cas.b32 %r4, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra L;\n@%p3 bra OWN;\n"
				 "ASKED: ld.volatile.global.u32 %r6, [%rd1+8];\nsetp.lt.u32 %p2, %r6, %r3;\n@%p2 bra ASKED;\n"
				 "OWN: ld.global.u32 %r5, [%rd1+4];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%rd1+4], %r5;\n"
				 "membar.gl;\natom.global.exch.b32 %r4, [%rd1], 0;\nst.global.u32 [%rd3], %r5;\n";

Test(ptx_together, a_lock_goes_from_cta_to_cta)
{
	struct ptx_try t = run(lock, 50, 1, NULL);

	cr_assert_eq(((uint32_t *)(void *)t.mem.buffer[1].bytes)[1], 50);
	cr_assert_eq(ptx_try_out(&t)[0], 1);
	ptx_try_free(&t);
}

/* CTA 0 waits for a word that is there, then for CTA 1's, in a loop that it leaves after 1,000 tries, and in which it
 * may go round a sleep: the branches back that are not taken do not hide that it waits. */
Test(ptx_together, a_wait_is_found_behind_branches_that_are_not_taken)
{
	struct ptx_try t = run(FRAME "st.global.u32 [%rd1], 1;\nsetp.eq.u32 %p1, %r2, 1;\n@%p1 bra OTHER;\nmov.u32 %r4, 0;\n"
				     "FIRST: ld.volatile.global.u32 %r5, [%rd1];\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 bra FIRST;\n"
				     "SECOND: ld.volatile.global.u32 %r5, [%rd2+8];\nsetp.ne.u32 %p2, %r5, 0;\n@%p2 bra END;\n"
				     "add.u32 %r4, %r4, 1;\nsetp.ge.u32 %p2, %r4, 1000;\n@%p2 bra END;\n"
				     "setp.ge.u32 %p2, %r4, 2000;\n@%p2 bra SECOND;\nnanosleep.u32 16;\nbra.uni SECOND;\n"
				     "OTHER: mov.u32 %r5, 7;\nst.volatile.global.u32 [%rd2+8], %r5;\n"
				     "END: st.global.u32 [%rd3], %r5;\n",
			       2, 1, NULL);

	cr_assert_eq(ptx_try_out(&t)[0], 7);
	ptx_try_free(&t);
}

/* ---- what the trace says ---- */

static struct trace *trace_of(const char *body, uint32_t ctas, uint32_t threads, struct ptx_try *t)
{
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "together"}, &t->e);
	struct trace *trace;

	*t = run(body, ctas, threads, w);
	trace = trace_writer_finish(w, &t->e);
	cr_assert_not_null(trace, "%s", t->e.text);
	return trace;
}

/* The CTA's access with this number, by its first warp; NULL: it orders nothing. */
static const struct trace_sync_access *access_of(const struct trace_sync *s, uint32_t cta, uint32_t number)
{
	for (uint32_t i = s->first_access[cta]; i < s->first_access[cta + 1]; i++)
		if (s->access[i].warp == 0 && s->access[i].access == number)
			return &s->access[i];
	return NULL;
}

/* It is of that word alone, and has seen or made such modifications. */
static void expect_item(const struct trace_sync *s, const struct trace_sync_access *a, uint64_t addr, uint32_t need, uint32_t first,
			uint32_t n)
{
	const struct trace_sync_item *i;

	cr_assert_not_null(a);
	cr_assert_eq(a->n_items, 1);
	i = &s->item[a->first_item];
	cr_expect_eq(s->word[i->word].addr, addr);
	cr_expect_eq(s->word[i->word].cta, TRACE_SYNC_GLOBAL);
	cr_expect_eq(i->need, need);
	cr_expect_eq(i->first, first);
	cr_expect_eq(i->n, n);
}

/* The trace has each CTA whole and in its place, however they took turns, and each wait once: 11 instructions up to the
 * wait, 3 of it, which the last CTA passes over, and 3 behind it. */
Test(ptx_together, the_trace_is_in_order)
{
	struct trace_cta cta = {0};
	struct err e;
	struct ptx_try t;
	struct trace *trace = trace_of(chain, 5, 1, &t);
	uint64_t lane[32];

	for (uint32_t i = 0; i < 5; i++) {
		cr_assert_eq(trace_read_cta(trace, 0, i, &cta, &e), 0, "%s", e.text);
		cr_assert_eq(cta.id, i);
		trace_addr_expand(&cta, cta.warp[0].first_addr + cta.warp[0].n_addrs - 1, 1, lane);
		cr_assert_eq(lane[0], t.out + 4 * i); /* its own store is its last access */
		cr_assert_eq(cta.warp[0].n_addrs, i == 4 ? 1 : 2, "the last one alone reads nothing");
		cr_assert_eq(cta.warp[0].insts, i == 4 ? 14 : 17);
	}
	trace_cta_free(&cta);
	trace_close(trace);
	ptx_try_free(&t);
}

/* CTA i's load waits for the one modification of CTA i + 1's word, from the load itself on; an attempt that fails
 * executes a test and a branch more. Nobody reads CTA 0's word. */
Test(ptx_together, a_chain_needs_the_next_ones_store)
{
	struct ptx_try t;
	struct trace *trace = trace_of(chain, 5, 1, &t);
	const struct trace_sync *s = trace_sync(trace, 0);

	cr_assert_not_null(s);
	cr_expect_eq(s->n_words, 4);
	cr_expect_eq(s->n_accesses, 4 + 4);
	for (uint32_t i = 0; i < 4; i++) {
		const struct trace_sync_access *load = access_of(s, i, 0), *store = access_of(s, i + 1, i == 3 ? 0 : 1);

		expect_item(s, load, t.out + 4 * (i + 1), 1, 0, 0);
		cr_expect_eq(load->insts, 1);
		cr_expect_eq(load->records, 1);
		cr_assert_eq(load->n_tail, 1);
		cr_expect_eq(s->tail[load->first_tail].len, 2);
		cr_expect_eq(s->tail[load->first_tail].mask, 1);
		expect_item(s, store, t.out + 4 * (i + 1), 0, 0, 1);
		cr_expect_eq(store->insts, 0);
		cr_expect_eq(s->word[s->item[load->first_item].word].n, 1);
	}
	trace_close(trace);
	ptx_try_free(&t);
}

/* Each of four barriers has an arrival of each CTA; whoever polls needs all arrivals up to its barrier's, and no
 * more. */
Test(ptx_together, a_barrier_needs_every_arrival)
{
	enum { CTAS = 8, BARRIERS = 4 };
	struct ptx_try t;
	struct trace *trace = trace_of(grid_rounds, CTAS, 64, &t);
	const struct trace_sync *s = trace_sync(trace, 0);
	bool seen[CTAS * BARRIERS] = {false};

	cr_assert_not_null(s);
	cr_assert_eq(s->n_words, 1);
	cr_expect_eq(s->word[0].n, CTAS * BARRIERS);
	for (uint32_t c = 0; c < CTAS; c++) {
		uint32_t arrivals = 0, polls = 0;

		for (uint32_t a = s->first_access[c]; a < s->first_access[c + 1]; a++) {
			const struct trace_sync_item *i = &s->item[s->access[a].first_item];

			cr_expect_eq(s->access[a].warp, 0);
			cr_expect_eq(s->access[a].n_items, 1);
			if (i->n) {
				cr_expect_eq(i->n, 1);
				cr_expect_eq(i->first / CTAS, arrivals, "CTA %u", c);
				cr_expect(!seen[i->first]);
				seen[i->first] = true;
				arrivals++;
			} else {
				cr_expect_eq(s->access[a].insts, 1);
				cr_expect_eq(i->need, CTAS * ++polls, "CTA %u", c);
			}
		}
		cr_expect_eq(arrivals, BARRIERS);
		cr_expect_eq(polls, BARRIERS);
	}
	trace_close(trace);
	ptx_try_free(&t);
}

/* Whoever had the lock as number k, which is one less than what it stored, took it after k had taken it and given it
 * back. CTA 0 waits in between until all have asked. */
Test(ptx_together, a_lock_needs_those_that_had_it_before)
{
	enum { CTAS = 20 };
	struct ptx_try t;
	struct trace *trace = trace_of(lock, CTAS, 1, &t);
	const struct trace_sync *s = trace_sync(trace, 0);

	cr_assert_not_null(s);
	expect_item(s, access_of(s, 0, 2), t.in + 8, CTAS, 0, 0);
	for (uint32_t c = 0; c < CTAS; c++) {
		uint32_t k = ptx_try_out(&t)[c] - 1;
		const struct trace_sync_access *taken = access_of(s, c, 1), *given = access_of(s, c, c ? 4 : 5);

		expect_item(s, taken, t.in, 2 * k, 2 * k, 1);
		cr_expect_eq(taken->insts, k > 0); /* the first one need not wait */
		cr_assert_not_null(given);
		cr_expect_eq(s->item[given->first_item].first, 2 * k + 1);
		cr_expect_eq(s->item[given->first_item].n, 1);
	}
	trace_close(trace);
	ptx_try_free(&t);
}

/* CTA 0 sleeps 8 ns after the first try, twice as long after each further one, up to 64, and in each try 3 ns before
 * it looks. What the trace has is the try that finds the flag; those that do not sleep longer and longer. No sleep is
 * longer than a millisecond. */
Test(ptx_together, a_back_off_is_in_the_trace)
{
	static const uint32_t want[] = {8, 16, 32, 64};
	struct ptx_try t;
	struct trace *trace = trace_of(FRAME "mov.u32 %r4, 8;\nmov.u32 %r6, 3;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra WAIT;\n"
					     "nanosleep.u32 5000000;\nst.volatile.global.u32 [%rd1], 1;\nbra.uni END;\n"
					     "WAIT: nanosleep.u32 %r6;\nld.volatile.global.u32 %r5, [%rd1];\n"
					     "setp.ne.u32 %p2, %r5, 0;\n@%p2 bra END;\nnanosleep.u32 %r4;\nshl.b32 %r4, %r4, 1;\n"
					     "min.u32 %r4, %r4, 64;\nbra.uni WAIT;\nEND: st.global.u32 [%rd3], %r5;\n",
				       2, 1, &t);
	const uint64_t records[2][3] = {{3, t.in, t.out}, {1000000, t.in, t.out + 4}};
	const struct trace_sync *s = trace_sync(trace, 0);
	const struct trace_sync_access *load;
	struct trace_cta cta = {0};
	uint64_t lane[32];

	for (uint32_t c = 0; c < 2; c++) {
		cr_assert_eq(trace_read_cta(trace, 0, c, &cta, &t.e), 0, "%s", t.e.text);
		cr_assert_eq(cta.warp[0].n_addrs, 3);
		for (uint32_t i = 0; i < 3; i++) {
			trace_addr_expand(&cta, cta.warp[0].first_addr + i, 1, lane);
			cr_expect_eq(lane[0], records[c][i]);
		}
	}
	cr_assert_not_null(s);
	load = access_of(s, 0, 1);
	expect_item(s, load, t.in, 1, 0, 0);
	cr_expect_eq(load->insts, 2);
	cr_expect_eq(load->records, 2);
	cr_assert_eq(load->n_sleeps, 4);
	cr_expect_arr_eq(s->sleep + load->first_sleep, want, sizeof want);
	trace_cta_free(&cta);
	trace_close(trace);
	ptx_try_free(&t);
}

/* With a sleep that grows ahead of what is polled: what the try in the trace sleeps is the first one's. */
Test(ptx_together, a_back_off_ahead_of_the_look_is_in_the_trace)
{
	static const uint32_t want[] = {100, 200, 300, 390};
	struct ptx_try t;
	struct trace *trace = trace_of(FRAME "mov.u32 %r4, 10;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra WAIT;\n"
					     "st.volatile.global.u32 [%rd1], 1;\nbra.uni END;\n"
					     "WAIT: nanosleep.u32 %r4;\nadd.u32 %r4, %r4, 100;\nmin.u32 %r4, %r4, 400;\n"
					     "ld.volatile.global.u32 %r5, [%rd1];\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 bra WAIT;\n"
					     "END: st.global.u32 [%rd3], %r5;\n",
				       2, 1, &t);
	const struct trace_sync *s = trace_sync(trace, 0);
	const struct trace_sync_access *load;
	struct trace_cta cta = {0};
	uint64_t lane[32];

	cr_assert_eq(trace_read_cta(trace, 0, 0, &cta, &t.e), 0, "%s", t.e.text);
	cr_assert_eq(cta.warp[0].n_addrs, 3);
	trace_addr_expand(&cta, cta.warp[0].first_addr, 1, lane);
	cr_expect_eq(lane[0], 10);
	cr_assert_not_null(s);
	load = access_of(s, 0, 1);
	cr_assert_not_null(load);
	cr_assert_eq(load->n_sleeps, 4, "%u", load->n_sleeps);
	for (unsigned i = 0; i < 4; i++)
		cr_expect_eq(s->sleep[load->first_sleep + i], want[i], "%u: %u", i, s->sleep[load->first_sleep + i]);
	trace_cta_free(&cta);
	trace_close(trace);
	ptx_try_free(&t);
}

/* CTA 1 stores 1 to 6, and CTA 0, whose sleeps grow up to 64 ns, waits for 6: it sees each of the others and goes on
 * waiting. */
Test(ptx_together, a_back_off_outlasts_values_that_do_not_end_it)
{
	static const uint32_t want[] = {8, 16, 32, 64};
	struct ptx_try t;
	struct trace *trace = trace_of(FRAME "mov.u32 %r4, 8;\nmov.u32 %r6, 0;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra WAIT;\n"
					     "MORE: add.u32 %r6, %r6, 1;\nst.volatile.global.u32 [%rd1], %r6;\n"
					     "setp.lt.u32 %p2, %r6, 6;\n@%p2 bra MORE;\nbra.uni END;\n"
					     "WAIT: ld.volatile.global.u32 %r5, [%rd1];\nsetp.eq.u32 %p2, %r5, 6;\n"
					     "@%p2 bra END;\nnanosleep.u32 %r4;\nshl.b32 %r4, %r4, 1;\n"
					     "min.u32 %r4, %r4, 64;\nbra.uni WAIT;\nEND: st.global.u32 [%rd3], %r5;\n",
				       2, 1, &t);
	const struct trace_sync *s = trace_sync(trace, 0);
	const struct trace_sync_access *load;

	cr_expect_eq(ptx_try_out(&t)[0], 6);
	cr_assert_not_null(s);
	load = access_of(s, 0, 0);
	expect_item(s, load, t.in, 6, 0, 0);
	cr_assert_eq(load->n_sleeps, 4, "%u", load->n_sleeps);
	cr_expect_arr_eq(s->sleep + load->first_sleep, want, sizeof want);
	trace_close(trace);
	ptx_try_free(&t);
}

/* CTA 0 waits with sleeps for one flag and then without for another, which CTA 1 sets when it has an answer to the
 * first: nothing of the first wait is left in the second. */
Test(ptx_together, a_wait_without_sleeps_follows_one_with)
{
	struct ptx_try t;
	struct trace *trace = trace_of(FRAME "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra FIRST;\nst.volatile.global.u32 [%rd1], 1;\n"
					     "ASKED: ld.volatile.global.u32 %r5, [%rd1+8];\nsetp.eq.u32 %p2, %r5, 0;\n"
					     "@%p2 bra ASKED;\nst.volatile.global.u32 [%rd1+4], 1;\nbra.uni END;\n"
					     "FIRST: ld.volatile.global.u32 %r5, [%rd1];\nsetp.ne.u32 %p2, %r5, 0;\n"
					     "@%p2 bra SEEN;\nnanosleep.u32 40;\nbra.uni FIRST;\n"
					     "SEEN: st.volatile.global.u32 [%rd1+8], 1;\n"
					     "SECOND: ld.volatile.global.u32 %r5, [%rd1+4];\nsetp.eq.u32 %p2, %r5, 0;\n"
					     "@%p2 bra SECOND;\nEND: st.global.u32 [%rd3], %r5;\n",
				       2, 1, &t);
	const struct trace_sync *s = trace_sync(trace, 0);
	const struct trace_sync_access *first, *second;

	cr_assert_not_null(s);
	first = access_of(s, 0, 0);
	second = access_of(s, 0, 2);
	expect_item(s, first, t.in, 1, 0, 0);
	cr_assert_eq(first->n_sleeps, 1);
	cr_expect_eq(s->sleep[first->first_sleep], 40);
	expect_item(s, second, t.in + 4, 1, 0, 0);
	cr_expect_eq(second->n_sleeps, 0);
	trace_close(trace);
	ptx_try_free(&t);
}

/* How many fit is the machine's: with one SM, 2 CTAs of 1024 threads. */
static int on_one_sm(uint32_t ctas)
{
	struct {
		uint64_t out, in;
		uint32_t n;
	} params = {0, 0, 0};
	struct ptx_launch l = {{ctas, 1, 1}, {1024, 1, 1}, 0, &params};
	struct ptx_try t;
	int rc;

	ptx_try_parse(&t, "",
		      FRAME "bar.sync 0;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra MEET;\natom.global.add.u32 %r4, [%rd2], 1;\n"
			    "WAIT: ld.volatile.global.u32 %r4, [%rd2];\nsetp.lt.u32 %p1, %r4, %r3;\n@%p1 bra WAIT;\n"
			    "MEET: bar.sync 0;\n");
	memory_add(&t.mem, "out", 4, &t.e);
	params.out = t.mem.buffer[0].base;
	ptx_set_sms(t.m, 1);
	rc = ptx_run(ptx_kernel_at(t.m, 0), &l, &t.mem, NULL, 0, &t.e);
	ptx_try_free(&t);
	return rc;
}

Test(ptx_together, as_many_as_the_machine_holds)
{
	cr_assert_eq(on_one_sm(2), 0);
	cr_assert_eq(on_one_sm(3), -1);
}
