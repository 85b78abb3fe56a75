/* One .traceg: a launch of one kernel.
 *
 * First pass: header, static instructions, where each thread block is, what is touched, loops that may wait. Second
 * pass: thread blocks in the order of their ids (the file may have another) into the writer. If there are such loops,
 * a pass between the two reads who modifies what they poll. All passes read a thread block with the same code.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "trace/accelsim_waits.h"

enum { MAX_SHARED = 256 << 10, MAX_LOCAL = 512 << 10 };

struct position { /* of a thread block in the file */
	uint32_t id, line;
	uint64_t at;
};

enum stage { STAGE_LEARN, STAGE_ORDER, STAGE_WRITE };

struct pass {
	struct import *im;
	enum stage stage;
	struct sass_waits *waits;
	struct text text;
	struct header head;
	struct statics *statics;
	struct position *position;
	uint32_t n_positions, cap_positions;
	uint32_t n_warps, last_lanes; /* of a block; the lanes of its last warp */
	uint64_t shared_end, local_min, local_end;
	uint32_t cta[3], cta_id; /* being read */
	struct sass sass;	 /* the line being read */
};

static int has_changed(struct pass *p, struct err *e)
{
	return text_error(&p->text, e, "the file has changed while it was read");
}

/* ---- an instruction ---- */

static int touch(struct pass *p, unsigned space, uint32_t mask, struct err *e)
{
	for (; mask; mask &= mask - 1) {
		uint64_t at = p->sass.addr[__builtin_ctz(mask)], end = at + p->sass.width;

		if (space == SPACE_SHARED && end > p->shared_end)
			p->shared_end = end;
		if (space == SPACE_LOCAL) {
			p->local_min = at < p->local_min ? at : p->local_min;
			p->local_end = end > p->local_end ? end : p->local_end;
		}
		if (space == SPACE_GLOBAL || space == SPACE_TEX)
			ranges_add(&p->im->touched, at, end);
	}
	if (p->shared_end > MAX_SHARED)
		return text_error(&p->text, e, "%s reaches %" PRIu64 " bytes into shared memory: there are at most %d",
				  p->sass.name, p->shared_end, MAX_SHARED);
	if (p->local_end > p->local_min && p->local_end - p->local_min > MAX_LOCAL)
		return text_error(&p->text, e, "%s: a thread's local memory would span %" PRIu64 " bytes: there are at most %d",
				  p->sass.name, p->local_end - p->local_min, MAX_LOCAL);
	return 0;
}

static int emit(struct pass *p, uint32_t warp, unsigned space, uint32_t mask, struct err *e)
{
	int64_t number = statics_find(p->statics, &p->sass, space);
	uint64_t shift = space == SPACE_LOCAL ? p->local_min : space == SPACE_CONST ? -(uint64_t)ACCELSIM_CONST_BASE : 0;

	if (number < 0)
		return has_changed(p, e);
	if (!sass_waits_write(p->waits, (uint32_t)number, space, mask))
		return 0;
	trace_put_run(p->im->w, warp, (uint32_t)number, 1, mask);
	p->im->warp_insts++;
	if (!mask || space == SPACE_NONE || space == SPACE_PARAM)
		return 0;
	for (uint32_t m = shift ? mask : 0; m; m &= m - 1)
		p->sass.addr[__builtin_ctz(m)] -= shift;
	trace_put_addrs(p->im->w, warp, mask, p->sass.addr);
	return 0;
}

static int visit(struct pass *p, uint32_t warp, unsigned space, uint32_t mask, struct err *e)
{
	if (p->stage == STAGE_WRITE)
		return emit(p, warp, space, mask, e);
	if (p->stage == STAGE_ORDER) {
		sass_waits_order(p->waits, &p->sass, space, mask);
		return 0;
	}
	sass_waits_find(p->waits, &p->sass, space, mask);
	if (space != SPACE_NONE && space != SPACE_PARAM && touch(p, space, mask, e))
		return -1;
	return statics_add(p->statics, &p->text, &p->sass, space, e);
}

