/* The public face: ptx.h. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/heap.h"
#include "ptx/lower/lower.h"
#include "ptx/ptx.h"
#include "ptx/texture.h"

static void lower_all(struct ptx_module *m)
{
	unsigned n = 0;

	for (struct ptx_func *f = m->funcs; f; f = f->next)
		n += f->is_entry && f->has_body;
	m->kernels = arena_array(&m->arena, n + 1, sizeof *m->kernels);
	for (struct ptx_func *f = m->funcs; f; f = f->next) {
		if (!f->is_entry || !f->has_body)
			continue;
		names_add(&m->kernel_names, f->name, m->n_kernels);
		f->kernel = m->kernels[m->n_kernels++] = lower_kernel(m, f);
	}
}

struct ptx_module *ptx_parse(const char *text, size_t bytes, const char *name, struct err *e)
{
	return ptx_parse_in(PTX_TEXT_ORDER, text, bytes, name, e);
}

struct ptx_module *ptx_parse_in(enum ptx_order order, const char *text, size_t bytes, const char *name, struct err *e)
{
	struct ptx_module *m = xcalloc(1, sizeof *m);

	m->reorders = order == PTX_ASSEMBLER_ORDER;
	m->name = arena_strdup(&m->arena, name);
	if (ptx_parse_module(m, text, bytes, e) < 0) {
		ptx_close(m);
		return NULL;
	}
	lower_all(m);
	return m;
}

void ptx_close(struct ptx_module *m)
{
	if (!m)
		return;
	names_free(&m->kernel_names);
	arena_free(&m->arena);
	free(m);
}

unsigned ptx_n_kernels(const struct ptx_module *m)
{
	return m->n_kernels;
}

const struct ptx_kernel *ptx_kernel_at(const struct ptx_module *m, unsigned i)
{
	return i < m->n_kernels ? m->kernels[i] : NULL;
}

int ptx_kernel_number(const struct ptx_module *m, const char *name)
{
	return names_find(&m->kernel_names, name);
}

const struct ptx_kernel *ptx_kernel_named(const struct ptx_module *m, const char *name)
{
	int i = ptx_kernel_number(m, name);

	return i < 0 ? NULL : m->kernels[i];
}

const char *ptx_kernel_name(const struct ptx_kernel *k)
{
	return k->func->name;
}

unsigned ptx_n_params(const struct ptx_kernel *k)
{
	return k->func->n_params;
}

struct ptx_param ptx_param_at(const struct ptx_kernel *k, unsigned i)
{
	struct ptx_param p = {0};
	const struct ptx_var *v = k->func->params;

	while (v && i--)
		v = v->next;
	if (!v)
		return p;
	p.name = v->name;
	p.bytes = (uint32_t)v->bytes;
	p.align = v->align;
	p.offset = (uint32_t)v->address;
	strncpy(p.type, ptx_type_name(v->type), sizeof p.type - 1);
	return p;
}

bool ptx_prints(const struct ptx_kernel *k)
{
	return k->n_prints != 0;
}

uint32_t ptx_param_bytes(const struct ptx_kernel *k)
{
	return k->func->param_bytes;
}

const struct trace_kernel *ptx_trace_kernel(const struct ptx_kernel *k)
{
	return &k->trace;
}

uint64_t ptx_warp_insts(const struct ptx_module *m)
{
	return m->warp_insts;
}

void ptx_print_to(struct ptx_module *m, FILE *to)
{
	m->print_to = to;
}

void ptx_set_independent_lanes(struct ptx_module *m, bool on)
{
	m->independent_lanes = on;
}

void ptx_set_sms(struct ptx_module *m, uint32_t sms)
{
	m->sms = sms;
}

void ptx_set_heap(struct ptx_module *m, uint64_t bytes)
{
	m->heap_bytes = bytes;
}

void ptx_set_findings(struct ptx_module *m, struct findings *f)
{
	m->findings = f;
}

void ptx_set_oob(struct ptx_module *m, enum ptx_oob what)
{
	m->oob = what;
}

void ptx_set_limits(struct ptx_module *m, struct ptx_limits l)
{
	m->limits = l;
}

bool ptx_was_cut(const struct ptx_kernel *k)
{
	return k->module->was_cut;
}

int ptx_oob_named(const char *name)
{
	static const char *const names[] = {"stop", "warn", "zero"};

	for (int i = PTX_OOB_STOP; i <= PTX_OOB_ZERO; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

uint64_t ptx_reference(const struct ptx_module *m, const char *name)
{
	for (const struct ptx_var *v = m->vars; v; v = v->next)
		if ((v->space == SPACE_TEX || v->type == PT_TEXREF || v->type == PT_SURFREF) && !strcmp(v->name, name))
			return v->address;
	return 0;
}

/* ---- binding: the module's variables get their addresses in device memory ---- */

