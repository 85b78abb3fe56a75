#include "hw/ports.h"

/* bind_BLOCK: a golden twin in the arena. What follows the block's name are the members of its port. */
#define GOLDEN(block, ...)                                                                                                         \
	static int bind_##block(void *ctx, const char *owner, const struct block##_params *p, struct block##_port *port,           \
				struct err *e)                                                                                     \
	{                                                                                                                          \
		struct block *s;                                                                                                   \
                                                                                                                                   \
		if (block##_params_check(p, e))                                                                                    \
			return err_prefix(e, "%s", owner);                                                                         \
		s = arena_alloc(ctx, sizeof *s);                                                                                   \
		block##_reset(s, p);                                                                                               \
		*port = (struct block##_port){__VA_ARGS__};                                                                        \
		return 0;                                                                                                          \
	}

GOLDEN(pric, .golden = s)
GOLDEN(set_monitor, .golden = s, .params = *p)
GOLDEN(tafe, .golden = s, .params = *p)
GOLDEN(paver, .golden = s, .params = *p)
GOLDEN(addr_decoder, .golden = s)
GOLDEN(addr_decoder_pipe, .golden = s, .params = *p)

struct addr_place addr_decoder_port_through(const struct addr_decoder_port *port, uint64_t cycle, uint64_t addr, uint32_t mode)
{
	struct addr_decoder_in in = {.addr = {addr}, .mode = {(uint8_t)mode}};
	struct addr_decoder_out out;

	port->eval(port->ctx, cycle, &in, &out);
	return addr_place_of(&out, 0);
}

struct hw_binder hw_golden_binder(struct arena *a)
{
	return (struct hw_binder){.ctx = a,
				  .pric = bind_pric,
				  .set_monitor = bind_set_monitor,
				  .addr_decoder = bind_addr_decoder,
				  .addr_decoder_pipe = bind_addr_decoder_pipe,
				  .tafe = bind_tafe,
				  .paver = bind_paver};
}
