/* 326: whatever a machine's keys say within the ranges of the schema, either it is refused with a line that names a
 * key, or a program runs on it to its end and every invariant holds: each key alone at both ends of its range, and many
 * keys at once. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "run/gpu.h"
#include "machine/schema.h"
#include "support/made_up.h"
#include "support/random.h"

enum { TOO_LARGE = 1 << 22 /* bytes of a cache, registers: larger ones only cost memory */ };

static struct machine gtx480(void)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, "gtx480", "csim/machines", &e), 0, "%s", e.text);
	return m;
}

static struct trace *program(uint64_t seed)
{
	struct trace_options o = {.name = "made up"};
	struct made_up p;
	struct trace *t;

	made_up_init(&p, seed, 16);
	made_up_narrow(&p, 40);
	t = made_up_record(&p, &o);
	made_up_free(&p);
	return t;
}

/* Whether the machine was run, not refused. */
static bool runs(struct machine *m, struct trace *t, const char *what)
{
	struct gpu_config c = {.machine = m, .trace = t};
	struct gpu_result r;
	struct err e = {""};

	if (machine_resolve(m, &e) != 0 || gpu_run(&c, &r, &e) != 0) {
		cr_assert(e.text[0] && !strchr(e.text, '\n'), "%s: \"%s\"", what, e.text);
		return false;
	}
	cr_assert_not(r.cut);
	for (unsigned i = 0; i < r.audit.n; i++)
		cr_assert(r.audit.invariant[i].holds, "%s: %s: %lu against %lu", what, r.audit.invariant[i].name,
			  r.audit.invariant[i].left, r.audit.invariant[i].right);
	gpu_result_free(&r);
	return true;
}

static void set(struct machine *m, const struct schema_key *k, uint64_t value)
{
	struct err e = {""};
	char text[80];

	if (k->type == SCHEMA_LIST5)
		snprintf(text, sizeof text, "%lu,%lu,%lu,%lu,%lu", value, value, value, value, value);
	else if (k->type == SCHEMA_CHOICE)
		snprintf(text, sizeof text, "%s", k->choices[value % 2]);
	else if (k->type == SCHEMA_BOOL)
		snprintf(text, sizeof text, "%s", value % 2 ? "true" : "false");
	else if (k->type == SCHEMA_THOUSANDTHS)
		snprintf(text, sizeof text, "%lu.%03lu", value / 1000, value % 1000);
	else if (k->type == SCHEMA_U32 || k->type == SCHEMA_LIST)
		snprintf(text, sizeof text, "%lu", value);
	else
		return;
	cr_assert_eq(schema_set(m, k, text, &e), 0, "%s=%s: %s", k->name, text, e.text);
}

Test(any_machine, with_one_key_at_an_end_of_its_range)
{
	struct trace *t = program(1);
	unsigned ran = 0;

	for (const struct schema_key *k = schema_keys; k->name; k++)
		for (unsigned high = 0; high < 2; high++) {
			struct machine m = gtx480();
			char what[128];

			if (high && k->max > TOO_LARGE)
				continue;
			set(&m, k, high ? k->max : k->min);
			snprintf(what, sizeof what, "%s at its %s", k->name, high ? "largest" : "smallest");
			ran += runs(&m, t, what);
		}
	cr_assert_gt(ran, 120, "%u", ran);
	trace_close(t);
}

Test(any_machine, with_virtual_memory_and_one_key_at_an_end_of_its_range)
{
	struct trace *t = program(3);
	unsigned ran = 0;

	for (const struct schema_key *k = schema_keys; k->name; k++)
		for (unsigned high = 0; high < 2; high++) {
			struct machine m = gtx480();
			char what[128];

			if ((high && k->max > TOO_LARGE) || !strcmp(k->name, "vm.enabled"))
				continue;
			set(&m, k, high ? k->max : k->min);
			m.vm.enabled = true;
			snprintf(what, sizeof what, "with vm.enabled, %s at its %s", k->name, high ? "largest" : "smallest");
			ran += runs(&m, t, what);
		}
	cr_assert_gt(ran, 120, "%u", ran);
	trace_close(t);
}