/* The lanes of a generic access may go to several memories: one execution for each. */
static int visit_generic(struct pass *p, uint32_t warp, struct err *e)
{
	uint32_t shared = 0, local = 0, global;

	for (uint32_t m = p->sass.mask; m; m &= m - 1) {
		unsigned lane = (unsigned)__builtin_ctz(m);
		uint64_t *a = &p->sass.addr[lane];

		if (p->head.shared_base && *a - p->head.shared_base < ACCELSIM_WINDOW) {
			*a -= p->head.shared_base;
			shared |= UINT32_C(1) << lane;
		} else if (p->head.local_base && *a - p->head.local_base < ACCELSIM_WINDOW) {
			*a -= p->head.local_base;
			local |= UINT32_C(1) << lane;
		}
	}
	global = p->sass.mask & ~(shared | local);
	if (local && p->sass.code.op == OP_ATOM)
		return text_error(&p->text, e, "%s on local memory", p->sass.name);
	if (shared && visit(p, warp, SPACE_SHARED, shared, e))
		return -1;
	if (local && visit(p, warp, SPACE_LOCAL, local, e))
		return -1;
	return global || !p->sass.mask ? visit(p, warp, SPACE_GLOBAL, global, e) : 0;
}

static int instruction(struct pass *p, uint32_t warp, struct err *e)
{
	uint32_t lanes = warp + 1 == p->n_warps ? p->last_lanes : UINT32_MAX;

	if (sass_line(&p->text, &p->head, p->im->ops, p->cta, warp, &p->sass, e))
		return -1;
	if (p->sass.mask & ~lanes)
		return text_error(&p->text, e, "mask %08" PRIx32 " has lanes that warp %u of a block does not have (%08" PRIx32 ")",
				  p->sass.mask, warp, lanes);
	if (p->sass.code.space == SPACE_GENERIC)
		return visit_generic(p, warp, e);
	return visit(p, warp, p->sass.code.space, p->sass.mask, e);
}

/* ---- a thread block ---- */

static bool starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* The next line that is not empty. */
static int line_within(struct pass *p, struct err *e)
{
	int got;

	do {
		got = text_line(&p->text, e);
		if (got == 0)
			return text_error(&p->text, e, "the file ends within a thread block");
	} while (got > 0 && !p->text.buf[0]);
	return got < 0 ? -1 : 0;
}

static int stated_number(struct pass *p, const char *key, uint64_t max, uint64_t *out, struct err *e)
{
	if (!starts(p->text.buf, key))
		return text_error(&p->text, e, "\"%.40s\" is where \"%sN\" must be", p->text.buf, key);
	if (!text_number(p->text.buf + strlen(key), 10, max, out))
		return text_error(&p->text, e, "%s\"%.40s\": must be a whole number of at most %" PRIu64, key,
				  p->text.buf + strlen(key), max);
	return 0;
}

static void begin_warp(struct pass *p, uint32_t warp)
{
	if (p->stage == STAGE_LEARN)
		sass_waits_find_begin(p->waits, p->cta_id, warp);
	else if (p->stage == STAGE_ORDER)
		sass_waits_order_begin(p->waits, p->cta_id, warp);
	else
		sass_waits_write_begin(p->waits, p->cta_id, warp);
}

static int end_warp(struct pass *p, struct err *e)
{
	if (p->stage == STAGE_LEARN)
		sass_waits_find_end(p->waits);
	return p->stage == STAGE_WRITE && !sass_waits_write_end(p->waits) ? has_changed(p, e) : 0;
}

static int warp_lines(struct pass *p, uint32_t *seen, struct err *e)
{
	uint64_t warp, insts;

	if (stated_number(p, "warp = ", p->n_warps - 1, &warp, e))
		return -1;
	if (*seen >> warp & 1)
		return text_error(&p->text, e, "a second warp %" PRIu64 " in this thread block", warp);
	*seen |= UINT32_C(1) << warp;
	if (line_within(p, e) || stated_number(p, "insts = ", UINT32_MAX, &insts, e))
		return -1;
	if (!insts)
		return text_error(&p->text, e, "warp %" PRIu64 " has no instructions", warp);
	begin_warp(p, (uint32_t)warp);
	for (uint64_t i = 0; i < insts; i++) {
		if (line_within(p, e))
			return -1;
		if (p->text.buf[0] == '#' || starts(p->text.buf, "warp "))
			return text_error(&p->text, e, "warp %" PRIu64 " ends after %" PRIu64 " of %" PRIu64 " instructions", warp,
					  i, insts);
		if (instruction(p, (uint32_t)warp, e))
			return -1;
	}
	return end_warp(p, e);
}

