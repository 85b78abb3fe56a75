#include "bind/xml.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/infile.h"

/* Verilator writes one element a line, attributes quoted, so that a reader of lines with a stack of open elements is
 * enough. */
enum { MAX_DEPTH = 64, MAX_VARS = 65536, MAX_MODULES = 256, MAX_TYPES = 8192, MAX_CELLS = 1024 };

struct type {
	uint32_t width; /* of the whole type, 0 unknown yet */
	uint32_t sub;	/* type of an element; 0: a basic type */
	uint32_t range[2];
	unsigned n_range; /* bounds read so far */
};

struct raw_var {
	const char *module, *path, *dir;
	const char *name; /* the last part of the path */
	uint32_t type;
	bool param, reg;
};

/* A non-blocking assignment that is being read: its second child is what is assigned, of which the first variable is
 * the base and the others are indices. */
struct delayed {
	unsigned level; /* of open elements, this one is 1; 0: none is being read */
	unsigned child; /* children that have ended */
	bool found;
};

struct cell {
	const char *hier, *module;
};

struct reader {
	struct arena *a;
	struct type type[MAX_TYPES];
	struct raw_var var[MAX_VARS];
	struct cell cell[MAX_CELLS];
	const char *module[MAX_MODULES], *orig[MAX_MODULES];
	unsigned n_vars, n_cells, n_modules;
	const char *top;
	bool too_many;
	/* where the reader is */
	const char *begin[MAX_DEPTH]; /* names of the open begin blocks */
	unsigned depth;
	bool in_function; /* its arguments are no ports */
	struct delayed delayed;
	uint32_t open_type;
};

