#include "support/waits_rig.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>

#include "base/alloc.h"

struct waits_rig *waits_rig_new(uint32_t ctas, uint32_t warps)
{
	struct waits_rig *r = xcalloc(1, sizeof *r);

	cr_assert_leq(ctas, WAITS_RIG_CTAS);
	r->ctas = ctas;
	r->warps = warps;
	r->tail[0] = (struct trace_run){RIG_TEST, 2, UINT32_MAX};
	r->tail[1] = (struct trace_run){RIG_TEST_SHARED, 2, UINT32_MAX};
	return r;
}

uint32_t waits_rig_word(struct waits_rig *r, uint64_t addr, uint32_t cta)
{
	r->word[r->sync.n_words] = (struct trace_sync_word){.addr = addr, .cta = cta};
	return r->sync.n_words++;
}

/* ---- steps ---- */

static struct waits_rig_step *step(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t pc, uint32_t len)
{
	cr_assert_lt(r->n_steps, (uint32_t)WAITS_RIG_MAX);
	r->step[r->n_steps] = (struct waits_rig_step){.cta = cta, .warp = warp, .pc = pc, .len = len};
	return &r->step[r->n_steps++];
}

void waits_rig_work(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t n)
{
	for (; n; n--)
		step(r, cta, warp, RIG_WORK, 1);
}

void waits_rig_op(struct waits_rig *r, uint32_t cta, uint32_t warp, enum waits_rig_pc pc)
{
	step(r, cta, warp, pc, 1);
}

void waits_rig_sleep(struct waits_rig *r, uint32_t cta, uint32_t warp, uint64_t ns)
{
	struct waits_rig_step *s = step(r, cta, warp, RIG_SLEEP, 1);

	r->records[cta][warp]++;
	s->lanes = TRACE_WARP_SIZE;
	for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
		s->addr[l] = l ? ns / 2 : ns;
}

/* The access of a step, whose items follow. */
static struct trace_sync_access *access_of(struct waits_rig *r, uint32_t cta, uint32_t warp)
{
	struct trace_sync_access *a = &r->access[r->sync.n_accesses];

	*a = (struct trace_sync_access){.warp = warp, .access = r->records[cta][warp]++, .first_item = r->sync.n_items};
	r->cta_of[r->sync.n_accesses++] = cta;
	return a;
}

static void item(struct waits_rig *r, struct trace_sync_access *a, uint32_t word, uint32_t need, uint32_t n)
{
	r->item[r->sync.n_items++] = (struct trace_sync_item){.word = word, .need = need, .first = n ? r->word[word].n : 0, .n = n};
	r->word[word].n += n;
	a->n_items++;
}

static void modify(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t pc, uint32_t word)
{
	struct waits_rig_step *s = step(r, cta, warp, pc, 1);

	s->lanes = 1;
	s->addr[0] = r->word[word].addr;
	item(r, access_of(r, cta, warp), word, 0, 1);
}

void waits_rig_store(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t word)
{
	modify(r, cta, warp, r->word[word].cta == TRACE_SYNC_GLOBAL ? RIG_STORE : RIG_STORE_SHARED, word);
}

void waits_rig_add(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t word)
{
	modify(r, cta, warp, RIG_ADD, word);
}

static struct trace_sync_access *wait(struct waits_rig *r, uint32_t cta, uint32_t warp, bool shared, struct waits_rig_step **load)
{
	struct trace_sync_access *a = access_of(r, cta, warp);

	*load = step(r, cta, warp, shared ? RIG_LOAD_SHARED : RIG_LOAD, 1);
	step(r, cta, warp, shared ? RIG_TEST_SHARED : RIG_TEST, 2);
	a->insts = a->records = 1;
	a->first_tail = shared;
	a->n_tail = 1;
	return a;
}

void waits_rig_wait_for(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t word, uint32_t need)
{
	struct waits_rig_step *load;

	item(r, wait(r, cta, warp, r->word[word].cta != TRACE_SYNC_GLOBAL, &load), word, need, 0);
	load->lanes = 1;
	load->addr[0] = r->word[word].addr;
}

void waits_rig_wait(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t word)
{
	waits_rig_wait_for(r, cta, warp, word, r->word[word].n);
}

void waits_rig_back_off(struct waits_rig *r, const uint32_t *ns, uint32_t n)
{
	struct trace_sync_access *a = &r->access[r->sync.n_accesses - 1];

	a->first_sleep = r->sync.n_sleeps;
	a->n_sleeps = n;
	for (uint32_t i = 0; i < n; i++)
		r->sleep[r->sync.n_sleeps++] = ns[i];
}

void waits_rig_lock(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t word)
{
	struct waits_rig_step *s = step(r, cta, warp, RIG_ADD, 1);
	struct trace_sync_access *a = access_of(r, cta, warp);

	s->lanes = 1;
	s->addr[0] = r->word[word].addr;
	item(r, a, word, r->word[word].n, 1);
	a->insts = a->records = 1;
}

