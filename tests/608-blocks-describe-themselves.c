/* 608: what the co-simulation learns of a block from its twin: parameters, fields with widths, functions; and the
 * golden binder. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "hw/twins/blocks.h"
#include "hw/twins/pric.h"
#include "hw/twins/set_monitor.h"

static const struct hw_field *field_named(const struct hw_field *f, unsigned n, const char *name)
{
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(f[i].name, name))
			return &f[i];
	return NULL;
}

static void has_field(const struct hw_block *b, const void *params, enum hw_side side, const char *name, uint32_t count,
		      uint32_t width)
{
	struct hw_field f[HW_MAX_FIELDS];
	unsigned n = b->fields(params, side, f);
	const struct hw_field *found = field_named(f, n, name);

	cr_assert(found, "%s has no %s", b->name, name);
	cr_assert_eq(found->count, count, "%s.%s: %u elements", b->name, name, found->count);
	cr_assert_eq(found->width, width, "%s.%s: %u bits", b->name, name, found->width);
}

Test(hw_blocks, are_found_by_name_and_name_files_that_are_there)
{
	for (const struct hw_block *const *b = hw_blocks; *b; b++) {
		FILE *f = fopen((*b)->source, "r");

		cr_assert(f, "%s", (*b)->source);
		fclose(f);
		cr_assert_eq(hw_block_named((*b)->name), *b);
	}
	cr_assert_null(hw_block_named("prick"));
}

Test(hw_blocks, default_parameters_are_those_of_the_rtl_and_legal)
{
	struct pric_params p;
	struct set_monitor_params m;
	struct err e = {""};

	hw_params_default(&pric_block, &p);
	cr_assert_eq(pric_block.check(&p, &e), 0, "%s", e.text);
	cr_assert(p.addr_w == 32 && p.addr_bits == 32 && p.line == 128 && p.sets == 32 && p.poly == 37);
	hw_params_default(&set_monitor_block, &m);
	cr_assert_eq(set_monitor_block.check(&m, &e), 0, "%s", e.text);
	cr_assert(m.sets == 32 && m.tag_w == 20 && m.count_w == 16);
}

Test(hw_blocks, widths_follow_the_parameters)
{
	struct pric_params p = pric_params_of(67, 64, 128, 40);
	struct set_monitor_params m = {.sets = 8, .tag_w = 5, .count_w = 3};

	has_field(&pric_block, &p, HW_INPUT, "addr", 1, 40);
	has_field(&pric_block, &p, HW_OUTPUT, "set", 1, 6);
	has_field(&pric_block, &p, HW_OUTPUT, "tag", 1, 40 - 7 - 6);
	has_field(&set_monitor_block, &m, HW_INPUT, "acc_set", 1, 3);
	has_field(&set_monitor_block, &m, HW_INPUT, "acc_tag", 1, 5);
	has_field(&set_monitor_block, &m, HW_OUTPUT, "rsp_count", 1, 3);
	has_field(&set_monitor_block, &m, HW_REG, "seen", 8, 1);
	has_field(&set_monitor_block, &m, HW_REG, "tag", 8, 5);
	has_field(&set_monitor_block, &m, HW_REG, "count", 8, 3);
}

/* Every field is moved through its description alone; the struct's members see it. */
Test(hw_blocks, fields_can_be_read_and_written_through_the_description)
{
	struct set_monitor_params m = {.sets = 8, .tag_w = 5, .count_w = 3};
	struct hw_field f[HW_MAX_FIELDS];
	unsigned n = set_monitor_block.fields(&m, HW_REG, f);
	const struct hw_field *tag = field_named(f, n, "tag");
	struct set_monitor s;

	set_monitor_block.reset(&s, &m);
	hw_put(&s, tag->offset + 3 * tag->size, tag->size, 21);
	cr_assert_eq(s.tag[3], 21);
	s.acc_valid = 1;
	cr_assert_eq(hw_get(&s, field_named(f, n, "acc_valid")->offset, 1), 1);
}

