#include "bind/connect.h"

#include <string.h>

static const char *direction(const struct bind_var *v)
{
	return v->kind == BIND_VAR_INPUT ? "input" : v->kind == BIND_VAR_OUTPUT ? "output" : "inout";
}

static struct bind_var *port_of(struct bind_module *m, const char *name)
{
	for (unsigned i = 0; i < m->n; i++)
		if (m->var[i].port && !strcmp(m->var[i].port, name))
			return &m->var[i];
	return NULL;
}

static int rename_port(struct bind_var *v, const struct bind_fit_item *item, struct err *e)
{
	if (v->kind == BIND_VAR_INOUT)
		return err_set(e, "--port %s: is an inout, and a block has inputs and outputs alone", item->theirs);
	if (item->inverted && v->kind != BIND_VAR_INPUT)
		return err_set(e, "--port %s=~%s: ~ is for inputs, and %s is an output", item->theirs, item->ours, item->theirs);
	if (item->inverted && v->width != 1)
		return err_set(e, "--port %s=~%s: ~ is for inputs of 1 bit, and %s has %u", item->theirs, item->ours, item->theirs,
			       v->width);
	v->path = item->ours;
	v->inverted = item->inverted;
	return 0;
}

static int tie_port(struct bind_var *v, const struct bind_fit_item *item, struct err *e)
{
	if (v->kind != BIND_VAR_INPUT)
		return err_set(e, "--tie %s: is an %s", item->theirs, direction(v));
	if (v->width > 64 || (v->width < 64 && item->value >> v->width))
		return err_set(e, "--tie %s=%llu: the input has %u bit%s", item->theirs, (unsigned long long)item->value, v->width,
			       v->width == 1 ? "" : "s");
	v->kind = BIND_VAR_TIED;
	v->value = item->value;
	return 0;
}

static int open_port(struct bind_var *v, const struct bind_fit_item *item, struct err *e)
{
	if (v->kind == BIND_VAR_INPUT)
		return err_set(e, "--leave %s: is an input, which needs a value (--tie %s=0)", item->theirs, item->theirs);
	v->kind = BIND_VAR_OPEN;
	return 0;
}

static int apply(struct bind_module *m, const struct bind_fit_item *item, struct err *e)
{
	static const char *const option[] = {"--port", "--tie", "--leave"};
	struct bind_var *v = port_of(m, item->theirs);

	if (!v)
		return err_set(e, "%s %s: module %s has no such port", option[item->kind], item->theirs, m->name);
	switch (item->kind) {
	case BIND_FIT_PORT:
		return rename_port(v, item, e);
	case BIND_FIT_TIE:
		return tie_port(v, item, e);
	default:
		return open_port(v, item, e);
	}
}

/* Unless a port has the block's name, the first of these that is an input of 1 bit is meant. */
static void find_usual(struct bind_module *m, const struct bind_fit *fit, const char *ours, const char *const *usual, bool low)
{
	if (bind_module_find(m, BIND_VAR_INPUT, ours))
		return;
	for (; *usual; usual++) {
		struct bind_var *v = port_of(m, *usual);

		if (!v || v->kind != BIND_VAR_INPUT || v->width != 1 || (fit && bind_fit_of(fit, *usual)))
			continue;
		v->path = ours;
		v->inverted = low;
		return;
	}
}

static int check_edge(const struct bind_module *m, struct err *e)
{
	for (unsigned i = 0; i < m->n; i++)
		for (unsigned k = 0; k < m->n_negative; k++)
			if (m->var[i].port && !strcmp(m->var[i].path, "clk_i") && !m->var[i].inverted &&
			    !strcmp(m->var[i].port, m->negative[k]))
				return err_set(e,
					       "registers of module %s move at the negative edge of %s, those of a block at the "
					       "positive one (--port %s=~clk_i inverts the clock)",
					       m->name, m->negative[k], m->negative[k]);
	return 0;
}

int bind_connect(struct bind_module *m, const struct bind_fit *fit, bool clocked, struct err *e)
{
	static const char *const clocks[] = {"clk", "clock", NULL}, *const resets[] = {"rst", "reset", NULL};
	static const char *const resets_low[] = {"rst_ni", "rst_n", "rst_n_i", "rstn", "resetn", "reset_n", "aresetn", NULL};

	for (unsigned i = 0; fit && i < fit->n; i++)
		if (apply(m, &fit->item[i], e))
			return -1;
	if (clocked) {
		find_usual(m, fit, "clk_i", clocks, false);
		find_usual(m, fit, "rst_i", resets, false);
		find_usual(m, fit, "rst_i", resets_low, true);
	}
	for (unsigned i = 0; i < m->n; i++)
		if (m->var[i].kind == BIND_VAR_INOUT)
			return err_set(e, "inout %s of module %s: a block has inputs and outputs alone (--leave %s leaves it open)",
				       m->var[i].port, m->name, m->var[i].port);
	return clocked ? check_edge(m, e) : 0;
}
