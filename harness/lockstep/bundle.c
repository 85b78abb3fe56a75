#include "lockstep/bundle.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/files/root.h"
#include "bind/cache.h"
#include "lockstep/report.h"
#include "lockstep/window.h"
#include "process/output.h"
#include "waves/filter.h"
#include "waves/gtkw.h"

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The RTL goes along: a bundle shows the same mismatch after the sources have changed. */
static int copy_rtl(const struct scenario *s, const char *folder, char names[2048], struct err *e)
{
	struct bind_request q = {.block = s->block, .params = s->params, .rtl = s->rtl[0] ? s->rtl : NULL};
	struct arena a = {0};
	const char **file;
	unsigned named;
	int n = bind_sources(&q, &a, &file, &named, e), rc = n < 0 ? -1 : 0;
	size_t at = 0;

	names[0] = '\0';
	for (int i = 0; i < n && !rc; i++) {
		const char *to = arena_printf(&a, "%s/rtl/%s", folder, base_name(file[i]));
		struct stat x, y;

		/* A bundle that is minimised in place of itself has the files already. */
		if (stat(file[i], &x) == 0 && stat(to, &y) == 0 && x.st_ino == y.st_ino && x.st_dev == y.st_dev)
			continue;
		unlink(to);
		rc = output_copy(file[i], to, BIND_MAX_FILE, e);
	}
	for (unsigned i = 0; i < named && !rc && at < 2048; i++)
		at += (size_t)snprintf(names + at, 2048 - at, "%s%s", i ? "," : "", base_name(file[i]));
	arena_free(&a);
	return rc;
}

/* A link of that name would lead what is written somewhere else. */
static int make_dir(const char *path, struct err *e)
{
	struct stat st;

	if (mkdir(path, 0777) == 0)
		return 0;
	if (errno != EEXIST)
		return err_set(e, "%s: %s", path, strerror(errno));
	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) ? 0 : err_set(e, "%s: exists and is not a folder", path);
}

/* An older bundle's files go first, for the same reason. */
static void remove_older(const struct scenario *s, const char *folder)
{
	static const char *const name[] = {"report.txt", "stimulus.txt", "rerun.sh", "window.fst", "window.gtkw", "window.json"};
	const struct bind_side *regs = &s->layout.side[HW_REG];
	char path[4200], filter[FILTER_PATH], reg[160];

	for (unsigned i = 0; i < sizeof name / sizeof name[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, name[i]);
		unlink(path);
	}
	for (unsigned i = 0; i < regs->n; i++) {
		filter_name(filter, "window.fst", bind_rtl_name(reg, regs->slot[i].f.name, HW_REG));
		snprintf(path, sizeof path, "%s/%s", folder, filter);
		unlink(path);
	}
}

static int write_wave(const struct scenario *s, const struct outcome *o, const struct bind_rtl *rtl, const char *folder,
		      struct err *e)
{
	uint64_t from = o->cycle > BUNDLE_BEFORE ? o->cycle - BUNDLE_BEFORE : 0, to = o->cycle + BUNDLE_AFTER;
	struct gtkw g = {.block = s->block,
			 .layout = &s->layout,
			 .fst = "window.fst",
			 .golden = true,
			 .reg_mask = rtl->abi->reg_mask,
			 .states = rtl->abi->states};
	struct history h;
	char path[4200];
	int rc;

	history_init(&h, &s->layout, WINDOW_STEPS);
	snprintf(path, sizeof path, "%s/window.fst", folder);
	rc = scenario_wave(s, rtl->abi, path, from, to, &g, &h, e);
	snprintf(path, sizeof path, "%s/window.json", folder);
	rc = rc ? -1 : window_write(s, o, &h, from, path, e);
	history_free(&h);
	if (rc)
		return -1;
	g.differs = (struct gtkw_element){true, o->m.side, o->m.slot, o->m.element};
	snprintf(path, sizeof path, "%s/window.gtkw", folder);
	return gtkw_write(&g, path, e);
}

