/* Buffers, modules and launches of a host program. Options: args.c; checks of results: check.c. */
#include "workload/program_impl.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cputime.h"
#include "base/panic.h"
#include "ptx/exec/findings.h"
#include "ptx/heap.h"
#include "taf/taf.h"
#include "workload/streams.h"

struct host *host_new(const struct host_options *o, struct err *e)
{
	struct host *h = xcalloc(1, sizeof *h);

	h->w = o->w;
	h->print_to = o->print_to;
	h->oob = o->oob;
	h->limits = o->limits;
	h->order = o->order;
	h->sms = o->sms;
	h->independent_lanes = o->independent_lanes;
	h->findings = o->findings;
	h->files = o->files;
	h->max_unpacked = o->max_unpacked;
	h->analyse = o->analyse;
	h->taf = o->taf;
	h->keep_descriptors = o->descriptors;
	h->memory.align = o->align;
	h->memory.window = o->window;
	if (host_args_init(h, o, e) || (o->ptx_path && host_module(h, o->ptx_path, e))) {
		host_free(h);
		return NULL;
	}
	h->began = cpu_seconds();
	return h;
}

void host_free(struct host *h)
{
	if (!h)
		return;
	for (unsigned i = 0; i < h->n_modules; i++)
		ptx_close(h->module[i].ptx);
	free(h->module);
	free(h->asked);
	host_descriptors_free(h);
	memory_free(&h->memory);
	arena_free(&h->arena);
	free(h);
}

/* Tells the trace of the buffers that were added since the last call. */
static int note_buffers(struct host *h, struct err *e)
{
	for (; h->n_seen < h->memory.n; h->n_seen++) {
		const struct memory_buffer *b = &h->memory.buffer[h->n_seen];

		if (h->w && trace_add_buffer(h->w, b->name, b->base, b->size, e))
			return -1;
	}
	return 0;
}

static int take_module(struct host *h, struct ptx_module *ptx, struct err *e)
{
	struct host_module m = {.ptx = ptx};

	if (!ptx)
		return -1;
	ptx_print_to(ptx, h->print_to);
	ptx_set_oob(ptx, h->oob);
	ptx_set_limits(ptx, h->limits);
	ptx_set_findings(ptx, h->findings);
	ptx_set_heap(ptx, h->heap_bytes);
	ptx_set_sms(ptx, h->sms);
	ptx_set_independent_lanes(ptx, h->independent_lanes);
	m.kernel = arena_array(&h->arena, ptx_n_kernels(ptx) + 1u, sizeof *m.kernel);
	for (unsigned i = 0; i < ptx_n_kernels(ptx); i++)
		m.kernel[i].trace_index = -1;
	for (unsigned i = 0; i < h->n_modules; i++)
		ptx_link(ptx, h->module[i].ptx);
	h->module = xgrow(h->module, h->n_modules, sizeof *h->module);
	h->module[h->n_modules++] = m;
	if (ptx_bind(ptx, &h->memory, e) || note_buffers(h, e))
		return -1;
	for (unsigned i = 0; i + 1 < h->n_modules; i++)
		ptx_link(h->module[i].ptx, ptx);
	return 0;
}

int host_module(struct host *h, const char *ptx_path, struct err *e)
{
	return take_module(h, ptx_open_in(h->order, ptx_path, e), e);
}

int host_module_text(struct host *h, const char *text, size_t n, const char *name, struct err *e)
{
	return take_module(h, ptx_parse_in(h->order, text, n, name, e), e);
}

int host_set_heap(struct host *h, uint64_t bytes, struct err *e)
{
	h->heap_bytes = bytes;
	return heap_is_there(&h->memory) && (heap_grow(&h->memory, bytes, e) || note_buffers(h, e)) ? -1 : 0;
}

unsigned host_n_modules(const struct host *h)
{
	return h->n_modules;
}