static int block_position(struct pass *p, struct err *e)
{
	static const char key[] = "thread block = ";
	char *at = p->text.buf + sizeof key - 1, *part;
	uint64_t v;

	if (!starts(p->text.buf, key))
		return text_error(&p->text, e, "\"%.40s\" is where \"thread block = x,y,z\" must be", p->text.buf);
	for (int d = 0; d < 3; d++) {
		part = strsep(&at, ",");
		if (!part || !text_number(part, 10, UINT32_MAX, &v))
			return text_error(&p->text, e, "a thread block must be x,y,z");
		if (v >= p->head.grid[d])
			return text_error(&p->text, e, "thread block's %c is %" PRIu64 ", the grid's is %" PRIu32, "xyz"[d], v,
					  p -> head.grid[d]);
		p->cta[d] = (uint32_t)v;
	}
	p->cta_id = p->cta[0] + p->head.grid[0] * (p->cta[1] + p->head.grid[1] * p->cta[2]);
	return at ? text_error(&p->text, e, "a thread block must be x,y,z") : 0;
}

/* From behind #BEGIN_TB to #END_TB. */
static int thread_block(struct pass *p, struct err *e)
{
	uint32_t seen = 0, all = (uint32_t)((UINT64_C(1) << p->n_warps) - 1);

	if (line_within(p, e) || block_position(p, e))
		return -1;
	if (p->stage == STAGE_WRITE)
		trace_cta_begin(p->im->w, p->cta_id);
	for (;;) {
		if (line_within(p, e))
			return -1;
		if (starts(p->text.buf, "#END_TB"))
			break;
		if (starts(p->text.buf, "cluster ")) /* of Hopper's tracers; our machines have none */
			continue;
		if (warp_lines(p, &seen, e))
			return -1;
	}
	if (seen != all)
		return text_error(&p->text, e, "thread block %u,%u,%u has no warp %d", p->cta[0], p->cta[1], p->cta[2],
				  __builtin_ctz(all & ~seen));
	if (p->stage != STAGE_WRITE)
		return 0;
	sass_waits_cta_end(p->waits, p->cta_id);
	return trace_cta_end(p->im->w, e);
}

/* ---- the first pass ---- */

static int header_end(struct pass *p, struct err *e)
{
	struct header *h = &p->head;
	uint64_t threads = 1, ctas = 1;

	if (!h->have_grid || !h->have_block)
		return text_error(&p->text, e, "the header has no -%s dim", h->have_grid ? "block" : "grid");
	for (int d = 0; d < 3; d++) {
		threads = threads > 1024 ? threads : threads * h->block[d];
		ctas = ctas > UINT32_MAX ? ctas : ctas * h->grid[d];
	}
	if (threads > TRACE_WARP_SIZE * TRACE_MAX_WARPS || ctas > UINT32_MAX)
		return text_error(&p->text, e,
				  threads > 1024 ? "a block has more than 1024 threads" : "a grid has more than 2^32 - 1 blocks");
	p->n_warps = (uint32_t)(threads + TRACE_WARP_SIZE - 1) / TRACE_WARP_SIZE;
	p->last_lanes = UINT32_MAX >> (p->n_warps * TRACE_WARP_SIZE - threads);
	return 0;
}

static int note_block(struct pass *p, struct err *e)
{
	struct position at = {.line = p->text.line - 1, .at = p->text.at};

	if (!p->n_warps && header_end(p, e))
		return -1;
	if (thread_block(p, e))
		return -1;
	at.id = p->cta_id;
	if (p->n_positions == p->cap_positions) {
		p->cap_positions = p->cap_positions ? 2 * p->cap_positions : 64;
		p->position = xrealloc(p->position, p->cap_positions * sizeof *p->position);
	}
	p->position[p->n_positions++] = at;
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct position *x = a, *y = b;

	return x->id != y->id ? (x->id < y->id ? -1 : 1) : (x->line > y->line) - (x->line < y->line);
}

