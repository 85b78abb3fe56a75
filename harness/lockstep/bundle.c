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

/* An absolute path without "." and "..", as text: links are not followed. */
static const char *absolute(const char *path, struct arena *a)
{
	char cwd[4096] = "", *text, *save = NULL;
	const char *out = "";
	char *at;

	if (path[0] != '/' && !getcwd(cwd, sizeof cwd))
		return path;
	text = path[0] == '/' ? arena_strdup(a, path) : arena_printf(a, "%s/%s", cwd, path);
	for (char *part = strtok_r(text, "/", &save); part; part = strtok_r(NULL, "/", &save)) {
		if (!strcmp(part, "..")) {
			at = arena_strdup(a, out);
			if (strrchr(at, '/'))
				*strrchr(at, '/') = '\0';
			out = at;
		} else if (strcmp(part, ".") != 0) {
			out = arena_printf(a, "%s/%s", out, part);
		}
	}
	return out;
}

/* Bytes of the longest folder, with its last '/', that all files are in. */
static size_t common_folder(const char *const *path, unsigned n)
{
	size_t common = (size_t)(strrchr(path[0], '/') - path[0]) + 1;

	for (unsigned i = 1; i < n; i++) {
		size_t same = 0;

		while (same < common && path[i][same] == path[0][same])
			same++;
		while (same > 0 && path[0][same - 1] != '/')
			same--;
		common = same;
	}
	return common;
}

/* Makes the folders of a file in the bundle's rtl/. */
static int make_dirs(const char *rtl, const char *name, struct arena *a, struct err *e)
{
	for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/'))
		if (make_dir(arena_printf(a, "%s/%.*s", rtl, (int)(slash - name), name), e))
			return -1;
	return 0;
}

static int copy_file(const char *from, const char *to, struct err *e)
{
	struct stat x, y;

	/* A bundle that is minimised in place of itself has the files already. */
	if (stat(from, &x) == 0 && stat(to, &y) == 0 && x.st_ino == y.st_ino && x.st_dev == y.st_dev)
		return 0;
	unlink(to);
	return output_copy(from, to, BIND_MAX_FILE, e);
}

/* Folders that are none of a named file's, if they are in the bundle, separated by commas. */
static void list_dirs(const struct bind_sources *src, const char *common, size_t n, struct arena *a, char dirs[BIND_FIT_DIRS])
{
	size_t at = strlen(dirs);

	for (unsigned i = src->n_named_dirs; i < src->n_dirs; i++) {
		const char *dir = arena_printf(a, "%s/", absolute(src->dir[i], a));
		size_t length = strlen(dir);

		if (length > n && !strncmp(dir, common, n))
			at += (size_t)snprintf(dirs + at, BIND_FIT_DIRS - at, "%s%.*s", at ? "," : "", (int)(length - n - 1),
					       dir + n);
		else if (length == n && !strncmp(dir, common, n))
			at += (size_t)snprintf(dirs + at, BIND_FIT_DIRS - at, "%s.", at ? "," : "");
		if (at >= BIND_FIT_DIRS)
			return;
	}
}

/* What goes along, as the stimulus file names it. */
struct copied {
	char rtl[SCENARIO_RTL], golden[SCENARIO_RTL], dirs[BIND_FIT_DIRS];
};

/* All files of one side's sources, one after another. */
static unsigned list_files(const struct bind_sources *src, const char **file)
{
	unsigned n = 0;

	for (unsigned i = 0; i < src->n; i++)
		file[n++] = src->file[i];
	for (unsigned i = 0; i < src->n_data; i++)
		file[n++] = src->data[i].path;
	return n;
}

static void list_names(const char *const *path, unsigned n, size_t common, char names[SCENARIO_RTL])
{
	size_t at = 0;

	for (unsigned i = 0; i < n && at < SCENARIO_RTL; i++)
		at += (size_t)snprintf(names + at, SCENARIO_RTL - at, "%s%s", i ? "," : "", path[i] + common);
}

/* The RTL goes along, and what it includes and reads: a bundle shows the same mismatch after the sources have changed.
 * Files keep their places relative to one another; those of a user's golden side are among them. */
