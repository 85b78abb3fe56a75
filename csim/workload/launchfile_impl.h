/* What the parts of the launch file's reader share. */
#ifndef CSIM_WORKLOAD_LAUNCHFILE_IMPL_H
#define CSIM_WORKLOAD_LAUNCHFILE_IMPL_H

#include "base/arena.h"
#include "base/names.h"
#include "base/number.h"
#include "base/files/yaml.h"
#include "workload/element.h"
#include "workload/graph.h"
#include "workload/program_impl.h"
#include "workload/launchfile.h"

struct lf_graph {
	const char *path;
	struct graph g;
};

struct lf_scalar {
	const char *name, *text; /* text: the value as typed, or a graph's number */
};

struct lf_texture {		  /* or surface: one that launches take as a parameter */
	const char *name, *group; /* group: "textures" or "surfaces" */
	struct fy_node *at;
	uint64_t handle;
	bool used;
};

struct lf_typed { /* a buffer's type, if the file names one */
	const char *name;
	struct element type;
};

struct lf_dump;

struct lf { /* one launch file being carried out */
	struct yaml *y;
	struct host *h;
	struct err *e;
	struct arena arena;
	const char *dir; /* of the file, ending in '/'; empty for the working folder */
	struct lf_graph *graph;
	struct lf_scalar *scalar;
	struct lf_texture *texture;
	struct lf_typed *typed;
	struct lf_dump *dump;
	struct streams *streams; /* what launches wait for */
	unsigned n_graphs, n_scalars, n_textures, n_typed, n_dumps;
	struct names graphs, scalars, textures, typed_names, dumps; /* graphs and dumps: by their paths */
	unsigned depth;
	bool expects;
};

/* The keys of mappings, each by the file that reads it; launchfile_sections has them all. */
extern const struct launchfile_key lf_buffer_keys[], lf_expect_keys[], lf_texture_keys[], lf_surface_keys[], lf_scalar_keys[],
	lf_argument_keys[], lf_store_keys[], lf_locality_keys[], lf_dump_keys[];

/* Sorts a mapping's values into out[], in the order of keys (ended by a NULL name); absent ones are NULL. An unknown or
 * missing key is an error that names the legal ones. `what` is the mapping's own path: "buffers.x"; empty at the
 * top. */
int lf_fields(struct lf *f, struct fy_node *map, const char *what, const struct launchfile_key *keys, struct fy_node **out);
/* "WHAT.KEY" */
const char *lf_path(struct lf *f, const char *what, const char *key);
/* A file's path as the launch file means it: relative to itself. */
const char *lf_file(struct lf *f, const char *name);
/* A graph file, read once. NULL on an error, reported at `at`. */
const struct graph *lf_graph(struct lf *f, struct fy_node *at, const char *what);
/* Index of one of the words (a list ended by NULL), or -1 with an error that lists them. */
int lf_word(struct lf *f, struct fy_node *at, const char *what, const char *const *words);
/* Letters, digits and _, not beginning with a digit, so that a name is never taken for a number. */
int lf_name(struct lf *f, struct fy_node *at, const char *what, const char *name);
/* One of ELEMENT_TYPES. */
int lf_type(struct lf *f, struct fy_node *at, const char *what, struct element *out);

/* ---- launchbuf.c: what is in a buffer at first, or expected in it at the end; launchfill.c: element by element
 * ---- */

enum lf_contents_key { /* SIZE and COUNT: of buffers only; TOLERANCE: of expectations only */
		       LF_SIZE,
		       LF_COUNT,
		       LF_TYPE,
		       LF_FILL,
		       LF_VALUE,
		       LF_VALUES,
		       LF_START,
		       LF_STEP,
		       LF_SEED,
		       LF_RANGE,
		       LF_FILE,
		       LF_GRAPH,
		       LF_PART,
		       LF_TOLERANCE,
		       LF_CONTENTS_KEYS
};
enum lf_fill { LF_ZEROS, LF_IOTA, LF_RANDOM, LF_CONSTANT, LF_LIST, LF_FROM_FILE, LF_FROM_GRAPH };

struct lf_contents {
	struct lf *f;
	const char *name, *what; /* what: "buffers.x", "expect.x" */
	struct fy_node *at, *key[LF_CONTENTS_KEYS];
	bool expected;
	enum lf_fill fill;
	struct element type; /* kind 0: absent */
	uint64_t size;	     /* 0: absent */
	uint8_t *bytes;
};
/* "buffers.x.value" */
const char *lf_contents_path(struct lf_contents *c, enum lf_contents_key key);
/* An error at the key's value. Returns -1. */
int lf_contents_wrong(struct lf_contents *c, enum lf_contents_key key, const char *why);
int lf_fill_elements(struct lf_contents *c);

int lf_buffers(struct lf *f, struct fy_node *map);
/* As the file names it; kind 0 if it does not. */
struct element lf_type_of(const struct lf *f, const char *buffer);
/* Reads what is expected in a buffer: c has f, name, what, at, the buffer's size, and its type, if that is known. bytes
 * are in the arena. */
int lf_expected(struct lf_contents *c, struct fy_node *map);

/* ---- launchcheck.c ---- */

/* NULL on an error, reported at `at`. */
const struct memory_buffer *lf_buffer_named(struct lf *f, struct fy_node *at, const char *what, const char *name);
int lf_expect(struct lf *f, struct fy_node *map);
/* The element at which a host store lands, and its value. */
int lf_store(struct lf *f, struct fy_node *map, const char *what);

/* ---- launchdump.c ---- */

/* Opens the files, ahead of the launches: a wrong path is reported before the work is done. */
int lf_dumps(struct lf *f, struct fy_node *map);
/* Writes the buffers; the files appear. */
int lf_dumps_write(struct lf *f);
/* Those that are still open are as if they had never been opened. */
void lf_dumps_drop(struct lf *f);

/* ---- launchtex.c ---- */

int lf_textures(struct lf *f, struct fy_node *map, bool surfaces);
/* After the launches: a texture that none of them could have read is an error. */
int lf_textures_used(struct lf *f);

/* ---- launchargs.c ---- */

int lf_scalars(struct lf *f, struct fy_node *map);
/* The arguments of a launch by the kernel's parameters; allocated in the arena. NULL on an error. */
struct host_arg *lf_args(struct lf *f, const struct ptx_kernel *k, struct fy_node *launch, struct fy_node *list, const char *what);

/* ---- launchlocality.c ---- */

/* The descriptors of the kernel's next launches are those of the list; NULL: none. */
int lf_locality(struct lf *f, const char *kernel, struct fy_node *list, const char *what);

#endif
