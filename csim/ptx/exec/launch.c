/* ptx_run: a launch, CTA by CTA. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/exec/sanitizer.h"
#include "ptx/exec/resident.h"
#include "trace/folds.h"

enum { MAX_THREADS = EXEC_MAX_WARPS * LANES, SPIN_AFTER = 1 << 20, SPIN_WINDOW = 1 << 12, DEFAULT_SMS = 80 };
static const uint64_t MAX_FILES_BYTES = UINT64_C(4) << 30;

static uint64_t product(const uint32_t n[3])
{
	uint64_t plane = (uint64_t)n[0] * n[1];

	return n[2] && plane > UINT64_MAX / n[2] ? UINT64_MAX : plane * n[2];
}

static uint64_t threads_of(const struct ptx_launch *l)
{
	return product(l->block);
}

uint32_t ptx_max_threads(const struct ptx_kernel *k)
{
	return ptx_func_threads(k->func);
}

int ptx_check_block(const struct ptx_kernel *k, const uint32_t block[3], struct err *e)
{
	const uint32_t *exact = k->func->exact_threads, *most = k->func->most_threads;

	if (exact[0] && memcmp(block, exact, 3 * sizeof *block) != 0)
		return err_set(e, "kernel %s: a block of %u x %u x %u threads; its .reqntid requires %u x %u x %u", k->func->name,
			       block[0], block[1], block[2], exact[0], exact[1], exact[2]);
	if (most[0] && product(block) > product(most))
		return err_set(e, "kernel %s: a block of %u x %u x %u threads is larger than its .maxntid allows (%llu)",
			       k->func->name, block[0], block[1], block[2], (unsigned long long)product(most));
	return 0;
}

static int check_shape(const struct ptx_kernel *k, const struct ptx_launch *l, struct err *e)
{
	const char *name = k->func->name;

	for (int d = 0; d < 3; d++) {
		if (!l->grid[d] || !l->block[d])
			return err_set(e, "kernel %s: a grid or a block of 0", name);
		if (l->block[d] > MAX_THREADS || l->grid[d] > INT32_MAX)
			return err_set(e, "kernel %s: a block of %u x %u x %u threads; at most 1024 fit", name, l->block[0],
				       l->block[1], l->block[2]);
	}
	if (threads_of(l) > MAX_THREADS)
		return err_set(e, "kernel %s: a block of %u x %u x %u threads; at most 1024 fit", name, l->block[0], l->block[1],
			       l->block[2]);
	if ((uint64_t)l->grid[0] * l->grid[1] > UINT32_MAX / l->grid[2])
		return err_set(e, "kernel %s: a grid of %u x %u x %u CTAs is more than 2^32 of them", name, l->grid[0], l->grid[1],
			       l->grid[2]);
	return 0;
}

static int refuse(const struct ptx_kernel *k, const struct ptx_complaint *c, struct err *e)
{
	if (!c->opcode)
		return err_set(e, "%s:%u: kernel %s is not supported: %s", k->module->name, c->line, k->func->name, c->why);
	return err_set(e, "%s:%u: kernel %s: %s is not supported: %s", k->module->name, c->line, k->func->name, c->opcode, c->why);
}

int ptx_check(const struct ptx_kernel *k, const struct ptx_launch *l, struct err *e)
{
	const char *name = k->func->name;

	if (k->n_complaints)
		return refuse(k, &k->complaints[0], e);
	if (check_shape(k, l, e) < 0 || ptx_check_block(k, l->block, e) < 0)
		return -1;
	if ((uint64_t)k->trace.shared_bytes + l->dynamic_shared_bytes > SHARED_MOST)
		return err_set(e, "kernel %s: %llu bytes of shared memory (%u static, %u dynamic); at most %u are available", name,
			       (unsigned long long)k->trace.shared_bytes + l->dynamic_shared_bytes, k->trace.shared_bytes,
			       l->dynamic_shared_bytes, SHARED_MOST);
	if ((threads_of(l) + LANES) * ((uint64_t)k->file_bytes / LANES + k->trace.local_bytes) > MAX_FILES_BYTES)
		return err_set(e, "kernel %s: registers and local memory of a CTA exceed 4 GiB", name);
	if (k->n_relocs && !k->module->bound)
		return err_set(e, "kernel %s uses variables of its module, which has not been bound to a memory", name);
	if (k->func->param_bytes && !l->params)
		return err_set(e, "kernel %s needs %u bytes of parameters", name, k->func->param_bytes);
	return 0;
}

void exec_take_room(struct exec *x)
{
	const struct ptx_kernel *k = x->k;
	uint64_t threads = threads_of(x->launch);

	x->shared = xcalloc(1, x->shared_bytes);
	x->local = xcalloc((size_t)x->n_warps * LANES, k->trace.local_bytes);
	x->frame = xcalloc((size_t)x->n_warps * LANES, k->frame_bytes);
	x->sanitizer = sanitizer_new(x);
	memset(x->warp, 0, sizeof x->warp);
	for (unsigned i = 0; i < x->n_warps; i++) {
		struct warp *w = &x->warp[i];
		uint64_t left = threads - (uint64_t)i * LANES;

		w->id = i;
		w->exists = left >= LANES ? UINT32_MAX : (1u << left) - 1;
		w->file = aligned_alloc(64, k->file_bytes);
		if (!w->file)
			w->file = xmalloc(SIZE_MAX); /* ends the program as every lack of memory does */
		memset(w->file, 0, k->file_bytes);
	}
}

