/* What the model calls instead of a block: a port, bound to the golden twin, to the Verilated RTL, or to both with a compare.
 *
 * A component that holds a block asks the run's binder for a port when it is built, under its own name ("sm3.l1", "l2.7"), so
 * that each owner has its own instance. The statistics are the same bytes whatever a port is bound to.
 * cycle: the owner's own clock; it only ever grows; it appears in mismatch reports and waves.
 */
#ifndef CSIM_HW_PORTS_H
#define CSIM_HW_PORTS_H

#include "base/arena.h"
#include "hw/addr_decoder.h"
#include "hw/addr_decoder_pipe.h"
#include "hw/paver.h"
#include "hw/pric.h"
#include "hw/set_monitor.h"
#include "hw/tafe.h"

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

/* ---- addr_decoder: combinational ---- */

/* Bound to the golden twin the port takes any number of ports of the block; the model's owners have one. */
struct addr_decoder_port {
	const struct addr_decoder *golden; /* bound to the golden twin alone: no call through a pointer */
	void *ctx;			   /* otherwise */
	void (*eval)(void *ctx, uint64_t cycle, const struct addr_decoder_in *in, struct addr_decoder_out *out);
};

struct addr_place addr_decoder_port_through(const struct addr_decoder_port *port, uint64_t cycle, uint64_t addr, uint32_t mode);

/* Where one address stands. */
static inline struct addr_place addr_decoder_port_place(const struct addr_decoder_port *port, uint64_t cycle, uint64_t addr,
							uint32_t mode)
{
	if (__builtin_expect(port->golden != NULL, 1))
		return addr_decoder_place(port->golden, addr, mode);
	return addr_decoder_port_through(port, cycle, addr, mode);
}

/* ---- addr_decoder_pipe: clocked ---- */

struct addr_decoder_pipe_port { /* as set_monitor_port */
	struct addr_decoder_pipe_params params;
	struct addr_decoder_pipe *golden;
	void *ctx;
	void (*eval)(void *ctx, uint64_t cycle, const struct addr_decoder_pipe_in *in, struct addr_decoder_pipe_out *out);
	void (*tick)(void *ctx, uint64_t cycle, const struct addr_decoder_pipe_in *in);
};

static inline void addr_decoder_pipe_port_step(const struct addr_decoder_pipe_port *port, uint64_t cycle,
					       const struct addr_decoder_pipe_in *in, struct addr_decoder_pipe_out *out)
{
	if (__builtin_expect(port->golden != NULL, 1)) {
		addr_decoder_pipe_eval(port->golden, in, out);
		addr_decoder_pipe_tick(port->golden, in);
	} else {
		port->eval(port->ctx, cycle, in, out);
		port->tick(port->ctx, cycle, in);
	}
}

/* ---- tafe: clocked ---- */

/* As set_monitor's: a cycle in which no input is valid and out.busy is 0 may be left out. */
struct tafe_port {
	struct tafe_params params;
	struct tafe *golden; /* bound to the golden twin alone */
	void *ctx;	     /* otherwise */
	void (*eval)(void *ctx, uint64_t cycle, const struct tafe_in *in, struct tafe_out *out);
	void (*tick)(void *ctx, uint64_t cycle, const struct tafe_in *in);
};

/* The outputs depend on registers alone, so that the inputs may be chosen after they are seen. */
static inline void tafe_port_eval(const struct tafe_port *port, uint64_t cycle, const struct tafe_in *in, struct tafe_out *out)
{
	if (__builtin_expect(port->golden != NULL, 1))
		tafe_eval(port->golden, in, out);
	else
		port->eval(port->ctx, cycle, in, out);
}

static inline void tafe_port_tick(const struct tafe_port *port, uint64_t cycle, const struct tafe_in *in)
{
	if (__builtin_expect(port->golden != NULL, 1))
		tafe_tick(port->golden, in);
	else
		port->tick(port->ctx, cycle, in);
}

/* ---- paver: clocked ---- */

/* As tafe's: outputs depend on registers alone. A cycle may be left out in which out.busy is 0, no valid input comes, and no CTA
 * shown is taken (tb_valid && tb_ready). */
struct paver_port {
	struct paver_params params;
	struct paver *golden; /* bound to the golden twin alone */
	void *ctx;	      /* otherwise */
	void (*eval)(void *ctx, uint64_t cycle, const struct paver_in *in, struct paver_out *out);
	void (*tick)(void *ctx, uint64_t cycle, const struct paver_in *in);
};

static inline void paver_port_eval(const struct paver_port *port, uint64_t cycle, const struct paver_in *in, struct paver_out *out)
{
	if (__builtin_expect(port->golden != NULL, 1))
		paver_eval(port->golden, in, out);
	else
		port->eval(port->ctx, cycle, in, out);
}

static inline void paver_port_tick(const struct paver_port *port, uint64_t cycle, const struct paver_in *in)
{
	if (__builtin_expect(port->golden != NULL, 1))
		paver_tick(port->golden, in);
	else
		port->tick(port->ctx, cycle, in);
}

/* ---- the binder ---- */

/* Gives ports to owners. Each function fills *port and returns 0, or returns -1 with the reason (illegal parameters, RTL that
 * cannot be built). The port's state lives as long as the binder. */
struct hw_binder {
	void *ctx;
	int (*pric)(void *ctx, const char *owner, const struct pric_params *p, struct pric_port *port, struct err *e);
	int (*set_monitor)(void *ctx, const char *owner, const struct set_monitor_params *p, struct set_monitor_port *port,
			   struct err *e);
	int (*addr_decoder)(void *ctx, const char *owner, const struct addr_decoder_params *p, struct addr_decoder_port *port,
			    struct err *e);
	int (*addr_decoder_pipe)(void *ctx, const char *owner, const struct addr_decoder_pipe_params *p,
				 struct addr_decoder_pipe_port *port, struct err *e);
	int (*tafe)(void *ctx, const char *owner, const struct tafe_params *p, struct tafe_port *port, struct err *e);
	int (*paver)(void *ctx, const char *owner, const struct paver_params *p, struct paver_port *port, struct err *e);
};

/* Binds everything to golden twins, whose state lives in the arena. */
struct hw_binder hw_golden_binder(struct arena *a);

#endif