void waits_rig_wait_for_both(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t a, uint32_t b)
{
	const uint32_t word[2] = {a, b};
	struct trace_sync_access *last = NULL;

	for (unsigned i = 0; i < 2; i++) {
		struct waits_rig_step *load = step(r, cta, warp, RIG_LOAD, 1);

		load->lanes = 1;
		load->addr[0] = r->word[word[i]].addr;
		last = access_of(r, cta, warp);
		item(r, last, word[i], r->word[word[i]].n, 0);
		waits_rig_work(r, cta, warp, 2);
		if (i == 1)
			r->n_steps -= 2;
	}
	step(r, cta, warp, RIG_TEST, 2);
	last->insts = 4;
	last->records = 2;
	last->n_tail = 1;
}

void waits_rig_wait_for_all(struct waits_rig *r, uint32_t cta, uint32_t warp, const uint32_t *word, uint32_t n)
{
	struct waits_rig_step *load;
	struct trace_sync_access *a = wait(r, cta, warp, false, &load);

	load->lanes = n;
	for (uint32_t i = 0; i < n; i++) {
		load->addr[i] = r->word[word[i]].addr;
		item(r, a, word[i], r->word[word[i]].n, 0);
	}
}

/* ---- the trace ---- */

static uint32_t add_kernel(struct trace_writer *w)
{
	struct trace_inst inst[RIG_INSTS] = {
		[RIG_LOAD] = {.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .flags = TRACE_VOLATILE, .ndst = 1, .reg = {0}},
		[RIG_TEST] = {.op = OP_INT_ADD, .ndst = 1, .nsrc = 1, .reg = {1, 0}},
		[RIG_BRANCH] = {.op = OP_BRANCH, .flags = TRACE_PREDICATED, .nsrc = 1, .reg = {1}},
		[RIG_STORE] = {.op = OP_STORE, .space = SPACE_GLOBAL, .width = 4, .nsrc = 1, .reg = {2}},
		[RIG_ADD] = {.op = OP_ATOM, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .nsrc = 1, .reg = {3, 2}},
		[RIG_WORK] = {.op = OP_INT_ADD, .ndst = 1, .nsrc = 1, .reg = {2, 2}},
		[RIG_FENCE] = {.op = OP_MEMBAR},
		[RIG_EXIT] = {.op = OP_EXIT},
		[RIG_LOAD_SHARED] = {.op = OP_LOAD, .space = SPACE_SHARED, .width = 4, .ndst = 1, .reg = {0}},
		[RIG_TEST_SHARED] = {.op = OP_INT_ADD, .ndst = 1, .nsrc = 1, .reg = {1, 0}},
		[RIG_BRANCH_SHARED] = {.op = OP_BRANCH, .flags = TRACE_PREDICATED, .nsrc = 1, .reg = {1}},
		[RIG_STORE_SHARED] = {.op = OP_STORE, .space = SPACE_SHARED, .width = 4, .nsrc = 1, .reg = {2}},
		[RIG_BARRIER] = {.op = OP_BARRIER},
		[RIG_SLEEP] = {.op = OP_NOP, .space = SPACE_SLEEP},
	};
	char *name = (char *)"op";
	struct trace_kernel k = {.name = (char *)"waits",
				 .n_inst = RIG_INSTS,
				 .inst = inst,
				 .n_names = 1,
				 .names = &name,
				 .n_regs = 4,
				 .regs_per_thread = 8,
				 .shared_bytes = 1024};

	for (uint32_t i = 0; i < RIG_INSTS; i++)
		inst[i].line = i + 1;
	return trace_add_kernel(w, &k);
}

static void put_warp(const struct waits_rig *r, struct trace_writer *w, uint32_t cta, uint32_t warp)
{
	for (uint32_t i = 0; i < r->n_steps; i++) {
		const struct waits_rig_step *s = &r->step[i];

		if (s->cta != cta || s->warp != warp)
			continue;
		if (s->lanes) {
			uint32_t mask = (uint32_t)((UINT64_C(1) << s->lanes) - 1);

			trace_put_run(w, warp, s->pc, s->len, mask);
			trace_put_addrs(w, warp, mask, s->addr);
		} else {
			trace_put_run(w, warp, s->pc, s->len, UINT32_MAX);
		}
	}
	trace_put_run(w, warp, RIG_EXIT, 1, UINT32_MAX);
}