/* The attribute's value with the five entities undone, or NULL. */
static const char *attribute(struct reader *r, const char *line, const char *name)
{
	static const struct {
		const char *entity;
		char c;
	} entity[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
	char key[64], *out, *to;
	const char *from, *end;

	snprintf(key, sizeof key, " %s=\"", name);
	from = strstr(line, key);
	if (!from)
		return NULL;
	from += strlen(key);
	end = strchr(from, '"');
	if (!end)
		return NULL;
	out = to = arena_alloc(r->a, (size_t)(end - from) + 1);
	while (from < end) {
		unsigned i = 0;

		while (i < 5 && strncmp(from, entity[i].entity, strlen(entity[i].entity)) != 0)
			i++;
		*to++ = i < 5 ? entity[i].c : *from;
		from += i < 5 ? strlen(entity[i].entity) : 1;
	}
	*to = '\0';
	return out;
}

static bool opens(const char *line, const char *tag)
{
	size_t n = strlen(tag);

	return line[0] == '<' && !strncmp(line + 1, tag, n) && (line[n + 1] == ' ' || line[n + 1] == '>');
}

static bool is_empty(const char *line)
{
	return strstr(line, "/>") != NULL;
}

static bool ends_in(const char *s, const char *tail)
{
	size_t n = strlen(s), t = strlen(tail);

	return n > t && !strcmp(s + n - t, tail);
}

static uint32_t number(const char *s)
{
	return s ? (uint32_t)strtoul(s, NULL, 10) : 0;
}

static void read_cell(struct reader *r, const char *line)
{
	if (r->n_cells == MAX_CELLS)
		return;
	r->cell[r->n_cells++] = (struct cell){attribute(r, line, "hier"), attribute(r, line, "submodname")};
}

static void read_module(struct reader *r, const char *line)
{
	const char *name = attribute(r, line, "name"), *orig = attribute(r, line, "origName");

	r->depth = 0;
	if (r->n_modules == MAX_MODULES || !name)
		return;
	r->module[r->n_modules] = name;
	r->orig[r->n_modules++] = orig ? orig : name;
	if (strstr(line, " topModule=\"1\""))
		r->top = name;
}

static void read_var(struct reader *r, const char *line)
{
	const char *name = attribute(r, line, "name"), *dir = attribute(r, line, "dir");
	bool param = strstr(line, " param=\"true\"") != NULL;
	const char *path = name;

	if (!name || !r->n_modules)
		return;
	if (r->n_vars == MAX_VARS) {
		r->too_many = true;
		return;
	}
	for (unsigned i = r->depth; i-- > 0;)
		path = r->begin[i] ? arena_printf(r->a, "%s.%s", r->begin[i], path) : path;
	r->var[r->n_vars++] = (struct raw_var){
		r->module[r->n_modules - 1], path, dir, name, number(attribute(r, line, "dtype_id")), param, ends_in(name, "_q")};
}

/* All of that name in the module: which of the copies that a generate loop makes it is, does not matter. */
static void mark_register(struct reader *r, const char *line)
{
	const char *name = attribute(r, line, "name");

	for (unsigned i = r->n_vars; name && i-- > 0 && r->var[i].module == r->module[r->n_modules - 1];)
		r->var[i].reg |= !strcmp(r->var[i].name, name);
}

static void read_delayed(struct reader *r, const char *line)
{
	struct delayed *d = &r->delayed;

	if (line[0] != '<')
		return;
	if (line[1] == '/') {
		d->level--;
	} else if (!is_empty(line)) {
		d->level++;
		return;
	} else if (d->child == 1 && !d->found && opens(line, "varref")) {
		mark_register(r, line);
		d->found = true;
	}
	d->child += d->level == 1;
}

static void read_begin(struct reader *r, const char *line)
{
	if (r->depth < MAX_DEPTH)
		r->begin[r->depth] = attribute(r, line, "name");
	r->depth++;
}

static void read_type(struct reader *r, const char *line)
{
	uint32_t id = number(attribute(r, line, "id"));
	const char *left = attribute(r, line, "left"), *right = attribute(r, line, "right");
	struct type *t = &r->type[id < MAX_TYPES ? id : 0];

	memset(t, 0, sizeof *t);
	r->open_type = id < MAX_TYPES ? id : 0;
	t->sub = number(attribute(r, line, "sub_dtype_id"));
	if (!t->sub)
		t->width = left && right ? (uint32_t)labs(strtol(left, NULL, 10) - strtol(right, NULL, 10)) + 1 : 1;
}

/* A bound of the array type that is open: <const name="32'sh3">. */
static void read_bound(struct reader *r, const char *line)
{
	struct type *t = &r->type[r->open_type];
	const char *name = attribute(r, line, "name"), *hex = name ? strchr(name, 'h') : NULL;

	if (t->sub && t->n_range < 2 && hex)
		t->range[t->n_range++] = (uint32_t)strtoul(hex + 1, NULL, 16);
}

static void read_line(struct reader *r, const char *line)
{
	if (r->delayed.level)
		read_delayed(r, line);
	else if (opens(line, "assigndly"))
		r->delayed = (struct delayed){.level = 1};
	else if (opens(line, "cell"))
		read_cell(r, line);
	else if (opens(line, "module"))
		read_module(r, line);
	else if (opens(line, "func") || opens(line, "task"))
		r->in_function = true;
	else if (!strncmp(line, "</func>", 7) || !strncmp(line, "</task>", 7))
		r->in_function = false;
	else if (opens(line, "var") && !r->in_function)
		read_var(r, line);
	else if (opens(line, "begin") && !is_empty(line))
		read_begin(r, line);
	else if (!strncmp(line, "</begin>", 8))
		r->depth -= r->depth > 0;
	else if (strstr(line, "dtype ") && strstr(line, " id=\""))
		read_type(r, line);
	else if (opens(line, "const"))
		read_bound(r, line);
}

static uint32_t type_width(const struct reader *r, uint32_t id, unsigned depth)
{
	const struct type *t = &r->type[id < MAX_TYPES ? id : 0];
	uint32_t elements;

	if (!t->sub || depth > 8)
		return t->width;
	elements = t->n_range < 2 ? 1 : (uint32_t)labs((long)t->range[0] - (long)t->range[1]) + 1;
	return elements * type_width(r, t->sub, depth + 1);
}

/* A module with parameters has another name for each of its variants; this is the one in the source. */
static const char *source_name(const struct reader *r, const char *module)
{
	for (unsigned i = 0; i < r->n_modules; i++)
		if (!strcmp(r->module[i], module))
			return r->orig[i];
	return module;
}

static void collect(struct reader *r, struct bind_module *m)
{
	size_t top = strlen(r->top);

	for (unsigned i = 0; i < r->n_vars; i++) {
		struct raw_var *v = &r->var[i];
		bool in_top = !strcmp(v->module, r->top);
		uint32_t width = type_width(r, v->type, 0);

		if (in_top && v->param)
			m->var[m->n++] = (struct bind_var){.kind = BIND_VAR_PARAM, .path = v->path, .width = width};
		if (in_top && v->dir)
			m->var[m->n++] = (struct bind_var){.kind = !strcmp(v->dir, "input") ? BIND_VAR_INPUT : BIND_VAR_OUTPUT,
							   .path = v->path,
							   .width = width};
		if (v->dir || v->param || !v->reg)
			continue;
		r->too_many |= m->n + r->n_cells > 2 * MAX_VARS - 2;
		for (unsigned c = 0; c < r->n_cells && !r->too_many; c++)
			if (r->cell[c].module && r->cell[c].hier && !strcmp(r->cell[c].module, v->module))
				m->var[m->n++] =
					(struct bind_var){BIND_VAR_REG,
							  strlen(r->cell[c].hier) > top
								  ? arena_printf(r->a, "%s.%s", r->cell[c].hier + top + 1, v->path)
								  : v->path,
							  width, source_name(r, v->module), v->name};
	}
}

int bind_xml_read(struct bind_module *m, const char *path, struct arena *a, struct err *e)
{
	FILE *f = infile_open(path, INFILE_MOST, e);
	struct reader *r;
	char *line = NULL;
	size_t cap = 0;
	int rc = 0;

	if (!f)
		return -1;
	r = xcalloc(1, sizeof *r);
	r->a = a;
	while (getline(&line, &cap, f) >= 0)
		read_line(r, line + strspn(line, " "));
	free(line);
	fclose(f);
	memset(m, 0, sizeof *m);
	if (!r->top && r->n_cells)
		r->top = r->cell[0].module; /* the root of the instances: what --top-module would have named */
	if (r->top) {
		m->name = r->top;
		m->var = arena_array(a, (size_t)2 * MAX_VARS, sizeof *m->var);
		m->module = arena_array(a, r->n_modules, sizeof *m->module);
		m->n_modules = r->n_modules;
		memcpy(m->module, r->orig, r->n_modules * sizeof *m->module);
		collect(r, m);
	}
	if (r->too_many)
		rc = err_set(e, "%s: a module of more than %d variables", path, MAX_VARS);
	free(r);
	if (rc)
		return rc;
	return m->name ? 0 : err_set(e, "%s: Verilator names no top module", path);
}

const struct bind_var *bind_module_find(const struct bind_module *m, enum bind_var_kind kind, const char *path)
{
	for (unsigned i = 0; i < m->n; i++)
		if (m->var[i].kind == kind && !strcmp(m->var[i].path, path))
			return &m->var[i];
	return NULL;
}