static int copy_rtl(const struct scenario *s, const char *folder, struct copied *to, struct err *e)
{
	struct bind_request q = {.block = s->block,
				 .params = s->params,
				 .rtl = s->rtl[0] ? s->rtl : NULL,
				 .fit = &s->fit,
				 .foreign = s->foreign,
				 .within = s->within};
	struct arena a = {0};
	struct bind_sources src, golden = {0};
	const char *rtl = arena_printf(&a, "%s/rtl", folder), **file, **path;
	unsigned n, total;
	size_t common;
	int rc = bind_sources(&q, &a, &src, e);

	memset(to, 0, sizeof *to);
	q.rtl = s->golden;
	q.foreign = s->golden_foreign;
	if (!rc && s->golden[0])
		rc = bind_sources(&q, &a, &golden, e);
	if (rc) {
		arena_free(&a);
		return rc;
	}
	total = src.n + src.n_data + golden.n + golden.n_data;
	file = arena_array(&a, total, sizeof *file);
	path = arena_array(&a, total, sizeof *path);
	n = list_files(&src, file);
	list_files(&golden, file + n);
	for (unsigned i = 0; i < total; i++)
		path[i] = absolute(file[i], &a);
	common = common_folder(path, total);
	for (unsigned i = 0; i < total && !rc; i++)
		rc = make_dirs(rtl, path[i] + common, &a, e) ||
		     copy_file(file[i], arena_printf(&a, "%s/%s", rtl, path[i] + common), e);
	list_names(path, src.n_named, common, to->rtl);
	list_names(path + n, golden.n_named, common, to->golden);
	list_dirs(&src, path[0], common, &a, to->dirs);
	list_dirs(&golden, path[0], common, &a, to->dirs);
	arena_free(&a);
	return rc ? -1 : 0;
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
	char path[4200];
	struct copied copied;
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
	rc = rc || write_report(s, &o, &h, folder, to, e) || copy_rtl(s, folder, &copied, e);
	snprintf(path, sizeof path, "%s/stimulus.txt", folder);
	rc = rc || bundle_write_stimulus(s, path, copied.rtl, copied.golden, copied.dirs, e) || write_rerun(folder, e) ||
	     write_wave(s, &o, rtl, folder, e);
	history_free(&h);
	return rc ? -1 : 0;
}

/* What names files in the bundle's rtl/ names nothing else, and nothing to a shell, to Verilator or in the text that it
 * writes. */
static int check_names(const char *names, const char *path, struct err *e)
{
	const unsigned char *c = (const unsigned char *)names;

	for (; *c; c++)
		if (*c < 0x80 && !isalnum(*c) && !strchr("_.,+-= @#%~:^/", *c))
			return err_set(e, "%s: \"%s\": \"%c\" is not for the name of a file in a bundle", path, names, *c);
	for (const char *part = names; part; part = strpbrk(part, ",/")) {
		part += *part == ',' || (*part == '/' && part > names);
		if (*part == '/' || (!strncmp(part, "..", 2) && strchr(",/", part[2])))
			return err_set(e, "%s: \"%s\": leads out of the bundle", path, names);
	}
	return 0;
}

/* Files or folders of the bundle's rtl/, with that in front. */
static int in_bundle(char *out, size_t room, const char *folder, const char *path, struct err *e)
{
	char *names = strdup(out), *save = NULL;
	size_t at = 0;
	int rc = check_names(names, path, e);

	out[0] = '\0';
	for (char *name = strtok_r(names, ",", &save); name && at < room && !rc; name = strtok_r(NULL, ",", &save))
		at += (size_t)snprintf(out + at, room - at, "%s%s/rtl/%s", at ? "," : "", folder, name);
	free(names);
	return rc ? rc : at < room ? 0 : err_set(e, "%s: the names of its RTL files are too long", path);
}

int bundle_read(struct scenario *s, const char *folder, struct err *e)
{
	char path[4200];

	snprintf(path, sizeof path, "%s/stimulus.txt", folder);
	if (bundle_read_stimulus(s, path, e))
		return -1;
	if (in_bundle(s->rtl, sizeof s->rtl, folder, path, e) || in_bundle(s->golden, sizeof s->golden, folder, path, e) ||
	    in_bundle(s->fit.dirs, sizeof s->fit.dirs, folder, path, e)) {
		scenario_free(s);
		return -1;
	}
	s->foreign = s->golden_foreign = true;
	if ((size_t)snprintf(s->within, sizeof s->within, "%s/rtl", folder) < sizeof s->within)
		return 0;
	scenario_free(s);
	return err_set(e, "%s: the name of the folder is too long", folder);
}
