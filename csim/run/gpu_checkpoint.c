/* What a checkpoint is of a GPU, and how a run becomes it again. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/outside.h"
#include "machine/schema.h"
#include "plan/plan_hash.h"
#include "run/checkpoint.h"
#include "run/gpu_impl.h"

/* ---- words that a run makes point outside after it has been built ---- */

typedef void visit_word(void *ctx, void *word);

static void visit(struct gpu *g, visit_word *f, void *ctx)
{
	f(ctx, &g->loop.crew);
	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		struct prefetch *unit = g->sm[s].lsu.l1.prefetch.unit;

		for (unsigned c = 0; c < SM_MAX_CTAS; c++)
			f(ctx, &g->sm[s].cta[c].trace.scratch);
		if (unit) {
			f(ctx, &unit->launch);
			f(ctx, &unit->grid);
		}
	}
	dispatch_visit_outside(&g->dispatch, f, ctx);
}

/* The same words, in the process that resumes. */
static void set_words(struct gpu *g)
{
	g->loop.crew = NULL;
	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		struct sm *sm = &g->sm[s];
		struct prefetch *unit = sm->lsu.l1.prefetch.unit;

		for (unsigned c = 0; c < SM_MAX_CTAS; c++) {
			sm->cta[c].trace.scratch = NULL;
			sm->cta[c].trace.cap_scratch = 0;
		}
		if (unit && unit->launch) {
			unit->launch = &sm->lsu.locality.of[sm->launch];
			unit->grid = trace_launch(g->trace, sm->launch)->grid;
		}
	}
	dispatch_set_outside(&g->dispatch);
}

/* ---- the machine that has been built ---- */

static int refuse(const struct gpu_config *c, struct err *e)
{
	if (c->binder)
		return err_set(e, "a run with Verilog blocks has no checkpoints: use the golden twins");
	if (c->paths || c->pipelines)
		return err_set(e, "checkpoints do not keep %s", c->paths ? "the paths of requests" : "pipelines");
	return 0;
}

static uint64_t hash_of_machine(const struct machine *m)
{
	char text[SCHEMA_TEXT_MAX];
	uint64_t hash = 0;

	for (const struct schema_key *k = schema_keys; k->name; k++) {
		schema_text(m, k, text);
		hash = XXH64(text, strlen(text), hash);
	}
	return hash;
}

static void note(struct gpu_checkpoints *c, uint64_t *cap, uint64_t at, uint64_t value)
{
	if (c->words == *cap) {
		*cap = *cap ? 2 * *cap : 4096;
		c->word = xrealloc(c->word, *cap * sizeof *c->word);
	}
	c->word[c->words++] = (struct checkpoint_word){at, value};
}

static int find_words(struct gpu_checkpoints *c, struct err *e)
{
	const uint64_t *word = (const uint64_t *)c->region->at;
	struct outside o;
	uint64_t cap = 0;

	c->built = c->region->used;
	c->words = 0;
	if (outside_read(&o, e) != 0)
		return -1;
	for (uint64_t i = 0; i < c->built / 8; i++)
		if (outside_has(&o, word[i]))
			note(c, &cap, 8 * i, word[i]);
	outside_free(&o);
	return 0;
}

/* Whatever it was built of: the same allocations in the same order, and what changes none of them. */
static uint64_t hash_of_built(const struct gpu *g, uint64_t taken)
{
	const struct gpu_config *c = g->config;
	uint64_t hash = XXH64(&taken, sizeof taken, 0);
	const char *metrics = c->intervals && c->intervals->metrics ? c->intervals->metrics : "";
	uint64_t how[] = {c->no_skip, c->reverse, c->intervals ? c->intervals->asked : 0, c->intervals ? c->intervals->most : 0};

	hash = XXH64(how, sizeof how, hash);
	return XXH64(metrics, strlen(metrics), hash);
}

static int look_at_built(const struct gpu *g, struct gpu_checkpoints *c, struct err *e)
{
	c->built_hash = hash_of_built(g, c->region->sequence);
	return checkpoint_program(&c->program, e) == 0 ? find_words(c, e) : -1;
}

/* ---- resuming ---- */

static int differs(const char *path, const char *what, struct err *e)
{
	return err_set(e, "%s: the checkpoint was made with another %s", path, what);
}

static int check(const struct gpu *g, const struct gpu_checkpoints *c, struct err *e)
{
	const struct checkpoint_head *h = &c->from->head;
	const char *path = c->from->path;
	uint64_t beside = 0;

	if (h->program != c->program)
		return differs(path, "version of this program", e);
	if (h->machine != hash_of_machine(g->m))
		return differs(path, "machine", e);
	if (h->trace != trace_hash(g->trace))
		return differs(path, "trace", e);
	if (h->plan != plan_hash(g->config->plan))
		return differs(path, "plan", e);
	for (unsigned i = 0; i < c->n_beside; i++)
		beside += c->beside[i].bytes;
	if (h->built != c->built || h->beside != beside || h->built_hash != c->built_hash)
		return differs(path, "choice of options (--interval, --timeline, --no-skip, ...)", e);
	return 0;
}

