#include "bind/xml.h"

#include <errno.h>
#include <expat.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/files/infile.h"

enum { MAX_DEPTH = 64, MAX_VARS = 65536, MAX_MODULES = 256, MAX_TYPES = 8192, MAX_CELLS = 1024, CHUNK = 1 << 16 };

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

/* The value of an attribute of the element that begins, as long as it does; NULL: it has none of that name. */
static const char *attribute(const char *const *attributes, const char *name)
{
	for (; *attributes; attributes += 2)
		if (!strcmp(attributes[0], name))
			return attributes[1];
	return NULL;
}

static bool has(const char *const *attributes, const char *name, const char *value)
{
	const char *found = attribute(attributes, name);

	return found && !strcmp(found, value);
}

/* A copy of the value that stays. */
static const char *kept(struct reader *r, const char *const *attributes, const char *name)
{
	const char *value = attribute(attributes, name);

	return value ? arena_strdup(r->a, value) : NULL;
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

static void read_cell(struct reader *r, const char *const *attributes)
{
	if (r->n_cells == MAX_CELLS)
		return;
	r->cell[r->n_cells++] = (struct cell){kept(r, attributes, "hier"), kept(r, attributes, "submodname")};
}

static void read_module(struct reader *r, const char *const *attributes)
{
	const char *name = kept(r, attributes, "name"), *orig = kept(r, attributes, "origName");

	r->depth = 0;
	if (r->n_modules == MAX_MODULES || !name)
		return;
	r->module[r->n_modules] = name;
	r->orig[r->n_modules++] = orig ? orig : name;
	if (has(attributes, "topModule", "1"))
		r->top = name;
}

static void read_var(struct reader *r, const char *const *attributes)
{
	const char *name = kept(r, attributes, "name"), *dir = kept(r, attributes, "dir");
	bool param = has(attributes, "param", "true");
	const char *path = name;

	if (!name || !r->n_modules)
		return;
	if (r->n_vars == MAX_VARS) {
		r->too_many = true;
		return;
	}
	for (unsigned i = r->depth; i-- > 0;)
		path = r->begin[i] ? arena_printf(r->a, "%s.%s", r->begin[i], path) : path;
	r->var[r->n_vars++] =
		(struct raw_var){r->module[r->n_modules - 1], path, dir, name, number(attribute(attributes, "dtype_id")), param,
				 ends_in(name, "_q")};
}

/* All of that name in the module: which of the copies that a generate loop makes it is, does not matter. */
static void mark_register(struct reader *r, const char *const *attributes)
{
	const char *name = attribute(attributes, "name");

	for (unsigned i = r->n_vars; name && i-- > 0 && r->var[i].module == r->module[r->n_modules - 1];)
		r->var[i].reg |= !strcmp(r->var[i].name, name);
}

static void begin_in_delayed(struct reader *r, const char *tag, const char *const *attributes)
{
	struct delayed *d = &r->delayed;

	if (d->child == 1 && !d->found && !strcmp(tag, "varref")) {
		mark_register(r, attributes);
		d->found = true;
	}
	d->level++;
}

static void end_in_delayed(struct delayed *d)
{
	d->level--;
	d->child += d->level == 1;
}

static void read_begin(struct reader *r, const char *const *attributes)
{
	if (r->depth < MAX_DEPTH)
		r->begin[r->depth] = kept(r, attributes, "name");
	r->depth++;
}

static void read_type(struct reader *r, const char *const *attributes)
{
	uint32_t id = number(attribute(attributes, "id"));
	const char *left = attribute(attributes, "left"), *right = attribute(attributes, "right");
	struct type *t = &r->type[id < MAX_TYPES ? id : 0];

	memset(t, 0, sizeof *t);
	r->open_type = id < MAX_TYPES ? id : 0;
	t->sub = number(attribute(attributes, "sub_dtype_id"));
	if (!t->sub)
		t->width = left && right ? (uint32_t)labs(strtol(left, NULL, 10) - strtol(right, NULL, 10)) + 1 : 1;
}

/* A bound of the array type that is open: <const name="32'sh3">. */
static void read_bound(struct reader *r, const char *const *attributes)
{
	struct type *t = &r->type[r->open_type];
	const char *name = attribute(attributes, "name"), *hex = name ? strchr(name, 'h') : NULL;

	if (t->sub && t->n_range < 2 && hex)
		t->range[t->n_range++] = (uint32_t)strtoul(hex + 1, NULL, 16);
}

static bool is(const char *tag, const char *name)
{
	return !strcmp(tag, name);
}

static void XMLCALL begins(void *reader, const char *tag, const char **with)
{
	const char *const *attributes = (const char *const *)with;
	struct reader *r = reader;

	if (r->delayed.level)
		begin_in_delayed(r, tag, attributes);
	else if (is(tag, "assigndly"))
		r->delayed = (struct delayed){.level = 1};
	else if (is(tag, "cell"))
		read_cell(r, attributes);
	else if (is(tag, "module"))
		read_module(r, attributes);
	else if (is(tag, "func") || is(tag, "task"))
		r->in_function = true;
	else if (is(tag, "var") && !r->in_function)
		read_var(r, attributes);
	else if (is(tag, "begin"))
		read_begin(r, attributes);
	else if (ends_in(tag, "dtype") && attribute(attributes, "id"))
		read_type(r, attributes);
	else if (is(tag, "const"))
		read_bound(r, attributes);
}

static void XMLCALL ends(void *reader, const char *tag)
{
	struct reader *r = reader;

	if (r->delayed.level)
		end_in_delayed(&r->delayed);
	else if (is(tag, "func") || is(tag, "task"))
		r->in_function = false;
	else if (is(tag, "begin"))
		r->depth -= r->depth > 0;
}

/* The whole file, element by element. Names of files in it may be of any bytes, names of Verilog are of ASCII: so it is
 * read as ISO 8859-1, in which each byte is a character. */
static int parse(struct reader *r, FILE *f, const char *path, struct err *e)
{
	XML_Parser p = XML_ParserCreate("ISO-8859-1");
	enum XML_Status status = XML_STATUS_OK;
	int last = 0, rc = 0;

	if (!p)
		return err_set(e, "%s: out of memory", path);
	XML_SetUserData(p, r);
	XML_SetElementHandler(p, begins, ends);
	while (!last && status == XML_STATUS_OK) {
		void *chunk = XML_GetBuffer(p, CHUNK);
		size_t n = chunk ? fread(chunk, 1, CHUNK, f) : 0;

		last = n < CHUNK;
		status = chunk ? XML_ParseBuffer(p, (int)n, last) : XML_STATUS_ERROR;
	}
	if (ferror(f))
		rc = err_set(e, "%s: %s", path, strerror(errno));
	else if (status != XML_STATUS_OK)
		rc = err_set(e, "%s:%lu: %s", path, (unsigned long)XML_GetCurrentLineNumber(p),
			     XML_ErrorString(XML_GetErrorCode(p)));
	XML_ParserFree(p);
	return rc;
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
	int rc;

	if (!f)
		return -1;
	r = xcalloc(1, sizeof *r);
	r->a = a;
	rc = parse(r, f, path, e);
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
	if (!rc && r->too_many)
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
