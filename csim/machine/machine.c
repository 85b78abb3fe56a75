#include "machine/machine.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/yaml.h"
#include "base/suggestion.h"
#include "machine/schema.h"

enum { MAX_BASES = MACHINE_MAX_FILES - 1 };

struct load { /* one file being read */
	struct machine *m;
	struct yaml *y;
	const char *path;
	const char *dir;	  /* of the machines that a `base:` names */
	unsigned depth;		  /* of `base:`; also this file's position among the origins */
	const struct load *above; /* whose base it is */
};

static int load_file(struct load *l, struct err *e);

/* "gtx480" is a machine of the program's; "./my.yaml" and "my.yaml" are files. */
static bool is_path(const char *name)
{
	size_t n = strlen(name);

	return strchr(name, '/') || (n > 5 && !strcmp(name + n - 5, ".yaml"));
}

static int unknown_key(struct load *l, struct fy_node *at, const char *name, struct err *e)
{
	struct suggestion n = {.typed = name};
	size_t length = strlen(name);
	char hint[160];

	for (const struct schema_key *k = schema_keys; k->name; k++) {
		if (!strncmp(k->name, name, length) && k->name[length] == '.')
			return yaml_error(l->y, at, e, "%s: must be a mapping of keys to values, such as %s", name,
					  k->name + length + 1);
		suggestion_offer(&n, k->name);
	}
	return yaml_error(l->y, at, e, "unknown key \"%s\"%s", name, suggestion_text(&n, hint));
}

/* "[4, 13]" -> "4,13"; a scalar is taken as it is. */
static void value_text(struct fy_node *v, char *out, size_t size)
{
	void *iter = NULL;
	struct fy_node *item;
	size_t at = 0;

	snprintf(out, size, "%s", yaml_text(v));
	if (!yaml_is_seq(v))
		return;
	while ((item = yaml_next_item(v, &iter)) && at < size)
		at += (size_t)snprintf(out + at, size - at, "%s%s", at ? "," : "", yaml_text(item));
}

static void note_origin(struct load *l, const struct schema_key *k, struct fy_node *value)
{
	struct machine_origins *o = &l->m->origin;
	size_t i = (size_t)(k - schema_keys);

	o->key[i].file = (uint8_t)(l->depth + 1);
	yaml_position(value, &o->key[i].line, &o->key[i].column);
}

static int load_map(struct load *l, struct fy_node *map, const char *prefix, struct err *e)
{
	struct fy_node *key_node, *value;
	const char *key;
	void *iter = NULL;

	while (yaml_next_pair(map, &iter, &key, &key_node, &value)) {
		const struct schema_key *k;
		char name[128], text[SCHEMA_TEXT_MAX];
		struct err why = {""};

		snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", key);
		if (!*prefix && !strcmp(key, "base"))
			continue;
		if (yaml_is_map(value)) {
			if (*prefix)
				return unknown_key(l, key_node, name, e);
			if (load_map(l, value, name, e) != 0)
				return -1;
			continue;
		}
		k = schema_find(name);
		if (!k)
			return unknown_key(l, key_node, name, e);
		value_text(value, text, sizeof text);
		if (schema_set(l->m, k, text, &why) != 0)
			return yaml_error(l->y, value, e, "%s: %s", name, why.text);
		note_origin(l, k, value);
	}
	return 0;
}

/* A file among those that led to it, itself included. */
static bool is_among(const struct load *l, const char *path)
{
	struct stat one, other;

	for (; l; l = l->above)
		if (!stat(l->path, &one) && !stat(path, &other) && one.st_dev == other.st_dev && one.st_ino == other.st_ino)
			return true;
	return false;
}

/* The file of `base: name`: one of the program's machines, or a file beside the one that names it. */
static void base_path(const struct load *l, const char *name, char *out, size_t size)
{
	const char *slash = strrchr(l->path, '/');

	if (!is_path(name))
		snprintf(out, size, "%s/%s.yaml", l->dir, name);
	else if (*name == '/' || !slash)
		snprintf(out, size, "%s", name);
	else
		snprintf(out, size, "%.*s/%s", (int)(slash - l->path), l->path, name);
}

/* `base: gtx480` starts from another machine's values. */
static int load_base(struct load *l, struct fy_node *root, struct err *e)
{
	struct fy_node *key_node, *value;
	const char *key;
	char path[4096];
	void *iter = NULL;

	while (yaml_next_pair(root, &iter, &key, &key_node, &value)) {
		if (strcmp(key, "base"))
			continue;
		base_path(l, yaml_text(value), path, sizeof path);
		if (access(path, R_OK) != 0)
			return yaml_error(l->y, value, e, "base: no %s \"%s\"", is_path(yaml_text(value)) ? "file" : "machine",
					  yaml_text(value));
		if (is_among(l, path))
			return yaml_error(l->y, value, e, "base: \"%s\" leads back to itself", yaml_text(value));
		if (l->depth == MAX_BASES)
			return yaml_error(l->y, value, e, "base: more than %d machines deep", MAX_BASES);
		return load_file(&(struct load){.m = l->m, .path = path, .dir = l->dir, .depth = l->depth + 1, .above = l}, e);
	}
	return 0;
}

