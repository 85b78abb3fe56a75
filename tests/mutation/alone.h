/* A question that is asked in a process of its own, since what it runs may crash or never end. */
#ifndef TESTS_MUTATION_ALONE_H
#define TESTS_MUTATION_ALONE_H

#include <stdbool.h>

enum alone_end { ALONE_NO, ALONE_YES, ALONE_CRASH, ALONE_HANG };

/* What `ask` answers. ALONE_HANG: it took more than so many seconds of processor time. What it prints on standard
 * output is printed; standard error is not. */
enum alone_end alone_run(bool (*ask)(void *ctx), void *ctx, double seconds);

#endif
