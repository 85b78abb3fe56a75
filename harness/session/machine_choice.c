#include "session/machine_choice.h"

#include <stdio.h>
#include <string.h>

#include "base/files/root.h"
#include "session/policy_choice.h"

int machine_choice_load(const struct machine_choice *c, struct machine *m, struct err *e)
{
	char dir[ROOT_PATH_MAX];

	if (machine_load(m, c->name ? c->name : MACHINE_DEFAULT, root_path("csim/machines", dir), e) != 0)
		return -1;
	for (unsigned i = 0; i < c->n_sets; i++)
		if (machine_set(m, c->set[i], e) != 0)
			return -1;
	return 0;
}

static int set_key(struct machine *m, const char *key, const char *value, struct err *e)
{
	char text[256];

	snprintf(text, sizeof text, "%s=%s", key, value);
	return machine_set(m, text, e);
}

/* "pric:47": index and polynomial. */
static int set_index(struct machine *m, const char *cache, const char *text, struct err *e)
{
	const char *colon = strchr(text, ':');
	char key[32], kind[32];

	snprintf(kind, sizeof kind, "%.*s", colon ? (int)(colon - text) : (int)strlen(text), text);
	if (strcmp(kind, "linear") && strcmp(kind, "pric"))
		return err_set(e, "--%s-index: linear or pric[:POLY], not \"%s\"", cache, text);
	snprintf(key, sizeof key, "%s.index", cache);
	if (set_key(m, key, kind, e) != 0)
		return -1;
	if (!colon)
		return 0;
	if (strcmp(kind, "pric"))
		return err_set(e, "--%s-index: only pric takes a polynomial", cache);
	snprintf(key, sizeof key, "%s.poly", cache);
	return set_key(m, key, colon + 1, e);
}

static int set_policies(const struct machine_choice *c, struct machine *m, struct err *e)
{
	const struct {
		struct policy_choice choice;
		const char *text;
	} all[] = {
		{{"--throttle",
		  "throttle",
		  "warps",
		  {{"cta", "ctas"}, {"ccws", "k"}, {"pcal", "tokens"}},
		  "a number of warps or of CTAs: swt:N, cta:N, pcal:N",
		  {"ccws", "dwt-cs"}},
		 c->throttle},
		{{.option = "--l1-bypass", .prefix = "l1.bypass", .first = "rate"}, c->l1_bypass},
		{{.option = "--l2-bypass", .prefix = "l2.bypass", .first = "rate"}, c->l2_bypass},
		{{.option = "--l1-prefetch", .prefix = "l1.prefetch", .first = "mshrs"}, c->l1_prefetch},
		{{.option = "--l1-front", .prefix = "l1.front", .first = "depth"}, c->l1_front},
		{{.option = "--l1-pin", .prefix = "l1.pin", .first = "hard", .needs = "names of buffers: buffers:A+B"}, c->l1_pin},
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i].text && policy_choice_apply(&all[i].choice, all[i].text, m, e) != 0)
			return -1;
	return 0;
}

int machine_choose(const struct machine_choice *c, struct machine *m, struct err *e)
{
	if (machine_choice_load(c, m, e) != 0)
		return -1;
	if (c->l1_index && set_index(m, "l1", c->l1_index, e) != 0)
		return -1;
	if (c->l2_index && set_index(m, "l2", c->l2_index, e) != 0)
		return -1;
	if (c->scheduler && set_key(m, "sm.scheduler", c->scheduler, e) != 0)
		return -1;
	if (c->locality_classes && set_key(m, "caches.locality_classes", "true", e) != 0)
		return -1;
	if (set_policies(c, m, e) != 0)
		return -1;
	return machine_resolve(m, e);
}
