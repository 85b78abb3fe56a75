/* locus list: what there is to run, on what, with which blocks. Nothing is listed by hand: workloads come from the
 * folders of traces/, machines from csim/machines/, planners from the table that --plan reads, blocks from the table
 * that --hw reads. A machine's or block's line is the first comment line of its file. */
#include <argp.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/files/root.h"
#include "base/suggestion.h"
#include "cli/cli.h"
#include "cli/machine_options.h"
#include "hw/twins/blocks.h"
#include "plan/planner.h"
#include "run/metric_tables.h"
#include "study/study.h"
#include "workload/launchfile.h"
#include "workload/papers_names.h"
#include "workload/program.h"

enum { MAX_COLUMNS = 7 };

struct table {
	unsigned n, cap;
	const char *(*row)[MAX_COLUMNS]; /* row 0: the titles; NULL ends a row */
	struct arena text;
};

static void add_cells(struct table *t, const char *const cell[MAX_COLUMNS])
{
	if (t->n == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 32;
		t->row = xrealloc(t->row, t->cap * sizeof *t->row);
	}
	for (unsigned i = 0; i < MAX_COLUMNS; i++)
		t->row[t->n][i] = cell[i] ? arena_strdup(&t->text, cell[i]) : NULL;
	t->n++;
}

static void add_row(struct table *t, const char *a, const char *b, const char *c, const char *d)
{
	add_cells(t, (const char *const[MAX_COLUMNS]){a, b, c, d});
}

static int by_name(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static void print_table(const struct table *t)
{
	size_t width[MAX_COLUMNS] = {0};

	for (unsigned r = 0; r < t->n; r++)
		for (unsigned c = 0; c < MAX_COLUMNS && t->row[r][c]; c++)
			if (strlen(t->row[r][c]) > width[c])
				width[c] = strlen(t->row[r][c]);
	for (unsigned r = 0; r < t->n; r++) {
		for (unsigned c = 0; c < MAX_COLUMNS && t->row[r][c]; c++) {
			bool last = c + 1 == MAX_COLUMNS || !t->row[r][c + 1];

			printf("%s%-*s", c ? "  " : r ? "  " : "", last ? 0 : (int)width[c] + (!c && !r ? 2 : 0), t->row[r][c]);
		}
		putchar('\n');
	}
	if (t->n == 1)
		puts("  none");
}

static void free_table(struct table *t)
{
	free(t->row);
	arena_free(&t->text);
	*t = (struct table){0};
}

/* The first line of a file's opening comment, without its marks and without "NAME: " before it. */
static void first_comment(const char *relative, const char *name, char out[256])
{
	char path[4096], line[1024];
	FILE *f = fopen(root_path(relative, path), "r");
	char *s = line;

	out[0] = '\0';
	if (!f)
		return;
	if (fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = '\0';
		s += strspn(s, "/*# ");
		if (!strncmp(s, name, strlen(name)) && s[strlen(name)] == ':')
			s += strlen(name) + 1 + (s[strlen(name) + 1] == ' ');
		snprintf(out, 256, "%s", s);
	}
	fclose(f);
}

/* "dwt-pric KM, KMN, Kmeans; ldesc SK", or NULL. */
static const char *names_in_papers(struct table *t, const struct workload *w)
{
	const struct papers_name *last = NULL;
	const char *all = NULL;

	for (const struct papers_name *n = papers_names; n->name; n++) {
		if (strcmp(n->workload, w->name))
			continue;
		if (!last)
			all = arena_printf(&t->text, "%s %s", n->paper, n->name);
		else if (!strcmp(last->paper, n->paper))
			all = arena_printf(&t->text, "%s, %s", all, n->name);
		else
			all = arena_printf(&t->text, "%s; %s %s", all, n->paper, n->name);
		last = n;
	}
	return all;
}

static void list_workloads(struct table *t)
{
	add_cells(t, (const char *const[MAX_COLUMNS]){"workloads", "suite", "pattern", "sharing", "launches",
						      "size: test / default / paper", "in the papers"});
	for (unsigned i = 0; workloads[i]; i++) {
		const struct workload *w = workloads[i];

		add_cells(t, (const char *const[MAX_COLUMNS]){w->name, w->suite, w->pattern, w->sharing, w->launches, w->sizes,
							      names_in_papers(t, w)});
	}
}

/* The files of a folder that end in `suffix`, without it. */
static void list_folder(struct table *t, const char *title, const char *folder, const char *suffix)
{
	char path[4096], comment[256], name[256], relative[600];
	DIR *d = opendir(root_path(folder, path));
	const struct dirent *entry;

	add_row(t, title, "description", NULL, NULL);
	while (d && (entry = readdir(d))) {
		size_t n = strlen(entry->d_name), s = strlen(suffix);

		if (n <= s || strcmp(entry->d_name + n - s, suffix) || entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "%.*s", (int)(n - s), entry->d_name);
		snprintf(relative, sizeof relative, "%s/%s", folder, entry->d_name);
		first_comment(relative, name, comment);
		add_row(t, name, comment, NULL, NULL);
	}
	if (d)
		closedir(d);
	qsort(t->row + 1, t->n - 1, sizeof *t->row, by_name);
}

static void list_machines(struct table *t)
{
	list_folder(t, "machines", "csim/machines", ".yaml");
}

/* "source=both|static|profile", the first of which is the default. */
static void add_planner_options(struct table *t, const struct planner_option *o)
{
	for (; o && o->key; o++) {
		const char *words = o->choices[0];

		for (unsigned c = 1; o->choices[c]; c++)
			words = arena_printf(&t->text, "%s|%s", words, o->choices[c]);
		add_row(t, "", "", arena_printf(&t->text, "  %s=%s: %s", o->key, words, o->meaning), NULL);
	}
}

/* "CTAs, pages, caches" */
static void planner_decides(const struct planner *p, char out[64])
{
	static const struct {
		unsigned slot;
		const char *name;
	} slots[] = {{SLOT_CTAS, "CTAs"}, {SLOT_PAGES, "pages"}, {SLOT_CACHE, "caches"}, {SLOT_PREFETCH, "prefetch"}};
	size_t n = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < sizeof slots / sizeof slots[0]; i++)
		if (p->slots & slots[i].slot)
			n += (size_t)snprintf(out + n, 64 - n, "%s%s", n ? ", " : "", slots[i].name);
}

