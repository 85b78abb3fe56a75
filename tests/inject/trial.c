#include "inject/trial.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inject/harm.h"
#include "support/random.h"

enum { PATH_BYTES = 8300, OUTPUTS = 3, CANNOT = 2, A_RUN_FAILED = 1, LEAST_LIMIT = 4096 /* what is said fits */ };

/* words: of the command. reader: of one that reads output 0, which is named after it where it is not in the words.
 * runs: it keeps runs in runs.db. tables: of a command that makes the outputs of them, where it does not itself. */
static const struct command {
	const char *words, *reader, *output[OUTPUTS];
	bool runs;
	const char *tables;
} commands[TRIAL_COMMANDS] = {
	{"run syrk --size test --json r.json --timeline t.json", "diff r.json r.json", {"r.json", "t.json"}, false, NULL},
	{"record matmul --size test -o r.ltrace", "run r.ltrace", {"r.ltrace"}, false, NULL},
	{"cosim syrk --size test --l1-index pric --json r.json --timeline t.json",
	 "diff r.json r.json",
	 {"r.json", "t.json"},
	 false,
	 NULL},
	{"mix vectoradd syrk --size test --machine ndp4 --plan own-stacks --json r.json",
	 "diff r.json r.json",
	 {"r.json"},
	 false,
	 NULL},
	/* --retry: a run that a full disk ended counts as failed. */
	{"sweep ../plan.yaml --dir . -j 2 --retry",
	 NULL,
	 {"table.csv"},
	 true,
	 "sweep csv ../plan.yaml --dir . --metric cycles,l1.misses -o table.csv"},
	{"study cache --figure 2 --size test -j 2 --dir .", NULL, {"figure-2.csv", "figure-2.json", "figure-2.svg"}, true, NULL},
};
const char *const trial_commands[TRIAL_COMMANDS] = {"run", "record", "cosim", "mix", "sweep", "study"};
const char *const trial_kinds[TRIAL_KINDS] = {"killed", "disk full", "file limit", "file cut short"};
enum { STUDY = TRIAL_COMMANDS - 1 };

static const char sweep_plan[] = "common: {size: test, max-insts: 20K}\n"
				 "axes:\n"
				 "  workload: [vectoradd, atax, mvt]\n"
				 "  l1-index: [linear, pric]\n";

/* ---- paths: FOLDER/whole-COMMAND has what an undisturbed run writes, FOLDER/disk what the harmed one does ---- */

static char *in_disk(const struct trial_bench *b, const char *name, char path[PATH_BYTES])
{
	snprintf(path, PATH_BYTES, "%s/disk/%s", b->folder, name);
	return path;
}

static char *in_whole(const struct trial_bench *b, unsigned command, const char *name, char path[PATH_BYTES])
{
	snprintf(path, PATH_BYTES, "%s/whole-%s/%s", b->folder, trial_commands[command], name);
	return path;
}

static int64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (int64_t)st.st_size : -1;
}

static char *text_of(const char *path, size_t *n)
{
	int64_t size = size_of(path);
	FILE *f = size < 0 ? NULL : fopen(path, "rb");
	char *text = f ? malloc((size_t)size + 1) : NULL;

	*n = text ? fread(text, 1, (size_t)size, f) : 0;
	if (text)
		text[*n] = '\0';
	if (f)
		fclose(f);
	return text;
}

/* Copies the first bytes. Returns 0, or -1 if they do not fit. */
static int copy(const char *from, const char *to, size_t bytes)
{
	size_t n;
	char *text = text_of(from, &n);
	FILE *f = text ? fopen(to, "wb") : NULL;
	int rc = -1;

	if (f) {
		n = n < bytes ? n : bytes;
		rc = fwrite(text, 1, n, f) == n ? 0 : -1;
		rc = fclose(f) == 0 ? rc : -1;
	}
	free(text);
	return rc;
}

static bool same(const char *a, const char *b)
{
	size_t na, nb;
	char *x = text_of(a, &na), *y = text_of(b, &nb);
	bool equal = x && y && na == nb && !memcmp(x, y, na);

	free(x);
	free(y);
	return equal;
}

/* ---- running ---- */

static struct harmed run(const struct trial_bench *b, const char *words, const char *disk, struct harm harm)
{
	char out[PATH_BYTES], err[PATH_BYTES];

	snprintf(out, sizeof out, "%s/out", b->folder);
	snprintf(err, sizeof err, "%s/err", b->folder);
	return harm_run(b->program, words, disk, out, err, harm);
}

