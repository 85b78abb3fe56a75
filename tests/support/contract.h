/* Contracts: what a header asks of its callers is checked where a caller could break it, and the program aborts. A case
 * breaks one contract, in a process of its own.
 */
#ifndef TESTS_SUPPORT_CONTRACT_H
#define TESTS_SUPPORT_CONTRACT_H

#include <stddef.h>

struct broken {
	const char *what;
	void (*how)(void);
	const char *component, *says; /* a part of the condition */
};

/* Each case has to abort, and to say in which component and which condition did not hold. */
void contract_check(const struct broken *b, size_t n);

#define CONTRACT_CHECK(cases) contract_check(cases, sizeof(cases) / sizeof(cases)[0])

#endif
