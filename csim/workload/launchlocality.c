/* Locality descriptors of a launch file's launches. */
#include "workload/launchfile_impl.h"
#include "workload/ldesc_api.h"

enum { BUFFER, OFFSET, BYTES, ELEMENT, LENGTH, TYPE, D_TILE, C_TILE, C_TILE_OF, MAP, SHARING, ACCESS, STRIDE, PRIORITY, N_KEYS };
const struct launchfile_key lf_locality_keys[] = {
	{"buffer", 1, "name of the buffer that holds the data structure"},
	{"offset", 0, "bytes from the start of the buffer to the structure (default: 0)"},
	{"bytes", 0, "bytes of the structure (default: up to the end of the buffer)"},
	{"element", 0, "bytes of an element (default: those of the type of the buffer)"},
	{"length", 1, "dimensions of the structure in elements, X first; the end of the buffer may cut the last row"},
	{"type", 1, "type of locality: inter-thread, intra-thread or no-reuse"},
	{"d_tile", 1, "D-tile: box of elements that the CTAs of a C-tile access"},
	{"c_tile", 1, "C-tile: box of CTAs, or of threads"},
	{"c_tile_of", 0, "unit of c_tile: ctas or threads (default: ctas)"},
	{"map", 1,
	 "for each dimension of the grid its rank in the traversal of C-tiles beside D-tiles: 1 is the fastest, 0 "
	 "is not traversed"},
	{"sharing", 0, "kind of sharing: coaccessed or nearby"},
	{"access", 0, "kind of access: regular or irregular"},
	{"stride", 0, "elements from one regular access to the next (default: 1)"},
	{"priority", 1, "priority: the descriptor with the lowest number goes first"},
	{0}};
static const char *const units[] = {"ctas", "threads", NULL};

/* A list of one to three numbers; what is missing is `rest`. */
static int triple(struct lf *f, struct fy_node *at, const char *what, uint64_t rest, uint64_t max, uint64_t out[3])
{
	struct fy_node *item;
	void *iter = NULL;
	unsigned n = 0;

	out[0] = out[1] = out[2] = rest;
	if (!yaml_is_seq(at))
		return yaml_error(f->y, at, f->e, "%s: must be a list of up to three numbers", what);
	for (; (item = yaml_next_item(at, &iter)); n++) {
		if (n == 3)
			return yaml_error(f->y, item, f->e, "%s: has more than three dimensions", what);
		if (yaml_u64(f->y, item, what, 0, max, &out[n], f->e) != 0)
			return -1;
	}
	return n ? 0 : yaml_error(f->y, at, f->e, "%s: is empty", what);
}

/* An optional word; the first is the default. */
static int word(struct lf *f, struct fy_node *at, const char *what, const char *const *words, int *out)
{
	*out = at ? lf_word(f, at, what, words) : 0;
	return *out < 0 ? -1 : 0;
}

/* An optional number. */
static int number(struct lf *f, struct fy_node *at, const char *what, uint64_t max, uint64_t *out)
{
	return at ? yaml_u64(f->y, at, what, 0, max, out, f->e) : 0;
}

static int read_tiles(struct lf *f, struct fy_node *const key[N_KEYS], const char *what, struct ldesc *l)
{
	uint64_t c_tile[3], rank[3];

	if (triple(f, key[LENGTH], lf_path(f, what, "length"), 1, UINT64_MAX, l->len) != 0 ||
	    triple(f, key[D_TILE], lf_path(f, what, "d_tile"), 1, UINT64_MAX, l->d_tile) != 0 ||
	    triple(f, key[C_TILE], lf_path(f, what, "c_tile"), 1, UINT32_MAX, c_tile) != 0 ||
	    triple(f, key[MAP], lf_path(f, what, "map"), 0, 3, rank) != 0)
		return -1;
	for (unsigned d = 0; d < 3; d++) {
		l->c_tile[d] = (uint32_t)c_tile[d];
		l->rank[d] = (uint8_t)rank[d];
	}
	return 0;
}

static int read_semantics(struct lf *f, struct fy_node *const key[N_KEYS], const char *what, struct ldesc *l)
{
	int type, unit, sharing, access;
	uint64_t priority;

	if (word(f, key[TYPE], lf_path(f, what, "type"), ldesc_types, &type) != 0 ||
	    word(f, key[C_TILE_OF], lf_path(f, what, "c_tile_of"), units, &unit) != 0 ||
	    word(f, key[SHARING], lf_path(f, what, "sharing"), ldesc_sharings, &sharing) != 0 ||
	    word(f, key[ACCESS], lf_path(f, what, "access"), ldesc_accesses, &access) != 0 ||
	    number(f, key[STRIDE], lf_path(f, what, "stride"), UINT64_MAX, &l->stride) != 0 ||
	    yaml_u64(f->y, key[PRIORITY], lf_path(f, what, "priority"), 0, UINT32_MAX, &priority, f->e) != 0)
		return -1;
	l->type = (enum ldesc_type)type;
	l->c_unit = (enum ldesc_unit)unit;
	l->sharing = (enum ldesc_sharing)sharing;
	l->access = (enum ldesc_access)access;
	l->priority = (uint32_t)priority;
	return 0;
}

static int one(struct lf *f, const char *kernel, struct fy_node *map, const char *what)
{
	const struct memory_buffer *b;
	struct fy_node *key[N_KEYS];
	struct ldesc l = {.stride = 1};
	uint64_t element, offset = 0;
	struct err why = {""};

	if (lf_fields(f, map, what, lf_locality_keys, key) || !(b = lf_buffer_named(f, key[BUFFER], what, yaml_text(key[BUFFER]))))
		return -1;
	element = lf_type_of(f, b->name).bytes;
	if (!key[ELEMENT] && !element)
		return yaml_error(f->y, map, f->e, "%s.element: is missing: buffer %s has no type", what, b->name);
	if (number(f, key[ELEMENT], lf_path(f, what, "element"), UINT32_MAX, &element) != 0 ||
	    number(f, key[OFFSET], lf_path(f, what, "offset"), b->size - 1, &offset) != 0 ||
	    number(f, key[BYTES], lf_path(f, what, "bytes"), UINT64_MAX, &l.bytes) != 0 || read_tiles(f, key, what, &l) != 0 ||
	    read_semantics(f, key, what, &l) != 0)
		return -1;
	l.element = (uint32_t)element;
	return ldesc_describe(f->h, kernel, b->base + offset, &l, &why) ? yaml_error(f->y, map, f->e, "%s: %s", what, why.text) : 0;
}

int lf_locality(struct lf *f, const char *kernel, struct fy_node *list, const char *what)
{
	struct fy_node *item;
	void *iter = NULL;
	unsigned i = 0;

	ldesc_forget(f->h, kernel);
	if (!list)
		return 0;
	if (!yaml_is_seq(list))
		return yaml_error(f->y, list, f->e, "%s: must be a list of descriptors", what);
	while ((item = yaml_next_item(list, &iter)))
		if (one(f, kernel, item, arena_printf(&f->arena, "%s[%u]", what, i++)))
			return -1;
	return i ? 0 : yaml_error(f->y, list, f->e, "%s: is empty", what);
}
