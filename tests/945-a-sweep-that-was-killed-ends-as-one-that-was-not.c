/* 945: what a sweep says it has made is kept, whatever kills it; the next call makes the rest and no more, and ends
 * with the table of a sweep that nobody killed.
 *
 * Six kills here; `make test-sweep-kills` has a hundred (SWEEP_KILLS).
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/number.h"
#include "support/program.h"
#include "support/random.h"

#define PLAN                                                                                                                       \
	"common: {size: test, max-insts: 20K}\naxes:\n  workload: [vectoradd, atax, mvt]\n  l1-index: [linear, pric]\n"            \
	"  l1.mshr_entries: [16, 32, 48, 64]\n"
enum { RUNS = 3 * 2 * 4 };

/* ---- what is kept ---- */

/* The number that a query finds in the sweep's file; text: bound to it, or NULL. */
static int ask(const char *dir, const char *sql, const char *text)
{
	char path[256];
	sqlite3_stmt *st;
	sqlite3 *db;
	int n;

	snprintf(path, sizeof path, "%s/%s/runs.db", program_tmp(), dir);
	cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
	cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
	if (text)
		sqlite3_bind_text(st, 1, text, -1, SQLITE_STATIC);
	cr_assert_eq(sqlite3_step(st), SQLITE_ROW, "%s", sqlite3_errmsg(db));
	n = sqlite3_column_int(st, 0);
	sqlite3_finalize(st);
	sqlite3_close(db);
	return n;
}

static unsigned kept(const char *dir)
{
	return (unsigned)ask(dir, "SELECT count(*) FROM run", NULL);
}

/* "3/24  0.1 s  locus run ...": each such line's run is in the file. Returns how many there are. */
static unsigned check_reported(const char *dir, const char *log)
{
	char path[256], *text, *save = NULL;
	unsigned n = 0;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), log);
	text = program_text(path);
	if (*text && text[strlen(text) - 1] != '\n') /* a line that the kill cut says nothing */
		*(strrchr(text, '\n') ? strrchr(text, '\n') + 1 : text) = '\0';
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		const char *run = strstr(line, "  locus run ");

		if (!run)
			continue;
		n++;
		cr_assert_eq(ask(dir, "SELECT count(*) FROM run WHERE args = ?", run + strlen("  locus ")), 1, "lost: %s", line);
	}
	free(text);
	return n;
}

static char *table(const char *dir)
{
	struct program p = program_run("cd %s && locus sweep table plan.yaml --dir %s", program_tmp(), dir);

	cr_assert_eq(p.status, 0, "%s", p.err);
	free(p.err);
	return p.out;
}

/* ---- killing ---- */

static pid_t start(const char *dir, const char *log)
{
	char program[4096];
	pid_t pid;

	cr_assert_not_null(realpath(getenv("LOCUS_BUILD") ? getenv("LOCUS_BUILD") : "build", program));
	strncat(program, "/locus", sizeof program - strlen(program) - 1);
	pid = fork();
	if (pid == 0) {
		int to;

		setpgid(0, 0);
		if (chdir(program_tmp()) != 0 || (to = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666)) < 0 || dup2(to, 1) < 0)
			_exit(126);
		execl(program, program, "sweep", "plan.yaml", "--dir", dir, "--each", "-j2", (char *)NULL);
		_exit(126);
	}
	setpgid(pid, pid);
	return pid;
}

/* All that is left of it ends without being asked: orphans are ours. */
static void wait_for_all(void)
{
	while (wait(NULL) > 0 || errno == EINTR)
		;
}

