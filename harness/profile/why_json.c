/* Paths of requests as JSON: docs/how-to/why.md says what is in it. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "profile/inst_names.h"
#include "profile/why_report.h"

static const char *const wait_keys[PATH_WAITS] = {"served", "line", "mshr_entry", "mshr_merge", "miss_queue", "else"};
static const char *const found_keys[L1_FAIL_LINE] = {"hit", "miss", "merged", "sent"};
static const char *const l2_keys[] = {"", "hit", "hit_reserved", "miss", "miss", "past", "coalesced", "past"};

const char *why_report_found(const struct path_request *r)
{
	return found_keys[r->found];
}

const char *why_report_l2(const struct path_request *r)
{
	return l2_keys[r->l2];
}

const char *why_report_wait(enum path_wait w)
{
	return wait_keys[w];
}

static json_t *number(uint64_t n)
{
	return json_integer((json_int_t)n);
}

static json_t *place_json(const struct request_paths *p, const struct trace *t, uint32_t row)
{
	struct request_place at = request_paths_place(p, t, row);
	json_t *o = inst_json(trace_kernel(t, at.kernel), at.inst);

	json_object_set_new(o, "kernel", json_string(trace_kernel(t, at.kernel)->name));
	return o;
}

static json_t *named(const uint64_t *n, const char *const *key, unsigned count)
{
	json_t *o = json_object();

	for (unsigned i = 0; i < count; i++)
		json_object_set_new(o, key[i], number(n[i]));
	return o;
}

static json_t *names_json(const char *const *key, unsigned n)
{
	json_t *all = json_array();

	for (unsigned i = 0; i < n; i++)
		json_array_append_new(all, json_string(key[i]));
	return all;
}

static void station_names(const char *names[PATH_STATIONS])
{
	for (unsigned s = 0; s < PATH_STATIONS; s++)
		names[s] = path_station_name(s);
}

static json_t *instruction(const struct request_paths *p, const struct trace *t, uint32_t row)
{
	const struct path_totals *x = &p->log.total[row];
	json_t *o = place_json(p, t, row);
	const char *names[PATH_STATIONS];

	station_names(names);
	json_object_set_new(o, "loads", number(x->loads));
	json_object_set_new(o, "load_cycles", number(x->cycles));
	json_object_set_new(o, "requests", number(x->requests));
	json_object_set_new(o, "stations", named(x->station, names, PATH_STATIONS));
	json_object_set_new(o, "waits", named(x->wait, wait_keys, PATH_WAITS));
	json_object_set_new(o, "l1", named(x->found, found_keys, L1_FAIL_LINE));
	return o;
}

static json_t *instructions(const struct request_paths *p, const struct trace *t)
{
	json_t *all = json_array();

	for (uint32_t i = 0; i < p->log.rows; i++)
		if (p->log.total[i].loads)
			json_array_append_new(all, instruction(p, t, i));
	return all;
}

static json_t *waited_for(const struct request_paths *p, const struct trace *t)
{
	json_t *all = json_array();

	for (uint32_t i = 0; i <= p->log.rows; i++) {
		const struct path_blame *b = &p->log.blame[i];
		json_t *o;

		if (!b->itself && !b->others)
			continue;
		o = i < p->log.rows ? place_json(p, t, i) : json_object();
		json_object_set_new(o, "same_load", number(b->itself));
		json_object_set_new(o, "other_loads", number(b->others));
		json_array_append_new(all, o);
	}
	return all;
}

static json_t *words(const uint32_t *word, unsigned n)
{
	json_t *all = json_array();

	for (unsigned i = 0; i < n; i++)
		json_array_append_new(all, number(word[i]));
	return all;
}

static json_t *request(const struct path_request *r)
{
	char line[32];
	json_t *o;

	snprintf(line, sizeof line, "0x%" PRIx64, r->line);
	o = json_pack("{s:s, s:s, s:o, s:o}", "line", line, "l1", found_keys[r->found], "ends", words(r->end, PATH_STATIONS),
		      "waits", words(r->wait, PATH_WAITS));
	if (r->found != L1_HIT) {
		json_object_set_new(o, "slice", number(r->slice));
		json_object_set_new(o, "l2", json_string(l2_keys[r->l2]));
	}
	if (r->failed)
		json_object_set_new(o, "failed", number(r->failed));
	if (r->who.is != PATH_NOBODY)
		json_object_set_new(o, "for",
				    json_pack("{s:I, s:I, s:I, s:b}", "row", (json_int_t)r->who.row, "cta", (json_int_t)r->who.cta,
					      "warp", (json_int_t)r->who.warp, "same_load", r->who.is == PATH_ITSELF));
	return o;
}

static json_t *load(const struct path_load *x)
{
	json_t *all = json_array();

	for (uint32_t i = 0; i < x->n; i++)
		json_array_append_new(all, request(&x->request[i]));
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "row", (json_int_t)x->row, "launch",
			 (json_int_t)x->launch, "sm", (json_int_t)x->sm, "cta", (json_int_t)x->cta, "warp", (json_int_t)x->warp,
			 "issued", (json_int_t)x->issued, "latency", (json_int_t)x->latency, "last", (json_int_t)x->last,
			 "requests", all);
}

static json_t *loads(struct path_load *const *x, uint32_t n)
{
	json_t *all = json_array();

	for (uint32_t i = 0; i < n; i++)
		json_array_append_new(all, load(x[i]));
	return all;
}

json_t *why_report_json(const struct request_paths *p, const struct trace *t, const struct machine *m, const char *filter)
{
	const struct path_log *l = &p->log;
	const char *names[PATH_STATIONS];

	station_names(names);
	return json_pack("{s:s, s:I, s:o, s:o, s:I, s:o, s:o, s:o, s:I, s:o}", "filter", filter, "ticks_per_core_cycle",
			 (json_int_t)m->clock.period[CLOCK_CORE], "stations", names_json(names, PATH_STATIONS), "waits",
			 names_json(wait_keys, PATH_WAITS), "loads", (json_int_t)l->loads, "instructions", instructions(p, t),
			 "waited_for", waited_for(p, t), "slowest", loads(l->slowest, l->n_slowest), "every", (json_int_t)l->every,
			 "sample", loads(l->sample, l->n_sample));
}
