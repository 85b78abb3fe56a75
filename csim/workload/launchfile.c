/* The launch file as a whole: its keys, its launches. Buffers: launchbuf.c; textures: launchtex.c; arguments:
 * launchargs.c; locality descriptors: launchlocality.c; checks: launchcheck.c; dumps: launchdump.c. */
#include "workload/launchfile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/suggestion.h"
#include "workload/launchfile_impl.h"
#include "workload/streams.h"

/* Registers: of a thread, on all GPUs so far. */
enum { MAX_DEPTH = 8, MAX_REPEAT = 1 << 20, MAX_THREADS = 1024, MAX_REGISTERS = 255 };

/* ---- helpers of all parts ---- */

const char *lf_path(struct lf *f, const char *what, const char *key)
{
	return *what ? arena_printf(&f->arena, "%s.%s", what, key) : arena_strdup(&f->arena, key);
}

const char *lf_file(struct lf *f, const char *name)
{
	return *name == '/' ? name : arena_printf(&f->arena, "%s%s", f->dir, name);
}

static int unknown_key(struct lf *f, struct fy_node *at, const char *what, const char *key, const struct launchfile_key *keys)
{
	struct suggestion n = {.typed = key};
	const char *all = "";
	char hint[160];

	for (const struct launchfile_key *k = keys; k->name; k++) {
		suggestion_offer(&n, k->name);
		all = arena_printf(&f->arena, "%s%s%s", all, *all ? " " : "", k->name);
	}
	if (n.best)
		return yaml_error(f->y, at, f->e, "%s: unknown key%s", lf_path(f, what, key), suggestion_text(&n, hint));
	return yaml_error(f->y, at, f->e, "%s: unknown key (legal ones: %s)", lf_path(f, what, key), all);
}

int lf_fields(struct lf *f, struct fy_node *map, const char *what, const struct launchfile_key *keys, struct fy_node **out)
{
	struct fy_node *key_node, *value;
	const char *key;
	void *iter = NULL;

	for (unsigned i = 0; keys[i].name; i++)
		out[i] = NULL;
	if (!yaml_is_map(map))
		return yaml_error(f->y, map, f->e, "%s%smust be a mapping of keys to values", what, *what ? ": " : "");
	while (yaml_next_pair(map, &iter, &key, &key_node, &value)) {
		unsigned i = 0;

		while (keys[i].name && strcmp(keys[i].name, key))
			i++;
		if (!keys[i].name)
			return unknown_key(f, key_node, what, key, keys);
		out[i] = value;
	}
	for (unsigned i = 0; keys[i].name; i++)
		if (keys[i].required && !out[i])
			return yaml_error(f->y, map, f->e, "%s: is missing", lf_path(f, what, keys[i].name));
	return 0;
}

const struct graph *lf_graph(struct lf *f, struct fy_node *at, const char *what)
{
	const char *path = lf_file(f, yaml_text(at));
	int had = names_find(&f->graphs, path);
	struct err why = {""};
	struct graph g;

	if (had >= 0)
		return &f->graph[had].g;
	if (graph_open(&g, path, f->h->max_unpacked, &why)) {
		yaml_error(f->y, at, f->e, "%s: %s", what, why.text);
		return NULL;
	}
	names_add(&f->graphs, path, f->n_graphs);
	f->graph = xgrow(f->graph, f->n_graphs, sizeof *f->graph);
	f->graph[f->n_graphs] = (struct lf_graph){path, g};
	return &f->graph[f->n_graphs++].g;
}

int lf_word(struct lf *f, struct fy_node *at, const char *what, const char *const *words)
{
	struct suggestion n = {.typed = yaml_text(at)};
	const char *all = words[0];
	char hint[160];

	for (int i = 0; words[i]; i++) {
		if (!strcmp(yaml_text(at), words[i]))
			return i;
		suggestion_offer(&n, words[i]);
	}
	for (int i = 1; words[i]; i++)
		all = arena_printf(&f->arena, "%s, %s", all, words[i]);
	return yaml_error(f->y, at, f->e, "%s: \"%s\" is not one of %s%s", what, yaml_text(at), all, suggestion_text(&n, hint));
}

int lf_name(struct lf *f, struct fy_node *at, const char *what, const char *name)
{
	bool good = *name && !isdigit((unsigned char)*name);

	for (const char *p = name; *p; p++)
		good = good && (isalnum((unsigned char)*p) || *p == '_');
	if (!good)
		return yaml_error(f->y, at, f->e, "%s: \"%s\" is not a name (letters, digits and _, not beginning with a digit)",
				  what, name);
	return 0;
}