const struct ptx_module *host_ptx(const struct host *h, unsigned module)
{
	return h->module[module].ptx;
}

/* ---- memory ---- */

uint64_t host_alloc(struct host *h, const char *name, uint64_t bytes, struct err *e)
{
	int i = memory_add(&h->memory, name, bytes, e);

	return i < 0 || note_buffers(h, e) ? 0 : h->memory.buffer[i].base;
}

static void *alloc_words(struct host *h, const char *name, uint64_t n, uint64_t *addr, struct err *e)
{
	if (n > UINT64_MAX / 4) {
		err_set(e, "buffer %s: %llu numbers of 4 bytes are more than 2^64 bytes", name, (unsigned long long)n);
		return NULL;
	}
	*addr = host_alloc(h, name, 4 * n, e);
	return *addr ? host_bytes(h, *addr, 4 * n) : NULL;
}

float *host_alloc_f32(struct host *h, const char *name, uint64_t n, uint64_t *addr, struct err *e)
{
	return alloc_words(h, name, n, addr, e);
}

uint32_t *host_alloc_u32(struct host *h, const char *name, uint64_t n, uint64_t *addr, struct err *e)
{
	return alloc_words(h, name, n, addr, e);
}

void *host_scratch(struct host *h, uint64_t count, uint64_t size)
{
	return arena_array(&h->arena, count, size);
}

void *host_bytes(struct host *h, uint64_t addr, uint64_t bytes)
{
	void *p = memory_at(&h->memory, addr, bytes);

	if (!p)
		panic("host", 0, "%llu bytes at 0x%llx are outside every buffer", (unsigned long long)bytes,
		      (unsigned long long)addr);
	return p;
}

void *host_variable(struct host *h, const char *name, uint64_t bytes, struct err *e)
{
	int i = memory_named(&h->memory, name);

	if (i >= 0 && h->memory.buffer[i].size >= bytes)
		return h->memory.buffer[i].bytes;
	err_set(e, "the PTX has no variable %s of %llu bytes", name, (unsigned long long)bytes);
	return NULL;
}

struct memory *host_memory(struct host *h)
{
	return &h->memory;
}

void host_store_array(struct host *h, uint64_t addr, uint32_t bytes, uint64_t n, const void *values)
{
	void *to;

	if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
		panic("host", 0, "a store of %u bytes", bytes);
	to = host_bytes(h, addr, bytes * n);
	if (to != values)
		memmove(to, values, bytes * n);
	if (h->taf && !h->launches)
		taf_stores_add(&h->taf->stores, addr, bytes, n, to);
}

int host_value_insts(struct host *h, uint64_t insts, struct err *e)
{
	if (insts > HOST_MAX_VALUE_INSTS)
		return err_set(e, "host_value_insts: %llu instructions for a value are not in 0..%d", (unsigned long long)insts,
			       HOST_MAX_VALUE_INSTS);
	if (h->taf)
		h->taf->stores.insts = (uint32_t)insts;
	return 0;
}

void host_store(struct host *h, uint64_t addr, uint32_t bytes, uint64_t value)
{
	host_store_array(h, addr, bytes, 1, &value); /* the device and the host are both little endian */
}

void host_store_traced(struct host *h, uint64_t addr, uint32_t bytes, uint64_t value)
{
	host_store(h, addr, bytes, value);
	if (bytes < 8)
		value &= (UINT64_C(1) << 8 * bytes) - 1;
	if (h->w)
		trace_add_store(h->w, addr, bytes, value);
}

void host_note_copy(struct host *h, const struct trace_copy *c)
{
	if (h->w)
		trace_add_copy(h->w, c);
}

int host_bind_texture(struct host *h, const char *texref, const struct texture_view *v, struct err *e)
{
	struct err why = {""};

	return texture_bind(&h->memory, texref, false, v, &why) ? err_set(e, "texture %s: %s", texref, why.text) : 0;
}