static void list_launch_keys(struct table *t)
{
	add_row(t, "launch-keys", "needed", "meaning", NULL);
	for (const struct launchfile_section *s = launchfile_sections; s->path; s++)
		for (const struct launchfile_key *k = s->key; k->name; k++)
			add_row(t, arena_printf(&t->text, "%s%s", s->path, k->name), k->required ? "yes" : "-", k->meaning, NULL);
}

static void list_planners(struct table *t)
{
	add_row(t, "planners", "decides", "description", NULL);
	for (const struct planner *const *p = planners; *p; p++) {
		char decides[64];

		planner_decides(*p, decides);
		add_row(t, (*p)->name, decides, (*p)->summary, NULL);
		add_planner_options(t, (*p)->options);
	}
}

static void list_blocks(struct table *t)
{
	char comment[256];

	add_row(t, "blocks", "kind", "source", "description");
	for (const struct hw_block *const *b = hw_blocks; *b; b++) {
		first_comment((*b)->source, (*b)->module, comment);
		add_row(t, (*b)->name, (*b)->tick ? "clocked" : "combinational", (*b)->source, comment);
	}
}

static void list_studies(struct table *t)
{
	add_row(t, "studies", "description", NULL, NULL);
	for (const struct study *const *s = studies; *s; s++)
		add_row(t, (*s)->name, (*s)->summary, NULL, NULL);
}

/* Where a metric is shown, in words. */
static void shown_at(unsigned shown, char out[64])
{
	static const char *const words[] = {"run", "detail", "each", "scheduler", "array", "launch", "interval"};

	out[0] = '\0';
	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
		if (shown >> i & 1)
			snprintf(out + strlen(out), 64 - strlen(out), "%s%s", out[0] ? " " : "", words[i]);
}

static void list_table(struct table *t, const struct metric_list *l)
{
	char name[128], shown[64];

	for (unsigned i = 0; i < l->table->n; i++) {
		const struct metric *m = &l->table->row[i];
		const char *prefix = m->shown & (OF_RUN | OF_RUN_DETAIL | OF_LAUNCH | OF_INTERVAL) ? l->prefix
				     : m->shown & OF_SM						   ? l->each
				     : m->shown & OF_SCHEDULER					   ? "sm.N.sched.S."
												   : "buffer.NAME.";

		snprintf(name, sizeof name, "%s%s", prefix, m->name);
		shown_at(m->shown, shown);
		add_row(t, name, m->unit[0] ? m->unit : "-", shown, m->meaning);
	}
}

static void list_metrics(struct table *t)
{
	add_row(t, "metrics", "unit", "shown for", "meaning");
	for (const struct metric_list *l = metric_lists; l->table; l++)
		list_table(t, l);
}