int lf_type(struct lf *f, struct fy_node *at, const char *what, struct element *out)
{
	*out = element_named(yaml_text(at));
	if (!out->kind || out->kind == 'b')
		return yaml_error(f->y, at, f->e, "%s: \"%s\" is not one of " ELEMENT_TYPES, what, yaml_text(at));
	return 0;
}

/* ---- launches ---- */

enum { KERNEL, GRID, BLOCK, SHARED, ARGS, REPEAT, LOCALITY, STREAM, N_LAUNCH };
static const struct launchfile_key launch_keys[] = {
	{"kernel", 1, "name of the kernel in the PTX"},
	{"grid", 1, "CTAs: a number, or a list of up to three"},
	{"block", 1, "threads of a CTA: a number, or a list of up to three; at most 1,024 in all"},
	{"dynamic_shared", 0, "bytes of dynamic shared memory per CTA (default: 0)"},
	{"args", 0, "list with an argument for each parameter of the kernel, in order"},
	{"repeat", 0, "times that the launch is made (default: 1)"},
	{"locality", 0, "list of locality descriptors for this launch (default: none)"},
	{"stream", 0, "number of the CUDA stream (default: 0, the default stream)"},
	{0}};

/* A number, or a list of one to three. */
static int dimensions(struct lf *f, struct fy_node *at, const char *what, const uint64_t max[3], struct host_dim *out)
{
	uint32_t *to[3] = {&out->x, &out->y, &out->z};
	struct fy_node *item;
	void *iter = NULL;
	uint64_t v;
	int n = 0;

	*out = (struct host_dim){1, 1, 1};
	if (!yaml_is_seq(at)) {
		if (yaml_u64(f->y, at, what, 1, max[0], &v, f->e))
			return -1;
		out->x = (uint32_t)v;
		return 0;
	}
	while ((item = yaml_next_item(at, &iter))) {
		if (n == 3)
			return yaml_error(f->y, item, f->e, "%s: has more than three dimensions", what);
		if (yaml_u64(f->y, item, what, 1, max[n], &v, f->e))
			return -1;
		*to[n++] = (uint32_t)v;
	}
	return n ? 0 : yaml_error(f->y, at, f->e, "%s: is empty", what);
}

static const struct ptx_kernel *find_kernel(struct lf *f, struct fy_node *at, const char *what)
{
	const char *name = yaml_text(at);
	struct suggestion n = {.typed = name};
	char hint[160];

	for (unsigned m = 0; m < f->h->n_modules; m++) {
		const struct ptx_module *ptx = f->h->module[m].ptx;
		const struct ptx_kernel *k = ptx_kernel_named(ptx, name);

		if (k)
			return k;
		for (unsigned i = 0; i < ptx_n_kernels(ptx); i++)
			suggestion_offer(&n, ptx_kernel_name(ptx_kernel_at(ptx, i)));
	}
	yaml_error(f->y, at, f->e, "%s: the PTX has no kernel \"%s\"%s", what, name, suggestion_text(&n, hint));
	return NULL;
}

static int repeats(struct lf *f, struct fy_node *at, const char *what, uint64_t *n)
{
	*n = 1;
	return at ? yaml_u64(f->y, at, lf_path(f, what, "repeat"), 1, MAX_REPEAT, n, f->e) : 0;
}

