#include "hw/ports.h"

static int bind_pric(void *ctx, const char *owner, const struct pric_params *p, struct pric_port *port, struct err *e)
{
	struct pric *s;

	if (pric_params_check(p, e))
		return err_prefix(e, "%s", owner);
	s = arena_alloc(ctx, sizeof *s);
	pric_reset(s, p);
	*port = (struct pric_port){.golden = s};
	return 0;
}

static int bind_set_monitor(void *ctx, const char *owner, const struct set_monitor_params *p, struct set_monitor_port *port,
			    struct err *e)
{
	struct set_monitor *s;

	if (set_monitor_params_check(p, e))
		return err_prefix(e, "%s", owner);
	s = arena_alloc(ctx, sizeof *s);
	set_monitor_reset(s, p);
	*port = (struct set_monitor_port){.params = *p, .golden = s};
	return 0;
}

static int bind_tafe(void *ctx, const char *owner, const struct tafe_params *p, struct tafe_port *port, struct err *e)
{
	struct tafe *s;

	if (tafe_params_check(p, e))
		return err_prefix(e, "%s", owner);
	s = arena_alloc(ctx, sizeof *s);
	tafe_reset(s, p);
	*port = (struct tafe_port){.params = *p, .golden = s};
	return 0;
}

static int bind_addr_decoder(void *ctx, const char *owner, const struct addr_decoder_params *p, struct addr_decoder_port *port,
			     struct err *e)
{
	struct addr_decoder *s;

	if (addr_decoder_params_check(p, e))
		return err_prefix(e, "%s", owner);
	s = arena_alloc(ctx, sizeof *s);
	addr_decoder_reset(s, p);
	*port = (struct addr_decoder_port){.golden = s};
	return 0;
}

static int bind_addr_decoder_pipe(void *ctx, const char *owner, const struct addr_decoder_pipe_params *p,
				  struct addr_decoder_pipe_port *port, struct err *e)
{
	struct addr_decoder_pipe *s;

	if (addr_decoder_pipe_params_check(p, e))
		return err_prefix(e, "%s", owner);
	s = arena_alloc(ctx, sizeof *s);
	addr_decoder_pipe_reset(s, p);
	*port = (struct addr_decoder_pipe_port){.params = *p, .golden = s};
	return 0;
}

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
				  .tafe = bind_tafe};
}
