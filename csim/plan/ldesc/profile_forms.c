#include "plan/ldesc/profile_forms.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "trace/walk.h"

enum {
	MAX_THREADS = TRACE_MAX_WARPS * TRACE_WARP_SIZE,
	MAX_BUFFERS = 64,     /* that an instruction is followed into */
	MAX_SERIES = 1 << 16, /* executions from which loops are found */
	TOLERANCE = 16	      /* one access in so many may differ */
};

#define MAX_BUFFER (UINT64_C(1) << 48) /* bytes: no sum of a form's terms that fits in it overflows */

struct level { /* of a loop nest, the innermost first */
	int64_t step;
	uint64_t trips;
};

enum knowledge { UNKNOWN, BY_ANOTHER, BY_SERIES }; /* a CTA step: by which thread's addresses */

struct fit { /* of an instruction and a buffer */
	uint32_t buffer;
	int64_t c, k[INDEX_COUNT];
	enum knowledge known[3]; /* CTA steps, by dimension */
	uint32_t n_levels;
	struct level level[AFFINE_NEST];

	uint32_t cta;		  /* the first one */
	int64_t at[MAX_THREADS];  /* where its threads went first, ... */
	bool was[MAX_THREADS];	  /* ... those that did */
	uint32_t warp, lane;	  /* whose addresses are the series */
	uint64_t first_execution; /* of its warp, with the first of them */
	int64_t *series;
	uint64_t n, cap;

	uint64_t fits, misses, executions; /* of a warp, the most */
	uint32_t thread;		   /* of a CTA, if that is the only one */
	bool several_threads;
	struct fit *next;
};

struct scan {
	struct trace *t;
	const struct trace_kernel *k;
	const struct trace_launch *l;
	struct arena *tmp;
	struct trace_cta cta;
	struct fit **fit;      /* by instruction: a list */
	uint64_t *counted;     /* by instruction: executions of the present warp */
	uint32_t warp, middle; /* of the CTA; thread in the middle of the block */
	void (*see)(struct scan *s, struct fit *f, uint32_t warp, uint32_t lane, uint64_t execution, int64_t at);
};

static void position(const uint32_t size[3], uint32_t i, uint32_t out[3])
{
	out[0] = i % size[0];
	out[1] = i / size[0] % size[1];
	out[2] = i / size[0] / size[1];
}

/* ---- a pass over the launch ---- */

/* NULL: it has gone to too many others. */
static struct fit *fit_of(struct scan *s, uint32_t pc, uint32_t buffer)
{
	struct fit **f = &s->fit[pc];
	unsigned n = 0;

	for (; *f && (*f)->buffer != buffer; n++)
		f = &(*f)->next;
	if (!*f && n == MAX_BUFFERS)
		return NULL;
	if (!*f) {
		*f = arena_alloc(s->tmp, sizeof **f);
		**f = (struct fit){.buffer = buffer, .cta = s->cta.id};
	}
	return *f;
}

static void visit(void *ctx, const struct trace_access *a)
{
	struct scan *s = ctx;
	uint64_t addr[TRACE_WARP_SIZE], execution;

	if (a->inst->space != SPACE_GLOBAL && a->inst->space != SPACE_TEX)
		return;
	if (a->warp != s->warp) {
		memset(s->counted, 0, s->k->n_inst * sizeof *s->counted);
		s->warp = a->warp;
	}
	execution = s->counted[a->pc]++;
	trace_addr_expand(&s->cta, a->addr, a->mask, addr);
	for (uint32_t mask = a->mask; mask; mask &= mask - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(mask);
		int b = trace_buffer_of(s->t, addr[lane]);
		struct fit *f = b < 0 ? NULL : fit_of(s, a->pc, (uint32_t)b);

		if (f)
			s->see(s, f, a->warp, lane, execution, (int64_t)(addr[lane] - trace_buffer(s->t, (uint32_t)b)->base));
	}
}

static int walk_cta(struct scan *s, uint32_t launch, uint32_t cta, struct err *e)
{
	if (trace_read_cta(s->t, launch, cta, &s->cta, e) != 0)
		return -1;
	s->warp = UINT32_MAX;
	trace_walk_cta(s->k, &s->cta, visit, s);
	return 0;
}