static int load_file(struct load *l, struct err *e)
{
	struct fy_node *root;
	int rc = -1;

	l->y = yaml_open(l->path, e);
	if (!l->y)
		return -1;
	snprintf(l->m->origin.file[l->depth], sizeof l->m->origin.file[l->depth], "%s", l->path);
	root = yaml_root(l->y);
	if (!yaml_is_map(root))
		yaml_error(l->y, root, e, "a machine is a mapping of keys to values");
	else if (load_base(l, root, e) == 0)
		rc = load_map(l, root, "", e);
	yaml_close(l->y);
	return rc;
}

static int unknown_machine(const char *name, const char *machines_dir, struct err *e)
{
	struct suggestion n = {.typed = name};
	DIR *d = opendir(machines_dir);
	const struct dirent *entry;
	char hint[160], known[64];

	/* A nearer one overwrites the name that best points to: both are in this one variable. */
	while (d && (entry = readdir(d))) {
		const char *best = n.best;
		char file[64];
		size_t length = strlen(entry->d_name);

		if (length <= 5 || length >= sizeof file || strcmp(entry->d_name + length - 5, ".yaml"))
			continue;
		snprintf(file, sizeof file, "%.*s", (int)length - 5, entry->d_name);
		suggestion_offer(&n, file);
		if (n.best != best)
			n.best = strcpy(known, file);
	}
	if (d)
		closedir(d);
	return err_set(e, "no machine \"%s\"%s (see locus list machines)", name, suggestion_text(&n, hint));
}

int machine_load(struct machine *m, const char *name_or_path, const char *machines_dir, struct err *e)
{
	char path[4096];

	memset(m, 0, sizeof *m);
	if (is_path(name_or_path))
		snprintf(path, sizeof path, "%s", name_or_path);
	else
		snprintf(path, sizeof path, "%s/%s.yaml", machines_dir, name_or_path);
	if (!is_path(name_or_path) && access(path, R_OK) != 0)
		return unknown_machine(name_or_path, machines_dir, e);
	if (schema_set_fallbacks(m, e) != 0)
		return -1;
	if (load_file(&(struct load){.m = m, .path = path, .dir = machines_dir}, e) != 0)
		return -1;
	for (const struct schema_key *k = schema_keys; k->name; k++)
		if (!m->origin.key[k - schema_keys].file && !k->fallback)
			return err_set(e, "%s: key \"%s\" is missing (%s)", path, k->name, k->meaning);
	return 0;
}

int machine_set(struct machine *m, const char *assignment, struct err *e)
{
	const char *eq = strchr(assignment, '=');
	char name[128], hint[160];
	const struct schema_key *k;
	struct suggestion n = {.typed = name};

	if (!eq || eq == assignment || (size_t)(eq - assignment) >= sizeof name)
		return err_set(e, "--set %s: not of the form key=value", assignment);
	memcpy(name, assignment, (size_t)(eq - assignment));
	name[eq - assignment] = '\0';
	k = schema_find(name);
	if (!k) {
		for (k = schema_keys; k->name; k++)
			suggestion_offer(&n, k->name);
		return err_set(e, "--set %s: unknown key \"%s\"%s", assignment, name, suggestion_text(&n, hint));
	}
	if (schema_set(m, k, eq + 1, e) != 0)
		return err_prefix(e, "--set %s", name);
	m->origin.key[k - schema_keys].file = UINT8_MAX;
	return 0;
}

/* A whole number as one: results of machines without a decimal are as they always were. */
static json_t *thousandths_json(const char *text)
{
	return strchr(text, '.') ? json_real(strtod(text, NULL)) : json_integer((json_int_t)strtoul(text, NULL, 10));
}

json_t *machine_json(const struct machine *m)
{
	json_t *o = json_object();
	char text[SCHEMA_TEXT_MAX];

	for (const struct schema_key *k = schema_keys; k->name; k++) {
		schema_text(m, k, text);
		json_object_set_new(o, k->name,
				    k->type == SCHEMA_U32 || (k->type == SCHEMA_LIST && !strchr(text, ','))
					    ? json_integer((json_int_t)strtoul(text, NULL, 10))
				    : k->type == SCHEMA_THOUSANDTHS ? thousandths_json(text)
				    : k->type == SCHEMA_BOOL	    ? json_boolean(*text == 't')
								    : json_string(text));
	}
	return o;
}

static int wider(int width, const char *text)
{
	int n = (int)strlen(text);

	return n > width ? n : width;
}

void machine_print(const struct machine *m, FILE *to)
{
	char text[SCHEMA_TEXT_MAX], legal[SCHEMA_TEXT_MAX];
	int name = 4, value = wider(5, m->name), unit = 4, values = 5;

	for (const struct schema_key *k = schema_keys; k->name; k++) {
		name = wider(name, k->name);
		value = wider(value, schema_text(m, k, text));
		unit = wider(unit, k->unit);
		values = wider(values, schema_legal(k, legal));
	}
	fprintf(to, "%-*s  %-*s  %-*s  %-*s  %s\n", name + 2, "keys", value, m->name, unit, "unit", values, "legal", "meaning");
	for (const struct schema_key *k = schema_keys; k->name; k++)
		fprintf(to, "  %-*s  %-*s  %-*s  %-*s  %s\n", name, k->name, value, schema_text(m, k, text), unit, k->unit, values,
			schema_legal(k, legal), k->meaning);
}
