#include "ptx/exec/resident.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/utf8.h"

static const uint64_t MOST_BYTES = UINT64_C(4) << 30; /* of registers and memories of CTAs that wait */
enum { THREADS = 2048, CTAS = 32, SHARED = 96 * 1024, WAIT_AFTER = 64 /* backward branches: see exec.h */ };

/* What of struct exec is a CTA's own. */
struct waiting {
	struct warp warp[EXEC_MAX_WARPS];
	uint32_t arrived[EXEC_BARRIERS];
	uint8_t *shared, *local, *frame;
	struct sanitizer *sanitizer;
	struct sync_log *sync;
	uint32_t cta, cta_at[3], epoch;
	bool started;
	enum cta_stop stop; /* CTA_DONE: only its trace waits */
	struct trace_parked *log;
};

struct resident {
	struct exec *x;
	struct waiting **list; /* in ascending order of CTAs */
	uint32_t n, cap, most, waits;
	uint32_t next;		 /* CTA to begin */
	struct sync_part *parts; /* of CTAs that have ended, whose warps shared memory orders */
	uint32_t n_parts;
	bool order_is_lost; /* of one of them */
};

static uint32_t least(uint64_t a, uint64_t b)
{
	return (uint32_t)(a < b ? a : b);
}

static uint32_t most_together(const struct exec *x)
{
	uint64_t threads = (uint64_t)x->n_warps * LANES;
	uint64_t bytes = threads * (x->k->trace.local_bytes + x->k->frame_bytes) + (uint64_t)x->n_warps * x->k->file_bytes;
	uint32_t an_sm = least(least(THREADS / threads, CTAS), x->shared_bytes ? SHARED / x->shared_bytes : CTAS);
	uint32_t most = least((uint64_t)an_sm * x->sms, MOST_BYTES / (bytes + x->shared_bytes + 1));

	return most ? most : 1;
}

static void put_aside(struct resident *r, struct waiting *s)
{
	struct exec *x = r->x;

	memcpy(s->warp, x->warp, sizeof s->warp);
	memcpy(s->arrived, x->arrived, sizeof s->arrived);
	memcpy(s->cta_at, x->cta_at, sizeof s->cta_at);
	s->sync = x->of_cta;
	s->epoch = x->epoch;
	s->cta = x->cta;
	s->shared = x->shared;
	s->local = x->local;
	s->frame = x->frame;
	s->sanitizer = x->sanitizer;
	s->started = x->started;
	s->log = x->w ? trace_cta_park(x->w) : NULL;
}

static void take_up(struct resident *r, struct waiting *s)
{
	struct exec *x = r->x;

	memcpy(x->warp, s->warp, sizeof s->warp);
	memcpy(x->arrived, s->arrived, sizeof s->arrived);
	memcpy(x->cta_at, s->cta_at, sizeof s->cta_at);
	x->of_cta = s->sync;
	x->epoch = s->epoch;
	x->cta = s->cta;
	x->shared = s->shared;
	x->local = s->local;
	x->frame = s->frame;
	x->sanitizer = s->sanitizer;
	x->started = s->started;
	if (s->log)
		trace_cta_resume(x->w, s->log);
	s->log = NULL;
}

/* What its shared memory says of the order of a CTA's warps stays, if it says anything. */
static void keep_sync(struct resident *r, struct sync_log *l, uint32_t cta)
{
	r->order_is_lost |= l && sync_log_is_full(l);
	if (!l || !sync_log_orders(l)) {
		sync_log_free(l);
		return;
	}
	r->parts = xgrow(r->parts, r->n_parts, sizeof *r->parts);
	r->parts[r->n_parts++] = (struct sync_part){l, cta};
}

static void end_sync(struct resident *r, bool write)
{
	const uint32_t *grid = r->x->launch->grid;

	if (write && r->x->global && (r->order_is_lost || sync_log_is_full(r->x->global))) {
		err_set(r->x->e, "kernel %s: more accesses may order its warps than are kept: the trace does not have their order",
			r->x->k->func->name);
		fprintf(stderr, "%s\n", utf8_clean(r->x->e->text));
		r->x->e->text[0] = 0;
	} else if (write && r->x->global) {
		r->parts = xgrow(r->parts, r->n_parts, sizeof *r->parts);
		r->parts[r->n_parts] = (struct sync_part){r->x->global, TRACE_SYNC_GLOBAL};
		sync_write(r->x->w, r->parts, r->n_parts + 1, grid[0] * grid[1] * grid[2]);
	}
	for (uint32_t i = 0; i < r->n_parts; i++)
		sync_log_free(r->parts[i].log);
	free(r->parts);
}

static struct waiting *add(struct resident *r, enum cta_stop stop)
{
	struct waiting *s = xcalloc(1, sizeof *s);

	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 16;
		r->list = xrealloc(r->list, r->cap * sizeof(struct waiting *));
	}
	s->stop = stop;
	return r->list[r->n++] = s;
}