Test(hw_blocks, the_functions_without_types_are_the_typed_ones)
{
	struct set_monitor_params m = {.sets = 4, .tag_w = 4, .count_w = 4};
	struct set_monitor_in in = {.acc_valid = 1, .acc_set = 2, .acc_tag = 3};
	struct set_monitor a, b;
	struct set_monitor_out x, y;

	memset(&x, 0, sizeof x);
	memset(&y, 0, sizeof y);
	set_monitor_reset(&a, &m);
	set_monitor_block.reset(&b, &m);
	for (unsigned i = 0; i < 5; i++) {
		in.acc_tag = i;
		set_monitor_eval(&a, &in, &x);
		set_monitor_block.eval(&b, &in, &y);
		cr_assert_eq(memcmp(&x, &y, sizeof x), 0);
		set_monitor_tick(&a, &in);
		set_monitor_block.tick(&b, &in);
		cr_assert_eq(memcmp(&a, &b, sizeof a), 0);
	}
	cr_assert_null(pric_block.tick, "combinational");
	cr_assert_eq(pric_block.fields(&(struct pric_params){0}, HW_REG, (struct hw_field[HW_MAX_FIELDS]){{0}}), 0);
}

Test(hw_ports, the_golden_binder_gives_each_owner_its_own_twin)
{
	struct arena a = {0};
	struct hw_binder binder = hw_golden_binder(&a);
	struct pric_params p = pric_params_of(37, 32, 128, 0);
	struct set_monitor_params m = {.sets = 4, .tag_w = 4, .count_w = 4};
	struct set_monitor_port one, two;
	struct set_monitor_out out;
	struct pric_port port;
	struct err e = {""};

	cr_assert_eq(pric_bind(&binder, "sm0.l1", &p, &port, &e), 0);
	cr_assert_eq(pric_port_set(&port, 0, 0x1000), 5, "line 32 is x^5, which is x^2 + 1");
	cr_assert_eq(set_monitor_bind(&binder, "sm0.l1", &m, &one, &e), 0);
	cr_assert_eq(set_monitor_bind(&binder, "sm1.l1", &m, &two, &e), 0);
	set_monitor_port_step(&one, 1, &(struct set_monitor_in){.acc_valid = 1}, &out);
	set_monitor_port_step(&one, 2, &(struct set_monitor_in){0}, &out);
	cr_assert(out.busy);
	set_monitor_port_step(&two, 2, &(struct set_monitor_in){0}, &out);
	cr_assert_not(out.busy);
	arena_free(&a);
}

Test(hw_ports, illegal_parameters_name_the_owner)
{
	struct arena a = {0};
	struct hw_binder binder = hw_golden_binder(&a);
	struct pric_params p = pric_params_of(33, 32, 128, 0);
	struct set_monitor_params m = {.sets = 3, .tag_w = 4, .count_w = 4};
	struct set_monitor_port monitor;
	struct pric_port port;
	struct err e = {""};

	cr_assert_eq(pric_bind(&binder, "sm3.l1", &p, &port, &e), -1);
	cr_assert_str_eq(e.text, "sm3.l1: polynomial 33 is reducible: x^5+1 = (x+1)(x^4+x^3+x^2+x+1)");
	e.text[0] = '\0';
	cr_assert_eq(set_monitor_bind(&binder, "sm3.l1", &m, &monitor, &e), -1);
	cr_assert_str_eq(e.text, "sm3.l1: set monitor: 3 sets: a power of two from 2 to 256 is needed");
	m = (struct set_monitor_params){.sets = 4, .tag_w = 58, .count_w = 4};
	cr_assert_eq(set_monitor_params_check(&m, NULL), -1);
	m = (struct set_monitor_params){.sets = 4, .tag_w = 4, .count_w = 33};
	cr_assert_eq(set_monitor_params_check(&m, NULL), -1);
	arena_free(&a);
}