/* A word of the shell's: nothing in it is interpreted. */
static void write_quoted(const char *word, FILE *f)
{
	fputc('\'', f);
	for (; *word; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, f);
	fputc('\'', f);
}

static int write_rerun(const char *folder, struct err *e)
{
	char path[4200], program[4096];
	struct output o;
	FILE *f;

	snprintf(path, sizeof path, "%s/rerun.sh", folder);
	if (output_open(&o, path, e))
		return -1;
	f = o.f;
	fputs("#!/bin/sh\n# Replays this bundle with the program that wrote it; if that is gone, with the locus on the path.\n"
	      "# LOCUS names another.\n",
	      f);
	fputs("program=", f);
	write_quoted(root_program(program), f);
	fputs("\n[ -x \"$program\" ] || program=locus\nexec \"${LOCUS:-$program}\" replay \"$@\" -- \"$(dirname -- \"$0\")\"\n", f);
	if (output_keep(&o, e))
		return -1;
	return chmod(path, 0777) ? err_set(e, "%s: %s", path, strerror(errno)) : 0;
}

static int write_report(const struct scenario *s, const struct outcome *o, const struct history *h, const char *folder, FILE *to,
			struct err *e)
{
	char path[4200];
	struct output out;

	snprintf(path, sizeof path, "%s/report.txt", folder);
	if (output_open(&out, path, e))
		return -1;
	report_print(s, o, h, folder, out.f);
	if (to)
		report_print(s, o, h, folder, to);
	return output_keep(&out, e);
}

int bundle_write(const struct scenario *s, const struct bind_rtl *rtl, const char *folder, FILE *to, struct err *e)
{
	char path[4200], names[2048];
	struct history h;
	struct outcome o;
	int rc;

	history_init(&h, &s->layout, HISTORY);
	o = scenario_run(s, rtl->abi, &h);
	snprintf(path, sizeof path, "%s/rtl", folder);
	rc = o.failed ? 0 : err_set(e, "%s: the steps that differed do not differ when they are run again", s->block->name);
	rc = rc || make_dir(folder, e) || make_dir(path, e) ? -1 : 0;
	if (!rc)
		remove_older(s, folder);
	rc = rc || write_report(s, &o, &h, folder, to, e) || copy_rtl(s, folder, names, e);
	snprintf(path, sizeof path, "%s/stimulus.txt", folder);
	rc = rc || bundle_write_stimulus(s, path, names, e) || write_rerun(folder, e) || write_wave(s, &o, rtl, folder, e);
	history_free(&h);
	return rc ? -1 : 0;
}

/* What names files in the bundle's rtl/ names nothing else, and nothing to a shell, to Verilator or in the text that it
 * writes. */
static int check_names(const char *names, const char *path, struct err *e)
{
	const unsigned char *c = (const unsigned char *)names;

	for (; *c; c++)
		if (*c < 0x80 && !isalnum(*c) && !strchr("_.,+-= @#%~", *c))
			return err_set(e, "%s: \"%s\": \"%c\" is not for the name of a file in a bundle", path, names, *c);
	return 0;
}

int bundle_read(struct scenario *s, const char *folder, struct err *e)
{
	char path[4200], names[2048], *save = NULL;
	size_t at = 0;

	snprintf(path, sizeof path, "%s/stimulus.txt", folder);
	if (bundle_read_stimulus(s, path, e))
		return -1;
	snprintf(names, sizeof names, "%s", s->rtl);
	if (check_names(names, path, e)) {
		scenario_free(s);
		return -1;
	}
	s->foreign = true;
	for (char *name = strtok_r(names, ",", &save); name && at < sizeof s->rtl; name = strtok_r(NULL, ",", &save))
		at += (size_t)snprintf(s->rtl + at, sizeof s->rtl - at, "%s%s/rtl/%s", at ? "," : "", folder, name);
	if (at >= sizeof s->rtl) {
		scenario_free(s);
		return err_set(e, "%s: the names of its RTL files are too long", path);
	}
	return 0;
}
