/* The host program's own state; only csim/workload/ looks inside. */
#ifndef CSIM_WORKLOAD_PROGRAM_IMPL_H
#define CSIM_WORKLOAD_PROGRAM_IMPL_H

#include "base/arena.h"
#include "base/names.h"
#include "workload/program.h"
#include "ptx/ptx.h"

struct host_option { /* --arg key=value */
	const char *key, *value;
	bool asked; /* a workload has read it */
};

struct kernel_stream {
	int64_t trace_index; /* -1: the trace does not know it yet */
	uint32_t registers;  /* a thread; 0: as estimated */
};

struct host_module {
	struct ptx_module *ptx;
	struct kernel_stream *kernel; /* by number in the module */
};

struct host {
	struct arena arena;
	struct memory memory;
	struct trace_writer *w;
	FILE *print_to;
	enum ptx_oob oob;
	struct ptx_limits limits;
	bool cut;
	enum ptx_order order;
	uint32_t sms;
	bool independent_lanes;
	struct findings *findings; /* NULL: nothing is looked for */
	const struct host_files *files;
	uint64_t max_unpacked; /* as in host_options */
	unsigned n_seen;       /* memory's buffers that the trace knows */
	struct host_module *module;
	unsigned n_modules;
	uint64_t heap_bytes; /* 0: not told */
	struct host_option *option;
	unsigned n_options;
	const char **asked; /* keys that the workload has read, in order, for messages */
	unsigned n_asked, cap_asked;
	enum host_size size;
	bool args_done, differs, unrecorded;
	char *description;
	uint32_t launches;
	struct arena *analyse; /* NULL: launches are not analysed */
	const struct affine_launch **analysis;
	uint32_t cap_analyses;
	struct taf *taf;		  /* NULL: its calls are not kept */
	struct host_described *described; /* by kernel: ldesc_api.c */
	struct names described_kernels;
	unsigned n_described;
	struct arena *keep_descriptors; /* NULL: they are only checked */
	const struct ldesc_set **descriptors;
	uint32_t cap_descriptors;
	double began; /* cpu_seconds() */
	struct host_seconds seconds;
};

/* Reads the key=value pairs and the size of `o` into h. */
int host_args_init(struct host *h, const struct host_options *o, struct err *e);

/* The kernel's descriptors for the launch that comes now: checks and keeps them. */
int host_descriptors_launch(struct host *h, const char *kernel, const struct ptx_launch *l, struct err *e);
void host_descriptors_free(struct host *h);

#endif
