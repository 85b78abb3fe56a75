/* 780: what is compared on a second host thread is compared in the same order: reports, bundles, JSON and exit status
 * are those of one thread, with and without a fault, and of a run that is cut short. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep/checks.h"
#include "support/program.h"

/* ---- the queue ---- */

enum { CHECKS = 1000 };

struct noted {
	struct check check;
	unsigned number;
	struct journal *to;
};
struct journal {
	unsigned n, seen[CHECKS];
	pthread_t by;
	bool takes_signals;
};

static void note(struct check *c)
{
	struct noted *n = (struct noted *)c;
	sigset_t blocked;

	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	n->to->takes_signals = !sigismember(&blocked, SIGINT);
	n->to->by = pthread_self();
	n->to->seen[n->to->n++] = n->number;
}

static void run_all(bool second, struct journal *to)
{
	static struct noted noted[CHECKS];
	struct checks *q = checks_new(second);

	memset(noted, 0, sizeof noted);
	for (unsigned i = 0; i < CHECKS; i++) {
		noted[i] = (struct noted){.check.run = note, .number = i, .to = to};
		checks_submit(q, &noted[i].check);
		if (i % 100 == 99) {
			checks_wait(q, &noted[i].check);
			cr_assert_eq(to->n, i + 1, "all that came before are over too");
		}
	}
	checks_free(q);
}

Test(check_threads, checks_keep_their_order)
{
	for (int second = 0; second < 2; second++) {
		struct journal j = {0};

		run_all(second, &j);
		cr_assert_eq(j.n, CHECKS);
		for (unsigned i = 0; i < CHECKS; i++)
			cr_assert_eq(j.seen[i], i);
		cr_assert_eq(!pthread_equal(j.by, pthread_self()), second);
		cr_assert_eq(j.takes_signals, !second, "signals are for the model's thread");
	}
}

Test(check_threads, what_is_submitted_is_over_when_the_queue_is_freed)
{
	struct journal j = {0};
	struct noted one = {.check.run = note, .to = &j};
	struct checks *q = checks_new(true);

	checks_submit(q, &one.check);
	checks_free(q);
	cr_assert_eq(j.n, 1);
	checks_free(NULL);
}

/* ---- a whole run ---- */

struct said {
	struct program p;
	char *json, *stimulus; /* NULL: there is none */
};

/* The line of the seconds that it took is another one each time. */
static void cut_seconds(char *text)
{
	char *line = strstr(text, "  simulator:"), *next = line ? strchr(line, '\n') : NULL;

	cr_assert(next, "%s", text);
	memmove(line, next + 1, strlen(next + 1) + 1);
}

static struct said run(int threads, const char *more, const char *bundle)
{
	struct said s = {.p = program_run("locus cosim syrk --size test --l1-index pric --set l1.monitor=true --check-threads %d "
					  "--bundle %s/b --json %s/run.json %s",
					  threads, program_tmp(), program_tmp(), more)};
	char path[300];

	cut_seconds(s.p.out);
	snprintf(path, sizeof path, "%s/run.json", program_tmp());
	s.json = program_text(path);
	snprintf(path, sizeof path, "%s/%s/stimulus.txt", program_tmp(), bundle ? bundle : "");
	s.stimulus = bundle ? program_text(path) : NULL;
	return s;
}

static void said_free(struct said *s)
{
	program_free(&s->p);
	free(s->json);
	free(s->stimulus);
}

static struct said same_with_both(const char *more, int status, const char *bundle)
{
	struct said one = run(0, more, bundle), two = run(1, more, bundle);

	cr_assert_eq(one.p.status, status, "%s", one.p.err);
	cr_assert_eq(two.p.status, status, "%s", two.p.err);
	cr_assert_str_eq(one.p.out, two.p.out);
	cr_assert_str_eq(one.p.err, two.p.err);
	cr_assert_str_eq(one.json, two.json);
	if (bundle)
		cr_assert_str_eq(one.stimulus, two.stimulus);
	said_free(&one);
	return two;
}

Test(check_threads, a_run_in_which_nothing_differs)
{
	struct said s = same_with_both("", 0, NULL);

	cr_assert_null(strstr(s.p.out, "MISMATCH"));
	cr_assert(strstr(s.p.out, "rtl block"));
	said_free(&s);
}

Test(check_threads, a_run_that_is_cut_short)
{
	struct said s = same_with_both("--max-cycles 1234", 0, NULL);

	cr_assert(strstr(s.json, "\"cycles\": 1234"), "%s", s.json);
	said_free(&s);
}

Test(check_threads, a_run_in_which_two_blocks_differ)
{
	char *pric = program_text("rtl/pric/pric_index.v"), *monitor = program_text("rtl/set_monitor/set_monitor.v"), *at;
	char more[400];
	struct said s;

	at = strstr(pric, "= ^");
	cr_assert(at);
	memcpy(at, "=~^", 3);
	at = strstr(monitor, "entry_count + 1'b1");
	cr_assert(at);
	memcpy(at, "entry_count - 1'b1", 18);
	program_file("p.v", pric);
	program_file("m.v", monitor);
	snprintf(more, sizeof more, "--rtl pric=%s/p.v --rtl set_monitor=%s/m.v", program_tmp(), program_tmp());
	s = same_with_both(more, 1, "b-pric-116");
	cr_assert(strstr(s.p.out, "MISMATCH pric") && strstr(s.p.out, "MISMATCH set_monitor"), "%s", s.p.out);
	cr_assert(strstr(s.p.err, "pric of") && strstr(s.p.err, "set_monitor of"), "%s", s.p.err);
	said_free(&s);
	free(pric);
	free(monitor);
}

Test(check_threads, other_numbers_are_refused)
{
	struct program p = program_run("locus cosim syrk --size test --check-threads 2");

	cr_assert(program_is_clean_error(&p));
	program_free(&p);
}
