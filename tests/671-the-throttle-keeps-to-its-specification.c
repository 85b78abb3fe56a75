/* 671: the throttle of DWT-CS and its coordinator do what the paper says (tests/spec/), at the shapes of the matrix and
 * of the machines, in long random runs of launches, periods and rounds. The lockstep tests compare the RTL with these
 * twins.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "spec/throttle.h"
#include "spec/throttle_coordinator.h"
#include "support/corner.h"
#include "support/ports.h"
#include "support/random.h"
#include "support/shape_matrix.h"

/* ---- the SM's part ---- */

__extension__ typedef unsigned __int128 wide;

enum { THROTTLE_STEPS = 200000 };

struct sm {
	struct ports p;
	struct spec_throttle spec;
	uint64_t seed, now, left_out;
	uint64_t period;
	bool asked[SPEC_KERNELS];    /* a message without an order yet, */
	uint64_t when[SPEC_KERNELS]; /* which comes then */
	bool sampled[SPEC_KERNELS];
	unsigned exits, launches; /* one in so many cycles; 0: none */
};

static bool one_in(uint64_t *seed, unsigned n)
{
	return n && random_below(seed, n) == 0;
}

/* Not of a kernel that gets an order in the same cycle. */
static void draw_launch(struct sm *m)
{
	unsigned slots = 1u << ports_width(&m->p, HW_INPUT, "beg_slot");
	unsigned slot = one_in(&m->seed, 3) ? slots - 1 : (unsigned)random_below(&m->seed, one_in(&m->seed, 2) ? 2 : slots);
	bool valid = one_in(&m->seed, m->launches) && !(ports_in(&m->p, "ord_valid") && ports_in(&m->p, "ord_slot") == slot) &&
		     (slot >= SPEC_KERNELS || !m->asked[slot] || m->spec.kernel[slot].ran + 4 < m->period);

	ports_put(&m->p, "beg_valid", 0, valid);
	if (!valid)
		return;
	if (slot < SPEC_KERNELS)
		m->when[slot] = m->now + 1;
	m->launches = one_in(&m->seed, 4) ? 8 : 4 * (unsigned)(m->period < 1000 ? m->period : 1000);
	ports_put(&m->p, "beg_on", 0, !one_in(&m->seed, 8));
	ports_put(&m->p, "beg_slot", 0, slot);
	ports_put(&m->p, "beg_most", 0, random_below(&m->seed, 128));
}

static bool is_running(const struct sm *m, unsigned k)
{
	return m->spec.runs && m->spec.which == k;
}

/* The coordinator: one order for each message, before the kernel's next period can end: any time later, if it does not
 * run. */
static void draw_order(struct sm *m)
{
	ports_put(&m->p, "ord_valid", 0, 0);
	for (unsigned k = 0; k < m->spec.kernels; k++) {
		enum spec_mode mode = (enum spec_mode)random_below(&m->seed, 4);

		if (!m->asked[k] || m->now < m->when[k] || (!is_running(m, k) && !one_in(&m->seed, 200)))
			continue;
		m->asked[k] = false;
		ports_put(&m->p, "ord_valid", 0, 1);
		ports_put(&m->p, "ord_slot", 0, k);
		ports_put(&m->p, "ord_mode", 0, mode);
		ports_put(&m->p, "ord_limit", 0, 1 + random_below(&m->seed, 127));
		return;
	}
}

static struct spec_throttle_cycle seen(const struct sm *m)
{
	const struct ports *p = &m->p;

	return (struct spec_throttle_cycle){
		.now = (uint32_t)m->now,
		.instructions = ports_in(p, "commits"),
		.misses = ports_in(p, "misses"),
		.exit = ports_in(p, "exit"),
		.launch = ports_in(p, "beg_valid"),
		.counted = ports_in(p, "beg_on"),
		.launched = (unsigned)ports_in(p, "beg_slot"),
		.launch_most = ports_in(p, "beg_most"),
		.order = ports_in(p, "ord_valid"),
		.ordered = (unsigned)ports_in(p, "ord_slot"),
		.mode = (enum spec_mode)ports_in(p, "ord_mode"),
		.limit = ports_in(p, "ord_limit"),
		.block = {.message = ports_out(p, "msg_valid"),
			  .of = (unsigned)ports_out(p, "msg_slot"),
			  .instructions = ports_out(p, "msg_commits"),
			  .misses = ports_out(p, "msg_misses"),
			  .most = ports_out(p, "msg_most"),
			  .limited = ports_out(p, "limited"),
			  .limit = ports_out(p, "limit"),
			  .lifted = ports_out(p, "open"),
			  .hold = ports_out(p, "hold"),
			  .runs = ports_out(p, "on"),
			  .due = ports_out(p, "due")},
	};
}