/* Each thread block of the grid once. */
static int check_blocks(struct pass *p, struct err *e)
{
	const uint32_t *g = p->head.grid;
	uint32_t i;

	if (!p->n_positions)
		return err_set(e, "%s: no thread block (#BEGIN_TB)", p->text.path);
	qsort(p->position, p->n_positions, sizeof *p->position, by_id);
	for (i = 0; i < p->n_positions && p->position[i].id == i; i++)
		;
	if (i > 0 && i < p->n_positions && p->position[i].id == i - 1)
		return err_set(e, "%s:%u: thread block %u,%u,%u a second time", p->text.path, p->position[i].line + 1,
			       (i - 1) % g[0], (i - 1) / g[0] % g[1], (i - 1) / g[0] / g[1]);
	if (i < g[0] * g[1] * g[2])
		return err_set(e, "%s: the grid is %ux%ux%u, but thread block %u,%u,%u is missing", p->text.path, g[0], g[1], g[2],
			       i % g[0], i / g[0] % g[1], i / g[0] / g[1]);
	return 0;
}

static int first_pass(struct pass *p, struct err *e)
{
	int got;

	while ((got = text_line(&p->text, e)) > 0) {
		const char *s = p->text.buf;

		if (starts(s, "#BEGIN_TB"))
			got = note_block(p, e);
		else if (*s == '-' && !p->n_warps)
			got = header_line(&p->text, &p->head, e);
		else if (*s && (*s != '#' || starts(s, "#END_TB")))
			got = text_error(&p->text, e, "\"%.40s\" is outside a thread block", s);
		if (got < 0)
			return -1;
	}
	return got < 0 ? -1 : check_blocks(p, e);
}

/* ---- the others ---- */

static int each_block(struct pass *p, enum stage stage, struct err *e)
{
	p->stage = stage;
	for (uint32_t i = 0; i < p->n_positions; i++) {
		if (text_seek(&p->text, p->position[i].at, p->position[i].line, e) || line_within(p, e) || thread_block(p, e))
			return -1;
		if (p->cta_id != p->position[i].id)
			return has_changed(p, e);
	}
	return 0;
}

/* Which waits are released, and by what. */
static int between(struct pass *p, struct err *e)
{
	if (!p->waits->n_loops)
		return 0;
	sass_waits_order_open(p->waits);
	if (each_block(p, STAGE_ORDER, e))
		return -1;
	sass_waits_decide(p->waits);
	sass_waits_write_open(p->waits, p->n_positions);
	return 0;
}

static uint32_t declare(struct pass *p)
{
	struct trace_kernel k = {.name = p->head.name[0] ? p->head.name : p->text.path, .regs_per_thread = p->head.registers};

	p->local_min &= ~UINT64_C(15);
	statics_number(p->statics, &k);
	k.shared_bytes = p->shared_end > p->head.shared_bytes ? (uint32_t)p->shared_end : p->head.shared_bytes;
	k.local_bytes = p->local_end ? (uint32_t)((p->local_end - p->local_min + 7) & ~UINT64_C(7)) : 0;
	return trace_add_kernel(p->im->w, &k);
}

static int second_pass(struct pass *p, struct err *e)
{
	if (trace_launch_begin(p->im->w, declare(p), p->head.grid, p->head.block, 0, e))
		return err_prefix(e, "%s", p->text.path);
	if (each_block(p, STAGE_WRITE, e))
		return -1;
	sass_waits_put(p->waits, p->im->w);
	return trace_launch_end(p->im->w, e);
}

int kernel_import(struct import *im, const char *path, struct err *e)
{
	struct pass *p = xcalloc(1, sizeof *p);
	int rc;

	p->im = im;
	p->local_min = UINT64_MAX;
	p->statics = statics_new();
	p->waits = sass_waits_new();
	rc = text_open(&p->text, path, im->max_unpacked, e) || first_pass(p, e) || between(p, e) || second_pass(p, e) ? -1 : 0;
	im->kept += p->waits->kept;
	im->kept_loops += p->waits->kept_loops;
	text_close(&p->text);
	sass_waits_free(p->waits);
	statics_free(p->statics);
	free(p->position);
	free(p);
	return rc;
}