/* The last line that was said on standard error, progress aside; the caller frees it. */
static char *last_words(const struct trial_bench *b)
{
	char path[PATH_BYTES], *text, *line;
	size_t n;

	snprintf(path, sizeof path, "%s/err", b->folder);
	text = text_of(path, &n);
	if (!text)
		return strdup("");
	if (n && text[n - 1] == '\n')
		text[n - 1] = '\0';
	line = strrchr(text, '\n');
	line = strdup(line ? line + 1 : text);
	free(text);
	return line;
}

static bool is_refusal(const struct trial_bench *b, int status, int also)
{
	char *line = last_words(b);
	/* A sweep says of a run that failed "locus run ...: why". */
	bool is = (status == CANNOT || status == also) &&
		  (!strncmp(line, "locus: ", 7) || (status == A_RUN_FAILED && !strncmp(line, "locus run ", 10)));

	free(line);
	return is;
}

static int write_text(const struct trial_bench *b, const char *name, const char *text)
{
	char path[PATH_BYTES];
	FILE *f;
	int rc;

	snprintf(path, sizeof path, "%s/%s", b->folder, name);
	f = fopen(path, "w");
	rc = f && fputs(text, f) >= 0 ? 0 : -1;
	return f && fclose(f) != 0 ? -1 : rc;
}

int trial_bench_init(struct trial_bench *b, const char *program, const char *folder, struct err *e)
{
	char whole[PATH_MAX];

	for (unsigned i = 0; i < TRIAL_COMMANDS; i++)
		b->seconds[i] = -1;
	if (!realpath(program, whole) || access(whole, X_OK) != 0)
		return err_set(e, "%s: cannot be run", program);
	snprintf(b->program, sizeof b->program, "%s", whole);
	if ((mkdir(folder, 0777) < 0 && errno != EEXIST) || !realpath(folder, whole) || strchr(whole, '\''))
		return err_set(e, "%s: is no folder to work in", folder);
	snprintf(b->folder, sizeof b->folder, "%s", whole);
	if (write_text(b, "plan.yaml", sweep_plan) != 0)
		return err_set(e, "%s: cannot be written", folder);
	b->full_disks = harm_prepare();
	return 0;
}

/* What the command writes and how long it takes when nothing happens. */
static int make_whole(struct trial_bench *b, unsigned command, struct err *e)
{
	char disk[PATH_BYTES];
	struct harmed h;
	char *line;

	if (b->seconds[command] >= 0)
		return 0;
	in_whole(b, command, "", disk);
	mkdir(disk, 0777);
	h = run(b, commands[command].words, disk, HARM_NONE);
	b->seconds[command] = h.seconds;
	if (h.status == 0 && commands[command].tables)
		h = run(b, commands[command].tables, disk, HARM_NONE);
	if (h.status == 0)
		return 0;
	line = last_words(b);
	err_set(e, "%s without harm ends with status %d: %s", trial_commands[command], h.status, line);
	free(line);
	return -1;
}

/* ---- the runs that a study or a sweep keeps ---- */

static sqlite3 *open_runs(const char *path)
{
	sqlite3 *db = NULL;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK)
		return db;
	sqlite3_close(db);
	return NULL;
}

/* All runs but some, so that a study's trial costs seconds and not minutes. */
static int forget_runs(const char *path, uint64_t *draw)
{
	sqlite3 *db = open_runs(path);
	char sql[256];
	int rc;

	snprintf(sql, sizeof sql,
		 "DELETE FROM run WHERE rowid IN (SELECT rowid FROM run ORDER BY (rowid * %llu) %% 8191 LIMIT %llu); VACUUM",
		 (unsigned long long)(1 + random_below(draw, 8190)), (unsigned long long)(1 + random_below(draw, 3)));
	rc = db && sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : -1;
	sqlite3_close(db);
	return rc;
}

/* Those that are in `kept` and not, with the same figures, in `now`; -1: one of them cannot be read. */
static int lost_runs(const char *kept, const char *now)
{
	sqlite3 *db = open_runs(now);
	sqlite3_stmt *st = NULL;
	char *sql = sqlite3_mprintf("ATTACH %Q AS k", kept);
	int n = -1;

	if (db && sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, "SELECT count(*) FROM (SELECT * FROM k.run EXCEPT SELECT * FROM main.run)", -1, &st, NULL) ==
		    SQLITE_OK &&
	    sqlite3_step(st) == SQLITE_ROW)
		n = sqlite3_column_int(st, 0);
	sqlite3_finalize(st);
	sqlite3_free(sql);
	sqlite3_close(db);
	return n;
}