void exec_free_room(struct exec *x)
{
	for (unsigned i = 0; i < x->n_warps; i++) {
		free(x->warp[i].file);
		free(x->warp[i].stack);
		free(x->warp[i].kept);
		free(x->warp[i].failed);
		free(x->warp[i].slept);
	}
	free(x->shared);
	free(x->local);
	free(x->frame);
	sanitizer_free(x->sanitizer);
	x->sanitizer = NULL;
}

/* Of each pc of the trace: how many instructions before it an assembler leaves. */
static uint32_t *count_unfolded(const struct trace_kernel *k)
{
	uint32_t *n = xcalloc(k->n_inst + 1u, sizeof *n);

	for (uint32_t i = 0; i < k->n_inst; i++)
		n[i + 1] = n[i] + !(k->folds && trace_is_folded(&k->folds[i]));
	return n;
}

static void begin(struct exec *x)
{
	const struct ptx_kernel *k = x->k;

	x->n_warps = (uint32_t)((threads_of(x->launch) + LANES - 1) / LANES);
	x->shared_bytes = k->trace.shared_bytes + x->launch->dynamic_shared_bytes;
	x->hit = xcalloc(k->n_mems + 1u, sizeof *x->hit);
	x->warned = xcalloc(k->n_mems + 1u, sizeof *x->warned);
	x->sms = k->module->sms ? k->module->sms : DEFAULT_SMS;
	x->log_bytes = k->module->limits.log_bytes ? k->module->limits.log_bytes : PTX_LOG_BYTES;
	x->warp_insts = x->w ? k->module->limits.warp_insts : 0;
	if (x->w)
		trace_set_log_limit(x->w, x->warp_insts && PTX_LOG_BEFORE_CUT < x->log_bytes ? PTX_LOG_BEFORE_CUT : x->log_bytes);
	if (x->warp_insts)
		x->unfolded = count_unfolded(&k->trace);
	x->orders = exec_may_order(k);
	x->takes = exec_find_takes(k);
	if (x->w && x->orders)
		x->global = sync_log_new();
	x->spin_after = SPIN_AFTER;
	x->spin_window = SPIN_WINDOW;
	exec_take_room(x);
}

static void end(struct exec *x)
{
	exec_free_room(x);
	free(x->takes);
	sync_log_free(x->global);
	sync_log_free(x->of_cta);
	free(x->hit);
	free(x->warned);
	free(x->spin_file);
	free(x->unfolded);
}

int ptx_run(const struct ptx_kernel *k, const struct ptx_launch *l, struct memory *mem, struct trace_writer *w,
	    uint32_t trace_kernel_index, struct err *e)
{
	struct exec x = {.k = k, .launch = l, .mem = mem, .w = w, .e = e, .params = l->params};
	int r;

	if (ptx_check(k, l, e) < 0)
		return -1;
	if (w && trace_launch_begin(w, trace_kernel_index, l->grid, l->block, l->dynamic_shared_bytes, e) < 0)
		return -1;
	begin(&x);
	r = resident_run(&x);
	if (!r && w)
		r = trace_launch_end(w, e);
	if (w && x.of_sms)
		trace_set_sms(w, x.sms);
	if (w && x.parted)
		trace_set_independent_lanes(w);
	k->module->warp_insts += x.insts + x.reads;
	k->module->launches++;
	k->module->was_cut |= x.was_cut;
	end(&x);
	return r;
}