/* By CTA, warp and number: the steps of a warp are in their order already. */
static void put_sync(struct waits_rig *r, struct trace_writer *w)
{
	struct trace_sync_access *sorted = xcalloc(r->sync.n_accesses + 1, sizeof *sorted);
	uint32_t *first = xcalloc(r->ctas + 1, sizeof *first), n = 0;

	for (uint32_t c = 0; c < r->ctas; c++) {
		first[c] = n;
		for (uint32_t warp = 0; warp < r->warps; warp++)
			for (uint32_t i = 0; i < r->sync.n_accesses; i++)
				if (r->cta_of[i] == c && r->access[i].warp == warp)
					sorted[n++] = r->access[i];
	}
	first[r->ctas] = n;
	r->sync.word = r->word;
	r->sync.item = r->item;
	r->sync.tail = r->tail;
	r->sync.n_tails = 2;
	r->sync.sleep = r->sleep;
	r->sync.access = sorted;
	r->sync.first_access = first;
	trace_set_sync(w, &r->sync);
	free(sorted);
	free(first);
}

struct trace *waits_rig_end(struct waits_rig *r)
{
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "waits"}, &e);
	struct trace *t;

	cr_assert_not_null(w, "%s", e.text);
	cr_assert_eq(trace_add_buffer(w, "flags", UINT64_C(1) << 28, 1 << 20, &e), 0, "%s", e.text);
	cr_assert_eq(trace_launch_begin(w, add_kernel(w), (uint32_t[]){r->ctas, 1, 1}, (uint32_t[]){32 * r->warps, 1, 1}, 0, &e), 0,
		     "%s", e.text);
	for (uint32_t c = 0; c < r->ctas; c++) {
		trace_cta_begin(w, c);
		for (uint32_t warp = 0; warp < r->warps; warp++)
			put_warp(r, w, c, warp);
		cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
	}
	put_sync(r, w);
	cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
	t = trace_writer_finish(w, &e);
	cr_assert_not_null(t, "%s", e.text);
	free(r);
	return t;
}

struct trace *waits_rig_program(void)
{
	enum { CTAS = 12, WARPS = 4, LINES = 3 };
	const uint64_t base = UINT64_C(1) << 28;
	struct waits_rig *r = waits_rig_new(CTAS, WARPS);
	uint32_t lock = waits_rig_word(r, base, TRACE_SYNC_GLOBAL), count = waits_rig_word(r, base + 8, TRACE_SYNC_GLOBAL);
	uint32_t all[CTAS * LINES], shared[CTAS];

	for (uint32_t c = 0; c < CTAS; c++) {
		for (uint32_t i = 0; i < LINES; i++)
			all[c * LINES + i] = waits_rig_word(r, base + 4096 * (i + 1) + 40 * c, TRACE_SYNC_GLOBAL);
		shared[c] = waits_rig_word(r, 8, c);
	}
	for (uint32_t c = 0; c < CTAS; c++) {
		waits_rig_work(r, c, 0, 7 * (CTAS - c));
		waits_rig_lock(r, c, 0, lock);
		waits_rig_work(r, c, 0, 9);
		waits_rig_store(r, c, 0, lock);
		waits_rig_store(r, c, 0, shared[c]);
		for (uint32_t w = 1; w < WARPS; w++)
			waits_rig_wait(r, c, w, shared[c]);
		for (uint32_t i = 0; i < LINES; i++)
			waits_rig_store(r, c, 1 + i % 3, all[c * LINES + i]);
		waits_rig_op(r, c, 2, RIG_FENCE);
		for (uint32_t w = 0; w < WARPS; w++)
			waits_rig_op(r, c, w, RIG_BARRIER);
		if (c)
			waits_rig_wait_for_both(r, c, 3, all[(c - 1) * LINES], all[(c - 1) * LINES + 2]);
		waits_rig_add(r, c, 3, count);
	}
	for (uint32_t c = 0; c < CTAS; c++) {
		waits_rig_wait(r, c, 0, count);
		waits_rig_wait_for_all(r, c, 1, all, CTAS * LINES < 32 ? CTAS * LINES : 32);
		waits_rig_op(r, c, 0, RIG_BARRIER);
		waits_rig_op(r, c, 1, RIG_BARRIER);
		waits_rig_op(r, c, 2, RIG_BARRIER);
		waits_rig_op(r, c, 3, RIG_BARRIER);
	}
	return waits_rig_end(r);
}

/* ---- runs ---- */

char *waits_rig_run(const struct gpu_config *c)
{
	struct gpu_result r;
	struct err e = {""};
	json_t *json;
	char *text;

	cr_assert_eq(gpu_run(c, &r, &e), 0, "%s", e.text);
	if (r.audit.failed)
		audit_print(&r.audit, stderr);
	cr_assert_eq(r.audit.failed, 0);
	json = stats_json(&r.stats);
	text = json_dumps(json, JSON_INDENT(1));
	json_decref(json);
	gpu_result_free(&r);
	return text;
}

double waits_rig_metric(const char *metrics, const char *name)
{
	json_error_t error;
	json_t *all = json_loads(metrics, 0, &error), *row = json_object_get(all, name);
	double value;

	cr_assert_not_null(row, "no metric %s", name);
	value = json_number_value(json_is_object(row) ? json_object_get(row, "value") : row);
	json_decref(all);
	return value;
}