/* ---- judging ---- */

static const char *const older = "older\n";

static bool is_older(const char *path)
{
	size_t n;
	char *text = text_of(path, &n);
	bool is = text && !strcmp(text, older);

	free(text);
	return is;
}

static int judge_outputs(const struct trial_bench *b, unsigned command, bool must_be_whole, bool had_older, struct err *e)
{
	char path[PATH_BYTES], whole[PATH_BYTES];

	for (unsigned i = 0; i < OUTPUTS && commands[command].output[i]; i++) {
		const char *name = commands[command].output[i];

		if (same(in_disk(b, name, path), in_whole(b, command, name, whole)))
			continue;
		if (must_be_whole)
			return err_set(e, "%s is not what an undisturbed %s writes", name, trial_commands[command]);
		if (had_older ? !is_older(path) : size_of(path) >= 0)
			return err_set(e, "%s is neither whole nor %s", name, had_older ? "the older one" : "absent");
	}
	return 0;
}

static bool is_output(unsigned command, const char *name)
{
	for (unsigned i = 0; i < OUTPUTS && commands[command].output[i]; i++)
		if (!strcmp(name, commands[command].output[i]))
			return true;
	return commands[command].runs && !strcmp(name, "runs.db");
}

/* What the next call removes or rolls back. */
static bool is_for_later(unsigned command, const char *name)
{
	return strstr(name, ".locus-work-") || (commands[command].runs && !strcmp(name, "runs.db-journal"));
}

static int judge_leftovers(const struct trial_bench *b, unsigned command, bool later, struct err *e)
{
	char path[PATH_BYTES];
	const struct dirent *entry;
	DIR *d = opendir(in_disk(b, "", path));
	int rc = d ? 0 : err_set(e, "the disk is gone");

	while (rc == 0 && (entry = readdir(d))) {
		const char *name = entry->d_name;

		if (strcmp(name, ".") && strcmp(name, "..") && !is_output(command, name) && !(later && is_for_later(command, name)))
			rc = err_set(e, "%s is left behind", name);
	}
	if (d)
		closedir(d);
	return rc;
}

/* ---- a trial ---- */

struct trial trial_of_seed(const struct trial_bench *b, uint64_t seed, bool studies)
{
	uint64_t draw = seed;
	struct trial t = {.seed = seed};

	t.command = (unsigned)random_below(&draw, studies ? TRIAL_COMMANDS : STUDY);
	do
		t.kind = (enum trial_kind)random_below(&draw, TRIAL_KINDS);
	while (t.kind == TRIAL_FULL_DISK && !b->full_disks);
	return t;
}

static uint64_t bytes_of_outputs(const struct trial_bench *b, unsigned command)
{
	char path[PATH_BYTES];
	uint64_t n = 0;

	for (unsigned i = 0; i < OUTPUTS && commands[command].output[i]; i++)
		n += (uint64_t)size_of(in_whole(b, command, commands[command].output[i], path));
	return n;
}

/* The disk before the command: what a study has kept, older outputs half of the time. */
static int fill_disk(const struct trial_bench *b, const struct trial *t, bool with_older, uint64_t *draw)
{
	char path[PATH_BYTES], whole[PATH_BYTES];

	for (unsigned i = 0; with_older && i < OUTPUTS && commands[t->command].output[i]; i++) {
		FILE *f = fopen(in_disk(b, commands[t->command].output[i], path), "w");

		if (!f || fputs(older, f) < 0 || fclose(f) != 0)
			return -1;
	}
	if (!commands[t->command].runs)
		return 0;
	in_disk(b, "runs.db", path);
	return copy(in_whole(b, t->command, "runs.db", whole), path, SIZE_MAX) == 0 ? forget_runs(path, draw) : -1;
}