static int launch(struct lf *f, struct fy_node *map, const char *what)
{
	static const uint64_t max_grid[3] = {INT32_MAX, 65535, 65535}, max_block[3] = {MAX_THREADS, MAX_THREADS, MAX_THREADS};
	struct fy_node *key[N_LAUNCH];
	struct host_dim grid, block;
	const struct ptx_kernel *k;
	struct host_arg *args;
	uint64_t shared = 0, n;
	struct stream_id stream = STREAM_DEFAULT;

	if (lf_fields(f, map, what, launch_keys, key) || !(k = find_kernel(f, key[KERNEL], lf_path(f, what, "kernel"))) ||
	    dimensions(f, key[GRID], lf_path(f, what, "grid"), max_grid, &grid) ||
	    dimensions(f, key[BLOCK], lf_path(f, what, "block"), max_block, &block) || repeats(f, key[REPEAT], what, &n))
		return -1;
	if ((uint64_t)block.x * block.y * block.z > MAX_THREADS)
		return yaml_error(f->y, key[BLOCK], f->e, "%s.block: %u x %u x %u threads are more than %d", what, block.x, block.y,
				  block.z, MAX_THREADS);
	if (key[SHARED] && yaml_u64(f->y, key[SHARED], lf_path(f, what, "dynamic_shared"), 0, UINT32_MAX, &shared, f->e))
		return -1;
	if (key[STREAM] && yaml_u64(f->y, key[STREAM], lf_path(f, what, "stream"), 0, INT32_MAX, &stream.number, f->e))
		return -1;
	args = lf_args(f, k, map, key[ARGS], lf_path(f, what, "args"));
	if (!args || lf_locality(f, ptx_kernel_name(k), key[LOCALITY], lf_path(f, what, "locality")))
		return -1;
	for (; n > 0; n--) {
		struct err why = {""};

		host_wait_for(f->h, streams_waits(f->streams, stream));
		if (host_launch(f->h, ptx_kernel_name(k), grid, block, (uint32_t)shared, ptx_n_params(k), args, &why))
			return yaml_error(f->y, map, f->e, "%s: %s", what, why.text);
		streams_launch(f->streams, stream);
	}
	return 0;
}

static int launches(struct lf *f, struct fy_node *list, const char *what);

/* {launches: [..], repeat: n}, in the place of a launch */
static const struct launchfile_key group_keys[] = {{"launches", 1, "in the place of a launch: a list of launches"},
						   {"repeat", 0, "times that the list is carried out (default: 1)"},
						   {0}};

static int group(struct lf *f, struct fy_node *map, const char *what)
{
	struct fy_node *key[2];
	uint64_t n;

	if (lf_fields(f, map, what, group_keys, key) || repeats(f, key[1], what, &n))
		return -1;
	if (f->depth == MAX_DEPTH)
		return yaml_error(f->y, map, f->e, "%s: launches are nested more than %d deep", what, MAX_DEPTH);
	f->depth++;
	for (; n > 0; n--)
		if (launches(f, key[0], lf_path(f, what, "launches")))
			return -1;
	f->depth--;
	return 0;
}

static bool has_key(struct fy_node *map, const char *name)
{
	struct fy_node *key_node, *value;
	const char *key;
	void *iter = NULL;

	while (yaml_is_map(map) && yaml_next_pair(map, &iter, &key, &key_node, &value))
		if (!strcmp(key, name))
			return true;
	return false;
}

static const struct launchfile_key store_item_keys[] = {
	{"store", 1, "in the place of a launch: a store by the host program, between launches"}, {0}};

static int store(struct lf *f, struct fy_node *map, const char *what)
{
	struct fy_node *value;

	streams_sync(f->streams);
	return lf_fields(f, map, what, store_item_keys, &value) ? -1 : lf_store(f, value, lf_path(f, what, "store"));
}

static int launches(struct lf *f, struct fy_node *list, const char *what)
{
	struct fy_node *item;
	void *iter = NULL;
	unsigned i = 0;

	if (!yaml_is_seq(list))
		return yaml_error(f->y, list, f->e, "%s: must be a list", what);
	while ((item = yaml_next_item(list, &iter))) {
		const char *path = arena_printf(&f->arena, "%s[%u]", what, i++);

		if (has_key(item, "launches") ? group(f, item, path)
		    : has_key(item, "store")  ? store(f, item, path)
					      : launch(f, item, path))
			return -1;
	}
	return i ? 0 : yaml_error(f->y, list, f->e, "%s: is empty", what);
}

/* ---- the file ---- */

enum { NAME, PTX, REGISTERS, BUFFERS, TEXTURES, SURFACES, SCALARS, LAUNCHES, EXPECT, DUMP, N_TOP };
static const struct launchfile_key top_keys[] = {
	{"name", 0, "name of the run in its output (default: that of the file)"},
	{"ptx", 1, "path of the PTX file"},
	{"registers", 0,
	 "kernel -> registers per thread (1 to 255), as the compiler prints them (ptxas -v), for the occupancy; "
	 "else they are estimated"},
	{"buffers", 0, "name -> size and contents of the buffer"},
	{"textures", 0, "name -> buffer and shape of the texture"},
	{"surfaces", 0, "name -> buffer and shape of the surface"},
	{"scalars", 0, "name -> a number, or one that a graph file has"},
	{"launches", 1, "list of launches, groups of launches and stores, carried out in order"},
	{"expect", 0, "buffer -> the contents that it must have at the end"},
	{"dump", 0, "buffer -> the file to which it is written after the launches"},
	{0}};

