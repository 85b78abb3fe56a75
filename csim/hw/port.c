#include "hw/port.h"

static int bind_golden(void *ctx, const struct hw_block *b, const char *owner, const void *params, struct hw_port *port,
		       struct err *e)
{
	if (b->check(params, e) != 0)
		return err_prefix(e, "%s", owner);
	*port = (struct hw_port){.golden = arena_alloc(ctx, b->state_size)};
	b->reset(port->golden, params);
	return 0;
}

struct hw_binder hw_golden_binder(struct arena *a)
{
	return (struct hw_binder){.ctx = a, .bind = bind_golden, .apart = true};
}