/* Addresses of 64 bits, and memory that does not hold what is touched: one line, whether or not translation takes
 * time. */
Test(any_machine, with_virtual_memory_ends_a_run_that_it_cannot_hold)
{
	static const char *const tlb[] = {"vm.tlb=true", "vm.tlb=false"};
	struct trace_options o = {.name = "wide"};
	struct trace *narrow = program(4), *wide;
	struct made_up p;

	made_up_init(&p, 4, 16);
	wide = made_up_record(&p, &o);
	made_up_free(&p);
	for (unsigned i = 0; i < 4; i++) {
		struct machine m = gtx480();
		struct gpu_config c = {.machine = &m, .trace = i / 2 ? wide : narrow};
		struct gpu_result r;
		struct err e = {""};

		cr_assert_eq(machine_set(&m, "vm.enabled=true", &e) | machine_set(&m, tlb[i % 2], &e), 0);
		cr_assert_eq(machine_set(&m, i / 2 ? "vm.stack_mib=64" : "vm.stack_mib=1", &e), 0);
		cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
		cr_assert_eq(gpu_run(&c, &r, &e), -1);
		cr_assert(strstr(e.text, i / 2 ? "with vm.enabled addresses have 48 bits" : "(vm.stack_mib)"), "\"%s\"", e.text);
		cr_assert_not(strchr(e.text, '\n'));
	}
	trace_close(narrow);
	trace_close(wide);
}

/* Keys that must agree with one another are drawn together. */
static void draw_caches(struct machine *m, uint64_t *s)
{
	uint32_t line = 32u << random_u64(s) % 3;

	m->l1.c.line = m->l2.c.line = line;
	m->l1.c.assoc = 1 + (uint32_t)(random_u64(s) % 40);
	m->l1.c.bytes = line * m->l1.c.assoc << random_u64(s) % 6;
	m->l2.c.assoc = 1 + (uint32_t)(random_u64(s) % 40);
	m->l2.c.bytes = line * m->l2.c.assoc << random_u64(s) % 8;
	m->const_cache.c.line = 32;
	if (line == 32) {
		m->dram.burst_bytes = 32;
		strcpy(m->dram.map, "BBBCCCCBCCCSSSSS");
	}
}

static void draw_dram(struct machine *m, uint64_t *s)
{
	static const uint32_t channels[] = {1, 2, 3, 4, 6, 8, 12};

	m->dram.channels = channels[random_u64(s) % 7];
	m->l2.slices = 1u << random_u64(s) % 4;
	m->dram.queue = 1 + (uint32_t)(random_u64(s) % 8);
	m->dram.write_high = 1 + (uint32_t)(random_u64(s) % m->dram.queue);
	m->dram.write_low = (uint32_t)(random_u64(s) % m->dram.write_high);
}

Test(any_machine, with_many_keys_at_once)
{
	struct trace *t = program(2);
	uint64_t s = 5;
	unsigned n_keys = 0, ran = 0;

	while (schema_keys[n_keys].name)
		n_keys++;
	for (unsigned n = 0; n < 400; n++) {
		struct machine m = gtx480();
		char what[64];

		snprintf(what, sizeof what, "draw %u", n);
		if (random_u64(&s) % 2)
			draw_caches(&m, &s);
		if (random_u64(&s) % 2)
			draw_dram(&m, &s);
		for (unsigned i = 0; i < 8; i++) {
			const struct schema_key *k = &schema_keys[random_u64(&s) % n_keys];
			uint64_t most = k->max < TOO_LARGE ? k->max : TOO_LARGE, step = UINT64_C(1) << random_u64(&s) % 8;

			/* Mostly near the small end, where things get tight. */
			set(&m, k, random_u64(&s) % 8 == 0 ? most : k->min + step - 1 < most ? k->min + step - 1 : most);
		}
		ran += runs(&m, t, what);
	}
	cr_assert_gt(ran, 80, "%u", ran);
	trace_close(t);
}
