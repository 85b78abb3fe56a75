/* 673: PAVER's scheduler issues each CTA once, hands out the groups in their order and steals as Algorithm 2 says
 * (tests/spec/paver.h), at every shape of the matrix and of the machines. Times in which SMs take CTAs at random change
 * with times in which only one of them takes any: then a steal has one answer. The lockstep tests compare the RTL with
 * this twin.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "spec/paver.h"
#include "support/ports.h"
#include "support/random.h"
#include "support/shape_matrix.h"

enum { MOST_GROUPS = 600, LAUNCHES = 40, LARGE = 64, LARGE_LAUNCHES = 10, MOST_CYCLES = 400000 };

struct launch {
	unsigned groups, ctas;
	uint64_t first[MOST_GROUPS + 1]; /* of a group; the last one's end */
	uint64_t list[SPEC_PAVER_CTAS];
};

struct bench {
	struct ports p;
	struct spec_paver spec;
	struct launch launch;
	uint64_t seed;
	unsigned sms, ptr_w, awake; /* the SM that takes CTAs; `all`: each does, at random */
	bool all;
	unsigned eager;		       /* then in one of so many cycles */
	unsigned read[SPEC_PAVER_SMS]; /* cycles until an answer, plus one; 0: no read */
	bool of_group[SPEC_PAVER_SMS];
	uint64_t index[SPEC_PAVER_SMS];
};

/* Groups of CTAs that follow each other in the list; their places and number fit the shape. */
static void draw_tables(struct bench *b)
{
	uint64_t places = (UINT64_C(1) << b->ptr_w) - 1, most = b->ptr_w < 12 ? places : 4000;
	unsigned groups = 1 + (unsigned)random_below(&b->seed, b->sms + 8);
	unsigned size = 1 + (unsigned)random_below(&b->seed, 24), at = 0;

	groups = groups < MOST_GROUPS ? groups : MOST_GROUPS;
	groups = groups < most ? groups : (unsigned)most;
	b->launch.groups = groups;
	for (unsigned g = 0; g < groups; g++) {
		unsigned left = (unsigned)most - at - (groups - g - 1), n = 1 + (unsigned)random_below(&b->seed, size);

		b->launch.first[g] = at;
		at += n < left ? n : left;
	}
	b->launch.first[groups] = b->launch.ctas = at;
	for (unsigned i = 0; i < at; i++)
		b->launch.list[i] = random_u64(&b->seed) & (UINT64_MAX >> (64 - ports_width(&b->p, HW_OUTPUT, "tb_id")));
}

static void draw_readiness(struct bench *b, unsigned step)
{
	if (step % (4 * b->sms + 100) == 0) {
		b->all = random_below(&b->seed, 5) == 0;
		b->eager = random_below(&b->seed, 2) ? 1 : 8;
		b->awake = (unsigned)random_below(&b->seed, b->sms);
	}
	for (unsigned sm = 0; sm < b->sms; sm++)
		ports_put(&b->p, "tb_ready", sm, b->all ? random_below(&b->seed, b->eager) == 0 : sm == b->awake);
}

/* One answer a cycle, of a read that has waited long enough. */
static void draw_answer(struct bench *b, struct spec_paver_cycle *c)
{
	unsigned from = (unsigned)random_below(&b->seed, b->sms);

	ports_put(&b->p, "rsp_valid", 0, 0);
	for (unsigned i = 0; i < b->sms; i++) {
		unsigned sm = (from + i) % b->sms;
		const struct launch *l = &b->launch;

		if (b->read[sm] > 1)
			b->read[sm]--;
		if (b->read[sm] != 1 || c->answer)
			continue;
		b->read[sm] = 0;
		c->answer = true;
		c->answered = sm;
		if (b->of_group[sm]) {
			c->head = l->first[b->index[sm]];
			c->tail = l->first[b->index[sm] + 1];
		} else
			c->cta = l->list[b->index[sm]];
		ports_put(&b->p, "rsp_valid", 0, 1);
		ports_put(&b->p, "rsp_tag", 0, sm);
		ports_put(&b->p, "rsp_data", 0, b->of_group[sm] ? c->tail << b->ptr_w | c->head : c->cta);
	}
}