int host_bind_surface(struct host *h, const char *surfref, const struct texture_view *v, struct err *e)
{
	struct err why = {""};

	return texture_bind(&h->memory, surfref, true, v, &why) ? err_set(e, "surface %s: %s", surfref, why.text) : 0;
}

uint64_t host_texture(struct host *h, const struct texture_view *v, struct err *e)
{
	return texture_new(&h->memory, false, v, e);
}

uint64_t host_surface(struct host *h, const struct texture_view *v, struct err *e)
{
	return texture_new(&h->memory, true, v, e);
}

int host_destroy_view(struct host *h, uint64_t handle, struct err *e)
{
	return texture_destroy(&h->memory, handle, e);
}

/* ---- launches ---- */

struct host_arg host_u32(uint32_t v)
{
	return (struct host_arg){.bytes = 4, .bits = v};
}

struct host_arg host_u64(uint64_t v)
{
	return (struct host_arg){.bytes = 8, .bits = v};
}

struct host_arg host_f32(float v)
{
	struct host_arg a = {.bytes = 4};

	memcpy(&a.bits, &v, sizeof v);
	return a;
}

struct host_arg host_f64(double v)
{
	struct host_arg a = {.bytes = 8};

	memcpy(&a.bits, &v, sizeof v);
	return a;
}

/* The kernel's parameter block, or NULL. */
static void *parameter_block(struct host *h, const struct ptx_kernel *k, unsigned n_args, const struct host_arg *args,
			     struct err *e)
{
	unsigned char *block = arena_alloc(&h->arena, ptx_param_bytes(k) + 1u);

	if (n_args != ptx_n_params(k)) {
		err_set(e, "kernel %s takes %u arguments; the launch gives %u", ptx_kernel_name(k), ptx_n_params(k), n_args);
		return NULL;
	}
	for (unsigned i = 0; i < n_args; i++) {
		struct ptx_param p = ptx_param_at(k, i);

		if (args[i].bytes != p.bytes) {
			err_set(e, "kernel %s: parameter %u (%s, .%s) has %u bytes; the launch gives %u", ptx_kernel_name(k), i,
				p.name, p.type, p.bytes, args[i].bytes);
			return NULL;
		}
		memcpy(block + p.offset, args[i].by_ref ? args[i].by_ref : &args[i].bits, p.bytes);
	}
	return block;
}

static const struct ptx_kernel *find_kernel(struct host *h, const char *name, struct kernel_stream **more, struct err *e)
{
	for (unsigned i = 0; i < h->n_modules; i++) {
		const struct host_module *m = &h->module[i];

		int k = ptx_kernel_number(m->ptx, name);

		if (k < 0)
			continue;
		*more = &m->kernel[k];
		return ptx_kernel_at(m->ptx, (unsigned)k);
	}
	err_set(e, "no kernel \"%s\" in the PTX", name);
	return NULL;
}

void host_set_registers(struct host *h, const char *kernel, uint32_t n)
{
	struct kernel_stream *k;

	PANIC_UNLESS(find_kernel(h, kernel, &k, NULL) && k->trace_index < 0, "host", 0);
	k->registers = n;
}

/* The kernel's number in the trace, which gets it if need be. */
static uint32_t traced(struct host *h, const struct ptx_kernel *k, struct kernel_stream *more)
{
	struct trace_kernel t;

	if (!h->w)
		return 0;
	if (more->trace_index < 0) {
		t = *ptx_trace_kernel(k);
		t.regs_per_thread = more->registers ? more->registers : t.regs_per_thread;
		more->trace_index = trace_add_kernel(h->w, &t);
	}
	return (uint32_t)more->trace_index;
}