static bool is_bound(const struct ptx_var *v)
{
	return (v->space == SPACE_GLOBAL || v->space == SPACE_CONST) && !v->is_extern && v->type < PT_TEXREF && v->bytes;
}

static int add_variable(struct ptx_var *v, struct memory *mem, struct err *e)
{
	v->memory_index = memory_add(mem, v->name, v->bytes, e);
	if (v->memory_index < 0)
		return -1;
	v->address = mem->buffer[v->memory_index].base;
	if (v->init_bytes)
		memcpy(mem->buffer[v->memory_index].bytes, v->init, v->init_bytes);
	return 0;
}

static uint64_t target_address(const struct ptx_var *v, const struct ptx_func *f)
{
	for (unsigned most = 64; f && f->alias && most; most--)
		f = f->alias;
	if (v && v->definition)
		v = v->definition;
	return v ? v->address : CODE_WINDOW + (uint64_t)CODE_STEP * (f->module->first_code + f->number);
}

static void fill_addresses(const struct ptx_var *v, struct memory *mem)
{
	for (const struct ptx_reloc *r = v->relocs; r; r = r->next) {
		uint64_t address = (target_address(r->var, r->func) + r->add) >> r->shift;

		memcpy(mem->buffer[v->memory_index].bytes + r->at, &address, r->bytes);
	}
}

void ptx_fill_constants(struct ptx_kernel *k)
{
	for (unsigned i = 0; i < k->n_relocs; i++) {
		const struct pool_reloc *r = &k->relocs[i];
		uint64_t address = (target_address(r->var, r->func) + (uint64_t)r->add) >> r->shift;

		for (unsigned l = 0; l < LANES; l++)
			memcpy(k->pool + r->offset + l * r->size, &address, r->size);
	}
}

/* Initial values and constants that are addresses: of m's own variables, or of those of modules that are bound. */
static void fill_all(struct ptx_module *m, struct memory *mem)
{
	for (const struct ptx_var *v = m->vars; v; v = v->next)
		if (is_bound(v))
			fill_addresses(v, mem);
	for (unsigned i = 0; i < m->n_kernels; i++)
		ptx_fill_constants(m->kernels[i]);
}

int ptx_bind(struct ptx_module *m, struct memory *mem, struct err *e)
{
	m->first_code = mem->n_code;
	mem->n_code += m->n_funcs;
	for (struct ptx_var *v = m->vars; v; v = v->next)
		if (is_bound(v) && add_variable(v, mem, e) < 0)
			return -1;
	if (m->uses_heap && heap_add(mem, m->heap_bytes ? m->heap_bytes : HEAP_BYTES, e) < 0)
		return -1;
	for (struct ptx_var *v = m->vars; v; v = v->next)
		if (v->space == SPACE_TEX || v->type == PT_TEXREF)
			v->address = texture_declare(mem, v->name, false);
		else if (v->type == PT_SURFREF)
			v->address = texture_declare(mem, v->name, true);
	m->bound = true;
	fill_all(m, mem);
	for (unsigned i = 0; i < m->n_users; i++)
		if (m->users[i]->bound)
			fill_all(m->users[i], mem);
	return 0;
}

uint64_t ptx_variable(const struct ptx_module *m, const char *name, uint64_t *bytes)
{
	for (const struct ptx_var *v = m->vars; v; v = v->next) {
		if (!m->bound || !is_bound(v) || strcmp(v->name, name) != 0)
			continue;
		*bytes = v->bytes;
		return v->address;
	}
	return 0;
}
