/* Contents of a launch file's buffers: how large they are, what fills them, and what is expected in them at the end.
 * Both are said with the same keys, and an expectation is filled as a buffer would be: only where its bytes are
 * differs. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "workload/launchfile_impl.h"

/* As enum lf_contents_key, from LF_TYPE on. */
// clang-format off
#define CONTENTS(type_meaning)                                                                                                     \
	{"type", 0, type_meaning},                                                                                                 \
	{"fill", 0, "zeros, iota or random (default: zeros); in place of value, values, file and graph"},            \
	{"value", 0, "number that every element has"},                                                                                \
	{"values", 0, "list of the first elements; zeros follow"},                                                            \
	{"start", 0, "fill iota: first element (default: 0)"},                                                                             \
	{"step", 0, "fill iota: difference between elements (default: 1)"},                                                                   \
	{"seed", 0, "fill random: seed (default: 1); SplitMix64, the same on every machine"},                                                       \
	{"range", 0, "fill random: [LOW, HIGH], the interval of floats [LOW, HIGH) (default: [0, 1]) or of whole numbers "       \
		     "LOW..HIGH (default: 0 to the largest of the type)"},                                                                 \
	{"file", 0, "path of the file that has the first bytes; zeros follow"},                                                                    \
	{"graph", 0, "path of a METIS (.graph) or MatrixMarket (.mtx) file, a part of whose compressed rows is the contents"},                   \
	{"part", 0, "part of the graph: rowptr (u32 offsets, vertices + 1), col (u32 neighbours, ascending) or weights (f32)"}
// clang-format on
const struct launchfile_key lf_buffer_keys[] = {{"size", 0, "bytes of the buffer (default: those of its list, file or graph)"},
						{"count", 0, "number of elements, in place of size"},
						CONTENTS("type of the elements: u8 u16 u32 u64 s8 s16 s32 s64 f32 f64"),
						{0}};
const struct launchfile_key lf_expect_keys[] = {
	CONTENTS("type of the elements (default: that of the buffer, if it has one)"),
	{"tolerance", 0, "factor below 1: floats may differ by it times the expected magnitude (default: 0)"},
	{0}};
/* As enum lf_fill. */
static const char *const fills[] = {"zeros", "iota", "random", "value", "values", "file", "graph", NULL};
static const char *const parts[] = {"rowptr", "col", "weights", NULL};

const char *lf_contents_path(struct lf_contents *c, enum lf_contents_key key)
{
	return lf_path(c->f, c->what, key < LF_TYPE ? lf_buffer_keys[key].name : lf_expect_keys[key - LF_TYPE].name);
}

int lf_contents_wrong(struct lf_contents *c, enum lf_contents_key key, const char *why)
{
	return yaml_error(c->f->y, c->key[key] ? c->key[key] : c->at, c->f->e, "%s: %s", lf_contents_path(c, key), why);
}

/* Keys that mean nothing for this fill are errors: they would be ignored in silence. */
static int only(struct lf_contents *c)
{
	static const struct {
		enum lf_contents_key key;
		enum lf_fill fill;
	} rule[] = {
		{LF_VALUE, LF_CONSTANT}, {LF_VALUES, LF_LIST},	    {LF_START, LF_IOTA},
		{LF_STEP, LF_IOTA},	 {LF_SEED, LF_RANDOM},	    {LF_RANGE, LF_RANDOM},
		{LF_FILE, LF_FROM_FILE}, {LF_GRAPH, LF_FROM_GRAPH}, {LF_PART, LF_FROM_GRAPH},
	};

	for (unsigned i = 0; i < sizeof rule / sizeof *rule; i++) {
		char why[96];

		if (!c->key[rule[i].key] || rule[i].fill == c->fill)
			continue;
		snprintf(why, sizeof why, "has no meaning with fill: %s", fills[c->fill]);
		return lf_contents_wrong(c, rule[i].key, why);
	}
	return 0;
}

/* The key without which a fill says nothing; LF_FILL for those that say enough. */
static enum lf_contents_key key_of(enum lf_fill fill)
{
	static const enum lf_contents_key key[] = {
		[LF_ZEROS] = LF_FILL,  [LF_IOTA] = LF_FILL,	 [LF_RANDOM] = LF_FILL,	    [LF_CONSTANT] = LF_VALUE,
		[LF_LIST] = LF_VALUES, [LF_FROM_FILE] = LF_FILE, [LF_FROM_GRAPH] = LF_GRAPH};

	return key[fill];
}

