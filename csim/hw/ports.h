/* What the model calls instead of a block: a port, bound to the golden twin, to the Verilated RTL, or to both with a compare.
 *
 * A component that holds a block asks the run's binder for a port when it is built, under its own name ("sm3.l1", "l2.7"), so
 * that each owner has its own instance. The statistics are the same bytes whatever a port is bound to.
 * cycle: the owner's own clock; it only ever grows; it appears in mismatch reports and waves.
 */
#ifndef CSIM_HW_PORTS_H
#define CSIM_HW_PORTS_H

#include "base/arena.h"
#include "hw/pric.h"
#include "hw/set_monitor.h"

/* ---- pric: combinational ---- */

struct pric_port {
	const struct pric *golden; /* bound to the golden twin alone: no call through a pointer */
	void *ctx;		   /* otherwise */
	void (*eval)(void *ctx, uint64_t cycle, const struct pric_in *in, struct pric_out *out);
};

static inline void pric_port_eval(const struct pric_port *port, uint64_t cycle, const struct pric_in *in, struct pric_out *out)
{
	if (__builtin_expect(port->golden != NULL, 1))
		pric_eval(port->golden, in, out);
	else
		port->eval(port->ctx, cycle, in, out);
}

/* The set of a byte address: what a cache lookup wants. */
static inline uint32_t pric_port_set(const struct pric_port *port, uint64_t cycle, uint64_t addr)
{
	struct pric_in in = {.addr = addr};
	struct pric_out out;

	pric_port_eval(port, cycle, &in, &out);
	return out.set;
}

/* ---- set_monitor: clocked ---- */

/* eval gives the outputs before the edge of `cycle`, tick is that edge; a cycle in which no input is valid and out.busy is 0
 * may be left out, as nothing would change. */
struct set_monitor_port {
	struct set_monitor_params params;
	struct set_monitor *golden; /* bound to the golden twin alone */
	void *ctx;		    /* otherwise */
	void (*eval)(void *ctx, uint64_t cycle, const struct set_monitor_in *in, struct set_monitor_out *out);
	void (*tick)(void *ctx, uint64_t cycle, const struct set_monitor_in *in);
};

static inline void set_monitor_port_step(const struct set_monitor_port *port, uint64_t cycle, const struct set_monitor_in *in,
					 struct set_monitor_out *out)
{
	if (__builtin_expect(port->golden != NULL, 1)) {
		set_monitor_eval(port->golden, in, out);
		set_monitor_tick(port->golden, in);
	} else {
		port->eval(port->ctx, cycle, in, out);
		port->tick(port->ctx, cycle, in);
	}
}

/* ---- the binder ---- */

/* Gives ports to owners. Each function fills *port and returns 0, or returns -1 with the reason (illegal parameters, RTL that
 * cannot be built). The port's state lives as long as the binder. */
struct hw_binder {
	void *ctx;
	int (*pric)(void *ctx, const char *owner, const struct pric_params *p, struct pric_port *port, struct err *e);
	int (*set_monitor)(void *ctx, const char *owner, const struct set_monitor_params *p, struct set_monitor_port *port,
			   struct err *e);
};

/* Binds everything to golden twins, whose state lives in the arena. */
struct hw_binder hw_golden_binder(struct arena *a);

#endif
