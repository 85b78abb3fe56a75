/* What of a machine is being stepped, for one who looks from another thread now and then and so learns where the host's
 * time goes. */
#ifndef CSIM_MEMSYS_STEPPED_H
#define CSIM_MEMSYS_STEPPED_H

#include <stdatomic.h>
#include <stddef.h>

typedef _Atomic(const char *) stepped_name; /* NULL: nothing */

/* to: NULL if nobody looks. */
static inline void stepped_set(stepped_name *to, const char *name)
{
	if (__builtin_expect(to != NULL, 0))
		atomic_store_explicit(to, name, memory_order_relaxed);
}

#endif
