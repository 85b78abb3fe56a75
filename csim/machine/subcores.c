#include "machine/subcores.h"

/* Fewer than there are sub-cores are shared by all; else each has as many. */
static int check_share(const struct machine *m, const char *key, uint32_t units, struct err *e)
{
	if (units < m->sm.subcores || units % m->sm.subcores == 0)
		return 0;
	return err_set(e, "%s: %u are neither fewer than sm.subcores (%u) nor a multiple of them", key, units, m->sm.subcores);
}

int machine_check_subcores(const struct machine *m, struct err *e)
{
	if (m->sm.schedulers % m->sm.subcores)
		return err_set(e, "sm.subcores: %u do not divide sm.schedulers (%u)", m->sm.subcores, m->sm.schedulers);
	if (check_share(m, "pipe.sp", m->pipe.sp, e) != 0 || check_share(m, "pipe.sfu", m->pipe.sfu, e) != 0 ||
	    check_share(m, "pipe.int", m->pipe.integer, e) != 0 || check_share(m, "pipe.dp", m->pipe.dp, e) != 0 ||
	    check_share(m, "pipe.tensor", m->pipe.tensor, e) != 0)
		return -1;
	if (m->operands.banks && machine_has_subcores(m))
		return err_set(e, "operands.banks: operand collectors belong to a whole SM: not with sm.subcores, subcore.*, "
				  "pipe.int or pipe.dp");
	return 0;
}