/* Borders are where indices are clamped, so the CTA in the middle of the grid comes first, then those beside it. */
static int walk_middle(struct scan *s, uint32_t launch, struct err *e)
{
	const uint32_t *grid = s->l->grid;
	uint32_t middle = grid[0] / 2 + grid[0] * (grid[1] / 2 + grid[1] * (grid[2] / 2));
	const uint32_t beside[] = {0, 1, grid[0], grid[0] * grid[1]};

	for (unsigned i = 0; i < sizeof beside / sizeof beside[0]; i++)
		if (beside[i] <= middle && middle - beside[i] < s->l->n_ctas && walk_cta(s, launch, middle - beside[i], e) != 0)
			return -1;
	return 0;
}

static int walk_all(struct scan *s, uint32_t launch, struct err *e)
{
	for (uint32_t i = 0; i < s->l->n_ctas; i++)
		if (walk_cta(s, launch, i, e) != 0)
			return -1;
	return 0;
}

/* ---- the first pass: what forms are made of ---- */

static void add_to_series(struct fit *f, int64_t at)
{
	if (f->n == MAX_SERIES)
		return;
	if (f->n == f->cap) {
		f->cap = f->cap ? 2 * f->cap : 64;
		f->series = xrealloc(f->series, f->cap * sizeof *f->series);
	}
	f->series[f->n++] = at;
}

/* The step of one dimension, from a CTA that differs from the first one in that alone. */
static void find_cta_step(struct scan *s, struct fit *f, uint32_t thread, int64_t at)
{
	enum knowledge by = thread == f->warp * TRACE_WARP_SIZE + f->lane ? BY_SERIES : BY_ANOTHER;
	uint32_t first[3], here[3];
	int differs = -1;

	position(s->l->grid, f->cta, first);
	position(s->l->grid, s->cta.id, here);
	for (int d = 0; d < 3; d++) {
		if (first[d] == here[d])
			continue;
		if (differs >= 0)
			return;
		differs = d;
	}
	if (differs < 0 || !f->was[thread] || f->known[differs] >= by)
		return;
	f->k[INDEX_CTA_X + differs] = (at - f->at[thread]) / ((int64_t)here[differs] - first[differs]);
	f->known[differs] = by;
}

static void gather(struct scan *s, struct fit *f, uint32_t warp, uint32_t lane, uint64_t execution, int64_t at)
{
	uint32_t thread = warp * TRACE_WARP_SIZE + lane;

	if (s->cta.id != f->cta) {
		if (execution == f->first_execution)
			find_cta_step(s, f, thread, at);
		return;
	}
	if (!f->n || (thread == s->middle && f->warp * TRACE_WARP_SIZE + f->lane != thread)) {
		if (f->n && f->first_execution != execution)
			memset(f->was, 0, sizeof f->was);
		f->n = 0;
		f->warp = warp;
		f->lane = lane;
		f->first_execution = execution;
	}
	if (execution == f->first_execution) {
		f->at[thread] = at;
		f->was[thread] = true;
	}
	if (warp == f->warp && lane == f->lane && execution == f->first_execution + f->n)
		add_to_series(f, at);
}

/* ---- from that to a form ---- */

/* Two threads that are a step apart in one dimension, from the one of the series on. */
static int64_t thread_step(const struct scan *s, const struct fit *f, int d)
{
	uint32_t apart = d == 0 ? 1 : d == 1 ? s->l->block[0] : s->l->block[0] * s->l->block[1];

	for (uint32_t n = 0; n < MAX_THREADS; n++) {
		uint32_t i = (f->warp * TRACE_WARP_SIZE + f->lane + n) % MAX_THREADS, at[3];

		position(s->l->block, i, at);
		if (i + apart < MAX_THREADS && f->was[i] && f->was[i + apart] && at[d] + 1 < s->l->block[d])
			return f->at[i + apart] - f->at[i];
	}
	return 0;
}

/* Elements of the series, `every` apart, that differ by the same: how many. */
static uint64_t equal_steps(const struct fit *f, uint64_t every)
{
	uint64_t n = 1;

	while ((n + 1) * every < f->n && f->series[(n + 1) * every] - f->series[n * every] == f->series[every] - f->series[0])
		n++;
	return n + 1;
}

