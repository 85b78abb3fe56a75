/* Verilated blocks: builds the library of a block with its parameters, keeps it in a cache by content, loads it.
 *
 * The key of the cache is a hash of everything that the library is made from: the RTL files, the parameters, the golden
 * twin's field list, the generator and the Verilator program. So a changed RTL file rebuilds its own block and nothing
 * else, and the same machinery serves the blocks that `make` builds, parameters that a user sets, and a user's own RTL.
 * The cache is build/blocks of the checkout, which make creates, or below $XDG_CACHE_HOME/locus (else ~/.cache/locus)
 * when that is not there or cannot be written. A build takes a few seconds; two programs may build the same block at
 * the same time. A library that is no longer what was built (sum.h) is built again, and what a build that was killed
 * left behind is removed by the next bind_open.
 */
#ifndef HARNESS_BIND_BIND_H
#define HARNESS_BIND_BIND_H

#include "base/arena.h"
#include "base/err.h"
#include "bind/abi.h"
#include "bind/fields.h"
#include "bind/fit.h"

struct bind_request {
	const struct hw_block *block;
	const void *params; /* struct xyz_params, legal */
	unsigned lanes;	    /* 1; more for the bulk check of a combinational block */
	/* NULL: the block's own; else "my.v[,more.v...]", of which one that ends in .f is a list: modules, headers and
	 * data are also looked up beside them. */
	const char *rtl;
	/* Verilator's --x-assign unique --x-initial unique: what is not reset starts at random bits. */
	bool unique_x;
	bool foreign;		    /* somebody else's Verilog: refused if it could do more than compute (vet.h) */
	const char *within;	    /* foreign: the folder that it is in, out of which no name leads */
	const struct bind_fit *fit; /* how a user's ports are connected; NULL: by their names */
	/* The RTL may have inputs that the twin does not know (abi->poke sets them; 0 at first). */
	bool extra_inputs;
};

struct bind_rtl {
	const struct bind_abi *abi;
	void *handle;	   /* of dlopen */
	char folder[4096]; /* of the library in the cache, with what was written to build it */
	/* XXH64 (seed 0) of the bytes of all files that it was built from: those that were named, then those that
	 * they mention or include, by name in each folder, then the data that they read. `cat FILES | xxhsum` prints
	 * it. */
	uint64_t sum;
};

/* Errors: a file that is not there; what Verilator says (file:line); a port or register that does not fit. */
int bind_open(struct bind_rtl *out, const struct bind_request *q, struct err *e);
void bind_close(struct bind_rtl *r);

/* A file that the Verilog reads when it runs, $readmemh("rows.hex", ...). */
struct bind_data {
	const char *name, *path; /* as the source has it; where it is */
};

/* The files that a request is built from. */
struct bind_sources {
	const char **file; /* the named ones first, then those that they mention or include */
	unsigned n, n_named;
	const char **dir; /* in which others are looked up: those of the named files, --incdir, those of lists (.f) */
	unsigned n_dirs, n_named_dirs;
	struct bind_data *data;
	unsigned n_data;
};

/* Finds them; all is in the arena. A name is looked up in the folders alone, for a foreign request never outside of
 * `within`. Data of a name that is nowhere is missing. */
int bind_sources(const struct bind_request *q, struct arena *a, struct bind_sources *out, struct err *e);

/* The text of a Verilog file, to be freed; "" if it cannot be read. */
char *bind_source_text(const char *path);

/* Which other files Verilator read when it made what is in the folder, such as `include "../common.vh"; absolute paths
 * in the arena. Returns how many, or -1. */
int bind_read_outside(const char *folder, const char *const *files, unsigned n_files, struct arena *a, const char ***outside,
		      struct err *e);

#endif
