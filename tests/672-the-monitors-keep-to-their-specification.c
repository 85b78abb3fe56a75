/* 672: bypass_monitor and set_monitor do what their pages say (tests/spec/), at the shapes of the matrix and of the
 * machines: miss rates about the threshold in periods of any length, and conflicts in few sets with random
 * back-pressure. The lockstep tests compare the RTL with these twins.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "spec/bypass_monitor.h"
#include "spec/set_monitor.h"
#include "support/corner.h"
#include "support/ports.h"
#include "support/random.h"
#include "support/shape_matrix.h"

static bool one_in(uint64_t *seed, unsigned n)
{
	return random_below(seed, n) == 0;
}

static void at_each_shape(const char *block, void (*run)(const char *shape, uint64_t seed))
{
	for (unsigned i = 0; i < matrix_size(); i++)
		if (!strcmp(matrix_shape(i)->block->name, block))
			run(matrix_shape(i)->params, MATRIX_SEED + i);
}

/* ---- bypass ---- */

enum { PERIODS = 60, MOST_LOADS = 150000 };

struct cache {
	struct ports p;
	struct spec_bypass spec;
	uint64_t seed, cycle, rate, period;
	bool hold;
};

static void cache_cycle(struct cache *m, const char *shape, bool load, bool miss)
{
	struct spec_bypass_cycle c = {.cycle = m->cycle, .load = load, .miss = miss, .hold = m->hold};
	const char *wrong;

	ports_put(&m->p, "now", 0, m->cycle);
	ports_put(&m->p, "acc_valid", 0, load);
	ports_put(&m->p, "acc_miss", 0, miss);
	ports_put(&m->p, "hold", 0, m->hold);
	ports_eval(&m->p);
	c.bypassed = ports_out(&m->p, "bypass");
	c.reopened = ports_out(&m->p, "open");
	wrong = spec_bypass_cycle(&m->spec, &c);
	cr_assert_null(wrong, "bypass_monitor %s, cycle %lu: %s", shape, m->cycle, wrong);
	ports_tick(&m->p);
	m->cycle++;
}

/* Goes to a cycle of this period; what is left out has no load and lies before it. */
static void idle_until(struct cache *m, const char *shape, uint64_t at)
{
	ports_put(&m->p, "acc_valid", 0, 0);
	while (m->cycle < at) {
		ports_put(&m->p, "now", 0, m->cycle);
		ports_eval(&m->p);
		if (!ports_out(&m->p, "busy") && !ports_out(&m->p, "open") && at - m->cycle > 3)
			m->cycle = at - 1 - random_below(&m->seed, 2);
		cache_cycle(m, shape, false, one_in(&m->seed, 2));
	}
}

/* A period with `loads` of which `misses` miss, in random order, or misses first. hold: one cycle of it is held. */
static void period(struct cache *m, const char *shape, uint64_t loads, uint64_t misses, bool hold)
{
	uint64_t first = m->cycle, end = first + m->period, held = hold ? random_below(&m->seed, loads + 1) : loads + 1;
	bool in_order = one_in(&m->seed, 2), late = one_in(&m->seed, 2);

	if (late)
		idle_until(m, shape, end - loads);
	for (uint64_t left = loads; left; left--) {
		bool miss = in_order ? misses > 0 : random_below(&m->seed, left) < misses;

		if (!late && m->cycle + 4 * left + 8 < end && one_in(&m->seed, 4))
			idle_until(m, shape, m->cycle + 1 + random_below(&m->seed, 8));
		m->hold = left == held;
		misses -= miss;
		cache_cycle(m, shape, true, miss);
	}
	if (held == 0 && m->cycle < end) {
		m->hold = true;
		cache_cycle(m, shape, false, false);
	}
	if (m->hold && m->cycle < end) { /* else it goes on into the next period */
		m->hold = false;
		cache_cycle(m, shape, false, false);
	}
	idle_until(m, shape, end);
}

