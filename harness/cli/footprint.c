/* locus footprint: which elements and pages the CTAs of a program touch, as TAFE estimates it beforehand and as it
 * is. */
#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/footprint_report.h"
#include "cli/model_options.h"
#include "machine/unread.h"
#include "session/result.h"
#include "session/steps.h"
#include "study/map.h"
#include "taf/taf_track.h"

struct footprint_args {
	struct model_options model;
	const char *ctas, *who, *svg;
};

enum { KEY_CTAS = 2000, KEY_WHO, KEY_SVG };

static const struct argp_option options[] = {
	{"ctas", KEY_CTAS, "FIRST[-LAST]", 0, "show elements that these CTAs touch, per array", HELP_OWN},
	{"who", KEY_WHO, "ARRAY[INDEX]|0xADDRESS", 0, "show the CTAs that touch this element and its page", HELP_OWN},
	{"svg", KEY_SVG, "FILE", 0, "draw pages (across) by touching module (down) (Figure 11)", HELP_OWN},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct footprint_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->model.from;
		state->child_inputs[1] = &a->model;
		state->child_inputs[2] = state->child_inputs[3] = &a->model.on;
		return 0;
	case KEY_CTAS:
		a->ctas = arg;
		return 0;
	case KEY_WHO:
		a->who = arg;
		return 0;
	case KEY_SVG:
		a->svg = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&program_argp, 0, NULL, 0}, {&plan_argp, 0, NULL, 0}, {&machine_argp, 0, NULL, 0}, {&json_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"WORKLOAD",
	"Shows which elements and pages of its registered arrays the CTAs of a program touch, and TAFE's estimate before the "
	"launch. --plan places the CTAs (default: tafe). Nothing is simulated.\v"
	"Examples:\n  locus footprint matmul --machine exascale25 --ctas 0-3\n"
	"  locus footprint matmul --machine mcm4 --plan tafe,per=module --who 'B[17]'",
	children,
	NULL,
	NULL};

/* ---- what was asked for ---- */

/* "3" or "3-8" */
static int take_ctas(const char *text, uint32_t n_ctas, struct plan_element_request *out, struct err *e)
{
	char first[32];
	const char *dash = strchr(text, '-');
	uint64_t from, to;

	snprintf(first, sizeof first, "%.*s", dash ? (int)(dash - text) : (int)strlen(text), text);
	if (cli_number("--ctas", first, 0, n_ctas - UINT64_C(1), &from, e))
		return -1;
	to = from;
	if (dash && cli_number("--ctas", dash + 1, from, n_ctas - UINT64_C(1), &to, e))
		return -1;
	*out = (struct plan_element_request){.first = (uint32_t)from, .n = (uint32_t)(to - from + 1)};
	return 0;
}

/* "0x10040010" */
static int take_address(const char *text, const struct taf *t, const struct taf_array **array, uint32_t *index, struct err *e)
{
	uint64_t at;

	if (cli_number("--who", text, 0, UINT64_MAX, &at, e))
		return -1;
	*array = taf_array_at(t, at);
	if (!*array)
		return err_set(e, "--who: %s is in no registered array", text);
	*index = (uint32_t)((at - (*array)->base) / (*array)->size);
	return 0;
}

/* "Nodes[17]", or an address */
static int take_element(const char *text, const struct taf *t, const struct taf_array **array, uint32_t *index, struct err *e)
{
	const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
	char number[32];
	uint64_t i;

	if (!strncmp(text, "0x", 2))
		return take_address(text, t, array, index, e);
	if (!close || close[1] || open == text)
		return err_set(e, "--who: \"%s\" is neither ARRAY[INDEX] nor 0xADDRESS", text);
	snprintf(number, sizeof number, "%.*s", (int)(close - open - 1), open + 1);
	for (int k = 0; k < TAF_ARRAYS; k++) {
		const struct taf_array *a = &t->array[k];

		if (!a->valid || strlen(a->name) != (size_t)(open - text) || strncmp(a->name, text, strlen(a->name)) != 0)
			continue;
		*array = a;
		if (cli_number("--who", number, 0, taf_elements(a) - 1, &i, e))
			return -1;
		*index = (uint32_t)i;
		return 0;
	}
	return err_set(e, "--who: the program registers no array \"%.*s\"", (int)(open - text), text);
}

/* ---- the output ---- */

static int save_picture(struct output *to, const struct footprints *f, const char *plan, struct err *e)
{
	const struct planner_request *req = f->req;
	uint32_t n = 0, n_buffers = trace_n_buffers(req->trace);
	struct study_map_array *array = arena_array(req->arena, n_buffers, sizeof *array);
	struct study_map m = {.modules = req->topology->n_modules, .array = array};

	if (!to->f)
		return 0;
	for (uint32_t b = 0; b < n_buffers; b++)
		if (f->touched[b].estimated)
			array[n++] = (struct study_map_array){trace_buffer(req->trace, b)->name, f->touched[b].n_pages,
							      f->touched[b].estimated, f->touched[b].real};
	m.n_arrays = n;
	m.title = arena_printf(req->arena, "%s on %s, plan %s: pages of %u bytes that modules touch", trace_name(req->trace),
			       req->machine->name, plan, req->topology->page);
	study_map_write(&m, to->f);
	return output_keep(to, e);
}