/* The CTA in x waits: it joins the list, and x gets room for another. */
static void park(struct resident *r)
{
	put_aside(r, add(r, CTA_WAITS));
	r->waits++;
	r->x->of_sms = true;				   /* how many CTAs may wait */
	r->x->spin_after = r->x->spin_window = WAIT_AFTER; /* others will wait too */
	r->x->started = false;
	r->x->of_cta = NULL;
	exec_take_room(r->x);
}

static void begin_next(struct resident *r)
{
	struct exec *x = r->x;
	const uint32_t *grid = x->launch->grid;

	x->cta = r->next++;
	x->cta_at[0] = x->cta % grid[0];
	x->cta_at[1] = x->cta / grid[0] % grid[1];
	x->cta_at[2] = x->cta / grid[0] / grid[1];
	if (x->w)
		trace_cta_begin(x->w, x->cta);
	exec_cta_begin(x);
}

/* Ends the traces of the CTAs at the list's head that are done. */
static int end_heads(struct resident *r)
{
	uint32_t n = 0;
	int rc = 0;

	for (; !rc && n < r->n && r->list[n]->stop == CTA_DONE; n++) {
		if (r->list[n]->log) {
			trace_cta_resume(r->x->w, r->list[n]->log);
			rc = trace_cta_end(r->x->w, r->x->e);
		}
		free(r->list[n]);
	}
	memmove(r->list, r->list + n, (r->n - n) * sizeof(struct waiting *));
	r->n -= n;
	return rc;
}

/* Begins CTAs until one waits, and puts that aside. */
static int begin_some(struct resident *r)
{
	struct exec *x = r->x;
	uint32_t total = x->launch->grid[0] * x->launch->grid[1] * x->launch->grid[2];
	bool moved = false;

	while (r->next < total) {
		begin_next(r);
		switch (exec_cta(x, &moved)) {
		case CTA_ERROR:
			return -1;
		case CTA_WAITS:
			park(r);
			return 0;
		case CTA_DONE:
			keep_sync(r, x->of_cta, x->cta);
			x->of_cta = NULL;
			if (x->w && r->n) /* earlier ones are not at their ends */
				add(r, CTA_DONE)->log = trace_cta_park(x->w);
			else if (x->w && trace_cta_end(x->w, x->e) < 0)
				return -1;
		}
	}
	return 0;
}

/* Goes on with a CTA that waits, in the place of what x has room for. */
static int go_on(struct resident *r, struct waiting *s, bool *moved)
{
	struct waiting *room = xcalloc(1, sizeof *room);
	struct trace_writer *w = r->x->w;
	int rc = 0;

	r->x->w = NULL; /* the room has no trace */
	put_aside(r, room);
	r->x->w = w;
	take_up(r, s);
	s->stop = exec_cta(r->x, moved);
	if (s->stop == CTA_ERROR)
		rc = -1;
	put_aside(r, s);
	if (s->stop == CTA_DONE) {
		keep_sync(r, s->sync, s->cta);
		s->sync = NULL;
		r->waits--;
		*moved = true;
		exec_free_room(r->x);
	}
	take_up(r, room);
	free(room);
	return rc;
}

static int turn(struct resident *r, bool *moved)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->list[i]->stop == CTA_WAITS && go_on(r, r->list[i], moved) < 0)
			return -1;
	return end_heads(r);
}

static int stuck(struct resident *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		if (r->list[i]->stop != CTA_WAITS)
			continue;
		exec_free_room(r->x);
		take_up(r, r->list[i]);
		free(r->list[i]);
		memmove(r->list + i, r->list + i + 1, (r->n - i - 1) * sizeof(struct waiting *));
		r->n--;
		return exec_no_progress(r->x, r->most);
	}
	return -1;
}

static int run_all(struct resident *r)
{
	const uint32_t *grid = r->x->launch->grid;
	uint32_t total = grid[0] * grid[1] * grid[2];

	while (r->next < total || r->n) {
		bool moved = false;

		if (r->next < total && r->waits < r->most) {
			if (begin_some(r) < 0)
				return -1;
			continue;
		}
		if (turn(r, &moved) < 0)
			return -1;
		if (moved)
			continue;
		if (!r->x->lanes_in_turn && r->x->k->module->independent_lanes) {
			r->x->lanes_in_turn = true;
			continue;
		}
		if (!r->x->patient) {
			r->x->patient = true; /* some may end their waits by themselves */
			continue;
		}
		if (!r->x->was_cut || r->x->no_spin)
			return stuck(r);
		r->x->no_spin = true; /* they wait for CTAs that were cut */
	}
	return 0;
}

int resident_run(struct exec *x)
{
	struct resident r = {.x = x, .most = most_together(x)};
	int rc = run_all(&r);

	end_sync(&r, rc == 0);
	sync_log_free(x->of_cta); /* of the CTA that failed */
	x->of_cta = NULL;
	for (uint32_t i = 0; i < r.n; i++) {
		trace_parked_drop(r.list[i]->log);
		r.list[i]->log = NULL;
		if (r.list[i]->stop != CTA_DONE) {
			sync_log_free(r.list[i]->sync);
			r.list[i]->sync = NULL;
			exec_free_room(x);
			x->w = NULL;
			take_up(&r, r.list[i]);
		}
		free(r.list[i]);
	}
	free(r.list);
	return rc;
}
