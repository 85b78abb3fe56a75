/* 937: the summaries under the tables of `make correlate`, worked out by hand from a few rows. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

static char *table_by(const char *script, const char *rows)
{
	struct program p = program_run("printf '%s' | scripts/%s", rows, script);
	char *out = strdup(p.out);

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	return out;
}

static char *table_of(const char *rows)
{
	return table_by("correlate-table", rows);
}

static void says(const char *table, const char *line)
{
	cr_expect(strstr(table, line), "no line %s in:\n%s", line, table);
}

/* Errors of 10 and 20 %; the root of 1.1 * 0.8; two points are on a line. */
Test(correlation, has_errors_means_and_coefficients)
{
	char *t = table_of("a 100 200 100 110\\nb 1000 1000 900 800\\n");

	says(t, "| a | 100 | 200 | 100 | 110 | 2.00 | 1.00 | 1.10 |\n");
	says(t, "| Locus | 2 | 15.0 % | 0.94 | 1.000 |\n");
	says(t, "| GPGPU-Sim 3 | 2 | 50.0 % | 1.41 | 1.000 |\n");
	says(t, "| Accel-Sim | 2 | 5.0 % | 0.95 | 1.000 |\n");
	says(t, "Farthest from the V100: b (0.80), a (1.10).\n");
	free(t);
}

Test(correlation, has_a_column_of_a_gpu_that_was_measured)
{
	char *t = table_by("correlate-table \"A GPU\" 1230", "a 100 200 100 110 123\\nb 1000 1000 900 800 -\\n");

	says(t, "Of A GPU: the time of all launches, by events around each, times 1230 MHz, its highest clock.\n");
	says(t, " Locus / V100 | A GPU |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
	says(t, "| a | 100 | 200 | 100 | 110 | 2.00 | 1.00 | 1.10 | 123 |\n");
	says(t, "| b | 1000 | 1000 | 900 | 800 | 1.00 | 0.90 | 0.80 | - |\n");
	says(t, "| Locus | 2 | 15.0 % | 0.94 | 1.000 |\n");
	free(t);
}

/* Logarithms to base 10: (1, 2, 3) beside (2, 1, 3): covariance 1, variances 2 and 2. */
Test(correlation, is_of_the_logarithms)
{
	char *t = table_of("a 10 10 10 100\\nb 100 100 100 10\\nc 1000 1000 1000 1000\\n");

	says(t, "| Locus | 3 | 330.0 % | 1.00 | 0.500 |\n"); /* 900, 90 and 0 % */
	free(t);
}

Test(correlation, has_microbenchmarks_apart)
{
	char *t = table_of("a 100 100 100 100\\nl1_lat 10 10 10 20\\nshared_bw 10 10 10 20\\n");

	says(t, "| applications | number |");
	says(t, "| Locus | 1 | 0.0 % | 1.00 | - |\n");
	says(t, "| microbenchmark | V100 |");
	says(t, "| Locus | 2 | 100.0 % | 2.00 |");
	free(t);
}

/* Of two kernels one has no shared memory; the fourth counter is 10 % too high once and 20 % too low once. */
Test(correlation, of_counters_is_a_ratio_each)
{
	char *t = table_by("correlate-counters-table", "a 100 50 50 10 8 10 8 400 1000 100 50 50 11 8 10 4 800 900\\n"
						       "b 100 50 50 10 8 10 8 0 1000 100 50 50 8 8 10 8 0 1100\\n");

	says(t, "| a | 1.00 | 1.00 | 1.00 | 1.10 | 1.00 | 1.00 | 0.50 | 2.00 | 0.90 |\n");
	says(t, "| b | 1.00 | 1.00 | 1.00 | 0.80 | 1.00 | 1.00 | 1.00 | - | 1.10 |\n");
	says(t, "| mean absolute error | 0 % | 0 % | 0 % | 15 % | 0 % | 0 % | 25 % | 100 % | 10 % |\n");
	says(t, "| b | 100 | 50 | 50 | 10 | 8 | 10 | 8 | 0 | 1000 |\n");
	free(t);
}
