#include "process/lost_pages.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* What a signal's handler can reach is static, or it can reach nothing. */
static atomic_uint holders, lost;
static struct sigaction before_hold;

static void replace(int number, siginfo_t *info, void *context)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *at = (void *)((uintptr_t)info->si_addr & ~(page - 1)); /* NOLINT(performance-no-int-to-ptr) */

	(void)number;
	(void)context;
	if (info->si_code != BUS_ADRERR ||
	    mmap(at, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		signal(SIGBUS, SIG_DFL); /* the access faults again */
	else
		atomic_fetch_add(&lost, 1);
}

unsigned lost_pages_hold(void)
{
	struct sigaction wanted = {.sa_sigaction = replace, .sa_flags = SA_SIGINFO};

	sigfillset(&wanted.sa_mask);
	if (atomic_fetch_add(&holders, 1) == 0)
		sigaction(SIGBUS, &wanted, &before_hold);
	return atomic_load(&lost);
}

unsigned lost_pages_release(unsigned before)
{
	if (atomic_fetch_sub(&holders, 1) == 1)
		sigaction(SIGBUS, &before_hold, NULL);
	return atomic_load(&lost) - before;
}
