/* 114: recording streams. Once the buffers have grown, a longer launch takes an entry of the frame index a CTA, and
 * nothing else: frames go to the file, or above the memory limit to a spill file. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "support/made_up.h"
#include "support/program.h"
#include "support/random.h"

enum { CTAS = 8192, WARM = 2048, LOADS = 64 };

static double peak_mib(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_maxrss / 1024;
}

/* A CTA of one warp whose loads go anywhere: about 10 KB that do not compress. */
static void put_cta(struct trace_writer *w, uint32_t cta, uint64_t *random)
{
	uint64_t addr[TRACE_WARP_SIZE];
	struct err e = {""};

	trace_cta_begin(w, cta);
	for (unsigned i = 0; i < LOADS; i++) {
		for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
			addr[l] = random_u64(random) & 0xffffffff;
		trace_put_run(w, 0, 0, 1, UINT32_MAX);
		trace_put_addrs(w, 0, UINT32_MAX, addr);
	}
	trace_put_run(w, 0, 1, 1, UINT32_MAX);
	cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
}

/* Records a launch; by how much the process's peak grew from CTA number WARM on. */
static double growth(struct trace_writer *w)
{
	struct trace_inst inst[2] = {{.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4}, {.op = OP_EXIT}};
	char *names[] = {"x"};
	const struct trace_kernel k = {"k", 2, inst, 1, names, 1, 1, 0, 0, NULL, NULL};
	const uint32_t grid[3] = {CTAS, 1, 1}, block[3] = {32, 1, 1};
	struct err e = {""};
	uint64_t random = 114;
	double before = 0;

	trace_add_kernel(w, &k);
	cr_assert_eq(trace_launch_begin(w, 0, grid, block, 0, &e), 0, "%s", e.text);
	for (uint32_t i = 0; i < CTAS; i++) {
		if (i == WARM)
			before = peak_mib();
		put_cta(w, i, &random);
	}
	cr_assert_eq(trace_launch_end(w, &e), 0);
	return peak_mib() - before;
}

/* 6144 CTAs of 10 KB are 60 MiB; their index entries, 32 bytes each in an array that doubles, are 0.4 MiB. */
Test(streaming, frames_for_a_file_do_not_stay_in_memory)
{
	struct err e = {""};
	struct trace_options o = {.name = "long"};
	struct trace_writer *w;
	struct trace *t;
	struct stat st;
	char path[4200];
	double grew;

	snprintf(path, sizeof path, "%s/long.ltrace", program_tmp());
	o.path = path;
	w = trace_writer_new(&o, &e);
	cr_assert_not_null(w, "%s", e.text);
	grew = growth(w);
	t = trace_writer_finish(w, &e);
	cr_assert(t && stat(path, &st) == 0 && st.st_size > 70 << 20, "%s", e.text);
	cr_assert_eq(trace_sizes(t).in_memory, 0);
	cr_assert_lt(grew, 2, "%g MiB", grew);
	trace_close(t);
}

Test(streaming, frames_above_the_memory_limit_do_not_stay_in_memory)
{
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "long", .memory_limit = 16 << 20}, &e);
	double grew = growth(w);
	struct trace *t = trace_writer_finish(w, &e);
	struct trace_sizes s = trace_sizes(t);

	cr_assert(s.stored > 70 << 20 && s.in_memory <= 16 << 20 && s.in_memory > 15 << 20);
	cr_assert_lt(grew, 2, "%g MiB", grew);
	trace_close(t);
}

/* The measure sees what stays: with a limit that nothing reaches, the same frames are all there. */
Test(streaming, frames_below_the_memory_limit_stay)
{
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "long"}, &e);
	double grew = growth(w);

	cr_assert(grew > 50 && grew < 75, "%g MiB", grew);
	trace_close(trace_writer_finish(w, &e));
}
