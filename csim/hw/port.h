/* What the model calls instead of a block: a port, bound to the golden twin, to the Verilated RTL, or to both with a
 * compare.
 *
 * A component that holds a block asks the run's binder for a port when it is built, under its own name ("sm3.l1",
 * "l2.7"), so that each owner has its own instance: xyz_bind(). The statistics are the same bytes whatever a port is
 * bound to.
 *
 *     xyz_port_eval(port, cycle, in, out)   the outputs before the edge of `cycle`
 *     xyz_port_tick(port, cycle, in)        that edge, of a clocked block
 *     xyz_port_step(port, cycle, in, out)   both, for a block whose inputs are chosen before its outputs are seen
 *
 * A cycle of a clocked block in which no input is valid and out.busy is 0 may be left out: nothing would change (a
 * block's header says where it asks for more). cycle: the owner's own clock; it only ever grows; it appears in mismatch
 * reports and waves.
 */
#ifndef CSIM_HW_PORT_H
#define CSIM_HW_PORT_H

#include <stdbool.h>

#include "base/arena.h"
#include "hw/block.h"

struct hw_port {      /* of any block */
	void *golden; /* struct xyz: bound to the golden twin alone, which is called without a pointer; else NULL
		       * and: */
	void *ctx;
	void (*eval)(void *ctx, uint64_t cycle, const void *in, void *out);
	void (*tick)(void *ctx, uint64_t cycle, const void *in); /* NULL for a combinational block */
	/* A combinational block that is compared: struct xyz, which is called without a pointer after `watch` has seen
	 * the inputs. eval is not called. */
	void *watched;
	void (*watch)(void *ctx, uint64_t cycle, const void *in);
};

/* Gives ports to owners. Fills *port and returns 0, or returns -1 with the reason (illegal parameters, RTL that cannot
 * be built). The port's state lives as long as the binder. */
struct hw_binder {
	void *ctx;
	int (*bind)(void *ctx, const struct hw_block *b, const char *owner, const void *params, struct hw_port *port,
		    struct err *e);
	bool every_cycle; /* clocked blocks are stepped in every cycle (hw/clocked.h) */
	/* What one port does touches nothing of another's: threads may call different ones at a time. */
	bool apart;
	/* Called once when every owner of a run has its ports, before the first cycle. Fails, with the reason, if what
	 * the binder was asked for cannot be done with these owners. NULL: any owners will do. */
	int (*complete)(void *ctx, struct err *e);
};

/* Binds everything to golden twins, whose state lives in the arena. */
struct hw_binder hw_golden_binder(struct arena *a);

/* struct xyz_port, xyz_bind() and xyz_port_eval(). Once in a block's header, behind its functions. */
#define HW_PORT(block)                                                                                                             \
	struct block##_port {                                                                                                      \
		struct block *golden;                                                                                              \
		void *ctx;                                                                                                         \
		void (*eval)(void *ctx, uint64_t cycle, const void *in, void *out);                                                \
		void (*tick)(void *ctx, uint64_t cycle, const void *in);                                                           \
		struct block *watched;                                                                                             \
		void (*watch)(void *ctx, uint64_t cycle, const void *in);                                                          \
		struct block##_params params;                                                                                      \
	};                                                                                                                         \
                                                                                                                                   \
	static inline int block##_bind(const struct hw_binder *binder, const char *owner, const struct block##_params *p,          \
				       struct block##_port *port, struct err *e)                                                   \
	{                                                                                                                          \
		struct hw_port any = {0}; /* stays so on an error */                                                               \
		int rc = binder->bind(binder->ctx, &block##_block, owner, p, &any, e);                                             \
                                                                                                                                   \
		*port = (struct block##_port){any.golden, any.ctx, any.eval, any.tick, any.watched, any.watch, *p};                \
		return rc;                                                                                                         \
	}                                                                                                                          \
                                                                                                                                   \
	static inline void block##_port_eval(const struct block##_port *port, uint64_t cycle, const struct block##_in *in,         \
					     struct block##_out *out)                                                              \
	{                                                                                                                          \
		if (__builtin_expect(port->golden != NULL, 1)) {                                                                   \
			block##_eval(port->golden, in, out);                                                                       \
		} else if (port->watched) {                                                                                        \
			port->watch(port->ctx, cycle, in);                                                                         \
			block##_eval(port->watched, in, out);                                                                      \
		} else {                                                                                                           \
			port->eval(port->ctx, cycle, in, out);                                                                     \
		}                                                                                                                  \
	}

/* Likewise, with xyz_port_tick() and xyz_port_step(). */
#define HW_CLOCKED_PORT(block)                                                                                                     \
	HW_PORT(block)                                                                                                             \
                                                                                                                                   \
	static inline void block##_port_tick(const struct block##_port *port, uint64_t cycle, const struct block##_in *in)         \
	{                                                                                                                          \
		if (__builtin_expect(port->golden != NULL, 1))                                                                     \
			block##_tick(port->golden, in);                                                                            \
		else                                                                                                               \
			port->tick(port->ctx, cycle, in);                                                                          \
	}                                                                                                                          \
                                                                                                                                   \
	static inline void block##_port_step(const struct block##_port *port, uint64_t cycle, const struct block##_in *in,         \
					     struct block##_out *out)                                                              \
	{                                                                                                                          \
		block##_port_eval(port, cycle, in, out);                                                                           \
		block##_port_tick(port, cycle, in);                                                                                \
	}

#endif
