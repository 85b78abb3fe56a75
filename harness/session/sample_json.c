#include "session/sample_json.h"

#include <jansson.h>

static const char *const kinds[] = {"launches", "ends", "windows"};

static json_t *strata_json(const struct gpu_sampled *s, const struct trace *t)
{
	json_t *all = json_array();

	for (uint32_t h = 0; h < s->strata.n; h++) {
		const struct stratum *m = &s->strata.stratum[h];

		json_array_append_new(all,
				      json_pack("{s:s, s:s, s:I, s:I, s:I, s:I}", "kernel", trace_kernel(t, m->kernel)->name, "of",
						kinds[m->kind], "units", (json_int_t)m->n, "measured", (json_int_t)s->drawn[h],
						"least", (json_int_t)m->least, "most", (json_int_t)m->most));
	}
	return all;
}

json_t *sample_json(const struct gpu_sampled *s, const struct trace *t)
{
	const struct sample_options *o = &s->options;

	return json_pack("{s:f, s:f, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "error", o->error, "confidence",
			 o->confidence, "metric", o->metric, "seed", (json_int_t)o->seed, "runs", (json_int_t)s->runs, "launches",
			 (json_int_t)s->launches, "simulated", (json_int_t)s->simulated, "divided", (json_int_t)s->divided,
			 "windows", (json_int_t)s->windows, "simulated_windows", (json_int_t)s->simulated_windows, "warp_insts",
			 (json_int_t)s->warp_insts, "simulated_warp_insts", (json_int_t)s->simulated_warp_insts, "strata",
			 strata_json(s, t));
}

json_t *estimates_json(const struct gpu_sampled *s)
{
	json_t *all = json_object();

	for (uint32_t i = 0; i < s->n; i++) {
		const struct estimate *e = &s->estimate[i].e;

		json_object_set_new(
			all, s->estimate[i].name,
			json_pack("{s:f, s:f, s:f}", "value", e->value, "low", e->value - e->half, "high", e->value + e->half));
	}
	return all;
}

json_t *estimates_units_json(const struct gpu_sampled *s)
{
	json_t *all = json_object();

	for (uint32_t i = 0; i < s->n; i++)
		json_object_set_new(all, s->estimate[i].name, json_string(s->estimate[i].unit));
	return all;
}
