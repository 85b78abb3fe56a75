/* 376: loads that were followed, in a Perfetto trace read by protoc: each load of the result's `requests` once, with
 * its latency; an arrow from it to each of its requests; stations within these, to the tick; an arrow on to the slice
 * of the L2 that served it, with the stations there; and nothing else. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "support/perfetto.h"
#include "support/program.h"

enum { CYCLE = 1000 /* ns */, STATIONS = 10, L2 = 4, DRAM = 7 };

static const char *const station[STATIONS] = {"SM",	 "L1",	       "miss queue", "network", "L2",
					      "to DRAM", "DRAM queue", "DRAM",	     "back",	"registers"};

struct both { /* a run as both files have it */
	json_t *result;
	struct seen *trace;
	double period; /* ticks a core cycle */
	unsigned n_loads, n_requests, n_visits, n_stations;
};

static struct both run_both(const char *args)
{
	char path[4096];
	struct program p = program_run("cd %s && locus run %s --perfetto t.pftrace --json t.json", program_tmp(), args);
	struct both b = {0};

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/t.json", program_tmp());
	b.result = json_load_file(path, 0, NULL);
	cr_assert_not_null(b.result);
	snprintf(path, sizeof path, "%s/t.pftrace", program_tmp());
	b.trace = seen_trace(path);
	b.period = json_number_value(json_object_get(json_object_get(b.result, "requests"), "ticks_per_core_cycle"));
	return b;
}

static void free_both(struct both *b)
{
	json_decref(b->result);
	seen_free(b->trace);
}

static uint64_t whole(const json_t *o, const char *key)
{
	cr_assert(json_is_integer(json_object_get(o, key)), "%s", key);
	return (uint64_t)json_integer_value(json_object_get(o, key));
}

static bool is_of(const struct seen_slice *s, const char *category)
{
	json_t *first = json_array_get(json_object_get(s->event, "categories"), 0);

	return !strcmp(json_string_value(first), category);
}

static const struct seen_slice *slice_of(const struct both *b, const json_t *load)
{
	const struct seen_slice *found = NULL;
	char process[32];

	snprintf(process, sizeof process, "SM %lu", (unsigned long)whole(load, "sm"));
	for (unsigned i = 0; i < b->trace->n_slices; i++) {
		const struct seen_slice *s = &b->trace->slice[i];

		if (s->begin != whole(load, "issued") * CYCLE || !is_of(s, "load") || strcmp(s->track->process, process) != 0)
			continue;
		if (seen_number(s, "cta") != whole(load, "cta") || seen_number(s, "warp") != whole(load, "warp") ||
		    seen_number(s, "launch") != whole(load, "launch"))
			continue;
		cr_assert_null(found, "a load is there twice");
		found = s;
	}
	cr_assert_not_null(found);
	return found;
}

/* Where an arrow ends. */
static const struct seen_slice *end_of(const struct both *b, uint64_t arrow, const char *category)
{
	const struct seen_slice *found = NULL;

	for (unsigned i = 0; i < b->trace->n_slices; i++) {
		const struct seen_slice *s = &b->trace->slice[i];

		for (unsigned k = 0; seen_flow(s, "terminating_flow_ids", k); k++)
			if (seen_flow(s, "terminating_flow_ids", k) == arrow) {
				cr_assert_null(found, "an arrow ends twice");
				cr_assert(is_of(s, category));
				found = s;
			}
	}
	cr_assert_not_null(found);
	return found;
}

/* A time of the trace is that many ticks after the load's issue. */
static void is_after(const struct both *b, const json_t *load, uint64_t ns, uint64_t ticks)
{
	double after = (double)(ns - whole(load, "issued") * CYCLE);

	cr_assert_eq((uint64_t)ceil(after * b->period / CYCLE), ticks, "%f ns, %lu ticks", after, (unsigned long)ticks);
}

/* The stations of a request from one to another one are the children of the slice, in their order. */
static void has_stations(struct both *b, const struct seen_slice *of, const json_t *load, const json_t *request, unsigned first,
			 unsigned last)
{
	json_t *ends = json_object_get(request, "ends");
	unsigned i = 0, n = b->trace->n_slices;
	int number = (int)(of - b->trace->slice);

	for (unsigned s = first; s <= last; s++) {
		uint64_t begin = s ? (uint64_t)json_integer_value(json_array_get(ends, s - 1)) : 0,
			 end = (uint64_t)json_integer_value(json_array_get(ends, s));

		if (begin == end)
			continue;
		while (i < n && b->trace->slice[i].parent != number)
			i++;
		cr_assert_lt(i, n, "no %s", station[s]);
		cr_assert_str_eq(b->trace->slice[i].name, station[s]);
		is_after(b, load, b->trace->slice[i].begin, begin);
		is_after(b, load, b->trace->slice[i].end, end);
		b->n_stations++;
		i++;
	}
	while (i < n && b->trace->slice[i].parent != number)
		i++;
	cr_assert_eq(i, n, "one more child than stations");
}

