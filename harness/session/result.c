#include "session/result.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "process/interrupt.h"
#include "session/intervals_file.h"
#include "session/plan_json.h"
#include "session/sample_json.h"
#include "version.h"

json_t *result_origin(void)
{
	return json_pack("{s:s, s:s}", "version", LOCUS_VERSION, "git", LOCUS_GIT);
}

const char *result_cut_by(const struct gpu_result *r)
{
	return !r->cut ? NULL : interrupt_taken() ? interrupt_name(interrupt_taken()) : "the limit";
}

/* NULL: the launch as a whole. */
static json_t *window_json(const struct gpu_launch *l)
{
	return l->window == WINDOW_NONE ? NULL : json_integer(l->window);
}

static json_t *launches_json(const struct gpu_result *r)
{
	json_t *all = json_array();

	for (uint32_t i = 0; i < r->n_launches; i++) {
		const struct gpu_launch *l = &r->launch[i];

		json_array_append_new(all, json_pack("{s:I, s:o*, s:s, s:s*, s:o}", "index", (json_int_t)l->index, "window",
						     window_json(l), "kernel", l->kernel, "program", l->program, "stats",
						     stats_json(&l->stats)));
	}
	return all;
}

/* The lines of a text. */
static json_t *lines_json(const char *text)
{
	json_t *all = json_array();

	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		json_array_append_new(all, json_stringn(text, n));
	}
	return all;
}

/* NULL: golden twins alone. */
static json_t *blocks_json(const struct cosim *c)
{
	struct cosim_block b[COSIM_MAX_BLOCKS];
	unsigned n = c ? cosim_blocks(c, b) : 0;
	json_t *all = n ? json_array() : NULL;
	char sum[17];

	for (unsigned i = 0; i < n; i++) {
		json_t *block;

		snprintf(sum, sizeof sum, "%016" PRIx64, b[i].sum);
		block = json_pack("{s:s, s:s, s:b, s:s, s:b, s:s, s:i, s:I, s:b, s:I, s:I, s:I, s:i, s:o}", "block",
				  b[i].block->name, "mode", b[i].mode, "drives", (int)b[i].drives, "rtl",
				  b[i].rtl ? b[i].rtl : b[i].block->source, "own", (int)!b[i].rtl, "xxh64", sum, "instances",
				  (int)b[i].instances, "steps", (json_int_t)b[i].steps, "idle", (int)b[i].idle, "mismatches",
				  (json_int_t)b[i].mismatches, "unread_mismatches", (json_int_t)b[i].unread, "assertions",
				  (json_int_t)b[i].assertions, "registers_compared",
				  (int)(b[i].golden ? b[i].n_regs : b[i].abi->regs), "registers_not_compared",
				  lines_json(b[i].golden ? "" : b[i].abi->alone));
		if (b[i].golden) {
			snprintf(sum, sizeof sum, "%016" PRIx64, b[i].golden_sum);
			json_object_set_new(block, "golden", json_string(b[i].golden));
			json_object_set_new(block, "golden_xxh64", json_string(sum));
		}
		json_array_append_new(all, block);
	}
	return all;
}

static json_t *copies_json(const struct cuda_copies *c)
{
	return json_pack("{s:I, s:I, s:f}", "count", (json_int_t)c->n, "bytes", (json_int_t)c->bytes, "pcie_ns", c->ns);
}

/* NULL: it was no CUDA program. */
static json_t *program_json(const struct session *s)
{
	const struct cuda_program *p = s->options->n_programs > 1 ? NULL : s->options->program->cuda;

	return !p ? NULL
		  : json_pack("{s:i, s:I, s:I, s:o, s:o, s:o, s:o}", "exit_status", p->status, "launches", (json_int_t)p->executed,
			      "recorded", (json_int_t)p->recorded, "to_device", copies_json(&p->copies[TRACE_TO_DEVICE]), "to_host",
			      copies_json(&p->copies[TRACE_TO_HOST]), "on_device", copies_json(&p->copies[TRACE_ON_DEVICE]),
			      "fills", copies_json(&p->copies[TRACE_FILL]));
}

/* NULL: it was none. */
static json_t *try_json(const struct tries *t)
{
	return !t->mine ? NULL : json_pack("{s:I, s:s}", "at", (json_int_t)t->options->at, "set", t->options->text[t->mine - 1]);
}

json_t *result_json(const struct session *s)
{
	const struct trace *t = s->source.trace;
	const struct gpu_result *r = &s->result;
	const struct gpu_sampled *sampled = s->options->sample ? &s->sampled : NULL;
	char hash[17];

	snprintf(hash, sizeof hash, "%016" PRIx64, trace_hash(t));
	return json_pack("{s:o, s:s, s:s, s:s*, s:o*, s:o, s:o*, s:o*, s:o*, s:o*, s:o*, s:o, s:o, s:o, s:o*, s:o*}", "locus",
			 result_origin(), "workload", trace_name(t), "trace_hash", hash, "cut", result_cut_by(r), "try",
			 try_json(&s->tries), "machine", machine_json(&s->machine), "blocks", blocks_json(s->hw), "plan",
			 s->plan ? plan_json(s->plan, t) : NULL, "sample", sampled ? sample_json(sampled, t) : NULL, "estimates",
			 sampled ? estimates_json(sampled) : NULL, "stats", sampled ? NULL : stats_json(&r->stats), "units",
			 sampled ? estimates_units_json(sampled) : stats_units_json(&r->stats), "launches", launches_json(r),
			 "audit", audit_json(&r->audit), "intervals", s->intervals.asked ? intervals_json(s) : NULL, "program",
			 program_json(s));
}

int result_write(struct output *to, json_t *json, struct err *e)
{
	int failed;

	if (!to->f) {
		json_decref(json);
		return 0;
	}
	failed = json_dumpf(json, to->f, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) != 0 || fputc('\n', to->f) == EOF;
	json_decref(json);
	if (!failed)
		return output_keep(to, e);
	output_failed(to, e);
	output_drop(to);
	return -1;
}

const char *const result_headlines[] = {"cycles",
					"time",
					"ipc.thread",
					"ipc.warp",
					"occupancy.achieved",
					"l1.hit_rate",
					"l2.hit_rate",
					"cpu.l1.hit_rate",
					"cpu.l2.hit_rate",
					"cpu.l3.hit_rate",
					"dram.bandwidth",
					"dram.bus_busy",
					NULL};

double result_value(const json_t *result, const char *name)
{
	json_t *v = json_object_get(json_object_get(result, "stats"), name);

	if (!v)
		v = json_object_get(json_object_get(result, "simulator"), name);
	return json_is_number(v) ? json_number_value(v) : NAN;
}