/* Cycles of a long period in which nothing happens are left out, up to its last ones. */
static uint64_t leave_out(struct sm *m)
{
	uint64_t left = (uint32_t)(ports_out(&m->p, "due") - (uint32_t)m->now);

	if (m->asked[m->spec.which])
		return 0;
	if (!ports_out(&m->p, "on") || ports_in(&m->p, "beg_valid") || ports_in(&m->p, "ord_valid") || left >= m->period ||
	    left < 4)
		return 0;
	return one_in(&m->seed, 16) || left > 1000 ? left - 1 - random_below(&m->seed, 3) : 0;
}

static void draw_counts(struct sm *m)
{
	bool last = ports_out(&m->p, "due") == (uint32_t)m->now;

	ports_put(&m->p, "commits", 0,
		  one_in(&m->seed, 4) ? 0 : corner_value(&m->seed, ports_width(&m->p, HW_INPUT, "commits"), 3));
	ports_put(&m->p, "misses", 0, one_in(&m->seed, 4) ? 0 : corner_value(&m->seed, ports_width(&m->p, HW_INPUT, "misses"), 1));
	ports_put(&m->p, "exit", 0, one_in(&m->seed, m->exits) || (last && m->exits && one_in(&m->seed, 3)));
}

static void sm_step(struct sm *m, const char *shape, unsigned step)
{
	struct spec_throttle_cycle c;
	const char *wrong;
	uint64_t skip;

	if (step % 2000 == 0) {
		static const unsigned exits[] = {0, 0, 1000, 100, 5};

		m->exits = exits[random_below(&m->seed, 5)];
	}
	ports_put(&m->p, "now", 0, m->now);
	draw_order(m);
	draw_launch(m);
	draw_counts(m);
	ports_eval(&m->p);
	c = seen(m);
	wrong = spec_throttle_cycle(&m->spec, &c, m->left_out);
	cr_assert_null(wrong, "throttle %s, step %u: %s; cycle %lu, due %lu, %lu cycles of the period have run", shape, step, wrong,
		       c.now, c.block.due, m->spec.kernel[m->spec.which].ran);
	if (c.block.message) {
		m->asked[c.block.of] = true;
		m->when[c.block.of] = m->now + 1 + random_below(&m->seed, m->period < 60 ? m->period / 2 : 30);
	}
	ports_tick(&m->p);
	ports_put(&m->p, "now", 0, ++m->now);
	ports_eval(&m->p);
	skip = leave_out(m);
	m->left_out = skip;
	m->now += skip;
}

static void throttle_run(const char *shape, uint64_t seed)
{
	struct sm m = {.seed = seed, .now = random_u64(&seed) & 0xffffffff, .launches = 1};

	ports_init(&m.p, "throttle", shape);
	m.period = ports_param(&m.p, "period");
	spec_throttle_reset(&m.spec, ports_param(&m.p, "kernels"), m.period, ports_param(&m.p, "periods"),
			    ports_param(&m.p, "watchdog"), (unsigned)ports_param(&m.p, "count_w"));
	for (unsigned step = 0; step < THROTTLE_STEPS; step++)
		sm_step(&m, shape, step);
	ports_free(&m.p);
}

/* ---- the coordinator ---- */

enum { ROUNDS = 600, COORDINATOR_MOST_STEPS = 1000000 };

struct rounds {
	struct ports p;
	struct spec_coordinator spec;
	uint64_t seed, largest; /* of a count */
	uint64_t most[SPEC_KERNELS];
	/* This round: */
	unsigned kernel;
	uint64_t instructions[SPEC_SMS], misses[SPEC_SMS];
	unsigned since; /* cycles since the last message */
};

static uint64_t at_most(uint64_t value, uint64_t most)
{
	return value < most ? value : most;
}