const struct launchfile_section launchfile_sections[] = {{"", top_keys},
							 {"buffers.NAME.", lf_buffer_keys},
							 {"textures.NAME.", lf_texture_keys},
							 {"surfaces.NAME.", lf_surface_keys},
							 {"scalars.NAME.", lf_scalar_keys},
							 {"launches.", launch_keys},
							 {"launches.", group_keys},
							 {"launches.", store_item_keys},
							 {"launches.store.", lf_store_keys},
							 {"launches.args.", lf_argument_keys},
							 {"launches.locality.", lf_locality_keys},
							 {"expect.NAME.", lf_expect_keys},
							 {"dump.NAME.", lf_dump_keys},
							 {0}};

/* What occupancy counts a thread's registers as, kernel by kernel: a compiler's own number instead of our estimate. */
static int registers(struct lf *f, struct fy_node *map)
{
	struct fy_node *key_node, *value;
	const char *name;
	void *iter = NULL;
	uint64_t n;

	if (!yaml_is_map(map))
		return yaml_error(f->y, map, f->e, "registers: must be a mapping of kernels to numbers");
	while (yaml_next_pair(map, &iter, &name, &key_node, &value)) {
		const struct ptx_kernel *k = find_kernel(f, key_node, "registers");

		if (!k || yaml_u64(f->y, value, lf_path(f, "registers", name), 1, MAX_REGISTERS, &n, f->e))
			return -1;
		host_set_registers(f->h, ptx_kernel_name(k), (uint32_t)n);
	}
	return 0;
}

static int open_ptx(struct lf *f, struct fy_node *at)
{
	const char *path = lf_file(f, yaml_text(at));
	struct err why = {""};

	if (!host_module(f->h, path, &why))
		return 0;
	/* What is wrong inside the PTX names its own line; only a file that cannot be opened is the launch file's
	 * fault. */
	return strncmp(why.text, path, strlen(path)) || !isdigit((unsigned char)why.text[strlen(path) + 1])
		       ? yaml_error(f->y, at, f->e, "ptx: %s", why.text)
		       : err_set(f->e, "%s", why.text);
}

static int carry_out(struct lf *f, const char *file_name)
{
	struct fy_node *key[N_TOP];

	if (!yaml_root(f->y))
		return yaml_error(f->y, NULL, f->e, "is empty");
	if (lf_fields(f, yaml_root(f->y), "", top_keys, key) || host_args_done(f->h, f->e))
		return -1;
	if (!*yaml_text(key[PTX]))
		return yaml_error(f->y, key[PTX], f->e, "ptx: must be the path of a PTX file");
	host_describe(f->h, "%s", key[NAME] && *yaml_text(key[NAME]) ? yaml_text(key[NAME]) : file_name);
	if (open_ptx(f, key[PTX]) || (key[REGISTERS] && registers(f, key[REGISTERS])) ||
	    (key[BUFFERS] && lf_buffers(f, key[BUFFERS])) || (key[TEXTURES] && lf_textures(f, key[TEXTURES], false)) ||
	    (key[SURFACES] && lf_textures(f, key[SURFACES], true)) || (key[SCALARS] && lf_scalars(f, key[SCALARS])) ||
	    (key[DUMP] && lf_dumps(f, key[DUMP])))
		return -1;
	/* What a program has computed is dumped whether it is right or not. */
	if (launches(f, key[LAUNCHES], "launches") || lf_textures_used(f) || lf_dumps_write(f))
		return -1;
	return key[EXPECT] ? lf_expect(f, key[EXPECT]) : 0;
}

int launchfile_run(struct host *h, const char *path, bool *has_expectations, struct err *e)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	struct lf f = {.h = h, .e = e};
	int failed;

	*has_expectations = false;
	f.y = yaml_open(path, e);
	if (!f.y)
		return -1;
	f.dir = arena_printf(&f.arena, "%.*s", (int)(base - path), path);
	f.streams = streams_new();
	failed = carry_out(&f, base);
	*has_expectations = f.expects;
	lf_dumps_drop(&f);
	for (unsigned i = 0; i < f.n_graphs; i++)
		graph_free(&f.graph[i].g);
	free(f.graph);
	names_free(&f.graphs);
	names_free(&f.scalars);
	names_free(&f.textures);
	names_free(&f.typed_names);
	names_free(&f.dumps);
	free(f.scalar);
	free(f.texture);
	free(f.typed);
	streams_free(f.streams);
	yaml_close(f.y);
	arena_free(&f.arena);
	return failed;
}