static void see_ports(struct bench *b, struct spec_paver_cycle *c)
{
	const struct ports *p = &b->p;

	c->launch = ports_in(p, "cfg_valid") && ports_out(p, "cfg_ready");
	c->groups = ports_in(p, "cfg_groups");
	c->steals = ports_in(p, "cfg_steal");
	c->read = ports_out(p, "req_valid") && ports_in(p, "req_ready");
	c->of_group = ports_out(p, "req_group");
	c->index = ports_out(p, "req_index");
	c->reader = (unsigned)ports_out(p, "req_tag");
	c->steal = ports_out(p, "ev_steal");
	c->donor = (unsigned)ports_out(p, "ev_donor");
	c->recipient = (unsigned)ports_out(p, "ev_recipient");
	c->count = ports_out(p, "ev_count");
	for (unsigned sm = 0; sm < b->sms; sm++) {
		c->offered[sm] = ports_get(p, HW_OUTPUT, "tb_valid", sm);
		c->taken[sm] = c->offered[sm] && ports_get(p, HW_INPUT, "tb_ready", sm);
		c->id[sm] = ports_get(p, HW_OUTPUT, "tb_id", sm);
	}
}

static void bench_cycle(struct bench *b, const char *shape, unsigned step)
{
	struct spec_paver_cycle c = {0};
	const char *wrong;

	draw_readiness(b, step);
	draw_answer(b, &c);
	ports_put(&b->p, "req_ready", 0, random_below(&b->seed, 8) != 0);
	ports_eval(&b->p);
	see_ports(b, &c);
	wrong = spec_paver_cycle(&b->spec, &c);
	cr_assert_null(wrong, "paver %s, step %u: %s; SM %u steals %lu from %u, SM %u reads %lu", shape, step, wrong, c.recipient,
		       c.count, c.donor, c.reader, c.index);
	if (c.read) {
		b->read[c.reader] = 2 + (unsigned)random_below(&b->seed, b->eager);
		b->of_group[c.reader] = c.of_group;
		b->index[c.reader] = c.index;
	}
	ports_tick(&b->p);
	if (c.launch)
		ports_put(&b->p, "cfg_valid", 0, 0);
	ports_eval(&b->p);
}

static void run(const char *shape, uint64_t seed)
{
	struct bench *b = calloc(1, sizeof *b);
	unsigned step = 0;

	cr_assert_not_null(b);
	b->seed = seed;
	b->eager = 8;
	ports_init(&b->p, "paver", shape);
	b->sms = (unsigned)ports_param(&b->p, "sms");
	b->ptr_w = (unsigned)ports_param(&b->p, "ptr_w");
	spec_paver_reset(&b->spec, b->sms, b->ptr_w);
	for (unsigned k = 0; k < (b->sms > LARGE ? LARGE_LAUNCHES : LAUNCHES); k++) {
		draw_tables(b);
		ports_put(&b->p, "cfg_valid", 0, 1);
		ports_put(&b->p, "cfg_groups", 0, b->launch.groups);
		ports_put(&b->p, "cfg_steal", 0, k % 4 != 3);
		do
			bench_cycle(b, shape, step++);
		while ((ports_in(&b->p, "cfg_valid") || !ports_out(&b->p, "cfg_ready")) && step < MOST_CYCLES);
		cr_assert_eq(b->spec.issued, b->launch.ctas, "paver %s, launch %u: %lu of %u CTAs are issued", shape, k,
			     b->spec.issued, b->launch.ctas);
	}
	if (b->sms > 2)
		cr_assert(b->spec.judged && b->spec.upper, "paver %s: %lu steals judged, %lu of upper SMs", shape, b->spec.judged,
			  b->spec.upper);
	ports_free(&b->p);
	free(b);
}

Test(spec_paver, each_shape_hands_out_issues_once_and_steals_as_printed)
{
	for (unsigned i = 0; i < matrix_size(); i++)
		if (!strcmp(matrix_shape(i)->block->name, "paver"))
			run(matrix_shape(i)->params, MATRIX_SEED + i);
}

Test(spec_paver, the_machines_shapes_and_small_ones_too)
{
	run("", 1);
	run("sms=28", 2);
	run("sms=80", 3);
	run("sms=3 ptr_w=6 tb_w=7", 4);
	run("sms=5 ptr_w=7 tb_w=7", 5);
}
