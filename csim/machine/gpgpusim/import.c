#include "machine/gpgpusim/import.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "base/panic.h"
#include "machine/gpgpusim/import_impl.h"

/* Where keys of the files say that they were set, for errors of the whole machine: behind all files of the base. */
enum { CONFIG_FILE = MACHINE_MAX_FILES - 2, ICNT_FILE };

static uint32_t index_of(const char *key)
{
	const struct schema_key *k = schema_find(key);

	if (!k)
		panic("gpgpusim_import", 0, "no key %s", key);
	return (uint32_t)(k - schema_keys);
}

static int rule_of(const char *option)
{
	for (int k = 0; gpgpusim_rules[k].option; k++)
		if (!strcmp(gpgpusim_rules[k].option, option))
			return k;
	return -1;
}

/* ---- what a `take` does ---- */

int import_wrong(const struct gpgpusim_option *o, struct err *e, const char *fmt, ...)
{
	struct err why = {""};
	va_list ap;

	va_start(ap, fmt);
	err_vset(&why, fmt, ap);
	va_end(ap);
	if (!o->file)
		return err_set(e, "%s %.80s, GPGPU-Sim's default: %s", o->name, o->value, why.text);
	return err_set(e, "%s:%u: %.60s %.80s: %s", o->file, o->line, o->name, o->value, why.text);
}

/* What is no ASCII, which a reader of YAML may take for a line's end, becomes '?'. */
static const char *comment(struct gpgpusim_import *i, const struct gpgpusim_option *o, const char *before)
{
	bool all = strlen(o->value) <= 100;
	char *text =
		arena_printf(&i->text, "%s%s %.100s%s%s", before, o->name, o->value, all ? "" : "...", o->file ? "" : " (default)");

	for (char *p = text; *p; p++)
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	return text;
}

int import_set(struct gpgpusim_import *i, const struct gpgpusim_option *o, const char *key, const char *text, struct err *e)
{
	uint32_t k = index_of(key);
	struct err why = {""};

	if (schema_set(&i->m, &schema_keys[k], text, &why) != 0)
		return import_wrong(o, e, "%s: %s", key, why.text);
	i->from[k] = comment(i, o, "");
	i->m.origin.key[k].file = o->file ? (uint8_t)(1 + (*o->name == '-' ? CONFIG_FILE : ICNT_FILE)) : 0;
	i->m.origin.key[k].line = o->line;
	i->m.origin.key[k].column = 1;
	return 0;
}

int import_set_number(struct gpgpusim_import *i, const struct gpgpusim_option *o, const char *key, uint64_t v, struct err *e)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRIu64, v);
	return import_set(i, o, key, text, e);
}

void import_also(struct gpgpusim_import *i, const char *key, const struct gpgpusim_option *o)
{
	uint32_t k = index_of(key);

	i->from[k] = comment(i, o, arena_printf(&i->text, "%s, ", i->from[k]));
}

void import_note(struct gpgpusim_import *i, const struct gpgpusim_option *o, const char *why)
{
	if (!o->file)
		return;
	if (i->n_notes == i->cap_notes) {
		i->cap_notes = i->cap_notes ? 2 * i->cap_notes : 64;
		i->note = xrealloc(i->note, i->cap_notes * sizeof *i->note);
	}
	i->note[i->n_notes] = (struct gpgpusim_note){o, why, i->n_notes};
	i->n_notes++;
}

const struct gpgpusim_option *import_option(const struct gpgpusim_import *i, const char *name)
{
	for (int k = 0; gpgpusim_rules[k].option; k++)
		if (!strcmp(gpgpusim_rules[k].option, name))
			return i->of[k];
	panic("gpgpusim_import", 0, "no rule for %s", name);
}

int import_number(const struct gpgpusim_option *o, const char *text, uint64_t *v, struct err *e)
{
	if (number_parse_u64(text, v) != 0 || *v > UINT32_MAX)
		return import_wrong(o, e, "\"%.40s\" is not a whole number up to 2^32 - 1", text);
	return 0;
}

int import_split(struct gpgpusim_import *i, const struct gpgpusim_option *o, const char *text, const char *separators,
		 char *field[GPGPUSIM_MAX_FIELDS], unsigned *n, struct err *e)
{
	char *rest = arena_strdup(&i->text, text), *next;
	bool runs = strchr(separators, ' ') != NULL;

	*n = 0;
	while ((next = strsep(&rest, separators))) {
		if (runs && !*next)
			continue;
		if (*n == GPGPUSIM_MAX_FIELDS)
			return import_wrong(o, e, "more than %d values", GPGPUSIM_MAX_FIELDS);
		field[(*n)++] = next;
	}
	return *n ? 0 : import_wrong(o, e, "no value");
}

/* ---- the import ---- */

static int read_files(struct gpgpusim_import *i, const struct gpgpusim_request *r, struct err *e)
{
	if (gpgpusim_options_read(&i->options, r->config, e) != 0)
		return -1;
	return r->icnt ? gpgpusim_options_read_icnt(&i->options, r->icnt, e) : 0;
}