static const struct kind {
	const char *name;
	void (*list)(struct table *t);
	bool on_request; /* not when all is listed */
} kinds[] = {
	{"workloads", list_workloads, false},	 {"machines", list_machines, false}, {"blocks", list_blocks, false},
	{"planners", list_planners, false},	 {"studies", list_studies, false},   {"metrics", list_metrics, true},
	{"launch-keys", list_launch_keys, true},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static void add_property(struct table *t, const char *name, const char *value)
{
	if (value)
		add_row(t, name, value, NULL, NULL);
}

static void list_one_workload(const struct workload *w)
{
	struct table about = {0}, options = {0};

	add_row(&about, w->name, w->summary, NULL, NULL);
	add_property(&about, "original", w->original ? w->original : "none: written for this project");
	add_property(&about, "size", w->sizes);
	add_property(&about, "launches", w->launches);
	add_property(&about, "grid x block", w->grid);
	add_property(&about, "accesses", w->access);
	add_property(&about, "pattern", w->pattern);
	add_property(&about, "sharing among CTAs", w->sharing);
	add_property(&about, "differences", w->differences);
	for (const struct papers_name *n = papers_names; n->name; n++) {
		const char *as = n->name;

		if (strcmp(n->workload, w->name))
			continue;
		for (unsigned i = 0; n->args[i]; i++)
			as = arena_printf(&about.text, "%s%s--arg %s", as, i ? " " : ", with ", n->args[i]);
		add_property(&about, arena_printf(&about.text, "name in %s", n->paper), as);
	}
	print_table(&about);
	putchar('\n');
	add_row(&options, "options", "test / default / paper", "meaning", NULL);
	for (const struct workload_option *o = w->options; o->key; o++)
		add_row(&options, o->key, o->defaults, o->meaning, NULL);
	print_table(&options);
	free_table(&about);
	free_table(&options);
}

struct list_args {
	const char *what;
	struct machine_options on;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct list_args *a = state->input;

	if (key == 'm')
		a->on.machine = arg;
	else if (key == ARGP_KEY_ARG && state->arg_num == 0)
		a->what = arg;
	else if (key == ARGP_KEY_END && a->on.machine && (!a->what || strcmp(a->what, "keys")))
		argp_error(state, "--machine: is an option of `locus list keys`");
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static const struct argp_option options[] = {
	{"machine", 'm', "NAME|FILE", 0, "keys: show the values of this machine (default: gtx480)", 0},
	{0},
};
static const struct argp argp = {
	options,
	parse,
	"[LIST|WORKLOAD]",
	"Prints a LIST: workloads, machines, blocks (of hardware), planners, studies, keys (of a machine, "
	"--set KEY=VALUE), metrics (of a run) or launch-keys (of launch files); or what one workload does, "
	"and its arguments (--arg KEY=VALUE); or all lists but the last three.\v"
	"Examples:\n  locus list machines\n  locus list keys --machine titanv\n  locus list syrk",
	NULL,
	NULL,
	NULL};

static int list_keys(const struct machine_options *o)
{
	struct machine m;
	struct err e = {""};

	if (machine_options_load(o, &m, &e) != 0)
		return cli_fail(&e);
	machine_print(&m, stdout);
	return CLI_OK;
}

int cli_list(int argc, char **argv)
{
	struct list_args args = {0};
	const struct workload *w = NULL;
	const struct papers_name *as;
	const char *what;
	struct table t = {0};
	struct err e = {""};
	bool found = false;
	struct suggestion n;
	char hint[160];

	cli_parse(&argp, argc, argv, &args);
	what = args.what;
	if (what && !strcmp(what, "keys"))
		return list_keys(&args.on);
	n = (struct suggestion){.typed = what};
	for (unsigned i = 0; i < N_KINDS; i++) {
		if (what ? strcmp(what, kinds[i].name) != 0 : kinds[i].on_request)
			continue;
		if (found)
			putchar('\n');
		found = true;
		kinds[i].list(&t);
		print_table(&t);
		free_table(&t);
	}
	if (!found && papers_name_find(what, &w, &as, &e))
		return cli_fail(&e);
	if (w)
		list_one_workload(w);
	if (found || w)
		return CLI_OK;
	for (unsigned i = 0; i < N_KINDS; i++)
		suggestion_offer(&n, kinds[i].name);
	suggestion_offer(&n, "keys");
	for (unsigned i = 0; workloads[i]; i++)
		suggestion_offer(&n, workloads[i]->name);
	err_set(&e,
		"no \"%s\"%s: list takes workloads, machines, blocks, planners, studies, keys, metrics, launch-keys or the name "
		"of a workload",
		what, suggestion_text(&n, hint));
	return cli_fail(&e);
}
