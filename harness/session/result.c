#include "session/result.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "process/interrupt.h"
#include "session/plan_json.h"
#include "version.h"

json_t *result_origin(void)
{
	return json_pack("{s:s, s:s}", "version", LOCUS_VERSION, "git", LOCUS_GIT);
}

const char *result_cut_by(const struct gpu_result *r)
{
	return !r->cut ? NULL : interrupt_taken() ? interrupt_name(interrupt_taken()) : "the limit";
}

static json_t *launches_json(const struct gpu_result *r)
{
	json_t *all = json_array();

	for (uint32_t i = 0; i < r->n_launches; i++) {
		const struct gpu_launch *l = &r->launch[i];

		json_array_append_new(all, json_pack("{s:I, s:s, s:s*, s:o}", "index", (json_int_t)l->index, "kernel", l->kernel,
						     "program", l->program, "stats", stats_json(&l->stats)));
	}
	return all;
}

json_t *result_json(const struct session *s)
{
	const struct trace *t = s->source.trace;
	const struct gpu_result *r = &s->result;
	char hash[17];

	snprintf(hash, sizeof hash, "%016" PRIx64, trace_hash(t));
	return json_pack("{s:o, s:s, s:s, s:s*, s:o, s:o*, s:o, s:o, s:o, s:o}", "locus", result_origin(), "workload",
			 trace_name(t), "trace_hash", hash, "cut", result_cut_by(r), "machine", machine_json(&s->machine), "plan",
			 s->plan ? plan_json(s->plan, t) : NULL, "stats", stats_json(&r->stats), "units",
			 stats_units_json(&r->stats), "launches", launches_json(r), "audit", audit_json(&r->audit));
}

int result_write(struct output *to, json_t *json, struct err *e)
{
	int failed, why;

	if (!to->f) {
		json_decref(json);
		return 0;
	}
	errno = 0;
	failed = json_dumpf(json, to->f, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) != 0 || fputc('\n', to->f) == EOF;
	why = errno;
	json_decref(json);
	if (!failed)
		return output_keep(to, e);
	err_set(e, "%s: cannot write: %s", to->path, strerror(why ? why : EIO));
	output_drop(to);
	return -1;
}

double result_value(const json_t *result, const char *name)
{
	json_t *v = json_object_get(json_object_get(result, "stats"), name);

	if (!v)
		v = json_object_get(json_object_get(result, "simulator"), name);
	return json_is_number(v) ? json_number_value(v) : NAN;
}