/* Instructions of each SM: few, equal, corners, as the number of warps that it tries, or none at all. */
static void draw_instructions(struct rounds *r)
{
	const struct spec_choice *k = &r->spec.choice[r->kernel];
	unsigned style = (unsigned)random_below(&r->seed, 8), idle = 1u << random_below(&r->seed, 5);
	uint64_t near = random_below(&r->seed, r->largest) + 1;

	for (unsigned sm = 0; sm < r->spec.sms; sm++) {
		uint64_t n = style < 2	  ? random_below(&r->seed, 3)
			     : style == 2 ? near
			     : style == 3 ? corner_value(&r->seed, ports_width(&r->p, HW_INPUT, "msg_commits"), near)
			     : style == 4 ? 100 * k->number[sm] + random_below(&r->seed, 3)
			     : style == 5 ? 1 + (k->number[sm] == k->highest)
					  : random_below(&r->seed, r->largest);

		r->instructions[sm] = one_in(&r->seed, style == 7 ? 1 : 2 * idle) ? 0 : at_most(n, r->largest);
	}
}

/* Misses of each SM about the threshold: for the sums spread over the SMs that work, for any SM beside its own. */
static void draw_misses(struct rounds *r)
{
	const struct spec_coordinator *s = &r->spec;
	uint64_t base = 0, left;

	for (unsigned sm = 0; sm < s->sms; sm++)
		if (r->instructions[sm])
			base += s->per_cycles ? s->per_cycles : r->instructions[sm];
	left = (uint64_t)((wide)base * s->threshold / 1000) + random_below(&r->seed, 2);
	for (unsigned sm = 0; sm < s->sms; sm++) {
		uint64_t own = s->per_cycles ? s->per_cycles : r->instructions[sm];

		if (s->any)
			own = own * s->threshold / 1000 + one_in(&r->seed, (unsigned)s->sms * (r->instructions[sm] != 0));
		else
			own = !r->instructions[sm]			? 0
			      : sm + 1 == s->sms || one_in(&r->seed, 4) ? left
									: random_below(&r->seed, left + 1);
		if (s->any && !r->instructions[sm])
			own = random_below(&r->seed, 1000);
		r->misses[sm] = at_most(own, r->largest);
		left -= at_most(left, r->misses[sm]);
	}
}

/* Warps are as many in all launches of a kernel once its numbers are tried. */
static void draw_round(struct rounds *r)
{
	unsigned slots = 1u << ports_width(&r->p, HW_INPUT, "msg_slot");
	const struct spec_choice *k;

	slots = slots < r->spec.kernels ? slots : (unsigned)r->spec.kernels;
	r->kernel = one_in(&r->seed, 8) ? (unsigned)random_below(&r->seed, slots) : one_in(&r->seed, 2) ? slots - 1 : 0;
	k = &r->spec.choice[r->kernel];
	if (!k->sampled && !k->has_winner && (!r->most[r->kernel] || one_in(&r->seed, 2)))
		r->most[r->kernel] = one_in(&r->seed, 2) ? 1 + random_below(&r->seed, 127) : 1 + random_below(&r->seed, 24);
	draw_instructions(r);
	draw_misses(r);
}

static void draw_message(struct rounds *r)
{
	unsigned sm = (unsigned)ports_out(&r->p, "turn");

	cr_assert_lt(sm, r->spec.sms);
	ports_put(&r->p, "msg_slot", 0, r->kernel);
	ports_put(&r->p, "msg_commits", 0, r->instructions[sm]);
	ports_put(&r->p, "msg_misses", 0, r->misses[sm]);
	ports_put(&r->p, "msg_most", 0, r->most[r->kernel]);
	ports_put(&r->p, "msg_valid", 0, !one_in(&r->seed, 8));
	ports_put(&r->p, "ord_ready", 0, !one_in(&r->seed, 4));
}

static struct spec_coordinator_cycle seen_by_coordinator(const struct rounds *r)
{
	const struct ports *p = &r->p;
	bool order = ports_out(p, "ord_valid") && ports_in(p, "ord_ready"), decision = ports_out(p, "dec_valid");

