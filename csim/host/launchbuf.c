/* Buffers of a launch file: their sizes, what fills them, and what is expected in them at the end. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/launchfile_internal.h"
#include "host/random.h"

enum { SIZE, COUNT, TYPE, FILL, VALUE, START, STEP, SEED, RANGE, FILE_, GRAPH, PART, N_KEYS };
static const struct lf_key buffer_keys[] = {
	{"size", 0}, {"count", 0}, {"type", 0}, {"fill", 0},  {"value", 0}, {"start", 0}, {"step", 0},
	{"seed", 0}, {"range", 0}, {"file", 0}, {"graph", 0}, {"part", 0},  {NULL, 0},
};
static const char *const fills[] = {"zeros", "iota", "random", "value", "file", "graph", NULL};
enum fill { ZEROS, IOTA, RANDOM, CONSTANT, FROM_FILE, FROM_GRAPH };
static const char *const parts[] = {"rowptr", "col", "weights", NULL};

struct buffer { /* one that is being made */
	struct lf *f;
	const char *name, *what; /* what: "buffers.x" */
	struct fy_node *at, *key[N_KEYS];
	struct lf_type type; /* kind 0: not given */
	uint64_t size;	     /* 0: not given */
	uint8_t *bytes;
};

static const char *key_path(struct buffer *b, int key)
{
	return lf_path(b->f, b->what, buffer_keys[key].name);
}

static int wrong(struct buffer *b, int key, const char *why)
{
	return yaml_error(b->f->y, b->key[key] ? b->key[key] : b->at, b->f->e, "%s: %s", key_path(b, key), why);
}

/* Keys that mean nothing for this fill are errors: they would be ignored in silence. */
static int only(struct buffer *b, enum fill fill)
{
	static const struct {
		int key;
		unsigned for_fills;
	} rule[] = {
		{VALUE, 1u << CONSTANT}, {START, 1u << IOTA},	   {STEP, 1u << IOTA},	      {SEED, 1u << RANDOM},
		{RANGE, 1u << RANDOM},	 {FILE_, 1u << FROM_FILE}, {GRAPH, 1u << FROM_GRAPH}, {PART, 1u << FROM_GRAPH},
	};

	for (unsigned i = 0; i < sizeof rule / sizeof *rule; i++) {
		char why[96];

		if (!b->key[rule[i].key] || (rule[i].for_fills >> fill & 1))
			continue;
		snprintf(why, sizeof why, "has no meaning with fill: %s", fills[fill]);
		return wrong(b, rule[i].key, why);
	}
	return 0;
}

static int which_fill(struct buffer *b, enum fill *fill)
{
	int n;

	*fill = b->key[FILE_] ? FROM_FILE : b->key[GRAPH] ? FROM_GRAPH : b->key[VALUE] ? CONSTANT : ZEROS;
	if (!b->key[FILL])
		return only(b, *fill);
	n = lf_word(b->f, b->key[FILL], key_path(b, FILL), fills);
	if (n < 0)
		return -1;
	*fill = (enum fill)n;
	if ((*fill == FROM_FILE && !b->key[FILE_]) || (*fill == FROM_GRAPH && !b->key[GRAPH]) ||
	    (*fill == CONSTANT && !b->key[VALUE]))
		return yaml_error(b->f->y, b->key[FILL], b->f->e, "%s: %s needs the key \"%s\"", key_path(b, FILL), fills[*fill],
				  fills[*fill]);
	return only(b, *fill);
}

static int read_size(struct buffer *b)
{
	uint64_t count;

	if (b->key[TYPE] && lf_type(b->f, b->key[TYPE], key_path(b, TYPE), &b->type))
		return -1;
	if (b->key[SIZE] && b->key[COUNT])
		return wrong(b, COUNT, "either size (bytes) or count (elements), not both");
	if (b->key[SIZE] && yaml_u64(b->f->y, b->key[SIZE], key_path(b, SIZE), 1, UINT64_C(1) << 40, &b->size, b->f->e))
		return -1;
	if (!b->key[COUNT])
		return 0;
	if (!b->type.kind)
		return wrong(b, COUNT, "needs a type, to know how large an element is");
	if (yaml_u64(b->f->y, b->key[COUNT], key_path(b, COUNT), 1, UINT64_C(1) << 37, &count, b->f->e))
		return -1;
	b->size = count * b->type.bytes;
	return 0;
}

/* Makes the buffer in device memory; its bytes are zero. */
static int make(struct buffer *b)
{
	struct err why = {""};
	uint64_t addr;

	if (!b->size)
		return wrong(b, SIZE, "is missing");
	addr = host_alloc(b->f->h, b->name, b->size, &why);
	if (!addr)
		return yaml_error(b->f->y, b->at, b->f->e, "%s: %s", b->what, why.text);
	b->bytes = host_bytes(b->f->h, addr, b->size);
	return 0;
}

