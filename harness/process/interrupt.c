#include "process/interrupt.h"

#include <stdbool.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds: timeout(1) sends each signal twice, to the program and to its group; people are slower. */
enum { TWICE = 100 };

/* What a signal's handler can reach is static, or it can reach nothing. */
static volatile sig_atomic_t taken, held;
static struct timespec taken_at; /* the handler's alone */

static long milliseconds_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - then->tv_sec) * 1000 + (now.tv_nsec - then->tv_nsec) / 1000000;
}

static void arrived(int number)
{
	if (held && !taken) {
		clock_gettime(CLOCK_MONOTONIC, &taken_at);
		taken = number;
	} else if (!taken || milliseconds_since(&taken_at) > TWICE) {
		_exit(128 + number);
	}
}

void interrupt_begin(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

	for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		struct sigaction now, wanted = {.sa_handler = arrived};

		sigfillset(&wanted.sa_mask);
		if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaction(numbers[i], &wanted, NULL);
	}
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of its write */
}

const volatile sig_atomic_t *interrupt_hold(void)
{
	held = true;
	return &taken;
}

void interrupt_release(void)
{
	held = false;
}

int interrupt_taken(void)
{
	return taken;
}

const char *interrupt_name(int number)
{
	return number == SIGINT ? "SIGINT" : number == SIGTERM ? "SIGTERM" : number == SIGHUP ? "SIGHUP" : "a signal";
}