/* Loops from the inside out: as long as steps are equal, an iteration; then the next one around it. */
static void find_levels(struct fit *f)
{
	uint64_t every = 1;

	f->n_levels = 0;
	while (every < f->n && f->n_levels < AFFINE_NEST) {
		struct level *v = &f->level[f->n_levels++];

		v->step = f->series[every] - f->series[0];
		v->trips = equal_steps(f, every);
		every *= v->trips;
	}
}

/* Wraps around where a form is no fit at all. */
static uint64_t in_loops(const struct fit *f, uint64_t execution)
{
	uint64_t i = execution - f->first_execution, sum = 0;

	for (uint32_t v = 0; v < f->n_levels; v++) {
		bool last = v + 1 == f->n_levels;

		sum += (uint64_t)f->level[v].step * (last ? i : i % f->level[v].trips);
		i /= f->level[v].trips;
	}
	return sum;
}

static void find_form(const struct scan *s, struct fit *f)
{
	uint32_t cta[3], thread[3], first = f->warp * TRACE_WARP_SIZE + f->lane;
	uint64_t c;

	for (int d = 0; d < 3; d++)
		f->k[INDEX_TID_X + d] = s->l->block[d] > 1 ? thread_step(s, f, d) : 0;
	position(s->l->grid, f->cta, cta);
	position(s->l->block, first, thread);
	c = (uint64_t)f->at[first];
	for (int d = 0; d < 3; d++)
		c -= (uint64_t)f->k[INDEX_TID_X + d] * thread[d] + (uint64_t)f->k[INDEX_CTA_X + d] * cta[d];
	f->c = (int64_t)c;
	find_levels(f);
	f->thread = first;
	free(f->series);
	f->series = NULL;
}

/* ---- the second pass: whether the form holds ---- */

static void check(struct scan *s, struct fit *f, uint32_t warp, uint32_t lane, uint64_t execution, int64_t at)
{
	uint32_t cta[3], thread[3];
	uint64_t form = (uint64_t)f->c + in_loops(f, execution);

	position(s->l->grid, s->cta.id, cta);
	position(s->l->block, warp * TRACE_WARP_SIZE + lane, thread);
	for (int d = 0; d < 3; d++)
		form += (uint64_t)f->k[INDEX_TID_X + d] * thread[d] + (uint64_t)f->k[INDEX_CTA_X + d] * cta[d];
	*(form == (uint64_t)at ? &f->fits : &f->misses) += 1;
	f->executions = f->executions < execution + 1 ? execution + 1 : f->executions;
	f->several_threads |= warp * TRACE_WARP_SIZE + lane != f->thread;
}

/* ---- the launch ---- */

static uint32_t add_loop(struct affine_launch *l, struct affine_access *x, uint64_t trips)
{
	l->loop[l->n_loops] = (struct affine_loop){.parent = AFFINE_NONE, .trips = trips, .exact = true};
	x->loop[x->n_loops++] = l->n_loops;
	return l->n_loops++;
}

static void set_loops(struct affine_launch *l, struct affine_access *x, const struct fit *f)
{
	uint64_t inside = 1;

	for (uint32_t v = 0; v < f->n_levels; v++) {
		uint64_t trips = f->level[v].trips;

		if (v + 1 == f->n_levels) /* other warps may be in it for longer */
			trips = (f->executions - f->first_execution + inside - 1) / inside;
		inside *= trips;
		x->at.loop[v] = (struct affine_term){f->level[v].step, add_loop(l, x, trips)};
		x->at.n_loops = v + 1;
	}
}

/* One thread of each CTA has it to itself: what "tid == 0" is in the text. */
static void set_guard(struct affine_access *x, struct arena *a)
{
	struct affine_pred *p = arena_alloc(a, sizeof *p);

	*p = (struct affine_pred){.known = true, .n = 1, .atom = {{.rel = REL_EQ}}};
	x->guard[x->n_guards++] = p;
}

