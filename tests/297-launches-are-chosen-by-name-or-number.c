/* 297: --kernels LIST takes launches by patterns of names, as a shell's, and by numbers from 0 on, both ends of a range
 * included (docs/how-to/run-cuda-programs.md). Which names fnmatch() takes is POSIX's: * any characters, ? one, [...]
 * one of these. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cuda/kernel_choice.h"

static void expect(const char *choice, const char *name, uint32_t launch, bool takes)
{
	struct err e = {""};

	cr_assert_eq(kernel_choice_check(choice, &e), 0, "%s: %s", choice, e.text);
	cr_expect_eq(kernel_choice_takes(choice, name, launch), takes, "%s: %s %u", choice, name, launch);
}

Test(kernel_choice, takes_all_without_a_list)
{
	cr_expect(kernel_choice_takes(NULL, "any", 0));
	cr_expect(kernel_choice_takes(NULL, "any", UINT32_MAX));
}

Test(kernel_choice, takes_names_as_a_shell_does)
{
	expect("scan", "scan", 0, true);
	expect("scan", "scan2", 0, false);
	expect("scan", "_Z4scanPi", 0, false);
	expect("*scan*", "_Z4scanPi", 0, true);
	expect("_Z?scan*", "_Z4scanPi", 0, true);
	expect("_Z?scan*", "_Z14scanPi", 0, false);
	expect("k[12]", "k2", 0, true);
	expect("k[12]", "k3", 0, false);
	expect("*", "anything", 7, true);
}

Test(kernel_choice, takes_a_range_with_both_its_ends)
{
	static const struct {
		const char *choice;
		uint32_t first, last;
	} ranges[] = {{"10:19", 10, 19}, {"7:7", 7, 7}, {"7", 7, 7}, {"100:", 100, UINT32_MAX}, {"0:3", 0, 3}};

	for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
		expect(ranges[i].choice, "k", ranges[i].first, true);
		expect(ranges[i].choice, "k", ranges[i].last, true);
		if (ranges[i].first)
			expect(ranges[i].choice, "k", ranges[i].first - 1, false);
		if (ranges[i].last != UINT32_MAX)
			expect(ranges[i].choice, "k", ranges[i].last + 1, false);
	}
}

Test(kernel_choice, takes_what_any_of_the_list_takes)
{
	expect("scan,3:4,re*", "scan", 0, true);
	expect("scan,3:4,re*", "other", 4, true);
	expect("scan,3:4,re*", "reduce", 9, true);
	expect("scan,3:4,re*", "other", 5, false);
}

Test(kernel_choice, is_refused_if_it_cannot_mean_anything)
{
	static const char *const wrong[] = {"", ",", "a,,b", ",a", "a,", "3:2", "3:x", "3x", "1:2:3", "0x10", "3:-4"};

	for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct err e = {""};

		cr_expect_neq(kernel_choice_check(wrong[i], &e), 0, "\"%s\" is taken", wrong[i]);
		cr_expect_eq(strncmp(e.text, "--kernels: ", 11), 0, "\"%s\": %s", wrong[i], e.text);
	}
}

/* The mangled name of a template may be long; it is one name, not two. */
Test(kernel_choice, has_room_for_long_names_and_says_so_beyond)
{
	enum { LONG = 4000, TOO_LONG = 100000 };
	char *name = calloc(TOO_LONG + 1, 1);
	struct err e = {""};

	memset(name, 'k', TOO_LONG);
	cr_expect_neq(kernel_choice_check(name, &e), 0);
	cr_expect(strlen(e.text) < 200, "%s", e.text);
	name[LONG] = '\0';
	expect(name, name, 0, true);
	expect(name, name + 1, 0, false);
	free(name);
}