static int save_json(struct output *to, const struct footprints *f, const char *plan, struct err *e)
{
	struct stats s = {0};
	json_t *o;

	if (!to->f)
		return 0;
	footprint_report_stats(f, &s);
	o = json_pack("{s:o, s:s, s:o, s:s, s:o, s:o}", "locus", result_origin(), "workload", trace_name(f->req->trace), "machine",
		      machine_json(f->req->machine), "plan", plan, "stats", stats_json(&s), "units", stats_units_json(&s));
	stats_free(&s);
	return result_write(to, o, e);
}

static void print_title(const struct planner_request *req, const char *plan)
{
	const struct taf *t = req->taf;

	printf("footprints of %s on %s under %s: %u modules, %u SMs, pages of %u bytes\n"
	       "%u CTAs (%ux%ux%u), %u extent%s for each of %u set%s of CTAs, %llu bytes of metadata\n\n",
	       trace_name(req->trace), req->machine->name, plan, req->topology->n_modules, req->topology->n_sms,
	       req->topology->page, t->n_ctas, t->grid[0], t->grid[1], t->grid[2], taf_extents_a_set(t),
	       taf_extents_a_set(t) > 1 ? "s" : "", t->n_sets, t->n_sets > 1 ? "s" : "", (unsigned long long)t->bytes);
}

struct outputs {
	struct output json, svg;
};

/* All is gathered before the first line is printed. */
static int report(const struct footprint_args *a, struct footprints *f, struct plan_elements estimated[TAF_ARRAYS],
		  struct plan_elements real[TAF_ARRAYS], struct outputs *out, struct err *e)
{
	const struct planner_request *req = f->req;
	const struct taf_array *array = NULL;
	uint32_t index = 0;

	if ((a->ctas && take_ctas(a->ctas, req->taf->n_ctas, &f->apart, e)) ||
	    (a->who && take_element(a->who, req->taf, &array, &index, e)) || plan_elements_real(req, &f->apart, real, e))
		return -1;
	plan_elements_estimated(req, &f->apart, estimated);
	f->estimated = estimated;
	f->real = real;
	print_title(req, a->model.plan);
	footprint_report_arrays(f, stdout);
	if (f->apart.n) {
		putchar('\n');
		footprint_report_ctas(f, stdout);
	}
	if (array) {
		putchar('\n');
		footprint_report_readers(f, array, index, stdout);
	}
	return save_json(&out->json, f, a->model.plan, e) || save_picture(&out->svg, f, a->model.plan, e) ? -1 : 0;
}

static int show(const struct footprint_args *a, struct planner_request *req, struct outputs *out, struct err *e)
{
	struct plan_elements estimated[TAF_ARRAYS] = {0}, real[TAF_ARRAYS] = {0};
	struct footprints f = {.req = req};
	struct plan_touched *touched;
	struct plan p;
	int rc;

	if (step_plan(&p, a->model.plan, req, e) != 0)
		return -1;
	if (!req->taf)
		return err_set(e, "--plan %s: none of its planners uses footprints (tafe, tafe-tid, tafe-pages)", a->model.plan);
	touched = arena_array(req->arena, p.n_buffers, sizeof *touched);
	f.touched = touched;
	if (plan_modules_of_grid(&f.modules_of, &p, req, req->taf->grid, e) != 0 || plan_touched(&p, req, touched, e) != 0)
		return -1;
	rc = report(a, &f, estimated, real, out, e);
	plan_elements_free(estimated, &f.apart);
	plan_elements_free(real, &f.apart);
	return rc;
}

static int footprint_of(const struct footprint_args *a, struct session *s, struct outputs *out, struct err *e)
{
	struct taf_memory extents = {0};
	struct planner_request req = session_request(s);
	int rc;

	if (req.taf) {
		taf_track(&extents, req.taf, NULL);
		req.extents = &extents;
	}
	rc = show(a, &req, out, e);
	if (req.taf)
		taf_memory_free(&extents);
	return rc;
}

int cli_footprint(int argc, char **argv)
{
	struct footprint_args a = {0};
	struct session_options o;
	struct err e = {""};
	struct outputs out = {0};
	struct session s;
	int rc;

	cli_parse(&argp, argc, argv, &a);
	a.model.plan = a.model.plan ? a.model.plan : "tafe";
	o = model_options_session(&a.model);
	o.machine.uses = MACHINE_PLACED;
	rc = session_open(&s, &o, &e) || output_distinct((const char *[]){a.model.on.json, a.svg}, 2, &e) ||
	     output_open(&out.json, a.model.on.json, &e) || output_open(&out.svg, a.svg, &e) || session_source(&s, &e) ||
	     footprint_of(&a, &s, &out, &e);
	output_drop(&out.json);
	output_drop(&out.svg);
	session_close(&s);
	return rc ? cli_fail(&e) : CLI_OK;
}
