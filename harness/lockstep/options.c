/* What the user says about blocks: --hw, --rtl, --wave-window. */
#include <string.h>

#include "base/number.h"
#include "base/suggestion.h"
#include "hw/twins/blocks.h"
#include "lockstep/cosim.h"

void cosim_options_init(struct cosim_options *o, enum unit_mode mode)
{
	memset(o, 0, sizeof *o);
	for (int i = 0; i < COSIM_MAX_BLOCKS; i++)
		o->mode[i] = mode;
	o->bundle_prefix = "mismatch";
	o->x_init = SCENARIO_X_INIT;
	o->wave_to = UINT64_MAX;
}

/* The names that begin so, with commas between them; *last: one of them. */
static unsigned short_for(const char *typed, char *names, size_t room, int *last)
{
	unsigned n = 0;

	names[0] = '\0';
	for (int i = 0; hw_blocks[i]; i++)
		if (!strncmp(hw_blocks[i]->name, typed, strlen(typed))) {
			snprintf(names + strlen(names), room - strlen(names), "%s%s", n++ ? ", " : "", hw_blocks[i]->name);
			*last = i;
		}
	return n;
}

/* A block's name, or as much of its beginning as no other has. */
static int block_index(const char *name, size_t n, struct err *e)
{
	struct suggestion suggestion = {.typed = strndupa(name, n)};
	char list[512], hint[160];
	int found = -1;

	for (int i = 0; hw_blocks[i]; i++) {
		if (!strcmp(hw_blocks[i]->name, suggestion.typed))
			return i;
		suggestion_offer(&suggestion, hw_blocks[i]->name);
	}
	switch (n ? short_for(suggestion.typed, list, sizeof list, &found) : 0) {
	case 1:
		return found;
	case 0:
		short_for("", list, sizeof list, &found);
		return err_set(e, "no block \"%s\"%s (there are %s)", suggestion.typed, suggestion_text(&suggestion, hint), list);
	default:
		return err_set(e, "\"%s\" may be short for %s", suggestion.typed, list);
	}
}

static int parse_mode(const char *text, size_t n, enum unit_mode *mode, struct err *e)
{
	static const char *const word[] = {"golden", "rtl", "lockstep"};

	for (unsigned i = 0; i < 3; i++)
		if (strlen(word[i]) == n && !strncmp(word[i], text, n)) {
			*mode = i;
			return 0;
		}
	return err_set(e, "\"%.*s\" is not one of golden, rtl, lockstep", (int)n, text);
}

/* The mode of all blocks that --hw does not name. A file of the user's is run: its block is golden only by its own
 * name. */
static void set_others(struct cosim_options *o, enum unit_mode mode)
{
	for (int i = 0; i < COSIM_MAX_BLOCKS; i++)
		if (!o->named[i])
			o->mode[i] = o->rtl[i] && mode == UNIT_GOLDEN ? UNIT_LOCKSTEP : mode;
}

static int set_block(struct cosim_options *o, int i, enum unit_mode mode, struct err *e)
{
	if (o->rtl[i] && mode == UNIT_GOLDEN)
		return err_set(e, "%s=golden would not run the Verilog that --rtl gives", hw_blocks[i]->name);
	if (o->named[i] && o->mode[i] != mode)
		return err_set(e, "%s has two modes", hw_blocks[i]->name);
	o->mode[i] = mode;
	o->named[i] = true;
	return 0;
}

int cosim_parse_hw(struct cosim_options *o, const char *text, struct err *e)
{
	if (!*text)
		return err_set(e, "--hw: \"\" is not BLOCK=golden|rtl|lockstep");
	while (*text) {
		size_t item = strcspn(text, ","), name = strcspn(text, "=");
		enum unit_mode mode = UNIT_GOLDEN;
		int i;

		if (name >= item)
			return err_set(e, "--hw: \"%.*s\" is not BLOCK=golden|rtl|lockstep", (int)item, text);
		if (parse_mode(text + name + 1, item - name - 1, &mode, e))
			return err_prefix(e, "--hw");
		if (name == 3 && !strncmp(text, "all", 3)) {
			if (o->all_given)
				return err_set(e, "--hw: all has two modes");
			o->all_given = true;
			set_others(o, mode);
		} else {
			i = block_index(text, name, e);
			if (i < 0 || set_block(o, i, mode, e))
				return err_prefix(e, "--hw");
			if (!o->all_given)
				set_others(o, UNIT_GOLDEN);
		}
		text += item + (text[item] == ',');
	}
	return 0;
}

int cosim_parse_rtl(struct cosim_options *o, const char *text, struct err *e)
{
	const char *eq = strchr(text, '=');
	int i;

	if (!eq || !eq[1])
		return err_set(e, "--rtl: \"%s\" is not BLOCK=FILE.v", text);
	i = block_index(text, (size_t)(eq - text), e);
	if (i < 0)
		return err_prefix(e, "--rtl");
	if (o->rtl[i])
		return err_set(e, "--rtl: %s has two files, \"%s\" and \"%s\"", hw_blocks[i]->name, o->rtl[i], eq + 1);
	o->rtl[i] = eq + 1;
	if (o->mode[i] != UNIT_GOLDEN)
		return 0;
	if (o->named[i])
		return err_set(e, "--rtl: --hw %s=golden would not run it", hw_blocks[i]->name);
	o->mode[i] = UNIT_LOCKSTEP;
	return 0;
}

int cosim_parse_window(struct cosim_options *o, const char *text, struct err *e)
{
	const char *colon = strchr(text, ':');

	o->window_given = true;
	if (!colon || number_parse_u64(strndupa(text, (size_t)(colon - text)), &o->wave_from) ||
	    number_parse_u64(colon + 1, &o->wave_to))
		return err_set(e, "--wave-window: \"%s\" is not FROM:TO in cycles", text);
	if (o->wave_to < o->wave_from)
		return err_set(e, "--wave-window: it must end in a cycle that is not before its begin");
	return 0;
}