static int read_fill(struct lf_contents *c)
{
	int n;

	c->fill = c->key[LF_FILE]     ? LF_FROM_FILE
		  : c->key[LF_GRAPH]  ? LF_FROM_GRAPH
		  : c->key[LF_VALUES] ? LF_LIST
		  : c->key[LF_VALUE]  ? LF_CONSTANT
				      : LF_ZEROS;
	if (!c->key[LF_FILL])
		return only(c);
	n = lf_word(c->f, c->key[LF_FILL], lf_contents_path(c, LF_FILL), fills);
	if (n < 0)
		return -1;
	c->fill = (enum lf_fill)n;
	if (!c->key[key_of(c->fill)])
		return yaml_error(c->f->y, c->key[LF_FILL], c->f->e, "%s: %s needs the key \"%s\"", lf_contents_path(c, LF_FILL),
				  fills[c->fill], fills[c->fill]);
	return only(c);
}

static int read_type(struct lf_contents *c)
{
	return c->key[LF_TYPE] ? lf_type(c->f, c->key[LF_TYPE], lf_contents_path(c, LF_TYPE), &c->type) : 0;
}

static int read_size(struct lf_contents *c)
{
	uint64_t count;

	if (c->key[LF_SIZE] && c->key[LF_COUNT])
		return lf_contents_wrong(c, LF_COUNT, "either size (bytes) or count (elements), not both");
	if (c->key[LF_SIZE] &&
	    yaml_u64(c->f->y, c->key[LF_SIZE], lf_contents_path(c, LF_SIZE), 1, UINT64_C(1) << 40, &c->size, c->f->e))
		return -1;
	if (!c->key[LF_COUNT])
		return 0;
	if (!c->type.kind)
		return lf_contents_wrong(c, LF_COUNT, "needs a type, to know how large an element is");
	if (yaml_u64(c->f->y, c->key[LF_COUNT], lf_contents_path(c, LF_COUNT), 1, UINT64_C(1) << 37, &count, c->f->e))
		return -1;
	c->size = count * c->type.bytes;
	return 0;
}

/* Makes the bytes, zero: of a buffer in device memory, of an expectation beside it. */
static int make(struct lf_contents *c)
{
	struct err why = {""};
	uint64_t addr;

	if (!c->size)
		return lf_contents_wrong(c, LF_SIZE, "is missing");
	if (c->expected) {
		c->bytes = arena_alloc(&c->f->arena, c->size);
		return 0;
	}
	addr = host_alloc(c->f->h, c->name, c->size, &why);
	if (!addr)
		return yaml_error(c->f->y, c->at, c->f->e, "%s: %s", c->what, why.text);
	c->bytes = host_bytes(c->f->h, addr, c->size);
	return 0;
}

/* What fills it has n bytes: a buffer may be larger, what is expected may not. */
static bool fits(const struct lf_contents *c, uint64_t n)
{
	return !c->size || n == c->size || (n < c->size && !c->expected);
}

/* ---- fills by element ---- */

static int count_list(struct lf_contents *c)
{
	struct fy_node *list = c->key[LF_VALUES];
	void *iter = NULL;
	uint64_t n = 0;
	char why[96];

	while (yaml_is_seq(list) && yaml_next_item(list, &iter))
		n++;
	if (!n)
		return lf_contents_wrong(c, LF_VALUES, "must be a list of numbers");
	if (!fits(c, n * c->type.bytes)) {
		snprintf(why, sizeof why, "%" PRIu64 " elements, the buffer has %" PRIu64, n, c->size / c->type.bytes);
		return lf_contents_wrong(c, LF_VALUES, why);
	}
	c->size = c->size ? c->size : n * c->type.bytes;
	return 0;
}

static int fill_elements(struct lf_contents *c)
{
	if (c->fill == LF_ZEROS)
		return make(c);
	if (!c->type.kind)
		return c->fill == LF_LIST || make(c) == 0 ? lf_contents_wrong(c, LF_TYPE, "is missing (" ELEMENT_TYPES ")") : -1;
	if (c->size % c->type.bytes)
		return lf_contents_wrong(c, c->expected ? LF_TYPE : LF_SIZE, "is not a multiple of the element's bytes");
	if ((c->fill == LF_LIST && count_list(c)) || make(c))
		return -1;
	return lf_fill_elements(c);
}

/* ---- fills from files ---- */

