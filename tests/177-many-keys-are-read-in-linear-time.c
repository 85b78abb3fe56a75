/* 177: 16,000 keys of one mapping are read in linear time; a key that is there twice is found. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/files/yaml.h"

/* CPU seconds to read a mapping of that many keys. */
static double seconds(unsigned keys)
{
	char *text = malloc(keys * 24 + 1), *at = text;
	struct err e = {""};
	clock_t begin;
	struct yaml *y;

	for (unsigned i = 0; i < keys; i++)
		at += sprintf(at, "key%u: {size: 4}\n", i);
	begin = clock();
	y = yaml_parse(text, "m.yaml", &e);
	cr_assert(y, "%s", e.text);
	yaml_close(y);
	free(text);
	return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* Sixteen times the keys take sixteen times the time, not 256 times; four times that is for a busy machine. */
Test(many_keys, take_linear_time, .timeout = 120)
{
	double few = seconds(2000), many = seconds(32000);

	cr_expect_lt(many, 64 * few + 0.1, "%g s, %g s", few, many);
}

Test(many_keys, are_not_there_twice)
{
	static const char *const cases[][2] = {
		{"a: 1\nb: 2\n\"a\": 3\n", "m.yaml:3:2: the key \"a\" is there twice"},
		{"x: {a: 1, b: {c: 1, c: 2}}\n", "m.yaml:1:21: the key \"c\" is there twice"},
		{"x:\n  - {a: 1}\n  - {a: 1, a: 2}\n", "m.yaml:3:12: the key \"a\" is there twice"},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct err e = {""};

		cr_expect_null(yaml_parse(cases[i][0], "m.yaml", &e));
		cr_expect_str_eq(e.text, cases[i][1]);
	}
}
