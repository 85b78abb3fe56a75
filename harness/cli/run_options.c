#include "cli/run_options.h"

#include "cli/cli.h"
#include "report/report_data.h"

enum {
	KEY_TIMELINE = 700,
	KEY_TRACKER = 0x4000,
	KEY_INIT_TRAFFIC,
	KEY_INTERVAL,
	KEY_INTERVAL_METRICS,
	KEY_INTERVAL_CSV,
	KEY_TRACE_REQUESTS,
	KEY_REPORT_DATA,
	KEY_BRIEF
};

static const struct argp_option options[] = {
	{"tracker", KEY_TRACKER, "NAME", 0, "store tracker of TAFE: hw, sw-cpu, sw-gpu, none", HELP_PLACEMENT},
	{"brief", KEY_BRIEF, NULL, 0, "print headline metrics and warnings only", HELP_RESULTS},
	{"report-data", KEY_REPORT_DATA, NULL, 0, "put the data for locus report into the JSON", HELP_RESULTS},
	{"init-traffic", KEY_INIT_TRAFFIC, NULL, 0, "also measure the traffic of initial stores", HELP_RESULTS},
	{0, 0, NULL, 0, "Activity over time:", HELP_OVER_TIME},
	{"timeline", KEY_TIMELINE, "FILE", 0, "write where and when CTAs ran, for Perfetto", HELP_OVER_TIME},
	{"interval", KEY_INTERVAL, "N", 0, "put metrics per N core cycles into the JSON", HELP_OVER_TIME},
	{"interval-metrics", KEY_INTERVAL_METRICS, "NAMES", 0, "A,sm.*.B,... (see locus list metrics)", HELP_OVER_TIME},
	{"interval-csv", KEY_INTERVAL_CSV, "FILE", 0, "write the metrics per interval as CSV", HELP_OVER_TIME},
	{"trace-requests", KEY_TRACE_REQUESTS, "FILTER", 0,
	 "follow these loads on their way, as locus why: KERNEL:LINE,latency=500", HELP_OVER_TIME},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct run_options *o = state->input;

	switch (key) {
	case KEY_TIMELINE:
		o->timeline = arg;
		return 0;
	case KEY_TRACKER:
		o->tracker = arg;
		return 0;
	case KEY_INIT_TRAFFIC:
		o->init_traffic = true;
		return 0;
	case KEY_INTERVAL:
		o->interval = cli_argp_number(state, "--interval", arg, 1, UINT32_MAX);
		return 0;
	case KEY_INTERVAL_METRICS:
		o->interval_metrics = arg;
		return 0;
	case KEY_INTERVAL_CSV:
		o->interval_csv = arg;
		return 0;
	case KEY_REPORT_DATA:
		o->report_data = true;
		return 0;
	case KEY_BRIEF:
		o->brief = true;
		return 0;
	case KEY_TRACE_REQUESTS:
		o->trace_requests = arg;
		return 0;
	case ARGP_KEY_END:
		if (!o->interval && !o->report_data && (o->interval_metrics || o->interval_csv))
			argp_error(state, "%s needs --interval N", o->interval_csv ? "--interval-csv" : "--interval-metrics");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp run_options_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

struct session_options run_options_session(const struct run_options *o, struct model_options *model)
{
	struct session_options s = model_options_session(model);

	s.tracker = o->tracker;
	s.init_traffic = o->init_traffic;
	s.timeline = o->timeline != NULL;
	s.interval = o->interval;
	s.trace_requests = o->trace_requests;
	s.interval_metrics = o->interval_metrics;
	if (o->report_data)
		report_data_want(&s);
	return s;
}

struct session_output run_options_output(const struct run_options *o, const struct model_options *model,
					 const struct viewer_options *viewers)
{
	return (struct session_output){.json = model->on.json,
				       .timeline = o->timeline,
				       .csv = o->interval_csv,
				       .viewers = *viewers,
				       .brief = o->brief,
				       .report_data = o->report_data};
}
