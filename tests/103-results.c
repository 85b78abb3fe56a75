/* 103: figures are printed aligned and in order; `locus diff` lists what changed, largest relative change first. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "base/number.h"
#include "base/stats.h"
#include "support/program.h"

Test(results, a_table_has_commas_percent_and_no_detail_rows)
{
	struct stats s = {0};
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	stats_count(&s, 0, "cycles", 1234567, "cycles", "core clock");
	stats_percent(&s, 0, "l1.miss_rate", 1, 8, "of accesses");
	stats_count(&s, STAT_DETAIL, "sm.0.cycles", 999, "cycles", "");
	stats_print(&s, f);
	fclose(f);
	cr_assert(strstr(text, " 1,234,567 cycles"));
	cr_assert(strstr(text, " 12.5 %"));
	cr_assert_not(strstr(text, "sm.0"));
	cr_assert_eq(stats_find(&s, "sm.0.cycles")->count, 999);
	free(text);
	stats_free(&s);
}

Test(results, json_keeps_the_order_and_every_row)
{
	struct stats s = {0};
	json_t *o;
	char *text;

	stats_count(&s, 0, "z", 1, "", "");
	stats_count(&s, STAT_DETAIL, "a", 2, "", "");
	o = stats_json(&s);
	text = json_dumps(o, JSON_COMPACT);
	cr_assert_str_eq(text, "{\"z\":1,\"a\":2}");
	free(text);
	json_decref(o);
	stats_free(&s);
}

Test(results, diff_puts_the_largest_relative_change_first)
{
	struct program p;
	const char *few, *many;

	program_file("a.json", "{\"stats\": {\"ctas\": 1000, \"same\": 5, \"misses\": 10, \"sm.0.x\": 1}}");
	program_file("b.json", "{\"stats\": {\"ctas\": 900, \"same\": 5, \"misses\": 30, \"sm.0.x\": 2}}");
	p = program_run("locus diff %s/a.json %s/b.json", program_tmp(), program_tmp());
	cr_assert_eq(p.status, 0);
	many = strstr(p.out, "misses");
	few = strstr(p.out, "ctas");
	cr_assert(many && few && many < few, "%s", p.out);
	cr_assert(strstr(p.out, "+200.0%") && strstr(p.out, "-10.0%"));
	cr_assert_not(strstr(p.out, "same"));
	cr_assert_not(strstr(p.out, "sm.0.x"), "details only with --all");
	program_free(&p);
	p = program_run("locus diff %s/a.json %s/a.json", program_tmp(), program_tmp());
	cr_assert_eq(p.status, 0);
	cr_assert_str_eq(p.out, "no figure differs\n");
	program_free(&p);
}

Test(results, diff_refuses_what_is_not_a_result)
{
	static const char *const bad[] = {"", "{", "[]", "{\"stats\": 3}"};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p;

		program_file("bad.json", bad[i]);
		p = program_run("locus diff %s/bad.json %s/bad.json", program_tmp(), program_tmp());
		cr_assert(program_is_clean_error(&p), "%s", bad[i]);
		program_free(&p);
	}
}

Test(results, the_nearest_name_is_offered_only_when_it_is_near)
{
	struct suggestion n = {.typed = "syrc"};
	char hint[160];

	suggestion_offer(&n, "vectoradd");
	cr_assert_str_eq(suggestion_text(&n, hint), "");
	suggestion_offer(&n, "syrk");
	suggestion_offer(&n, "syr2k");
	cr_assert_str_eq(suggestion_text(&n, hint), " (did you mean \"syrk\"?)");
	n = (struct suggestion){.typed = "rnu"};
	suggestion_offer(&n, "run");
	cr_assert_str_eq(suggestion_text(&n, hint), " (did you mean \"run\"?)", "two letters that changed places are one mistake");
	n = (struct suggestion){.typed = "x"};
	suggestion_offer(&n, "y");
	cr_assert_str_eq(suggestion_text(&n, hint), "", "no letter in common");
}

Test(results, sizes_take_suffixes_and_refuse_anything_else)
{
	static const char *const bad[] = {"",	"K",  "-1",   "12Q", "1KK", "0x",  "99999999999999999999", "17179869184G", " 1",
					  "1 ", "+1", "0x-1", "0xg", "1e3", "1.0", "18446744073709551616"};
	uint64_t v;

	cr_assert_eq(number_parse_u64("16K", &v), 0);
	cr_assert_eq(v, 16384);
	cr_assert_eq(number_parse_u64("0xff", &v), 0);
	cr_assert_eq(v, 255);
	cr_assert_eq(number_parse_u64("3G", &v), 0);
	cr_assert_eq(v, UINT64_C(3) << 30);
	cr_assert_eq(number_parse_u64("010", &v), 0);
	cr_assert_eq(v, 10, "not octal");
	cr_assert_eq(number_parse_u64("18446744073709551615", &v), 0);
	cr_assert_eq(v, UINT64_MAX);
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
		cr_assert_eq(number_parse_u64(bad[i], &v), -1, "\"%s\"", bad[i]);
}

/* Bandwidths such as 1.333 GB/s: at most three places, and no sign, exponent, suffix or lone point. */
Test(number, decimals_are_read_in_thousandths)
{
	static const struct {
		const char *text;
		uint64_t thousandths;
	} good[] = {{"0", 0}, {"1", 1000}, {"1.333", 1333}, {"0.5", 500}, {"007.25", 7250}, {"100000", 100000000}};
	static const char *const bad[] = {"",	 ".",  ".5",   "1.", "1.2345", "-1",	"+1",
					  "1e3", "1K", "0x10", " 1", "1 ",     "1.2.3", "12345678901234567"};
	uint64_t v;

	for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++) {
		cr_assert_eq(number_parse_thousandths(good[i].text, &v), 0, "%s", good[i].text);
		cr_assert_eq(v, good[i].thousandths, "%s", good[i].text);
	}
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
		cr_assert_eq(number_parse_thousandths(bad[i], &v), -1, "\"%s\"", bad[i]);
}
