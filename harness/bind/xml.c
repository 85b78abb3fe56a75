#include "bind/xml.h"

#include <errno.h>
#include <expat.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/files/infile.h"

enum {
	MAX_DEPTH = 64,
	MAX_VARS = 65536,
	MAX_MODULES = 256,
	MAX_TYPES = 8192,
	MAX_CELLS = 1024,
	MAX_MEMBERS = 8192,
	MAX_OPEN = 8,
	MAX_EDGES = 64,
	CHUNK = 1 << 16
};

struct type {
	uint32_t width; /* of the whole type, 0 unknown yet */
	uint32_t sub;	/* type of an element; 0: a basic type */
	uint32_t range[2];
	unsigned n_range; /* bounds read so far */
	bool array;
	bool one_of;			  /* a union, whose members all have its bits */
	uint32_t first_member, n_members; /* of a packed struct, the highest first */
};

struct member {
	const char *name;
	uint32_t type;
};

/* A signal whose edges something of the top module waits for. */
struct edge {
	const char *name;
	bool negative, positive;
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
	uint32_t open_struct[MAX_OPEN];
	unsigned n_open;
	struct member member[MAX_MEMBERS];
	uint32_t n_members;
	struct edge edge[MAX_EDGES];
	unsigned n_edges;
	bool in_top, negative; /* a module of the top; an edge that is open is a negative one */
	bool in_edge;
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
	r->in_top = has(attributes, "topModule", "1");
	if (r->in_top)
		r->top = name;
}