/* Gives each rule its option, the last one of the name, or the default. */
static void sort_options(struct gpgpusim_import *i)
{
	for (uint32_t n = 0; n < i->options.n; n++) {
		const struct gpgpusim_option *o = &i->options.all[n];
		int k = rule_of(o->name);

		if (k < 0)
			import_note(i, o, "not an option that this knows");
		else if (i->of[k])
			import_note(i, i->of[k], arena_printf(&i->text, "is given again in line %u, which holds", o->line));
		if (k >= 0)
			i->of[k] = o;
	}
	for (int k = 0; gpgpusim_rules[k].option; k++) {
		i->fallback[k] = (struct gpgpusim_option){.name = gpgpusim_rules[k].option, .value = gpgpusim_rules[k].fallback};
		if (!i->of[k] && i->fallback[k].value)
			i->of[k] = &i->fallback[k];
	}
}

/* Of our machines of GPGPU-Sim's, the one of the same or the next older kind. */
static const char *base_for(const struct gpgpusim_import *i)
{
	const struct gpgpusim_option *major = import_option(i, "-gpgpu_compute_capability_major"),
				     *most = import_option(i, "-gpgpu_ptx_force_max_capability");
	unsigned long c = major ? strtoul(major->value, NULL, 10) : most ? strtoul(most->value, NULL, 10) / 10 : 7;

	return c < 6 ? "gtx480-gs4" : c < 7 ? "titanx-gs4" : "titanv-gs4";
}

static int load_base(struct gpgpusim_import *i, const struct gpgpusim_request *r, struct err *e)
{
	struct machine_origins *o = &i->m.origin;

	i->base_name = r->base ? r->base : base_for(i);
	if (machine_load(&i->base, i->base_name, r->machines_dir, e) != 0)
		return -1;
	i->m = i->base;
	snprintf(o->file[CONFIG_FILE], sizeof o->file[0], "%s", r->config);
	snprintf(o->file[ICNT_FILE], sizeof o->file[0], "%s", r->icnt ? r->icnt : "");
	return 0;
}

/* The last folder of the path, or the file's own name, in letters that a machine's name may have. */
static const char *name_of(struct gpgpusim_import *i, const char *path)
{
	const char *slash = strrchr(path, '/'), *from = path;
	char *name;

	for (const char *p = path; slash && p < slash; p++)
		if (*p == '/')
			from = p + 1;
	name = slash && slash > from ? arena_printf(&i->text, "%.*s", (int)(slash - from < 60 ? slash - from : 60), from)
				     : arena_printf(&i->text, "%.60s", slash ? slash + 1 : path);
	for (char *p = name; *p; p++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", *p))
			*p = '-';
	return *name ? name : "imported";
}

static int set_name(struct gpgpusim_import *i, const struct gpgpusim_request *r, struct err *e)
{
	struct err why = {""};

	if (schema_set(&i->m, schema_find("name"), r->name ? r->name : name_of(i, r->config), &why) != 0)
		return err_set(e, "name: %s", why.text);
	return 0;
}

static int apply(struct gpgpusim_import *i, struct err *e)
{
	for (int k = 0; gpgpusim_rules[k].option; k++) {
		const struct gpgpusim_rule *r = &gpgpusim_rules[k];
		const struct gpgpusim_option *o = i->of[k];

		if (!o)
			continue;
		if (!r->take && (!r->same || strcmp(o->value, r->same) != 0))
			import_note(i, o, r->why);
		if (r->take && r->take(i, r, o, e) != 0)
			return -1;
	}
	return 0;
}

/* Keys of the base that go by one which the files have changed: cycles of a clock keep their time. */
static int follow(struct gpgpusim_import *i, struct err *e)
{
	static const struct {
		const char *key, *by, *why;
	} all[] = {
		{"dram.refi", "clock.dram", "in ns, there is no refresh in GPGPU-Sim"},
		{"dram.rfc", "clock.dram", "in ns"},
		{"dram.faw", "clock.dram", "in ns, there is no tFAW in GPGPU-Sim"},
		{"energy.flit", "net.flit_bytes", "by the bytes of a flit"},
	};

	for (size_t n = 0; n < sizeof all / sizeof all[0]; n++) {
		uint32_t k = index_of(all[n].key), by = index_of(all[n].by);
		const uint32_t *was = (const void *)((const char *)&i->base + schema_keys[by].offset),
			       *is = (const void *)((const char *)&i->m + schema_keys[by].offset);
		uint32_t v = *(const uint32_t *)(const void *)((const char *)&i->base + schema_keys[k].offset);
		char text[32];

		if (*was == *is)
			continue;
		snprintf(text, sizeof text, "%" PRIu64, ((uint64_t)v * *is + *was / 2) / *was);
		if (schema_set(&i->m, &schema_keys[k], text, e) != 0)
			return err_prefix(e, "%s, the base's %s", all[n].key, all[n].why);
		i->from[k] = arena_printf(&i->text, "the base's %s", all[n].why);
	}
	return 0;
}

struct gpgpusim_import *gpgpusim_import(const struct gpgpusim_request *r, struct err *e)
{
	struct gpgpusim_import *i = xcalloc(1, sizeof *i);
	int failed = read_files(i, r, e);

	if (!failed) {
		sort_options(i);
		failed = load_base(i, r, e) || set_name(i, r, e) || apply(i, e) || follow(i, e) || machine_resolve(&i->m, e);
	}
	if (!failed)
		return i;
	gpgpusim_import_free(i);
	return NULL;
}

void gpgpusim_import_free(struct gpgpusim_import *i)
{
	if (!i)
		return;
	gpgpusim_options_free(&i->options);
	free(i->note);
	arena_free(&i->text);
	free(i);
}

const struct machine *gpgpusim_import_machine(const struct gpgpusim_import *i)
{
	return &i->m;
}
