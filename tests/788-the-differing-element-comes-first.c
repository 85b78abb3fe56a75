/* 788: the save file of a wave begins with the element that differs first, golden above RTL, as a group of its bits; no
 * label has a dot, at which GTKWave would cut it. The window as JSON has that element first, step by step. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/monitor_wave.h"
#include "support/program.h"

/* count_q has 32 elements of 16 bits: element 3 is bits 63 to 48, which GTKWave counts from bit 511 on: 448 to 463. */
static void expect_element(const char *gtkw)
{
	static const struct {
		const char *label, *scope;
	} side[] = {{"golden:count_q[3]", "golden"}, {"rtl:count_q[3]", "rtl"}};
	char *text = program_text(gtkw);
	const char *at = strstr(text, "-first difference: golden, rtl\n"), *overview = strstr(text, "\n-inputs\n");

	cr_assert(at && overview && at < overview, "%s", text);
	for (int i = 0; i < 2; i++) {
		char line[2048];
		size_t n = (size_t)snprintf(line, sizeof line, "\n#{%s}", side[i].label);

		for (unsigned bit = 448; bit < 464; bit++)
			n += (size_t)snprintf(line + n, sizeof line - n, " (%u)TOP.cosim.%s.count_q[511:0]", bit, side[i].scope);
		snprintf(line + n, sizeof line - n, "\n");
		at = strstr(at, line);
		cr_assert(at && at < overview, "%s in: %s", line, text);
	}
	free(text);
}

/* An access counts two conflicts: first at the edge of cycle 12, as in 706. */
Test(first_difference, of_an_array_is_one_element_in_a_run_and_in_its_bundle)
{
	char path[256], fault[256];
	struct program p = program_run("sed \"s/entry_count + 1'b1/entry_count + 2'd2/\" rtl/set_monitor/set_monitor.v >%s/f.v",
				       program_tmp());

	program_free(&p);
	snprintf(path, sizeof path, "%s/w.fst", program_tmp());
	snprintf(fault, sizeof fault, "%s/f.v", program_tmp());
	monitor_wave(&(struct monitor_wave){.wave = path, .rtl = fault, .to = UINT64_MAX, .mode = UNIT_LOCKSTEP});
	snprintf(path, sizeof path, "%s/w.gtkw", program_tmp());
	expect_element(path);
	snprintf(path, sizeof path, "%s/mm-set_monitor-12/window.gtkw", program_tmp());
	expect_element(path);
}

Test(first_difference, is_not_in_a_clean_wave)
{
	char path[256];
	struct program p;

	snprintf(path, sizeof path, "%s/w.fst", program_tmp());
	monitor_wave(&(struct monitor_wave){.wave = path, .to = UINT64_MAX, .mode = UNIT_LOCKSTEP});
	p = program_run("grep -c 'first difference' %s/w.gtkw", program_tmp());
	cr_assert_str_eq(p.out, "0\n");
	program_free(&p);
}

/* PAVER's registers are in instances below its top: rtl:steal/turn_q of steal.turn_q. */
Test(labels, have_no_dots)
{
	struct program p =
		program_run("cd %s && locus cosim syrk --size test --plan paver-kway --hw paver=lockstep --wave w.fst >/dev/null &&"
			    " grep -c '^+[^ ]*[.]' w.gtkw; grep -c '^#{[^}]*[.]' w.gtkw; grep '^+rtl:steal/turn_q ' w.gtkw",
			    program_tmp());

	cr_assert_str_eq(p.out, "0\n0\n+rtl:steal/turn_q TOP.cosim.rtl.steal.turn_q[3:0]\n", "%s", p.err);
	program_free(&p);
}

/* ---- the window as JSON ---- */

static json_t *window_of(const char *path)
{
	char whole[512];
	json_t *w;

	snprintf(whole, sizeof whole, "%s/%s", program_tmp(), path);
	w = json_load_file(whole, 0, NULL);
	cr_assert_not_null(w, "%s", whole);
	return w;
}

static json_int_t number(const json_t *o, const char *key)
{
	cr_assert(json_is_integer(json_object_get(o, key)), "%s", key);
	return json_integer_value(json_object_get(o, key));
}

static const char *name_at(const json_t *w, const char *list, size_t i)
{
	return json_string_value(json_object_get(json_array_get(json_object_get(w, list), i), "name"));
}

