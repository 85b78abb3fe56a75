/* What the parts of the launch file's reader share. */
#ifndef CSIM_HOST_LAUNCHFILE_INTERNAL_H
#define CSIM_HOST_LAUNCHFILE_INTERNAL_H

#include "base/arena.h"
#include "base/number.h"
#include "base/yaml.h"
#include "host/graph.h"
#include "host/host_internal.h"
#include "host/launchfile.h"

struct lf_graph {
	const char *path;
	struct graph g;
};

struct lf_scalar {
	const char *name, *text; /* text: the value as typed, or a graph's number */
};

struct lf_texture { /* one that launches take as a parameter */
	const char *name;
	struct fy_node *at;
	uint64_t handle;
	bool used;
};

struct lf { /* one launch file being carried out */
	struct yaml *y;
	struct host *h;
	struct err *e;
	struct arena arena;
	const char *dir; /* of the file, ending in '/'; empty for the working folder */
	struct lf_graph *graph;
	struct lf_scalar *scalar;
	struct lf_texture *texture;
	unsigned n_graphs, n_scalars, n_textures;
	unsigned depth;
	bool expects;
};

/* A legal key of a mapping, and whether it must be there. */
struct lf_key {
	const char *name;
	bool required;
};
/* Sorts a mapping's values into out[], in the order of keys (ended by a NULL name); absent ones are NULL. An unknown or missing key
 * is an error that names the legal ones. `what` is the mapping's own path: "buffers.x"; empty at the top. */
int lf_fields(struct lf *f, struct fy_node *map, const char *what, const struct lf_key *keys, struct fy_node **out);
/* "WHAT.KEY" */
const char *lf_path(struct lf *f, const char *what, const char *key);
/* A file's path as the launch file means it: relative to itself. */
const char *lf_file(struct lf *f, const char *name);
/* A graph file, read once. NULL on an error, told at `at`. */
const struct graph *lf_graph(struct lf *f, struct fy_node *at, const char *what);
/* Index of one of the words (a list ended by NULL), or -1 with an error that lists them. */
int lf_word(struct lf *f, struct fy_node *at, const char *what, const char *const *words);
/* Letters, digits and _, not beginning with a digit, so that a name is never taken for a number. */
int lf_name(struct lf *f, struct fy_node *at, const char *what, const char *name);

/* ---- launchelem.c: numbers of a stated type ---- */

struct lf_type {
	char kind;	/* 'u', 's', 'f', 'b' (either sign); 0: unknown */
	unsigned bytes; /* 1 2 4 8 */
};
struct lf_type lf_type_named(const char *name);
int lf_type(struct lf *f, struct fy_node *at, const char *what, struct lf_type *out);
/* A number's bits as the type keeps them, little endian. -1: why is filled. Unsigned types of C's `int` come as .u32 from the
 * compilers, so a negative number is taken for u and b types too when it fits the signed range. */
int lf_number(struct lf_type t, const char *text, uint64_t *bits, struct err *why);

/* ---- launchbuf.c ---- */

int lf_buffers(struct lf *f, struct fy_node *map);
int lf_expect(struct lf *f, struct fy_node *map);
/* The element at which a host store lands, and its value. */
int lf_store(struct lf *f, struct fy_node *map, const char *what);

/* ---- launchtex.c ---- */

int lf_textures(struct lf *f, struct fy_node *map);
/* After the launches: a texture that none of them could have read is an error. */
int lf_textures_used(struct lf *f);

/* ---- launchargs.c ---- */

int lf_scalars(struct lf *f, struct fy_node *map);
/* The arguments of a launch by the kernel's parameters; allocated in the arena. NULL on an error. */
struct host_arg *lf_args(struct lf *f, const struct ptx_kernel *k, struct fy_node *launch, struct fy_node *list, const char *what);

#endif