static void is_in_memory(struct both *b, uint64_t arrow, const json_t *load, const json_t *request)
{
	const struct seen_slice *s = end_of(b, arrow, "memory");
	char track[32];

	snprintf(track, sizeof track, "L2 slice %lu", (unsigned long)whole(request, "slice"));
	cr_assert_str_eq(s->track->process, "memory");
	cr_assert_str_eq(s->track->name, track);
	cr_assert_str_eq(seen_text(s, "line"), json_string_value(json_object_get(request, "line")));
	cr_assert_str_eq(seen_text(s, "l2"), json_string_value(json_object_get(request, "l2")));
	cr_assert_eq(seen_number(s, "sm"), whole(load, "sm"));
	has_stations(b, s, load, request, L2, DRAM);
	b->n_visits++;
}

static void check_request(struct both *b, uint64_t arrow, const json_t *load, const json_t *request, bool last)
{
	const struct seen_slice *s = end_of(b, arrow, "request");
	const char *l1 = json_string_value(json_object_get(request, "l1"));
	json_t *ends = json_object_get(request, "ends");
	bool goes_on = !strcmp(l1, "miss") || !strcmp(l1, "sent");

	cr_assert_str_eq(s->track->name, "requests");
	cr_assert_eq(s->begin, whole(load, "issued") * CYCLE);
	is_after(b, load, s->end, (uint64_t)json_integer_value(json_array_get(ends, STATIONS - 1)));
	cr_assert(!last || s->end == (whole(load, "issued") + whole(load, "latency")) * CYCLE);
	cr_assert_str_eq(seen_text(s, "line"), json_string_value(json_object_get(request, "line")));
	cr_assert_str_eq(seen_text(s, "l1"), l1);
	has_stations(b, s, load, request, 0, STATIONS - 1);
	b->n_requests++;
	cr_assert_eq(seen_flow(s, "flow_ids", 0) != 0, goes_on, "%s", l1);
	if (goes_on)
		is_in_memory(b, seen_flow(s, "flow_ids", 0), load, request);
}

static void check_load(struct both *b, const json_t *load)
{
	const struct seen_slice *s = slice_of(b, load);
	json_t *requests = json_object_get(load, "requests"), *request;
	size_t i;

	cr_assert_str_eq(s->track->name, "loads");
	cr_assert_eq(s->end - s->begin, whole(load, "latency") * CYCLE);
	cr_assert_eq(seen_number(s, "latency"), whole(load, "latency"));
	json_array_foreach(requests, i, request)
	{
		check_request(b, seen_flow(s, "flow_ids", (unsigned)i), load, request, i == whole(load, "last"));
	}
	cr_assert_eq(seen_flow(s, "flow_ids", (unsigned)i), 0, "an arrow for each request");
	b->n_loads++;
}

static bool is_same(const json_t *x, const json_t *y)
{
	return whole(x, "sm") == whole(y, "sm") && whole(x, "issued") == whole(y, "issued") &&
	       whole(x, "warp") == whole(y, "warp") && whole(x, "cta") == whole(y, "cta");
}

static bool is_among(const json_t *loads, const json_t *load)
{
	json_t *other;
	size_t i;

	json_array_foreach(loads, i, other)
	{
		if (is_same(other, load))
			return true;
	}
	return false;
}

static unsigned count_of(const struct both *b, const char *category)
{
	unsigned n = 0;

	for (unsigned i = 0; i < b->trace->n_slices; i++)
		n += is_of(&b->trace->slice[i], category);
	return n;
}

static void check(const char *args)
{
	struct both b = run_both(args);
	json_t *requests = json_object_get(b.result, "requests"), *sample = json_object_get(requests, "sample"), *load;
	size_t i;

	json_array_foreach(sample, i, load)
	{
		check_load(&b, load);
	}
	json_array_foreach(json_object_get(requests, "slowest"), i, load)
	{
		if (!is_among(sample, load))
			check_load(&b, load);
	}
	cr_assert_gt(b.n_loads, 10);
	cr_assert_gt(b.n_visits, 10);
	cr_assert_eq(b.n_loads, count_of(&b, "load"), "and no others");
	cr_assert_eq(b.n_requests, count_of(&b, "request"));
	cr_assert_eq(b.n_visits, count_of(&b, "memory"));
	cr_assert_eq(b.n_stations, count_of(&b, "station"));
	free_both(&b);
}

Test(perfetto_requests, are_those_of_the_result_station_by_station)
{
	check("bfs --size test --trace-requests sm=0-2,every=60");
	check("syrk --size test --trace-requests every=3000");
}

Test(perfetto_requests, of_a_machine_of_modules_and_of_one_that_moves_pages_are)
{
	check("bfs --size test --machine mcm4 --trace-requests every=200");
	check("kmeans --size test --machine ndp4 --plan coda --trace-requests every=200");
}

/* They log the same loads. */
Test(perfetto_requests, of_locus_why_are_those_of_locus_run)
{
	struct program p =
		program_run("cd %s && locus why atax --size test --requests every=100 --perfetto 1.pftrace >/dev/null && "
			    "locus run atax --size test --trace-requests every=100 --perfetto 2.pftrace >/dev/null && "
			    "cmp 1.pftrace 2.pftrace",
			    program_tmp());

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}
