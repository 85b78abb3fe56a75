/* A libFuzzer program of one target: -DTARGET=fuzz_ptx, and -DMUTATE=fuzz_ltrace_mutate for a target with a mutator of
 * its own.
 *
 * An input may take SECONDS of CPU time. (libFuzzer's own limit is one of the wall clock: on a busy machine it finds
 * what is none.)
 */
#include <signal.h>
#include <sys/time.h>

#include "fuzz/fuzz.h"

enum { SECONDS = 10 };

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void too_long(int signal)
{
	(void)signal;
	fuzz_broken(__FILE__, __LINE__, "an input takes 10 seconds of CPU time at most");
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	signal(SIGPROF, too_long);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const struct itimerval limit = {.it_value = {.tv_sec = SECONDS}};

	setitimer(ITIMER_PROF, &limit, NULL);
	TARGET(data, n);
	return 0;
}

#ifdef MUTATE
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
	return MUTATE(data, n, max, seed, LLVMFuzzerMutate);
}
#endif