/* After the harm: what is there, then the same command without harm. */
static int judge(struct trial_bench *b, const struct trial *t, struct harmed h, bool had_older, struct err *e)
{
	char kept[PATH_BYTES], runs[PATH_BYTES];
	const struct command *c = &commands[t->command];
	int also = c->runs ? A_RUN_FAILED : CANNOT, lost;
	enum trial_end end = h.status == 0 ? TRIAL_COMPLETE : h.status == 128 + 9 ? TRIAL_KILLED : TRIAL_REFUSED;

	if (end == TRIAL_REFUSED && !is_refusal(b, h.status, also)) {
		char *line = last_words(b);

		err_set(e, "status %d, the last line is \"%s\"", h.status, line);
		free(line);
		return -1;
	}
	/* A study's tables have a "-" for each run that failed, which its status says; a sweep's are not made yet. */
	if ((h.status != A_RUN_FAILED && judge_outputs(b, t->command, end == TRIAL_COMPLETE && !c->tables, had_older, e)) ||
	    judge_leftovers(b, t->command, end != TRIAL_COMPLETE, e))
		return -1;
	if (harm_disk_grow(in_disk(b, "", kept)) != 0)
		return err_set(e, "the disk cannot be made larger");
	snprintf(kept, sizeof kept, "%s/kept.db", b->folder);
	in_disk(b, "runs.db", runs);
	/* Reading it rolls back what was under way. */
	if (c->runs && (lost_runs(runs, runs) != 0 || copy(runs, kept, SIZE_MAX) != 0))
		return err_set(e, "runs.db cannot be read");
	h = run(b, c->words, in_disk(b, "", runs), HARM_NONE);
	if (h.status == 0 && c->tables)
		h = run(b, c->tables, runs, HARM_NONE);
	if (h.status != 0)
		return err_set(e, "the next call ends with status %d", h.status);
	if (judge_outputs(b, t->command, true, had_older, e) || judge_leftovers(b, t->command, false, e))
		return err_prefix(e, "after the next call");
	lost = c->runs ? lost_runs(kept, in_disk(b, "runs.db", runs)) : 0;
	return lost ? err_set(e, "%d kept runs are lost", lost) : (int)end;
}

static int harm_and_judge(struct trial_bench *b, const struct trial *t, uint64_t *draw, struct err *e)
{
	struct harm harm = HARM_NONE;
	char path[PATH_BYTES];
	bool with_older = random_below(draw, 2);
	uint64_t bytes = bytes_of_outputs(b, t->command) * 5 / 4, kept = 0;

	if (fill_disk(b, t, with_older, draw))
		return err_set(e, "the disk cannot be filled");
	if (commands[t->command].runs)
		kept = (uint64_t)size_of(in_disk(b, "runs.db", path));
	if (t->kind == TRIAL_KILL)
		harm.kill_after = b->seconds[t->command] * (double)random_below(draw, 1200) / 1000;
	harm.kill_children = random_below(draw, 2);
	if (t->kind == TRIAL_FILE_LIMIT)
		harm.file_limit = LEAST_LIMIT + (int64_t)random_below(draw, kept + bytes);
	if (t->kind == TRIAL_FULL_DISK && harm_disk_limit(in_disk(b, "", path), random_below(draw, kept / 4 + bytes)))
		return err_set(e, "the disk cannot be limited");
	return judge(b, t, run(b, commands[t->command].words, in_disk(b, "", path), harm), with_older, e);
}

/* A whole file without its end, to the program that reads it. */
static int cut_and_judge(const struct trial_bench *b, const struct trial *t, uint64_t *draw, struct err *e)
{
	const struct command *c = &commands[t->command];
	const char *name = c->runs ? "runs.db" : c->output[0];
	char path[PATH_BYTES], whole[PATH_BYTES];
	uint64_t size = (uint64_t)size_of(in_whole(b, t->command, name, whole)), bytes = 1 + random_below(draw, size - 2);
	struct harmed h;

	if (copy(whole, in_disk(b, name, path), bytes))
		return err_set(e, "%s cannot be copied", name);
	h = run(b, c->reader ? c->reader : c->words, in_disk(b, "", path), HARM_NONE);
	if (!is_refusal(b, h.status, CANNOT))
		return err_set(e, "the first %lu bytes of %s are not refused: status %d", bytes, name, h.status);
	return TRIAL_REFUSED;
}

int trial_run(struct trial_bench *b, const struct trial *t, struct err *e)
{
	uint64_t draw = ~t->seed;
	char disk[PATH_BYTES];
	int rc;

	if (make_whole(b, t->command, e))
		return -1;
	snprintf(disk, sizeof disk, "%s/disk", b->folder);
	if (harm_disk_new(disk))
		return err_set(e, "%s: no disk can be made: %s", disk, strerror(errno));
	rc = t->kind == TRIAL_CUT_FILE ? cut_and_judge(b, t, &draw, e) : harm_and_judge(b, t, &draw, e);
	harm_disk_remove(disk);
	return rc;
}