/* ---- fills by element ---- */

static int number_at(struct buffer *b, struct fy_node *at, const char *what, uint64_t *bits)
{
	struct err why = {""};

	if (!yaml_is_scalar(at) || lf_number(b->type, yaml_text(at), bits, &why))
		return yaml_error(b->f->y, at, b->f->e, "%s: %s", what, why.text[0] ? why.text : "must be a number");
	return 0;
}

static int optional(struct buffer *b, int key, const char *dflt, uint64_t *bits)
{
	return b->key[key] ? number_at(b, b->key[key], key_path(b, key), bits) : lf_number(b->type, dflt, bits, NULL);
}

static double as_double(struct lf_type t, uint64_t bits)
{
	double d;
	float s;

	if (t.bytes == 8) {
		memcpy(&d, &bits, sizeof d);
		return d;
	}
	memcpy(&s, &bits, sizeof s);
	return s;
}

static void set_float(struct buffer *b, uint64_t i, double v)
{
	float s = (float)v;

	if (b->type.bytes == 8)
		memcpy(b->bytes + 8 * i, &v, 8);
	else
		memcpy(b->bytes + 4 * i, &s, 4);
}

static int fill_iota(struct buffer *b)
{
	uint64_t start, step, n = b->size / b->type.bytes;

	if (optional(b, START, "0", &start) || optional(b, STEP, "1", &step))
		return -1;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t v = start + i * step;

		if (b->type.kind == 'f')
			set_float(b, i, as_double(b->type, start) + (double)i * as_double(b->type, step));
		else
			memcpy(b->bytes + i * b->type.bytes, &v, b->type.bytes);
	}
	return 0;
}

static uint64_t sign_extend(struct lf_type t, uint64_t v)
{
	unsigned unused = 64 - 8 * t.bytes;

	return t.kind == 's' ? (uint64_t)((int64_t)(v << unused) >> unused) : v;
}

static void random_whole(struct buffer *b, struct host_random *r, uint64_t lo, uint64_t hi)
{
	uint64_t span = sign_extend(b->type, hi) - sign_extend(b->type, lo) + 1; /* 0: all 2^64 values */

	for (uint64_t i = 0; i < b->size / b->type.bytes; i++) {
		uint64_t v = host_random_u64(r);

		v = span ? lo + (span >> 32 ? v % span : (v >> 32) * span >> 32) : v;
		memcpy(b->bytes + i * b->type.bytes, &v, b->type.bytes);
	}
}

static void random_float(struct buffer *b, struct host_random *r, double lo, double hi)
{
	for (uint64_t i = 0; i < b->size / b->type.bytes; i++) {
		double u = b->type.bytes == 4 ? (double)host_random_f32(r) : (double)(host_random_u64(r) >> 11) * 0x1p-53;

		set_float(b, i, lo + (hi - lo) * u);
	}
}

/* The two ends of `range`: floats lie in [lo, hi), whole numbers in lo..hi. */
static int read_range(struct buffer *b, uint64_t end[2])
{
	static const char *const whole_hi[2][4] = {{"255", "65535", "4294967295", "18446744073709551615"},
						   {"127", "32767", "2147483647", "9223372036854775807"}};
	struct fy_node *item;
	void *iter = NULL;
	int n = 0;

	if (!b->key[RANGE]) {
		lf_number(b->type, "0", &end[0], NULL);
		return lf_number(b->type, b->type.kind == 'f' ? "1" : whole_hi[b->type.kind == 's'][__builtin_ctz(b->type.bytes)],
				 &end[1], NULL);
	}
	while (yaml_is_seq(b->key[RANGE]) && (item = yaml_next_item(b->key[RANGE], &iter)))
		if (n == 2 || number_at(b, item, key_path(b, RANGE), &end[n++]))
			return wrong(b, RANGE, "must be two numbers: [lowest, highest]");
	if (n != 2)
		return wrong(b, RANGE, "must be two numbers: [lowest, highest]");
	if (b->type.kind == 'f'	  ? !(as_double(b->type, end[0]) <= as_double(b->type, end[1]))
	    : b->type.kind == 's' ? (int64_t)sign_extend(b->type, end[0]) > (int64_t)sign_extend(b->type, end[1])
				  : end[0] > end[1])
		return wrong(b, RANGE, "the lowest is above the highest");
	return 0;
}