static int fill_from_file(struct lf_contents *c)
{
	const char *path = lf_file(c->f, yaml_text(c->key[LF_FILE]));
	struct err refused = {""};
	FILE *in = infile_open(path, INFILE_MOST, &refused);
	struct stat st = {0};
	char why[4300] = "";

	if (!in)
		snprintf(why, sizeof why, "%s", refused.text);
	else if (fstat(fileno(in), &st) || st.st_size == 0)
		snprintf(why, sizeof why, "%s: empty", path);
	else if (!fits(c, (uint64_t)st.st_size))
		snprintf(why, sizeof why, "%s has %" PRIu64 " bytes, the buffer %" PRIu64, path, (uint64_t)st.st_size, c->size);
	if (!why[0]) {
		c->size = c->size ? c->size : (uint64_t)st.st_size;
		if (make(c) == 0 && fread(c->bytes, 1, (size_t)st.st_size, in) != (size_t)st.st_size)
			snprintf(why, sizeof why, "%s: cannot read: %s", path,
				 ferror(in) ? strerror(errno) : "it has become shorter");
	}
	if (in)
		fclose(in);
	return why[0] ? lf_contents_wrong(c, LF_FILE, why) : c->bytes ? 0 : -1;
}

static int fill_from_graph(struct lf_contents *c)
{
	const struct graph *g = lf_graph(c->f, c->key[LF_GRAPH], lf_contents_path(c, LF_GRAPH));
	const void *from;
	uint64_t bytes;
	char why[96];
	int part;

	if (!g)
		return -1;
	if (!c->key[LF_PART])
		return lf_contents_wrong(c, LF_PART, "is missing (rowptr, col or weights)");
	part = lf_word(c->f, c->key[LF_PART], lf_contents_path(c, LF_PART), parts);
	if (part < 0)
		return -1;
	from = part == 0 ? (const void *)g->rowptr : part == 1 ? (const void *)g->col : (const void *)g->weight;
	bytes = 4 * (part == 0 ? g->n_rows + UINT64_C(1) : g->n_entries);
	if (!from || !bytes)
		return lf_contents_wrong(c, LF_PART, "the graph has none");
	if (!fits(c, bytes)) {
		snprintf(why, sizeof why, "this part of the graph has %" PRIu64 " bytes, the buffer %" PRIu64, bytes, c->size);
		return lf_contents_wrong(c, LF_PART, why);
	}
	c->size = c->size ? c->size : bytes;
	if (make(c))
		return -1;
	memcpy(c->bytes, from, bytes);
	return 0;
}

static int fill(struct lf_contents *c)
{
	return c->fill == LF_FROM_FILE ? fill_from_file(c) : c->fill == LF_FROM_GRAPH ? fill_from_graph(c) : fill_elements(c);
}

/* ---- buffers, expectations ---- */

static void remember_type(struct lf *f, const char *name, struct element type)
{
	f->typed = xgrow(f->typed, f->n_typed, sizeof *f->typed);
	names_add(&f->typed_names, name, f->n_typed);
	f->typed[f->n_typed++] = (struct lf_typed){name, type};
}

struct element lf_type_of(const struct lf *f, const char *buffer)
{
	int i = names_find(&f->typed_names, buffer);

	return i < 0 ? (struct element){0, 0} : f->typed[i].type;
}

int lf_buffers(struct lf *f, struct fy_node *map)
{
	struct fy_node *key_node, *value;
	const char *name;
	void *iter = NULL;

	if (!yaml_is_map(map))
		return yaml_error(f->y, map, f->e, "buffers: must be a mapping of names");
	while (yaml_next_pair(map, &iter, &name, &key_node, &value)) {
		struct lf_contents c = {.f = f, .name = name, .what = lf_path(f, "buffers", name), .at = key_node};

		if (lf_name(f, key_node, "buffers", name) || lf_fields(f, value, c.what, lf_buffer_keys, c.key) || read_type(&c) ||
		    read_size(&c) || read_fill(&c))
			return -1;
		if (memory_named(host_memory(f->h), name) >= 0)
			return yaml_error(f->y, key_node, f->e, "%s: the PTX has a variable of this name", c.what);
		if (fill(&c))
			return -1;
		remember_type(f, name, c.type);
	}
	return 0;
}

int lf_expected(struct lf_contents *c, struct fy_node *map)
{
	bool says = false;

	c->expected = true;
	if (lf_fields(c->f, map, c->what, lf_expect_keys, c->key + LF_TYPE) || read_type(c) || read_fill(c))
		return -1;
	for (unsigned i = LF_FILL; i <= LF_GRAPH; i++)
		says = says || c->key[i];
	if (!says)
		return yaml_error(c->f->y, c->at, c->f->e, "%s: needs one of value, values, file, graph, fill", c->what);
	if (!c->type.kind)
		return lf_contents_wrong(c, LF_TYPE, "is missing (" ELEMENT_TYPES ")");
	if (c->size % c->type.bytes)
		return lf_contents_wrong(c, LF_TYPE, "the buffer's size is not a multiple of the element's bytes");
	return fill(c);
}