/* Whether it had ended before. */
static bool kill_at(const char *dir, useconds_t microseconds)
{
	pid_t pid = start(dir, "log");
	int status;
	bool over;

	usleep(microseconds);
	over = waitpid(pid, &status, WNOHANG) == pid;
	if (!over) {
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
	wait_for_all();
	return over;
}

static void run_whole(const char *dir)
{
	int status;
	pid_t pid = start(dir, "log");

	cr_assert(waitpid(pid, &status, 0) == pid && status == 0);
	cr_assert_eq(kept(dir), RUNS);
}

static void expect_nothing_beside(const char *dir)
{
	struct program p = program_run("ls -A %s/%s", program_tmp(), dir);

	cr_expect_str_eq(p.out, "runs.db\n", "%s", p.out);
	program_free(&p);
}

Test(sweep_kill, loses_nothing_that_was_reported)
{
	const char *wanted = getenv("SWEEP_KILLS");
	unsigned hit = 0, reported = 0, rounds = 0;
	uint64_t kills = 6, random = 945;
	char *whole, *again;

	cr_assert(!wanted || (number_parse_u64(wanted, &kills) == 0 && kills), "SWEEP_KILLS: \"%s\" is no number of kills", wanted);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	program_file("plan.yaml", PLAN);
	run_whole("whole");
	whole = table("whole");
	while (hit < kills) {
		bool over = kill_at("killed", (useconds_t)(random_u64(&random) % 700000));

		hit += !over;
		if (access(program_tmp(), F_OK) == 0 && program_run("test -e %s/killed/runs.db", program_tmp()).status == 0)
			reported += check_reported("killed", "log");
		if (!over || hit == kills)
			continue;
		again = table("killed"); /* it came to its end: the next kills are for a new one */
		cr_assert_str_eq(again, whole);
		free(again);
		program_run("rm -r %s/killed", program_tmp());
		rounds++;
	}
	run_whole("killed");
	reported += check_reported("killed", "log");
	again = table("killed");
	cr_assert_str_eq(again, whole);
	expect_nothing_beside("killed");
	fprintf(stderr, "%u kills of sweeps at work, %u sweeps to their end, %u results reported, none lost\n", hit, rounds + 1,
		reported);
	free(again);
	free(whole);
}

/* Returns as soon as a run is reported, however slow the machine is, or all have ended. */
static void wait_for_a_run(pid_t pid, const char *log)
{
	char path[256];
	struct stat now;
	siginfo_t ended = {.si_pid = 0};

	snprintf(path, sizeof path, "%s/%s", program_tmp(), log);
	while (!ended.si_pid && (stat(path, &now) != 0 || now.st_size == 0)) {
		usleep(10000);
		cr_assert_eq(waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT), 0);
	}
}

/* A terminal's Ctrl-C reaches the runs too; that says nothing of them. */
Test(sweep_kill, of_a_whole_group_by_sigint_leaves_no_failure)
{
	unsigned reported;
	int status;
	pid_t pid;

	program_file("plan.yaml", PLAN);
	pid = start("int", "log");
	wait_for_a_run(pid, "log");
	kill(-pid, SIGINT);
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
		cr_expect_eq(WEXITSTATUS(status), 130);
	cr_expect_eq(ask("int", "SELECT count(*) FROM failure", NULL), 0);
	reported = check_reported("int", "log");
	cr_expect_geq(reported, 1);
	cr_expect_eq(reported, kept("int"));
}

/* ---- growing and failing ---- */

static struct program sweep(const char *plan, const char *options)
{
	program_file("plan.yaml", plan);
	return program_run("cd %s && locus sweep plan.yaml --dir grown -j2 --each %s", program_tmp(), options);
}

static unsigned made(const struct program *p)
{
	unsigned n = 0;

	for (const char *at = p->out; (at = strstr(at, "  locus run ")); at++)
		n++;
	return n;
}