/* Words as they were built are this process's own: own[i] for the file's word i. */
static int take_image(struct gpu_checkpoints *c, struct err *e)
{
	const struct checkpoint_head *h = &c->from->head;
	const struct checkpoint_word *w = c->from->word;
	uint64_t *own = xcalloc(h->words + 1, sizeof *own), *word = (uint64_t *)c->region->at;
	int rc = 0;

	for (uint64_t i = 0; i < h->words; i++)
		own[i] = word[w[i].at / 8];
	for (unsigned i = 0; i < c->n_beside && rc == 0; i++)
		rc = checkpoint_take(c->from, (void *)(uintptr_t)c->beside[i].at, c->beside[i].bytes, e);
	if (rc == 0)
		rc = checkpoint_take(c->from, c->region->at, h->image, e);
	for (uint64_t i = 0; i < h->words && rc == 0; i++)
		if (word[w[i].at / 8] == w[i].value)
			word[w[i].at / 8] = own[i];
	c->region->used = h->image;
	free(own);
	return rc;
}

static void set_save_at(struct gpu *g, uint64_t cycle)
{
	uint64_t every = g->config->checkpoints->every;

	g->save_at = every ? ticks_of((cycle / every + 1) * every, g->m->clock.period[CLOCK_CORE]) : TIME_NEVER;
}

int gpu_checkpoints_begin(struct gpu *g, struct err *e)
{
	struct gpu_checkpoints *c = g->config->checkpoints;

	if (!c)
		return 0;
	if (refuse(g->config, e) != 0 || look_at_built(g, c, e) != 0)
		return -1;
	if (c->from) {
		if (check(g, c, e) != 0 || take_image(c, e) != 0)
			return -1;
		set_words(g);
		c->resumed = c->from->head.cycle;
	}
	set_save_at(g, c->resumed);
	return 0;
}

/* ---- writing ---- */

struct known { /* words that visit() names, ascending */
	const struct region *region;
	uint64_t n, cap, *at;
};

static void know(void *known, void *word)
{
	struct known *k = known;

	if (k->n == k->cap) {
		k->cap = k->cap ? 2 * k->cap : 1024;
		k->at = xrealloc(k->at, k->cap * sizeof *k->at);
	}
	k->at[k->n++] = (uint64_t)((char *)word - k->region->at);
}

static int by_place(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

static int check_words(const struct gpu_checkpoints *c, const struct known *k, const struct outside *o, struct err *e)
{
	const uint64_t *word = (const uint64_t *)c->region->at;
	uint64_t next = 0;

	for (uint64_t i = 0; i < c->region->used / 8; i++) {
		uint64_t at = 8 * i;

		if (!outside_has(o, word[i]))
			continue;
		while (next < c->words && c->word[next].at < at)
			next++;
		if (next < c->words && c->word[next].at == at && c->word[next].value == word[i])
			continue;
		if (!bsearch(&at, k->at, k->n, sizeof *k->at, by_place))
			return err_set(e, "word 0x%" PRIx64 " of the run, 0x%" PRIx64 ", may point outside of it", at, word[i]);
	}
	return 0;
}

static int may_be_written(struct gpu *g, struct err *e)
{
	const struct gpu_checkpoints *c = g->config->checkpoints;
	struct known k = {.region = c->region};
	struct outside o;
	int rc;

	if (outside_read(&o, e) != 0)
		return -1;
	visit(g, know, &k);
	qsort(k.at, k.n, sizeof *k.at, by_place);
	rc = check_words(c, &k, &o, e);
	free(k.at);
	outside_free(&o);
	return rc;
}

static int save(struct gpu *g, uint64_t cycle, struct err *e)
{
	const struct gpu_checkpoints *c = g->config->checkpoints;
	struct checkpoint_part part[CHECKPOINT_BESIDE + 2] = {{c->word, c->words * sizeof *c->word}};
	struct checkpoint_head h = {.program = c->program,
				    .machine = hash_of_machine(g->m),
				    .trace = trace_hash(g->trace),
				    .plan = plan_hash(g->config->plan),
				    .cycle = cycle,
				    .built = c->built,
				    .built_hash = c->built_hash,
				    .words = c->words,
				    .image = c->region->used,
				    .shares = g->loop.shares.n};
	unsigned n = 1;

	if (may_be_written(g, e) != 0)
		return -1;
	for (unsigned i = 0; i < c->n_beside; i++) {
		part[n++] = c->beside[i];
		h.beside += c->beside[i].bytes;
	}
	part[n++] = (struct checkpoint_part){c->region->at, c->region->used};
	return checkpoint_write(c->path, &h, part, n, e);
}

/* A run that cannot keep a checkpoint goes on: it is not what it is for. */
void gpu_checkpoint_note(struct gpu *g)
{
	struct gpu_checkpoints *c = g->config->checkpoints;
	struct err e = {""};
	uint64_t cycle;

	if (ticks_is_never(g->save_at) || !ticks_equal(g->loop.until, g->save_at))
		return;
	cycle = cycles_in(g->save_at, g->m->clock.period[CLOCK_CORE]);
	set_save_at(g, cycle);
	if (!dispatch_finished(&g->dispatch) && save(g, cycle, &e) != 0)
		err_set(&c->skipped, "checkpoint of cycle %" PRIu64 ": %s", cycle, e.text);
}

void gpu_checkpoints_free(struct gpu_checkpoints *c)
{
	free(c->word);
	c->word = NULL;
}