static int fill_random(struct buffer *b)
{
	struct host_random r = {1};
	uint64_t end[2];

	if ((b->key[SEED] && yaml_u64(b->f->y, b->key[SEED], key_path(b, SEED), 0, UINT64_MAX, &r.state, b->f->e)) ||
	    read_range(b, end))
		return -1;
	if (b->type.kind == 'f')
		random_float(b, &r, as_double(b->type, end[0]), as_double(b->type, end[1]));
	else
		random_whole(b, &r, end[0], end[1]);
	return 0;
}

static int fill_constant(struct buffer *b)
{
	uint64_t bits;

	if (number_at(b, b->key[VALUE], key_path(b, VALUE), &bits))
		return -1;
	for (uint64_t i = 0; i < b->size / b->type.bytes; i++)
		memcpy(b->bytes + i * b->type.bytes, &bits, b->type.bytes);
	return 0;
}

static int fill_elements(struct buffer *b, enum fill fill)
{
	if (make(b))
		return -1;
	if (fill == ZEROS)
		return 0;
	if (!b->type.kind)
		return wrong(b, TYPE, "is missing (u8 u16 u32 u64 s8 s16 s32 s64 f32 f64)");
	if (b->size % b->type.bytes)
		return wrong(b, SIZE, "is not a multiple of the element's bytes");
	return fill == IOTA ? fill_iota(b) : fill == RANDOM ? fill_random(b) : fill_constant(b);
}

/* ---- fills from files ---- */

static int fill_from_file(struct buffer *b)
{
	const char *path = lf_file(b->f, yaml_text(b->key[FILE_]));
	FILE *in = fopen(path, "rb");
	struct stat st;
	char why[4300] = "";

	if (!in || fstat(fileno(in), &st))
		snprintf(why, sizeof why, "%s: %s", path, strerror(errno));
	else if (!S_ISREG(st.st_mode) || st.st_size == 0)
		snprintf(why, sizeof why, "%s: not a file, or empty", path);
	else if (b->size && (uint64_t)st.st_size > b->size)
		snprintf(why, sizeof why, "%s has %" PRIu64 " bytes, the buffer %" PRIu64, path, (uint64_t)st.st_size, b->size);
	if (!why[0]) {
		b->size = b->size ? b->size : (uint64_t)st.st_size;
		if (make(b) == 0 && fread(b->bytes, 1, (size_t)st.st_size, in) != (size_t)st.st_size)
			snprintf(why, sizeof why, "%s: cannot read", path);
	}
	if (in)
		fclose(in);
	return why[0] ? wrong(b, FILE_, why) : b->bytes ? 0 : -1;
}

static int fill_from_graph(struct buffer *b)
{
	const struct graph *g = lf_graph(b->f, b->key[GRAPH], key_path(b, GRAPH));
	const void *from;
	uint64_t bytes;
	int part;

	if (!g)
		return -1;
	if (!b->key[PART])
		return wrong(b, PART, "is missing (rowptr, col or weights)");
	part = lf_word(b->f, b->key[PART], key_path(b, PART), parts);
	if (part < 0)
		return -1;
	from = part == 0 ? (const void *)g->rowptr : part == 1 ? (const void *)g->col : (const void *)g->weight;
	bytes = 4 * (part == 0 ? g->n_rows + UINT64_C(1) : g->n_entries);
	if (!from || !bytes)
		return wrong(b, PART, "the graph has none");
	if (b->size && b->size < bytes)
		return wrong(b, b->key[SIZE] ? SIZE : COUNT, "is too small for this part of the graph");
	b->size = b->size ? b->size : bytes;
	if (make(b))
		return -1;
	memcpy(b->bytes, from, bytes);
	return 0;
}

int lf_buffers(struct lf *f, struct fy_node *map)
{
	struct fy_node *key_node, *value;
	const char *name;
	void *iter = NULL;

	if (!yaml_is_map(map))
		return yaml_error(f->y, map, f->e, "buffers: must be a mapping of names");
	while (yaml_next_pair(map, &iter, &name, &key_node, &value)) {
		struct buffer b = {.f = f, .name = name, .what = lf_path(f, "buffers", name), .at = key_node};
		enum fill fill;

		if (lf_name(f, key_node, "buffers", name) || lf_fields(f, value, b.what, buffer_keys, b.key) || read_size(&b) ||
		    which_fill(&b, &fill))
			return -1;
		if (memory_named(host_memory(f->h), name) >= 0)
			return yaml_error(f->y, key_node, f->e, "%s: the PTX has a variable of this name", b.what);
		if (fill == FROM_FILE ? fill_from_file(&b) : fill == FROM_GRAPH ? fill_from_graph(&b) : fill_elements(&b, fill))
			return -1;
	}
	return 0;
}