Test(sweep, that_has_grown_makes_what_is_new)
{
	struct program p = sweep("common: {size: test}\naxes: {workload: vectoradd, l1.assoc: [4, 8]}\n", "");

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect_eq(made(&p), 2, "%s", p.out);
	program_free(&p);
	/* the same in other words, and one more */
	p = sweep("axes: {l1.assoc: [2, 8, 4], size: test, workload: vectoradd}\n", "");
	cr_expect_eq(made(&p), 1, "%s", p.out);
	cr_expect(strstr(p.out, "3 runs, 2 kept before, 1 made, 0 failed"), "%s", p.out);
	program_free(&p);
	p = sweep("axes: {l1.assoc: [2, 8, 4], size: test, workload: vectoradd}\n", "");
	cr_expect_eq(made(&p), 0, "%s", p.out);
	program_free(&p);
}

/* A launch file whose text is another is another source, by whatever name; so is a file that it names. */
static void makes_again(const char *name)
{
	struct program p = program_run("cd %s && rm -rf grown && cp $OLDPWD/traces/examples/short.yaml %s && cp "
				       "$OLDPWD/traces/examples/kernel.ptx .",
				       program_tmp(), name);
	char plan[64];

	snprintf(plan, sizeof plan, "axes: {workload: %s}\n", name);
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = sweep(plan, "");
	cr_expect_eq(made(&p), 1, "%s: %s%s", name, p.out, p.err);
	program_free(&p);
	p = program_run("echo '// changed' >>%s/kernel.ptx", program_tmp());
	program_free(&p);
	p = sweep(plan, "");
	cr_expect_eq(made(&p), 1, "%s: %s%s", name, p.out, p.err);
	program_free(&p);
	p = sweep(plan, "");
	cr_expect_eq(made(&p), 0, "%s: %s%s", name, p.out, p.err);
	program_free(&p);
}

Test(sweep, makes_again_what_is_made_with_other_bytes)
{
	makes_again("mine.yaml");
	makes_again("mine.yml");
}

#define FAILING "common: {size: test}\naxes: {workload: vectoradd, arg.n: [1K, none]}\n"

Test(sweep, keeps_failures_with_their_reason_and_tries_again_on_request)
{
	struct program p = sweep(FAILING, "");

	cr_expect_eq(p.status, 1);
	cr_expect(strstr(p.err, "locus run vectoradd --size test --arg n=none: --arg n=none: not a whole number"), "%s", p.err);
	cr_expect(strstr(p.out, "2 runs, 0 kept before, 1 made, 1 failed"), "%s", p.out);
	program_free(&p);
	cr_expect_eq(ask("grown", "SELECT count(*) FROM failure WHERE why LIKE '--arg n=none: not a whole number%'", NULL), 1);
	p = sweep(FAILING, "");
	cr_expect_eq(p.status, 1);
	cr_expect(strstr(p.err, "runs not repeated: 1 that failed before (--retry repeats them)"), "%s", p.err);
	program_free(&p);
	cr_expect_eq(ask("grown", "DELETE FROM failure RETURNING 1", NULL), 1);
	p = sweep(FAILING, "--retry");
	cr_expect_eq(p.status, 1);
	cr_expect_eq(ask("grown", "SELECT count(*) FROM failure", NULL), 1);
	program_free(&p);
	p = program_run("cd %s && locus sweep csv plan.yaml --dir grown --metric cycles", program_tmp());
	cr_expect_eq(p.status, 1);
	cr_expect(strstr(p.out, "\n\"vectoradd\",\"none\",failed,\"--arg n=none: not a whole number"), "%s", p.out);
	program_free(&p);
}

Test(sweep, a_run_that_takes_too_much_memory_fails_alone)
{
	struct program p = sweep("common: {size: test}\naxes: {workload: vectoradd}\n", "--memory 16M");

	cr_expect_eq(p.status, 1);
	cr_expect_eq(ask("grown", "SELECT count(*) FROM failure WHERE length(why) > 0", NULL), 1, "%s", p.err);
	program_free(&p);
	p = sweep("common: {size: test}\naxes: {workload: vectoradd}\n", "--retry");
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect_eq(ask("grown", "SELECT count(*) FROM failure", NULL), 0);
	program_free(&p);
}