static struct affine_access access_of(const struct scan *s, struct affine_launch *l, uint32_t pc, const struct fit *f,
				      struct arena *a)
{
	const struct trace_inst *i = &s->k->inst[pc];
	uint64_t size = trace_buffer(s->t, f->buffer)->size;
	struct affine_access x = {.pc = pc,
				  .line = i->line,
				  .kind = i->op == OP_LOAD    ? AFFINE_LOAD
					  : i->op == OP_STORE ? AFFINE_STORE
							      : AFFINE_ATOMIC,
				  .width = i->width,
				  .at = {.buffer = (int32_t)f->buffer, .c = f->c, .cause = AFFINE_NONE}};

	if (size > MAX_BUFFER || f->misses * TOLERANCE > f->fits + f->misses) {
		x.at.lo = -AFFINE_INF;
		x.at.hi = AFFINE_INF;
		return x;
	}
	memcpy(x.at.k, f->k, sizeof x.at.k);
	set_loops(l, &x, f);
	if (!f->several_threads)
		set_guard(&x, a);
	return x;
}

static bool same_address(const struct affine_launch *l, const struct affine_access *a, const struct affine_access *b)
{
	if (a->at.buffer != b->at.buffer || a->at.c != b->at.c || a->at.lo || b->at.lo || a->at.n_loops != b->at.n_loops ||
	    memcmp(a->at.k, b->at.k, sizeof a->at.k))
		return false;
	for (uint32_t i = 0; i < a->at.n_loops; i++)
		if (a->at.loop[i].k != b->at.loop[i].k || l->loop[a->at.loop[i].loop].trips != l->loop[b->at.loop[i].loop].trips)
			return false;
	return true;
}

/* A load of what another load has read is a second turn of that one: copies of an unrolled loop. */
static bool is_again(struct affine_launch *l, const struct affine_access *x)
{
	for (uint32_t i = 0; i < l->n_accesses; i++) {
		struct affine_access *before = &l->access[i];

		if (x->kind != AFFINE_LOAD || before->kind != AFFINE_LOAD || !same_address(l, before, x))
			continue;
		if (before->n_loops < AFFINE_NEST)
			add_loop(l, before, 2);
		return true;
	}
	return false;
}

static const struct affine_launch *launch_of(const struct scan *s, struct arena *a)
{
	struct affine_launch *l = arena_alloc(a, sizeof *l);
	uint32_t n = 0;

	for (uint32_t pc = 0; pc < s->k->n_inst; pc++)
		for (const struct fit *f = s->fit[pc]; f; f = f->next)
			n++;
	*l = (struct affine_launch){.access = arena_array(a, n, sizeof *l->access),
				    .loop = arena_array(a, (size_t)n * (AFFINE_NEST + 1), sizeof *l->loop)};
	memcpy(l->grid, s->l->grid, sizeof l->grid);
	memcpy(l->block, s->l->block, sizeof l->block);
	for (uint32_t pc = 0; pc < s->k->n_inst; pc++)
		for (const struct fit *f = s->fit[pc]; f; f = f->next) {
			struct affine_access x = access_of(s, l, pc, f, a);

			if (!is_again(l, &x))
				l->access[l->n_accesses++] = x;
		}
	return l;
}

int profile_forms(struct trace *t, uint32_t launch, struct arena *a, const struct affine_launch **out, struct err *e)
{
	struct arena tmp = {0};
	struct scan s = {.t = t, .l = trace_launch(t, launch), .tmp = &tmp, .see = gather};
	int rc;

	s.k = trace_kernel(t, s.l->kernel);
	s.fit = arena_array(&tmp, s.k->n_inst, sizeof *s.fit);
	s.counted = arena_array(&tmp, s.k->n_inst, sizeof *s.counted);
	s.middle = s.l->block[0] / 2 + s.l->block[0] * (s.l->block[1] / 2 + s.l->block[1] * (s.l->block[2] / 2));
	rc = walk_middle(&s, launch, e);
	if (rc == 0)
		rc = walk_all(&s, launch, e);
	for (uint32_t pc = 0; pc < s.k->n_inst; pc++)
		for (struct fit *f = s.fit[pc]; f; f = f->next)
			find_form(&s, f);
	s.see = check;
	if (rc == 0)
		rc = walk_all(&s, launch, e);
	if (rc == 0)
		*out = launch_of(&s, a);
	trace_cta_free(&s.cta);
	arena_free(&tmp);
	return rc;
}
