/* 108: SIGINT and SIGTERM. A run of the model stops, and what it has so far is whole: the same as a run that a limit
 * cuts at that cycle. Whatever else goes on ends at once. Nothing is left behind, and the status is 128 and the
 * signal's number. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/interrupt.h"
#include "sweep/store.h"
#include "support/program.h"

/* timeout sends the signal after a second, to the program and to its group: twice, as it always does. */
#define STOP "timeout --preserve-status -s %s 1.5 \"${LOCUS_BUILD:-build}/locus\" "

/* A run that takes a minute, of a trace that is there at once. */
static void record_long_one(void)
{
	struct program p = program_run("locus record matmul --arg n=1024 -o %s/m.ltrace", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

static json_t *stats_of(const char *file, const char *cut)
{
	char path[256];
	json_t *all, *stats;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), file);
	all = json_load_file(path, 0, NULL);
	cr_assert_not_null(all, "%s", path);
	cr_assert_str_eq(json_string_value(json_object_get(all, "cut")), cut);
	stats = json_incref(json_object_get(all, "stats"));
	json_decref(all);
	return stats;
}

/* The signal comes once the run has begun: it prints its title then. A shell's background jobs ignore SIGINT, unless
 * env says otherwise. */
static void stops(const char *command, const char *signal_name, int number)
{
	struct program p =
		program_run("env --default-signal=INT \"${LOCUS_BUILD:-build}/locus\" %s --json %s/cut.json >%s/out.run & "
			    "until [ -s %s/out.run ]; do sleep 0.1; done; sleep 0.5; kill -%s $!; wait $!; echo status $?; "
			    "cat %s/out.run",
			    command, program_tmp(), program_tmp(), program_tmp(), signal_name, program_tmp());
	char cut_by[32], status[32];
	json_t *cut, *limited;

	snprintf(cut_by, sizeof cut_by, "SIG%s", signal_name);
	snprintf(status, sizeof status, "status %d\n", 128 + number);
	cr_assert(!strncmp(p.out, status, strlen(status)), "%s: %s %s", command, p.out, p.err);
	cr_assert(strstr(p.out, "cut by SIG"), "%s: %s", command, p.out);
	cr_assert_str_empty(p.err);
	program_free(&p);
	cut = stats_of("cut.json", cut_by);
	p = program_run("locus %s --json %s/limited.json --max-cycles %lld", command, program_tmp(),
			(long long)json_integer_value(json_object_get(cut, "cycles")));
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	limited = stats_of("limited.json", "the limit");
	cr_assert_gt(json_integer_value(json_object_get(cut, "cycles")), 0);
	cr_assert(json_equal(cut, limited), "%s", command);
	json_decref(cut);
	json_decref(limited);
	p = program_run("cd %s && rm cut.json limited.json out.run && ls -A | grep -v '^out\\|^err\\|^m.ltrace\\|^w'",
			program_tmp());
	cr_assert_str_empty(p.out, "%s", p.out);
	program_free(&p);
}

Test(signals, a_run_stops_and_prints_what_it_has)
{
	char command[512];
	struct program p;

	record_long_one();
	snprintf(command, sizeof command, "run %s/m.ltrace", program_tmp());
	stops(command, "INT", SIGINT);
	snprintf(command, sizeof command, "run %s/m.ltrace --on cpu --machine ndp4", program_tmp());
	stops(command, "TERM", SIGTERM);
	snprintf(command, sizeof command, "mix %s/m.ltrace %s/m.ltrace --machine ndp4 --plan fgp-only", program_tmp(),
		 program_tmp());
	stops(command, "INT", SIGINT);
	snprintf(command, sizeof command, "cosim %s/m.ltrace --l1-index pric --wave %s/w.fst", program_tmp(), program_tmp());
	stops(command, "TERM", SIGTERM);
	p = program_run("fst2vcd %s/w.fst | grep -c '^#'", program_tmp());
	cr_assert_str_neq(p.out, "0\n");
	cr_assert_str_empty(p.err);
	program_free(&p);
}

/* What a child does with the signals that it sends to itself; returns its wait status. */
static int child_status(void (*body)(void))
{
	int status;
	pid_t pid = fork();

	cr_assert_geq(pid, 0);
	if (pid == 0) {
		signal(SIGINT, SIG_DFL); /* a shell's background job ignores it, and so would its children */
		body();
		_exit(77);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void one_while_held(void)
{
	const volatile sig_atomic_t *stop;

	interrupt_begin();
	stop = interrupt_hold();
	if (*stop)
		_exit(1);
	raise(SIGTERM);
	raise(SIGTERM); /* timeout's second */
	if (*stop != SIGTERM || interrupt_taken() != SIGTERM)
		_exit(2);
}

static void two_while_held(void)
{
	one_while_held();
	usleep(300000);
	raise(SIGINT);
}

static void one_after_release(void)
{
	interrupt_begin();
	interrupt_hold();
	interrupt_release();
	raise(SIGINT);
}

static void one_that_is_ignored(void)
{
	signal(SIGHUP, SIG_IGN);
	interrupt_begin();
	raise(SIGHUP);
}

Test(signals, a_second_one_ends_at_once)
{
	cr_assert_eq(child_status(one_while_held), 77);
	cr_assert_eq(child_status(two_while_held), 130);
	cr_assert_eq(child_status(one_after_release), 130);
	cr_assert_eq(child_status(one_that_is_ignored), 77);
}

Test(signals, what_is_not_a_run_ends_at_once_and_leaves_nothing)
{
	static const char *const command[] = {"run matmul --arg n=2048 --json %s/r.json --timeline %s/t.json",
					      "record matmul --arg n=2048 -o %s/r.ltrace",
					      "graph matmul --arg n=2048 --metis %s/g --json %s/r.json",
					      "plan matmul --arg n=2048 --machine ndp4 --plan coda --json %s/r.json"};

	for (unsigned i = 0; i < sizeof command / sizeof command[0]; i++) {
		char line[512];
		struct program p;

		snprintf(line, sizeof line, command[i], program_tmp(), program_tmp());
		p = program_run(STOP "%s", i % 2 ? "TERM" : "INT", line);
		cr_assert_eq(p.status, i % 2 ? 143 : 130, "%s: %d", line, p.status);
		cr_assert_str_empty(p.err);
		program_free(&p);
		p = program_run("ls -A %s | grep -v '^out\\|^err'", program_tmp());
		cr_assert_str_empty(p.out, "%s left %s", line, p.out);
		program_free(&p);
	}
}

/* The runs of a study are programs of their own: none of them goes on, nothing of theirs is left, and what was kept can
 * be used. */
Test(signals, a_study_ends_its_runs_and_keeps_its_results)
{
	struct err e = {""};
	struct sweep_store store;
	char path[256];
	struct program p = program_run(
		"\"${LOCUS_BUILD:-build}/locus\" study cache -j 2 --dir %s/study >/dev/null & sleep 2; kill "
		"-TERM $!; wait $!; echo $?; "
		"for p in /proc/[0-9]*/cmdline; do tr '\\0' ' ' <$p; echo; done 2>/dev/null | grep -c '[-]-json %s/study'; "
		"ls %s/study",
		program_tmp(), program_tmp(), program_tmp());

	cr_assert_str_eq(p.out, "143\n0\nruns.db\n", "%s", p.out);
	cr_assert(strstr(p.err, "stopped by SIGTERM"), "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/study/runs.db", program_tmp());
	cr_assert_eq(sweep_store_open(&store, path, &e), 0, "%s", e.text);
	sweep_store_close(&store);
}