static void bypass_run(const char *shape, uint64_t seed)
{
	struct cache m = {.seed = seed};

	ports_init(&m.p, "bypass_monitor", shape);
	m.rate = ports_param(&m.p, "rate");
	m.period = ports_param(&m.p, "period");
	spec_bypass_reset(&m.spec, m.rate, m.period);
	for (unsigned k = 0; k < PERIODS; k++) {
		uint64_t most = m.period < MOST_LOADS ? m.period : MOST_LOADS;
		uint64_t loads = one_in(&m.seed, 3) ? most : random_below(&m.seed, (k % 8 ? (most < 300 ? most : 300) : most) + 1);
		uint64_t edge = loads * m.rate / 100;
		uint64_t misses = one_in(&m.seed, 6) ? loads : edge + random_below(&m.seed, 3);

		misses = misses > loads ? loads : misses;
		period(&m, shape, loads, misses - (misses && one_in(&m.seed, 3)), one_in(&m.seed, 6));
	}
	ports_free(&m.p);
}

Test(spec_bypass_monitor, each_shape_bypasses_after_a_period_above_the_rate)
{
	at_each_shape("bypass_monitor", bypass_run);
}

Test(spec_bypass_monitor, the_machines_shape_and_small_ones_too)
{
	bypass_run("", 1);
	bypass_run("rate=75 period=12", 2);
	bypass_run("rate=50 period=64", 3);
	bypass_run("rate=50 period=127", 4);
}

/* ---- conflicts by set ---- */

enum { ACCESSES = 60000 };

static void sets_cycle(struct ports *p, struct spec_sets *spec, const char *shape, unsigned step)
{
	struct spec_sets_cycle c;
	const char *wrong;

	ports_eval(p);
	c = (struct spec_sets_cycle){
		.access = ports_in(p, "acc_valid") && ports_out(p, "acc_ready"),
		.access_set = (unsigned)ports_in(p, "acc_set"),
		.tag = ports_in(p, "acc_tag"),
		.request = ports_in(p, "req_valid") && ports_out(p, "req_ready"),
		.request_set = (unsigned)ports_in(p, "req_set"),
		.answer = ports_out(p, "rsp_valid"),
		.taken = ports_in(p, "rsp_ready"),
		.count = ports_out(p, "rsp_count"),
	};
	wrong = spec_sets_cycle(spec, &c);
	cr_assert_null(wrong, "set_monitor %s, step %u: %s: %lu", shape, step, wrong, c.count);
	ports_tick(p);
}

/* Some sets get most accesses, the first and the last among them, with tags that are few or differ in a bit. */
static void sets_run(const char *shape, uint64_t seed)
{
	struct ports p;
	struct spec_sets spec;
	unsigned sets;
	uint64_t tag = 0;

	ports_init(&p, "set_monitor", shape);
	sets = (unsigned)ports_param(&p, "sets");
	for (unsigned step = 0; step < ACCESSES; step++) {
		unsigned few = one_in(&seed, 2) ? 1 : sets;

		if (step % 5000 == 0) {
			ports_reset(&p);
			spec_sets_reset(&spec, (unsigned)ports_param(&p, "count_w"));
		}
		tag = one_in(&seed, 2) ? tag : corner_value(&seed, ports_width(&p, HW_INPUT, "acc_tag"), tag);
		ports_put(&p, "acc_valid", 0, !one_in(&seed, 3));
		ports_put(&p, "acc_set", 0, one_in(&seed, 2) ? sets - 1 : random_below(&seed, few));
		ports_put(&p, "acc_tag", 0, tag);
		ports_put(&p, "req_valid", 0, one_in(&seed, 3));
		ports_put(&p, "req_set", 0, one_in(&seed, 2) ? sets - 1 : random_below(&seed, few));
		ports_put(&p, "rsp_ready", 0, step / 64 % 4 ? one_in(&seed, 2) : one_in(&seed, 16));
		sets_cycle(&p, &spec, shape, step);
	}
	ports_free(&p);
}

Test(spec_set_monitor, each_shape_counts_conflicts_by_set)
{
	at_each_shape("set_monitor", sets_run);
}

Test(spec_set_monitor, the_default_and_small_shapes_too)
{
	sets_run("", 1);
	sets_run("sets=4 tag_w=2 count_w=2", 2);
	sets_run("sets=8 tag_w=20 count_w=4", 3);
}