/* The signal of an edge: <senitem edgeType="NEG"><varref name="clk_i"/>. */
static void read_edge(struct reader *r, const char *const *attributes)
{
	const char *name = attribute(attributes, "name");
	unsigned i = 0;

	r->in_edge = false;
	if (!r->in_top || !name)
		return;
	while (i < r->n_edges && strcmp(r->edge[i].name, name) != 0)
		i++;
	if (i == MAX_EDGES)
		return;
	if (i == r->n_edges)
		r->edge[r->n_edges++] = (struct edge){.name = arena_strdup(r->a, name)};
	r->edge[i].negative |= r->negative;
	r->edge[i].positive |= !r->negative;
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

/* What belongs to the struct that is open: its members of all types follow one another, so a struct within a struct
 * that is written out in place would part them; Verilator lists it apart. */
static void read_member(struct reader *r, const char *const *attributes)
{
	uint32_t of = r->n_open && r->n_open <= MAX_OPEN ? r->open_struct[r->n_open - 1] : 0;
	struct type *t = &r->type[of];
	const char *name = kept(r, attributes, "name");

	if (!of || !name || r->n_members == MAX_MEMBERS)
		return;
	if (!t->n_members)
		t->first_member = r->n_members;
	if (t->first_member + t->n_members != r->n_members)
		return;
	t->n_members++;
	r->member[r->n_members++] = (struct member){name, number(attribute(attributes, "sub_dtype_id"))};
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

	if (t->array && t->n_range < 2 && hex)
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
	else if (is(tag, "memberdtype") && r->n_open) {
		read_member(r, attributes);
		read_type(r, attributes);
	} else if (ends_in(tag, "dtype") && attribute(attributes, "id")) {
		read_type(r, attributes);
		r->type[r->open_type].array = ends_in(tag, "arraydtype");
		r->type[r->open_type].one_of = is(tag, "uniondtype");
		if (is(tag, "structdtype") || is(tag, "uniondtype")) {
			r->n_open++;
			if (r->n_open <= MAX_OPEN)
				r->open_struct[r->n_open - 1] = r->open_type;
		}
	} else if (is(tag, "senitem")) {
		r->in_edge = has(attributes, "edgeType", "NEG") || has(attributes, "edgeType", "POS");
		r->negative = has(attributes, "edgeType", "NEG");
	} else if (r->in_edge && is(tag, "varref"))
		read_edge(r, attributes);
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
	else if (is(tag, "structdtype") || is(tag, "uniondtype"))
		r->n_open -= r->n_open > 0;
	else if (is(tag, "senitem"))
		r->in_edge = false;
	else if (is(tag, "module"))
		r->in_top = false;
}

/* A string of Verilog may hold characters that XML has no way to write: &#x1b; is none of its references, and is read
 * as ?#x1b; here. */
static size_t read_chunk(char *to, size_t room, FILE *f)
{
	size_t n = fread(to, 1, room - 1, f);
	int next = n == room - 1 && to[n - 1] == '&' ? fgetc(f) : EOF;

	if (next != EOF)
		to[n++] = (char)next;
	for (size_t i = 0; i + 1 < n; i++)
		if (to[i] == '&' && to[i + 1] == '#')
			to[i] = '?';
	return n;
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
		size_t n = chunk ? read_chunk(chunk, CHUNK, f) : 0;

		last = n < CHUNK - 1;
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
	uint32_t elements, width = 0;

	for (uint32_t i = 0; i < t->n_members && depth <= 8; i++) {
		uint32_t w = type_width(r, r->member[t->first_member + i].type, depth + 1);

		width = t->one_of ? w : width + w;
	}
	if (t->n_members)
		return width;
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

static enum bind_var_kind direction(const char *dir)
{
	return !strcmp(dir, "input") ? BIND_VAR_INPUT : !strcmp(dir, "output") ? BIND_VAR_OUTPUT : BIND_VAR_INOUT;
}

/* The struct that the type is another name of; NULL: it is something else. */
static const struct type *struct_of(const struct reader *r, uint32_t id)
{
	const struct type *t = &r->type[id < MAX_TYPES ? id : 0];

	for (unsigned depth = 0; t->sub && !t->array && !t->n_members && depth < 8; depth++)
		t = &r->type[t->sub < MAX_TYPES ? t->sub : 0];
	return t->n_members && !t->one_of ? t : NULL;
}

struct whole {
	const char *path, *module;
};

/* The members of a struct whose bits begin at `low`: acc_q.valid is acc_valid_q, so that a twin can have it. */
static void collect_members(struct reader *r, struct bind_module *m, const struct whole *w, const struct type *t, const char *base,
			    const char *shown, uint32_t low)
{
	uint32_t at = low;

	for (uint32_t i = 0; i < t->n_members; i++)
		at += type_width(r, r->member[t->first_member + i].type, 0);
	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct member *member = &r->member[t->first_member + i];
		const struct type *inner = struct_of(r, member->type);
		uint32_t width = type_width(r, member->type, 0);
		const char *name = arena_printf(r->a, "%s_%s", base, member->name);
		const char *dotted = arena_printf(r->a, "%s.%s", shown, member->name);

		at -= width;
		r->too_many |= m->n > 2 * MAX_VARS - 2;
		if (r->too_many)
			return;
		if (inner)
			collect_members(r, m, w, inner, name, dotted, at);
		else
			m->var[m->n++] = (struct bind_var){.kind = BIND_VAR_REG,
							   .path = arena_printf(r->a, "%s_q", name),
							   .shown = dotted,
							   .width = width,
							   .module = w->module,
							   .name = "",
							   .whole = w->path,
							   .low = at};
	}
}

static void collect_register(struct reader *r, struct bind_module *m, const struct raw_var *v, const char *path, uint32_t width)
{
	const struct type *t = ends_in(v->name, "_q") ? struct_of(r, v->type) : NULL;
	struct whole w = {path, source_name(r, v->module)};

	if (t)
		collect_members(r, m, &w, t, arena_printf(r->a, "%.*s", (int)strlen(path) - 2, path), path, 0);
	else
		m->var[m->n++] = (struct bind_var){
			.kind = BIND_VAR_REG, .path = path, .shown = path, .width = width, .module = w.module, .name = v->name};
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
			m->var[m->n++] = (struct bind_var){
				.kind = direction(v->dir), .path = v->path, .shown = v->path, .port = v->path, .width = width};
		if (v->dir || v->param || !v->reg)
			continue;
		r->too_many |= m->n + r->n_cells > 2 * MAX_VARS - 2;
		for (unsigned c = 0; c < r->n_cells && !r->too_many; c++)
			if (r->cell[c].module && r->cell[c].hier && !strcmp(r->cell[c].module, v->module))
				collect_register(r, m, v,
						 strlen(r->cell[c].hier) > top
							 ? arena_printf(r->a, "%s.%s", r->cell[c].hier + top + 1, v->path)
							 : v->path,
						 width);
	}
	for (unsigned i = 0; i < r->n_edges; i++)
		if (r->edge[i].negative && !r->edge[i].positive)
			m->negative[m->n_negative++] = r->edge[i].name;
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
		m->negative = arena_array(a, MAX_EDGES, sizeof *m->negative);
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