static void analyse(struct host *h, const struct ptx_kernel *k, const struct ptx_launch *l)
{
	const struct affine_launch **more;
	double start;

	if (!h->analyse)
		return;
	start = cpu_seconds();
	if (h->launches == h->cap_analyses) {
		h->cap_analyses = h->cap_analyses ? 2 * h->cap_analyses : 16;
		more = arena_array(h->analyse, h->cap_analyses, sizeof *more);
		memcpy(more, h->analysis ? h->analysis : more, h->launches * sizeof *more);
		h->analysis = more;
	}
	h->analysis[h->launches] = affine_analyse(k, l, &h->memory, h->analyse);
	h->seconds.analysis += cpu_seconds() - start;
}

const struct affine_launch *const *host_analyses(const struct host *h)
{
	return h->analysis;
}

bool host_was_cut(const struct host *h)
{
	return h->cut;
}

static int launch(struct host *h, const struct ptx_kernel *k, struct kernel_stream *more, const struct ptx_launch *l, struct err *e)
{
	uint32_t trace_index;
	double start;
	int rc;

	if (ptx_check(k, l, e) || note_buffers(h, e))
		return HOST_REFUSED;
	if (h->unrecorded)
		return ptx_run(k, l, &h->memory, NULL, 0, e);
	if ((h->taf && !h->launches && taf_finish(h->taf, e)) || host_descriptors_launch(h, ptx_kernel_name(k), l, e) != 0)
		return HOST_MISREPRESENTED;
	trace_index = traced(h, k, more);
	if (!h->launches)
		h->seconds.before = cpu_seconds() - h->began;
	analyse(h, k, l);
	start = cpu_seconds();
	if (h->findings)
		h->findings->launch = h->launches;
	rc = ptx_run(k, l, &h->memory, h->w, trace_index, e);
	h->launches++;
	h->seconds.launches += cpu_seconds() - start;
	h->cut = rc == 0 && ptx_was_cut(k);
	return h->cut ? err_set(e, "kernel %s: cut, as the limits of the run allow", ptx_kernel_name(k)) : rc;
}

int host_launch(struct host *h, const char *kernel, struct host_dim grid, struct host_dim block, uint32_t dynamic_shared_bytes,
		unsigned n_args, const struct host_arg *args, struct err *e)
{
	struct ptx_launch l = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, dynamic_shared_bytes, NULL};
	const struct ptx_kernel *k;
	struct kernel_stream *more;

	PANIC_UNLESS(h->args_done, "host", 0);
	k = find_kernel(h, kernel, &more, e);
	if (!k || !(l.params = parameter_block(h, k, n_args, args, e)))
		return -1;
	return launch(h, k, more, &l, e) ? -1 : 0;
}

int host_launch_block(struct host *h, unsigned module, const struct ptx_kernel *k, const struct ptx_launch *l, struct err *e)
{
	const struct host_module *m = &h->module[module];
	int i;

	PANIC_UNLESS(h->args_done, "host", 0);
	i = ptx_kernel_number(m->ptx, ptx_kernel_name(k));
	PANIC_UNLESS(i >= 0 && ptx_kernel_at(m->ptx, (unsigned)i) == k, "host: a kernel of another module", 0);
	return launch(h, k, &m->kernel[i], l, e);
}

void host_wait_for(struct host *h, const struct wait_set *w)
{
	if (h->w)
		trace_set_waits(h->w, w->below, w->n, w->at);
}

void host_record(struct host *h, bool on)
{
	h->unrecorded = !on;
}

struct trace *host_trace_so_far(struct host *h, struct err *e)
{
	return h->w ? trace_writer_so_far(h->w, e) : NULL;
}

struct host_seconds host_seconds(const struct host *h)
{
	return h->seconds;
}

uint32_t host_launches(const struct host *h)
{
	return h->launches;
}

uint64_t host_warp_insts(const struct host *h)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < h->n_modules; i++)
		n += ptx_warp_insts(h->module[i].ptx);
	return n;
}

/* ---- what this run is ---- */

void host_describe(struct host *h, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	h->description = arena_strdup(&h->arena, text);
}

const char *host_description(const struct host *h)
{
	return h->description ? h->description : "";
}
