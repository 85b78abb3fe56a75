/* A profile as JSON: docs/how-to/profile.md says what is in it. */
#include <jansson.h>

#include "profile/inst_names.h"
#include "profile/profile_report.h"

static void put(json_t *o, const char *name, uint64_t n)
{
	json_object_set_new(o, name, json_integer((json_int_t)n));
}

/* By cause, without those of no cycle. */
static json_t *causes(const uint64_t cycles[STALL_COUNT])
{
	json_t *o = json_object();

	for (unsigned i = STALL_ISSUED + 1; i < STALL_COUNT; i++)
		if (cycles[i])
			put(o, stall_name(i), cycles[i]);
	return o;
}

static void put_row(json_t *o, const struct profile_row *r)
{
	put(o, "issued", r->issued);
	put(o, "lanes", r->lanes);
	json_object_set_new(o, "waits", causes(r->waits));
	json_object_set_new(o, "holds", causes(r->holds));
	put(o, "accesses", r->accesses);
	put(o, "transactions", r->transactions);
	put(o, "l1_hits", r->l1_hits);
	put(o, "l1_hits_reserved", r->l1_reserved);
	put(o, "l1_misses", r->l1_misses);
	put(o, "l1_past", r->l1_past);
	put(o, "l1_writes", r->l1_writes);
	put(o, "l2_accesses", r->l2_accesses);
	put(o, "l2_hits", r->l2_hits);
	put(o, "l2_hits_reserved", r->l2_reserved);
	put(o, "l2_misses", r->l2_misses);
	put(o, "l2_bypasses", r->l2_bypasses);
	put(o, "dram_reads", r->dram_reads);
	put(o, "loads", r->loads);
	put(o, "load_cycles", r->load_cycles);
}

static json_t *instruction(const struct trace_kernel *k, uint32_t i, const struct profile_row *r)
{
	json_t *o = inst_json(k, i);

	put_row(o, r);
	return o;
}

json_t *profile_report_json(const struct profile_report *r)
{
	const struct gpu_profile *p = r->lines->profile;
	const struct trace *t = r->lines->trace;
	json_t *all = json_object(), *kernels = json_array(), *none = json_object();

	put(all, "cycles", r->cycles);
	put(all, "scheduler_cycles", r->slots);
	for (uint32_t k = 0; k < trace_n_kernels(t); k++) {
		const struct trace_kernel *kernel = trace_kernel(t, k);
		json_t *insts = json_array();

		for (uint32_t i = 0; i < kernel->n_inst; i++)
			json_array_append_new(insts, instruction(kernel, i, &p->row[p->first[k] + i]));
		json_array_append_new(kernels, json_pack("{s:s, s:o}", "name", kernel->name, "instructions", insts));
	}
	json_object_set_new(all, "kernels", kernels);
	put_row(none, &p->row[p->n]);
	json_object_set_new(all, "no_instruction", none);
	return all;
}
