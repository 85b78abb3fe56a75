/* 381: an L1 of 4 banks and a data path of some bytes a cycle: in how many cycles a warp's load that hits is served.
 * Lanes are `stride` bytes apart; cycles are counted by hand from what each transaction needs: its bank (line number
 * modulo 4, or of each sector its address / 32 modulo 4), and its sectors of 32 bytes on the data path. */
#include <criterion/criterion.h>

#include "support/machine.h"
#include "support/sm_bench.h"

#define BASE	UINT64_C(0x10000000)
#define SECTORS "l1.sectors=4", "l1.allocate=fill", "l1.write_hit=update", "l1.mshr_entries=64", "l1.bytes=64K", "l1.assoc=16"

enum { LATENCY = 35 /* of gtx480's L1 */ };

/* A load and an add that needs it, twice: the second time all of it hits. */
static struct bench *loads(const char *const *set, unsigned width, int64_t stride)
{
	struct bench *b = bench_new();

	b->m = machine_with(set);
	for (unsigned i = 0; i < 2; i++) {
		bench_load(b, SPACE_GLOBAL, width, 1, 0);
		bench_op(b, OP_INT_ADD, 2, 1, -1);
	}
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 4, UINT32_MAX);
	for (unsigned i = 0; i < 2; i++)
		bench_addrs(b, 0, BASE, stride);
	bench_play(b, 1);
	return b;
}

static void takes(const char *const *set, unsigned width, int64_t stride, unsigned cycles)
{
	struct bench *b = loads(set, width, stride);
	uint64_t gap = bench_issued(b, 0, 3) - bench_issued(b, 0, 2);

	cr_expect_eq(gap, LATENCY + cycles - 1, "%s, %s: %u bytes, %ld apart: %lu cycles", set[0], set[1], width, (long)stride,
		     (unsigned long)(gap - LATENCY + 1));
	bench_free(b);
}
#define TAKES(width, stride, cycles, ...) takes((const char *const[]){__VA_ARGS__, SECTORS, NULL}, width, stride, cycles)

Test(l1_banks, a_warps_sectors_take_what_banks_and_data_path_need)
{
#define VOLTA "l1.banks=4", "l1.port_bytes=128"
	TAKES(4, 4, 1, VOLTA);	  /* a line */
	TAKES(4, 0, 1, VOLTA);	  /* a word */
	TAKES(4, 8, 2, VOLTA);	  /* 2 lines of 4 sectors: 256 bytes */
	TAKES(4, 32, 8, VOLTA);	  /* 8 lines, all of it: 1,024 bytes */
	TAKES(4, 64, 8, VOLTA);	  /* 16 lines of 2 sectors: 2 a cycle, as 128 bytes are 4 sectors */
	TAKES(4, 128, 8, VOLTA);  /* 32 lines of a sector: 4 a cycle, each in its bank */
	TAKES(4, 256, 16, VOLTA); /* every other line: 2 banks */
	TAKES(4, 512, 32, VOLTA); /* all in one bank */
	TAKES(4, 384, 8, VOLTA);  /* 3 is prime to 4 */
	TAKES(8, 8, 2, VOLTA);
	TAKES(16, 16, 4, VOLTA);
}

Test(l1_banks, half_the_data_path_takes_twice_as_long)
{
#define TURING "l1.banks=4", "l1.port_bytes=64"
	TAKES(4, 4, 2, TURING);
	TAKES(4, 0, 1, TURING);
	TAKES(4, 32, 16, TURING);
	TAKES(4, 64, 16, TURING);
	TAKES(4, 128, 16, TURING); /* 2 sectors a cycle */
	TAKES(4, 512, 32, TURING); /* the bank is what is short */
	TAKES(16, 16, 8, TURING);
}

Test(l1_banks, one_bank_looks_up_a_line_a_cycle)
{
	TAKES(4, 128, 32, "l1.banks=1", "l1.port_bytes=128");
	TAKES(4, 64, 16, "l1.banks=1", "l1.port_bytes=128");
	TAKES(4, 4, 4, "l1.banks=1", "l1.port_bytes=32");
	TAKES(4, 128, 8, "l1.banks=4", "l1.port_bytes=0");
	TAKES(4, 32, 2, "l1.banks=4", "l1.port_bytes=0"); /* 8 lines */
	TAKES(4, 128, 1, "l1.banks=32", "l1.port_bytes=1024");
}

