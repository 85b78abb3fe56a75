#include "cli/run_options.h"

enum { KEY_TIMELINE = 700, KEY_TRACKER = 0x4000, KEY_INIT_TRAFFIC };

static const struct argp_option options[] = {
	{"timeline", KEY_TIMELINE, "FILE", 0, "write which CTA ran where when, for Perfetto", 0},
	{"tracker", KEY_TRACKER, "NAME", 0, "TAFE's: hw (default), sw-cpu, sw-gpu, none", 0},
	{"init-traffic", KEY_INIT_TRAFFIC, NULL, 0, "also measure what the program's stores move", 0},
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
	return s;
}
