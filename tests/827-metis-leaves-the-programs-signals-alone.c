/* 827: METIS puts handlers of its own in the place of SIGABRT's and SIGTERM's. Afterwards all is as it was, flags
 * included, and a SIGTERM that came meanwhile ends the program as SIGTERM does. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "locality/partition.h"

enum { SIDE = 64, N = SIDE * SIDE };

/* A square grid: each vertex has an edge to its neighbours. */
static struct locality_graph grid(void)
{
	struct locality_graph g = {.n = N,
				   .first = xcalloc(N + 1, sizeof *g.first),
				   .to = xcalloc(4 * N, sizeof *g.to),
				   .weight = xcalloc(4 * N, sizeof *g.weight)};
	uint64_t at = 0;

	for (uint32_t v = 0; v < N; v++) {
		const uint32_t x = v % SIDE, y = v / SIDE;

		g.first[v] = at;
		if (y > 0)
			g.to[at++] = v - SIDE;
		if (x > 0)
			g.to[at++] = v - 1;
		if (x < SIDE - 1)
			g.to[at++] = v + 1;
		if (y < SIDE - 1)
			g.to[at++] = v + SIDE;
	}
	g.first[N] = at;
	for (uint64_t k = 0; k < at; k++)
		g.weight[k] = 1;
	return g;
}

static int part(const struct locality_graph *g)
{
	uint32_t *v = xcalloc(N, sizeof *v), first[17];
	struct err e = {""};
	int rc;

	for (uint32_t i = 0; i < N; i++)
		v[i] = i;
	rc = partition_kway(g, v, N, 16, first, &e);
	free(v);
	return rc;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)info, (void)context;
}

Test(metis_signals, are_handled_afterwards_as_before)
{
	static const int number[] = {SIGABRT, SIGTERM, SIGINT};
	struct locality_graph g = grid();
	struct sigaction mine = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART}, now;
	sigset_t mask;

	sigaddset(&mine.sa_mask, SIGUSR1);
	for (unsigned i = 0; i < 3; i++)
		sigaction(number[i], &mine, NULL);
	cr_assert_eq(part(&g), 0);
	for (unsigned i = 0; i < 3; i++) {
		sigaction(number[i], NULL, &now);
		cr_assert(now.sa_sigaction == on_signal, "signal %d", number[i]);
		cr_assert_eq(now.sa_flags & (SA_SIGINFO | SA_RESTART | (int)SA_RESETHAND | SA_NODEFER), SA_SIGINFO | SA_RESTART,
			     "signal %d: flags %x", number[i], now.sa_flags);
		cr_assert(sigismember(&now.sa_mask, SIGUSR1), "signal %d", number[i]);
	}
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	cr_assert_not(sigismember(&mask, SIGTERM));
}

static void terminate(int signal)
{
	(void)signal;
	kill(getpid(), SIGTERM);
}

/* A child is told to end while it does nothing but ask METIS. */
static int told_to_end(const struct locality_graph *g, unsigned after_us)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		struct itimerval t = {.it_value = {.tv_usec = (suseconds_t)after_us}};

		signal(SIGTERM, SIG_DFL);
		signal(SIGALRM, terminate);
		setitimer(ITIMER_REAL, &t, NULL);
		for (;;)
			if (part(g))
				_exit(1); /* METIS took it for an error of its own */
	}
	waitpid(child, &status, 0);
	return status;
}

Test(metis_signals, of_the_end_are_obeyed_after_the_call)
{
	struct locality_graph g = grid();

	for (unsigned i = 0; i < 20; i++) {
		int status = told_to_end(&g, 2000 + 500 * i);

		cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "trial %u: status %x", i, status);
	}
}
