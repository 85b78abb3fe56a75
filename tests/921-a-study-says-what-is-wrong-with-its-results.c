/* 921: runs.db that cannot be used ends a study with one line that names it and says what to do; a study that was
 * killed leaves nothing that the next one does not remove, and one at work keeps what it has. */
#include <criterion/criterion.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "study/study.h"
#include "support/program.h"

/* Makes runs.db with SQLite itself, then lets a command damage it. The study must say so before it runs anything. */
static void refused(const char *sql, const char *damage, const char *says)
{
	char path[256];
	struct program p;
	sqlite3 *db;

	snprintf(path, sizeof path, "%s/runs.db", program_tmp());
	remove(path);
	if (sql) {
		cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
		cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
		sqlite3_close(db);
	}
	p = program_run("cd %s && { %s; } && timeout 20 \"${LOCUS_BUILD:-$OLDPWD/build}/locus\" study cache --dir .", program_tmp(),
			damage);
	cr_expect(program_is_clean_error(&p), "%s", damage);
	cr_expect(strstr(p.err, "./runs.db: "), "%s", p.err);
	cr_expect(strstr(p.err, says), "expected \"%s\" in %s", says, p.err);
	cr_expect_str_empty(p.out);
	program_free(&p);
}

#define SCHEMA "CREATE TABLE run (program TEXT, args TEXT, seconds REAL, result TEXT, PRIMARY KEY (program, args)); "
#define ROWS                                                                                                                       \
	"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) "                                           \
	"INSERT INTO run SELECT 'p', i, 1, hex(randomblob(500)) FROM n;"

Test(runs_db, what_is_wrong_is_reported_in_one_line)
{
	refused(NULL, "echo this is no database, but a text that is longer than a header >runs.db", "delete it");
	refused(SCHEMA ROWS, "truncate -s 3000 runs.db", "delete it");
	refused(SCHEMA ROWS, "dd if=/dev/urandom of=runs.db bs=4096 seek=40 count=8 conv=notrunc 2>/dev/null", "delete it");
	refused("CREATE TABLE run (name TEXT, time REAL);", "true", "something other than runs");
	refused(NULL, "mkdir runs.db", "unable to open");
}

/* ---- killed ---- */

static void figure(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"a", NULL};

	sweep_table_init(t, &c->arena, "figure-1", "Figure 1", "workload", "cycles", columns);
	sweep_table_row(t, SWEEP_MEASURED, "x")[0] = study_value(c, "cycles", "run 1");
}

static const struct study_figure figures[] = {{"1", figure}, {NULL, NULL}};
static const struct study study = {"fake", "a study of nothing", figures};

/* A program that is not locus; it waits as long as there is a file `hold`. */
static int run(void)
{
	struct study_options o = {.dir = program_tmp(), .size = "test", .jobs = 1};
	char path[256], text[1024];
	struct err e = {""};
	FILE *to = tmpfile();
	int rc;

	snprintf(path, sizeof path, "%s/fake", program_tmp());
	snprintf(text, sizeof text,
		 "#!/bin/sh\nfor last; do :; done\nwhile [ -e %s/hold ]; do sleep 0.05; done\n"
		 "echo '{\"stats\": {\"cycles\": 1}}' >\"$last\"\n",
		 program_tmp());
	if (access(path, F_OK) != 0)
		program_file("fake", text);
	cr_assert_eq(chmod(path, 0755), 0);
	o.program = path;
	rc = study_run(&study, &o, to, &e);
	fclose(to);
	return rc;
}

static pid_t start(void)
{
	pid_t pid;

	program_file("hold", "");
	pid = fork();
	if (pid == 0)
		_exit(run() == 0 ? 0 : 1);
	return pid;
}

static void release(void)
{
	char path[256];

	snprintf(path, sizeof path, "%s/hold", program_tmp());
	cr_assert_eq(unlink(path), 0);
}

/* Whatever a finished study does not have in its folder. */
static unsigned leftovers(void)
{
	struct program p =
		program_run("ls -A %s | grep -vcE '^(hold|fake|runs\\.db.*|figure-.*|out\\..*|err\\..*)$'", program_tmp());
	unsigned n = (unsigned)atoi(p.out);

	program_free(&p);
	return n;
}

static void wait_until_at_work(void)
{
	for (int i = 0; i < 200 && leftovers() == 0; i++)
		usleep(20000);
	cr_assert_eq(leftovers(), 1);
}

Test(study, what_a_killed_one_left_is_removed_by_the_next)
{
	pid_t pid = start();

	wait_until_at_work();
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	cr_assert_eq(leftovers(), 1);
	release();
	cr_assert_eq(run(), 0);
	cr_assert_eq(leftovers(), 0);
}

Test(study, one_at_work_keeps_what_it_has_beside_another)
{
	pid_t first = start(), second;
	int status;

	wait_until_at_work();
	second = start();
	for (int i = 0; i < 200 && leftovers() < 2; i++)
		usleep(20000);
	cr_assert_eq(leftovers(), 2);
	release();
	cr_assert(waitpid(first, &status, 0) == first && status == 0);
	cr_assert(waitpid(second, &status, 0) == second && status == 0);
	cr_assert_eq(leftovers(), 0);
}
