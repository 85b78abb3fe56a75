/* 902: the options of a workload are read, checked and named in errors as they were typed. */
#include <criterion/criterion.h>
#include <string.h>

#include "workload/program.h"

static struct host *host_with(const char *size, const char *a, const char *b, struct err *e)
{
	const char *args[] = {a, b};
	struct host_options o = {.size = size, .n_args = !!a + !!b, .args = args};

	return host_new(&o, e);
}

/* Reads n (7 / 8 / 9, 1 to 2M) out of "n=...". */
static int read_n(const char *size, const char *arg, uint32_t *n, struct err *e)
{
	struct host *h = host_with(size, arg, NULL, e);
	int rc = !h || host_arg_u32(h, "n", 7, 8, 9, 1, 2 << 20, n, e) || host_args_done(h, e) ? -1 : 0;

	host_free(h);
	return rc;
}

Test(host_options, without_a_value_the_size_chooses)
{
	static const struct {
		const char *size;
		uint32_t want;
	} vector[] = {{"test", 7}, {"default", 8}, {"paper", 9}, {NULL, 8}};
	struct err e = {""};
	uint32_t n;

	for (unsigned i = 0; i < sizeof vector / sizeof vector[0]; i++) {
		cr_assert_eq(read_n(vector[i].size, NULL, &n, &e), 0, "%s", e.text);
		cr_expect_eq(n, vector[i].want, "size %s gives %u", vector[i].size, n);
	}
}

Test(host_options, numbers_take_suffixes_of_1024)
{
	static const struct {
		const char *arg;
		uint32_t want;
	} vector[] = {{"n=1", 1}, {"n=12", 12}, {"n=3K", 3072}, {"n=2M", 2097152}, {"n=1M", 1048576}, {"n=007", 7}};
	struct err e = {""};
	uint32_t n;

	for (unsigned i = 0; i < sizeof vector / sizeof vector[0]; i++) {
		cr_assert_eq(read_n(NULL, vector[i].arg, &n, &e), 0, "%s: %s", vector[i].arg, e.text);
		cr_expect_eq(n, vector[i].want, "%s gives %u", vector[i].arg, n);
	}
}

Test(host_options, what_is_no_number_is_refused)
{
	static const char *const vector[] = {"n=",
					     "n=x",
					     "n=-1",
					     "n=+1",
					     "n= 1",
					     "n=1.5",
					     "n=1k",
					     "n=1KK",
					     "n=0x10g",
					     "n=1 ",
					     "n=99999999999999999999",
					     "n=1099511627776G"};
	uint32_t n;

	for (unsigned i = 0; i < sizeof vector / sizeof vector[0]; i++) {
		struct err e = {""};
		char want[80];

		cr_expect_eq(read_n(NULL, vector[i], &n, &e), -1, "%s is taken as %u", vector[i], n);
		snprintf(want, sizeof want, "--arg %s: not a whole number", vector[i]);
		cr_expect_eq(strncmp(e.text, want, strlen(want)), 0, "%s", e.text);
	}
}

Test(host_options, the_range_is_checked_on_both_ends)
{
	static const char *const bad[] = {"n=0", "n=2097153", "n=4G", "n=1000G"};
	struct err e = {""};
	uint32_t n;

	cr_expect_eq(read_n(NULL, "n=1", &n, &e), 0);
	cr_expect_eq(read_n(NULL, "n=2097152", &n, &e), 0);
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		char want[80];

		e.text[0] = '\0';
		cr_expect_eq(read_n(NULL, bad[i], &n, &e), -1, "%s", bad[i]);
		snprintf(want, sizeof want, "--arg %s: must be 1 to 2M", bad[i]);
		cr_expect_str_eq(e.text, want);
	}
}

Test(host_options, a_key_that_nobody_reads_is_named_with_those_that_are_read)
{
	struct err e = {""};
	uint32_t n;

	cr_expect_eq(read_n(NULL, "m=3", &n, &e), -1);
	cr_expect_str_eq(e.text, "--arg m=3: the workload has no such option; its options are n");
}

Test(host_options, the_last_of_two_values_counts)
{
	struct err e = {""};
	struct host *h = host_with(NULL, "n=3", "n=4", &e);
	uint32_t n;

	cr_assert_not_null(h, "%s", e.text);
	cr_expect_eq(host_arg_u32(h, "n", 1, 1, 1, 1, 9, &n, &e), 0);
	cr_expect_eq(n, 4);
	host_free(h);
}

Test(host_options, an_argument_without_a_key_is_refused)
{
	static const char *const bad[] = {"n", "=3", ""};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct err e = {""};
		char want[80];

		cr_expect_null(host_with(NULL, bad[i], NULL, &e));
		snprintf(want, sizeof want, "--arg %s: must have the form key=value", bad[i]);
		cr_expect_str_eq(e.text, want);
	}
}

Test(host_options, an_unknown_size_is_refused)
{
	struct err e = {""};

	cr_expect_null(host_with("huge", NULL, NULL, &e));
	cr_expect_str_eq(e.text, "--size huge: must be test, default or paper");
}

Test(host_options, a_multiple_and_a_choice_are_checked)
{
	static const char *const kinds[] = {"naive", "tiled", NULL};
	struct err e = {""};
	struct host *h = host_with(NULL, "n=40", "kind=fast", &e);
	unsigned kind;
	uint32_t n;

	cr_assert_not_null(h);
	cr_expect_eq(host_arg_multiple(h, "n", 16, 16, 16, 16, 64, &n, &e), -1);
	cr_expect_str_eq(e.text, "--arg n=40: must be a multiple of 16");
	e.text[0] = '\0';
	cr_expect_eq(host_arg_choice(h, "kind", kinds, &kind, &e), -1);
	cr_expect_str_eq(e.text, "--arg kind=fast: must be one of naive, tiled");
	e.text[0] = '\0';
	cr_expect_eq(host_arg_choice(h, "other", kinds, &kind, &e), 0);
	cr_expect_eq(kind, 0);
	host_free(h);
}