	return (struct spec_coordinator_cycle){
		.message = ports_in(p, "msg_valid") && ports_out(p, "msg_ready"),
		.order = order,
		.decision = decision,
		.sm = (unsigned)ports_out(p, "turn"),
		.kernel = (unsigned)(order || decision ? ports_out(p, "ord_slot") : ports_in(p, "msg_slot")),
		.instructions = ports_in(p, "msg_commits"),
		.misses = ports_in(p, "msg_misses"),
		.most = ports_in(p, "msg_most"),
		.mode = (enum spec_mode)(decision ? ports_out(p, "dec_mode") : ports_out(p, "ord_mode")),
		.limit = ports_out(p, "ord_limit"),
		.above = ports_out(p, "dec_above"),
		.voted = ports_out(p, "dec_voted"),
		.winner = ports_out(p, "dec_winner"),
	};
}

/* Returns true after a round's last order. */
static bool coordinator_step(struct rounds *r, const char *shape, unsigned round)
{
	struct spec_coordinator_cycle c;
	const char *wrong;
	unsigned orders = r->spec.orders;

	ports_eval(&r->p);
	draw_message(r);
	ports_eval(&r->p);
	c = seen_by_coordinator(r);
	wrong = spec_coordinator_cycle(&r->spec, &c);
	cr_assert_null(wrong, "coordinator %s, round %u, SM %u: %s; kernel %u, %lu warps; mode %u, limit %lu, winner %lu", shape,
		       round, c.sm, wrong, r->kernel, r->most[r->kernel], c.mode, c.limit, c.winner);
	r->since = c.message ? 0 : r->since + 1;
	if (r->spec.messages == r->spec.sms && !r->spec.is_decided)
		cr_assert_lt(r->since, 2, "coordinator %s, round %u: no decision", shape, round);
	ports_tick(&r->p);
	return orders && !r->spec.orders;
}

static void coordinator_run(const char *shape, uint64_t seed)
{
	struct rounds r = {.seed = seed};
	unsigned round = 0;

	ports_init(&r.p, "coordinator", shape);
	r.largest = UINT64_MAX >> (64 - ports_width(&r.p, HW_INPUT, "msg_commits"));
	spec_coordinator_reset(&r.spec, ports_param(&r.p, "sms"), ports_param(&r.p, "kernels"), ports_param(&r.p, "n"),
			       ports_param(&r.p, "threshold"), ports_param(&r.p, "per_cycles"), ports_param(&r.p, "any"));
	draw_round(&r);
	for (unsigned step = 0; step < COORDINATOR_MOST_STEPS && round < ROUNDS; step++)
		if (coordinator_step(&r, shape, round)) {
			round++;
			draw_round(&r);
		}
	cr_assert_eq(round, ROUNDS, "coordinator %s: %u rounds", shape, round);
	ports_free(&r.p);
}

/* ---- shapes ---- */

static void at_each_shape(const char *block, void (*run)(const char *shape, uint64_t seed))
{
	for (unsigned i = 0; i < matrix_size(); i++)
		if (!strcmp(matrix_shape(i)->block->name, block))
			for (unsigned seed = MATRIX_SEED; seed < MATRIX_SEED + 2; seed++)
				run(matrix_shape(i)->params, seed);
}

Test(spec_throttle, each_shape_counts_reports_and_obeys)
{
	at_each_shape("throttle", throttle_run);
}

Test(spec_throttle, the_machines_shape_and_small_ones_too)
{
	throttle_run("", 1);
	throttle_run("kernels=5 period=50 periods=3 watchdog=2 count_w=9 commit_w=5 miss_w=3", 2);
	throttle_run("kernels=3 period=7 periods=3 watchdog=3 count_w=6 commit_w=3 miss_w=4", 3);
}

Test(spec_coordinator, each_shape_judges_votes_and_orders)
{
	at_each_shape("coordinator", coordinator_run);
}

Test(spec_coordinator, the_machines_shapes_and_small_ones_too)
{
	coordinator_run("", 1);
	coordinator_run("sms=80", 2);
	coordinator_run("sms=5 kernels=3 n=3 threshold=500 per_cycles=100 count_w=9", 3);
	coordinator_run("sms=7 kernels=5 n=2 threshold=30 any=1 count_w=20", 4);
	coordinator_run("sms=4 kernels=2 n=2 threshold=20 per_cycles=10000 any=1 count_w=20", 5);
	coordinator_run("sms=3 kernels=2 n=2 threshold=300 any=1 count_w=6", 6);
}
