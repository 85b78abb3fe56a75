#include "session/gpu_tracker.h"

#include <stdio.h>
#include <string.h>

#include "run/gpu.h"
#include "workload/program.h"

enum { BLOCK = 128 /* threads of the kernel's blocks */ };

struct kernel_array { /* struct array of kernel.cu */
	uint64_t values, table, start, end, n;
	uint32_t size, type;
	uint32_t m[6], c, ofs, iterations, c_s, c_e;
	uint32_t block[3], grid[3];
};

struct program {
	const struct taf *taf;
	struct host *h;
	uint64_t metadata;	     /* device address of what is at TAF_BASE */
	uint64_t values[TAF_ARRAYS]; /* of each array of struct phase_relations */
};

static uint64_t table_at(const struct program *p, uint64_t table)
{
	return p->metadata + (table - TAF_BASE);
}

/* The buffer of an array's values; relations of one array share it. */
static int put_values(struct program *p, const struct phase_relations *what, uint32_t i, struct err *e)
{
	const struct taf_array *a = what->array[i];

	for (uint32_t k = 0; k < i; k++)
		if (what->array[k]->base == a->base) {
			p->values[i] = p->values[k];
			return 0;
		}
	p->values[i] = host_alloc(p->h, a->name, a->limit - a->base, e);
	if (!p->values[i])
		return -1;
	taf_stores_replay(&p->taf->stores, a->base, a->limit, host_bytes(p->h, p->values[i], a->limit - a->base));
	return 0;
}

static int launch(struct program *p, const struct taf_array *a, uint64_t values, struct err *e)
{
	const struct taf *t = p->taf;
	struct kernel_array k = {.values = values,
				 .table = table_at(p, a->extents),
				 .n = taf_elements(a),
				 .size = a->size,
				 .type = a->type,
				 .c = a->c,
				 .ofs = a->ofs,
				 .iterations = a->n ? a->n : 1,
				 .c_s = a->c_s,
				 .c_e = a->c_e};
	const struct host_arg arg = {.bytes = sizeof k, .by_ref = &k};

	memcpy(k.m, a->m, sizeof k.m);
	memcpy(k.block, t->block, sizeof k.block);
	memcpy(k.grid, t->grid, sizeof k.grid);
	if (a->type != TAF_TID_DEP) {
		k.start = table_at(p, t->array[a->start].extents);
		k.end = table_at(p, t->array[a->end].extents);
	}
	return host_launch(p->h, a->type == TAF_TID_DEP ? "taftrack_threads" : "taftrack_extents",
			   (struct host_dim){t->n_ctas, 1, 1}, (struct host_dim){BLOCK, 1, 1}, 0, 1, &arg, e);
}

static int play(struct program *p, const struct phase_relations *what, struct err *e)
{
	if (host_args_done(p->h, e))
		return -1;
	p->metadata = host_alloc(p->h, "extents", p->taf->bytes, e);
	if (!p->metadata)
		return -1;
	for (uint32_t i = 0; i < what->n; i++)
		if (put_values(p, what, i, e) != 0)
			return -1;
	for (uint32_t i = 0; i < what->n; i++)
		if (launch(p, what->array[i], p->values[i], e) != 0)
			return -1;
	return 0;
}

static void take_tables(const struct program *p, struct taf_memory *memory)
{
	uint64_t tables = taf_tables_begin();

	if (p->taf->bytes > tables)
		memcpy(memory->byte + tables, host_bytes(p->h, p->metadata + tables, p->taf->bytes - tables),
		       p->taf->bytes - tables);
}

/* Executes the kernels: their trace, and what they leave. NULL on an error. */
static struct trace *record(const char *root, const struct tracking_phase_config *c, const struct phase_relations *what,
			    struct taf_memory *memory, struct err *e)
{
	struct trace_options to = {.name = "taftrack"};
	struct trace_writer *w = trace_writer_new(&to, e);
	struct program p = {.taf = c->taf};
	struct trace *t = NULL;
	char ptx[4096];

	snprintf(ptx, sizeof ptx, "%s/traces/taftrack/kernel.ptx", root);
	p.h = w ? host_new(&(struct host_options){.ptx_path = ptx,
						  .w = w,
						  .sms = c->machine->sm.count,
						  .independent_lanes = c->machine->sm.independent_lanes,
						  .align = machine_data_align(c->machine)},
			   e)
		: NULL;
	if (p.h && play(&p, what, e) == 0) {
		take_tables(&p, memory);
		t = trace_writer_finish(w, e);
	} else if (w) {
		trace_writer_drop(w);
	}
	if (p.h)
		host_free(p.h);
	return t;
}

static int run(const void *root, const struct tracking_phase_config *c, const struct phase_relations *what,
	       struct taf_memory *memory, uint64_t *cycles, uint64_t *invariants, struct err *e)
{
	struct gpu_config g = {.machine = c->machine, .no_skip = c->no_skip, .reverse = c->reverse};
	struct gpu_result r;

	*cycles = *invariants = 0;
	if (!what->n)
		return 0;
	g.trace = record(root, c, what, memory, e);
	if (!g.trace)
		return -1;
	if (gpu_run(&g, &r, e) != 0) {
		trace_close(g.trace);
		return -1;
	}
	*cycles = r.cycles;
	*invariants = r.audit.failed;
	gpu_result_free(&r);
	trace_close(g.trace);
	return 0;
}

struct gpu_tracker gpu_tracker_of(const char *root)
{
	return (struct gpu_tracker){root, run};
}