/* GPGPU-Sim's interleaving: the same sector of all lines is in one bank, so that strides of a line are the worst. */
Test(l1_banks, sectors_in_banks_of_their_own_conflict_by_their_address)
{
#define BY_SECTOR "l1.bank_bytes=32", "l1.banks=4"
	TAKES(4, 4, 1, BY_SECTOR);
	TAKES(4, 32, 8, BY_SECTOR);  /* 4 sectors a line, all banks */
	TAKES(4, 64, 16, BY_SECTOR); /* 2 sectors a line, the same two banks in all of them */
	TAKES(4, 128, 32, BY_SECTOR);
	TAKES(4, 160, 8, BY_SECTOR); /* 5 sectors on: the next bank, a line and a sector on */
}

/* What waits for which is counted: with stride 512 31 times for the bank, with 64 bytes a line once for the path. */
Test(l1_banks, waits_are_counted_by_cause)
{
	static const char *const volta[] = {VOLTA, SECTORS, NULL}, *const turing[] = {TURING, SECTORS, NULL};
	struct bench *b = loads(volta, 4, 512);

	cr_assert_eq(b->sm.lsu.stats.path_cycles, 0);
	cr_assert_geq(b->sm.lsu.stats.bank_conflicts, 31 + 31, "%lu", (unsigned long)b->sm.lsu.stats.bank_conflicts);
	bench_free(b);
	b = loads(turing, 4, 4);
	cr_assert_eq(b->sm.lsu.stats.bank_conflicts, 0);
	cr_assert_eq(b->sm.lsu.stats.path_cycles, 2);
	bench_free(b);
}

/* A store goes by the same rule, and each of its transactions is acknowledged: a fence behind it waits for all. */
Test(l1_banks, stores_to_local_memory_that_stay_are_all_counted)
{
	static const char *const set[] = {"l1.banks=4", "l1.mshr_entries=64", "l1.bytes=64K", "l1.assoc=16", NULL};
	struct bench *b = bench_new();

	b->m = machine_with(set);
	b->kernel.local_bytes = 256;
	bench_load(b, SPACE_LOCAL, 16, 1, 0);
	bench_op(b, OP_INT_ADD, 2, 1, -1);
	bench_store(b, SPACE_LOCAL, 16, 2, 0);
	bench_op(b, OP_MEMBAR, -1, -1, -1);
	bench_op(b, OP_INT_ADD, 2, -1, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 5, UINT32_MAX);
	bench_addrs(b, 0, 0, 0); /* a line a word */
	bench_addrs(b, 0, 0, 0);
	bench_play(b, 1);
	cr_assert_eq(b->n_sent, 4, "the stores hit");
	cr_assert_eq(b->sm.lsu.l1.stats.write_hits, 4);
	/* store issues, its four lines are served in the next cycle, fence done */
	cr_assert_leq(bench_issued(b, 0, 4) - bench_issued(b, 0, 2), 4);
	bench_free(b);
}

Test(l1_banks, what_they_cannot_be_is_refused)
{
	static const struct {
		const char *set, *said;
	} known[] = {
		{"l1.banks=3", "l1.banks: 3 is not a power of two"},
		{"l1.bank_bytes=16", "l1.bank_bytes: 16 is not a power of two from a sector (32) to a line (128)"},
		{"l1.port_bytes=48", "l1.port_bytes: 48 bytes are not whole sectors of 32"},
	};

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct machine m;
		struct err e = {""};

		cr_assert_eq(machine_load(&m, "qv100", "csim/machines", &e), 0);
		cr_assert_eq(machine_set(&m, known[i].set, &e), 0, "%s", e.text);
		cr_assert_neq(machine_resolve(&m, &e), 0, "%s", known[i].set);
		cr_assert(strstr(e.text, known[i].said) && !strchr(e.text, '\n'), "%s", e.text);
	}
}