/* Of signal i of a list, by name of the side; step k. */
static uint64_t value_of(const json_t *w, const char *list, size_t i, const char *side, size_t k)
{
	const char *text = json_string_value(json_array_get(json_object_get(json_array_get(json_object_get(w, list), i), side), k));

	cr_assert_not_null(text, "%s %zu, %s, step %zu", list, i, side, k);
	return strtoull(text, NULL, 16);
}

/* PRIC for 32 sets of 128 bytes (PRIC, section III.B): the set is the line's number modulo x^5 + x^2 + 1, the tag the
 * rest. */
static uint64_t pric_set(uint64_t address)
{
	uint64_t line = address >> 7;

	for (int bit = 63; bit >= 5; bit--)
		if (line >> bit & 1)
			line ^= 0x25ull << (bit - 5);
	return line;
}

/* An RTL with another polynomial: steps up to ten cycles behind the first difference, with what both sides say. */
Test(window, of_a_combinational_block_has_its_steps)
{
	struct program p =
		program_run("cd %s && sed 's/column ^ POLY;/column ^ POLY ^ 4;/' $OLDPWD/rtl/pric/pric_index.v >my.v && "
			    "locus cosim syrk --size test --l1-index pric --rtl pric=my.v >/dev/null; mv mismatch-pric-* m",
			    program_tmp());
	json_t *w = window_of("m/window.json"), *steps = json_object_get(w, "steps");
	json_int_t cycle = number(w, "cycle");
	size_t n = json_array_size(steps), wrong = 0;

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_gt(n, 3);
	cr_expect_str_eq(name_at(w, "pairs", 0), "set_o");
	cr_expect_str_eq(name_at(w, "pairs", 1), "tag_o");
	cr_expect_str_eq(name_at(w, "inputs", 0), "addr_i");
	cr_expect_eq(number(json_array_get(steps, 0), "step"), number(w, "step"), "there are no steps ahead of it");
	for (size_t i = 0; i < n; i++) {
		const json_t *step = json_array_get(steps, i);
		uint64_t address = value_of(w, "inputs", 0, "values", i);

		cr_expect_eq(number(step, "step"), (json_int_t)i);
		cr_expect(number(step, "cycle") >= cycle && number(step, "cycle") <= cycle + 10);
		cr_expect_eq(value_of(w, "pairs", 0, "golden", i), pric_set(address), "%llx", (unsigned long long)address);
		cr_expect_eq(value_of(w, "pairs", 1, "golden", i), address >> 12);
		cr_expect_eq(value_of(w, "pairs", 1, "rtl", i), address >> 12);
		wrong += value_of(w, "pairs", 0, "rtl", i) != pric_set(address);
	}
	cr_expect_gt(wrong, 0);
	json_decref(w);
	program_free(&p);
}

/* 50 cycles ahead of it at most; the counter that counts twice is ahead in the step of the access, not before. */
Test(window, of_an_array_has_the_elements_that_differ)
{
	char path[256], fault[256];
	struct program p = program_run("sed \"s/entry_count + 1'b1/entry_count + 2'd2/\" rtl/set_monitor/set_monitor.v >%s/f.v",
				       program_tmp());
	json_t *w, *steps;
	size_t n, first = 0;

	program_free(&p);
	snprintf(path, sizeof path, "%s/w.fst", program_tmp());
	snprintf(fault, sizeof fault, "%s/f.v", program_tmp());
	monitor_wave(&(struct monitor_wave){.wave = path, .rtl = fault, .to = UINT64_MAX, .mode = UNIT_LOCKSTEP});
	w = window_of("mm-set_monitor-12/window.json");
	steps = json_object_get(w, "steps");
	n = json_array_size(steps);
	cr_assert_eq(number(w, "cycle"), 12);
	cr_expect_str_eq(name_at(w, "pairs", 0), "count_q[3]");
	while (first < n && number(json_array_get(steps, first), "step") != number(w, "step"))
		first++;
	cr_assert(first > 0 && first < n);
	for (size_t i = 0; i < first; i++)
		cr_expect_eq(value_of(w, "pairs", 0, "golden", i), value_of(w, "pairs", 0, "rtl", i));
	cr_expect_eq(value_of(w, "pairs", 0, "golden", first), 1);
	cr_expect_eq(value_of(w, "pairs", 0, "rtl", first), 2);
	json_decref(w);
}
