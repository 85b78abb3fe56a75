/* 701: the Verilated blocks agree with their golden twins, step by step, under random stimulus with random
 * back-pressure. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "hw/twins/pric.h"
#include "hw/twins/set_monitor.h"
#include "lockstep/cosim.h"
#include "support/corner.h"
#include "support/random.h"

static struct cosim *new_cosim(enum unit_mode mode)
{
	struct cosim_options o;

	cosim_options_init(&o, mode);
	return cosim_new(&o);
}

/* Random accesses and requests, each held until it is taken; a consumer that is ready one time in `ready_in`. */
static uint64_t drive_monitor(const struct set_monitor_port *port, uint64_t seed, unsigned steps, unsigned ready_in)
{
	struct set_monitor_in in = {0};
	struct set_monitor_out out;
	uint64_t hash = 0, cycle = 0;

	for (unsigned i = 0; i < steps; i++) {
		in.rsp_ready = random_u64(&seed) % ready_in == 0;
		set_monitor_port_step(port, cycle, &in, &out);
		hash = (hash ^ (out.rsp_valid ? out.rsp_count + 1 : 0) ^ (uint64_t)out.acc_ready << 40) * 0x9e3779b97f4a7c15;
		if (!in.acc_valid || out.acc_ready) {
			in.acc_valid = random_u64(&seed) % 4 != 0;
			in.acc_set = random_u64(&seed) % port->params.sets;
			in.acc_tag =
				random_u64(&seed) % 2 ? random_u64(&seed) % 3 : corner_value(&seed, port->params.tag_w, in.acc_tag);
		}
		if (!in.req_valid || out.req_ready) {
			in.req_valid = random_u64(&seed) % 5 == 0;
			in.req_set = random_u64(&seed) % port->params.sets;
		}
		cycle += 1 + (random_u64(&seed) % 16 == 0 && !in.acc_valid && !in.req_valid && !out.busy ? 7 : 0);
	}
	return hash;
}

Test(lockstep, set_monitor_agrees_in_outputs_and_registers_whatever_the_back_pressure)
{
	struct set_monitor_params p = {.sets = 32, .tag_w = 20, .count_w = 16};

	for (unsigned ready_in = 1; ready_in <= 6; ready_in++) {
		struct cosim *c = new_cosim(UNIT_LOCKSTEP);
		struct hw_binder b = cosim_binder(c);
		struct set_monitor_port port;
		struct err e = {""};

		cr_assert_eq(set_monitor_bind(&b, "test", &p, &port, &e), 0, "%s", e.text);
		drive_monitor(&port, 0x1234567 + ready_in, 5000, ready_in);
		cr_assert_eq(cosim_finish(c, &e), 0, "%s", e.text);
		cr_assert_eq(cosim_steps(c, &set_monitor_block), 5001, "the reset and 5000 steps");
		cr_assert_eq(cosim_mismatches(c, &set_monitor_block), 0);
		cosim_free(c);
	}
}

Test(lockstep, the_three_modes_give_the_model_the_same_values)
{
	struct set_monitor_params p = {.sets = 32, .tag_w = 20, .count_w = 16};
	uint64_t hash[3];

	for (int mode = UNIT_GOLDEN; mode <= UNIT_LOCKSTEP; mode++) {
		struct cosim *c = new_cosim(mode);
		struct hw_binder b = cosim_binder(c);
		struct set_monitor_port port;
		struct err e = {""};

		cr_assert_eq(set_monitor_bind(&b, "test", &p, &port, &e), 0, "%s", e.text);
		hash[mode] = drive_monitor(&port, 99, 20000, 3);
		cr_assert_eq(cosim_finish(c, &e), 0);
		cosim_free(c);
	}
	cr_assert_eq(hash[UNIT_RTL], hash[UNIT_GOLDEN]);
	cr_assert_eq(hash[UNIT_LOCKSTEP], hash[UNIT_GOLDEN]);
}

Test(lockstep, pric_is_checked_in_bulk_and_every_step_counts)
{
	struct pric_params p = pric_params_of(37, 32, 128, 0);
	struct cosim *c = new_cosim(UNIT_LOCKSTEP);
	struct hw_binder b = cosim_binder(c);
	struct pric_port port;
	struct err e = {""};
	uint64_t seed = 7, addr = 0;

	cr_assert_eq(pric_bind(&b, "l1", &p, &port, &e), 0, "%s", e.text);
	for (unsigned i = 0; i < 100003; i++)
		pric_port_set(&port, i / 2, addr = corner_value(&seed, 32, addr));
	cr_assert_eq(cosim_finish(c, &e), 0);
	cr_assert_eq(cosim_steps(c, &pric_block), 100003, "those of the last, partial batch too");
	cosim_free(c);
}

Test(lockstep, pric_as_rtl_gives_the_set_and_tag_of_the_golden_twin)
{
	struct pric_params p = pric_params_of(37, 32, 128, 0);
	struct cosim *c = new_cosim(UNIT_RTL);
	struct hw_binder b = cosim_binder(c);
	struct pric_port port;
	struct pric golden;
	struct err e = {""};
	uint64_t seed = 7;

	pric_reset(&golden, &p);
	cr_assert_eq(pric_bind(&b, "l1", &p, &port, &e), 0, "%s", e.text);
	for (unsigned i = 0; i < 10000; i++) {
		struct pric_in in = {.addr = random_u64(&seed) & 0xffffffff};
		struct pric_out x, y;

		pric_port_eval(&port, i, &in, &x);
		pric_eval(&golden, &in, &y);
		cr_assert(x.set == y.set && x.tag == y.tag, "address %#llx", (unsigned long long)in.addr);
	}
	cr_assert_eq(cosim_finish(c, &e), 0);
	cosim_free(c);
}

Test(lockstep, wide_tables_and_full_width_counters_agree_too)
{
	struct set_monitor_params p = {.sets = 4, .tag_w = 57, .count_w = 2};
	struct cosim *c = new_cosim(UNIT_LOCKSTEP);
	struct hw_binder b = cosim_binder(c);
	struct set_monitor_port port;
	struct err e = {""};

	cr_assert_eq(set_monitor_bind(&b, "test", &p, &port, &e), 0, "%s", e.text);
	drive_monitor(&port, 5, 5000, 2);
	cr_assert_eq(cosim_finish(c, &e), 0, "%s", e.text);
	cosim_free(c);
}
