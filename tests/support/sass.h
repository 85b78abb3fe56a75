/* Accel-Sim traces written by a test: a file from a header and lines, and what the importer makes of it. */
#ifndef TESTS_SUPPORT_SASS_H
#define TESTS_SUPPORT_SASS_H

#include "trace/accelsim.h"

/* A header of one block of 32 threads, then `more` header lines (each with its "\n"). */
#define SASS_HEAD(more)                                                                                                            \
	"-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 1024\n-nregs = 16\n"               \
	"-binary version = 70\n-cuda stream id = 0\n" more "\n#traces format = PC mask ...\n"
#define SASS_WINDOWS "-shmem base_addr = 0x00007f0010000000\n-local mem base_addr = 0x00007f0012000000\n"
/* One block of one warp. */
#define SASS_BLOCK(n, lines) "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = " #n "\n" lines "\n#END_TB\n"
#define SASS_V3		     "-accelsim tracer version = 3\n"

/* Writes the text to a file of that name in the tests' folder; the path stays valid until the next call. */
const char *sass_write(const char *name, const char *text);
/* NULL, and e filled, if it is refused. */
struct trace *sass_import(const char *path, const struct accelsim_options *o, struct err *e);

#endif
