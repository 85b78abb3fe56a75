/* nvcc without a CUDA toolkit: builds CUDA programs by clang-14, the headers of harness/cuda/include and libclc.
 *
 * A .cu file is compiled twice: its device code to PTX, then its host code with that PTX inside. Other sources go to
 * the host compiler, everything is linked by it against libcudart of build/cuda. Options are nvcc's, as its manual has
 * them ("NVIDIA CUDA Compiler Driver", command options): options.c says which are taken.
 *
 * Programs are started with lists of words, never by a shell. What they print goes to where ours does. Intermediate
 * files are in a folder of their own, which goes in every case.
 */
#ifndef HARNESS_NVCC_NVCC_H
#define HARNESS_NVCC_NVCC_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"

/* Words of a command line, which grow. */
struct nvcc_words {
	const char **word; /* [n], and NULL behind them */
	unsigned n, room;
};
void nvcc_word(struct nvcc_words *w, struct arena *a, const char *word);
void nvcc_words(struct nvcc_words *w, struct arena *a, const struct nvcc_words *more);
/* The parts of a text between commas, and between blanks if `blanks`. */
void nvcc_split(struct nvcc_words *w, struct arena *a, const char *text, bool blanks);

/* How far files are taken. */
enum nvcc_phase {
	NVCC_LINK,
	NVCC_COMPILE,
	NVCC_PTX,
	NVCC_FATBIN, /* the same text, which the runtime takes in the place of a fat binary */
	NVCC_PREPROCESS,
	NVCC_DEPENDENCIES,
	NVCC_DEVICE_LINK,
	NVCC_LIBRARY,
	NVCC_VERSION
};

struct nvcc_job {
	struct arena a;
	enum nvcc_phase phase;
	struct nvcc_words inputs;	 /* files, and libraries among them, in order */
	struct nvcc_words preprocessor;	 /* -I -D -U -isystem -include, as any compiler takes them */
	struct nvcc_words dependencies;	 /* -MD -MF ... */
	struct nvcc_words host_compiler; /* -Xcompiler: host passes, other sources, link */
	struct nvcc_words linker;
	const char *output;	  /* -o; NULL: none */
	const char *language;	  /* of all inputs, "cu", "c++" or "c"; NULL: by their names */
	const char *standard;	  /* "c++17" */
	const char *host_program; /* -ccbin; NULL: gcc and g++ */
	unsigned arch;		  /* 86: compute capability 8.6; 0: not said */
	char arch_suffix;	  /* 'a' of sm_90a, or 0 */
	char optimise;		  /* '0' to '3' */
	/* of floats in device code */
	bool fast_math, flush, approximate_div, approximate_sqrt, no_fused;
	bool debug, debug_device, line_info, separate, no_runtime, dry_run, verbose;
};

static inline bool nvcc_device_alone(const struct nvcc_job *j)
{
	return j->phase == NVCC_PTX || j->phase == NVCC_FATBIN;
}

/* The job of a command line. The caller frees j->a in either case. Errors: an unknown option, one without its value,
 * one of what there is not here. */
int nvcc_options(struct nvcc_job *j, int argc, char **argv, struct err *e);

/* "sm_80", "compute_90a", "80": the highest of all that are named counts. */
int nvcc_arch(struct nvcc_job *j, const char *text, struct err *e);
/* What clang-14 compiles for, which knows nothing above 8.6. */
unsigned nvcc_arch_of_clang(const struct nvcc_job *j);
/* PTX that was compiled for less than was asked for: its .version and .target are made those. */
int nvcc_arch_rewrite(const struct nvcc_job *j, const char *path, struct err *e);

/* Does it all. The exit status: of the first program that failed, 2 with e filled, or 0. */
int nvcc_run(struct nvcc_job *j, struct err *e);

/* One program: run, or shown only (--dryrun). -1: it cannot be run, or was stopped; else its exit status. */
int nvcc_tool(const struct nvcc_job *j, const struct nvcc_words *w, struct err *e);

/* Compiles one source to `to`: an object or the phase's output. ptx: the name of an intermediate file. */
int nvcc_compile(struct nvcc_job *j, const char *source, const char *ptx, const char *to, struct err *e);
/* Whether a source, or a file that it includes and that is not ours, says __managed__. included: the list of all, a
 * path a line. */
int nvcc_has_managed(struct nvcc_job *j, const char *source, const char *included, bool *has, struct err *e);
/* The object of a unit that was compiled to that PTX: its variables can be named by other units. */
int nvcc_share_variables(struct nvcc_job *j, const char *ptx, const char *object, struct err *e);
/* Links objects (and what else j->inputs names), or makes the archive. */
int nvcc_link(struct nvcc_job *j, const struct nvcc_words *objects, struct err *e);

/* What a file is by its name, or by -x. */
enum nvcc_kind { NVCC_CUDA, NVCC_CXX, NVCC_C, NVCC_OBJECT };
enum nvcc_kind nvcc_kind(const struct nvcc_job *j, const char *path);

#endif
