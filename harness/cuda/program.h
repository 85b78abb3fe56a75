/* A CUDA program as the user has it, run with Locus' runtime library in place of CUDA's.
 *
 * The program is a process of its own. Its library asks this one, over a socket (cuda/wire.h), for what a device does:
 * memory is allocated, kernels are executed as they are launched, and recorded in the order in which the program
 * launches them. So whatever the program decides by its results goes as on a GPU, and nothing that it does to itself
 * reaches this process. It is foreign code all the same, which runs with the user's rights.
 *
 * The cycle model runs what was recorded, after the program has ended.
 */
#ifndef HARNESS_CUDA_PROGRAM_H
#define HARNESS_CUDA_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/err.h"
#include "machine/machine.h"
#include "workload/source.h"

struct wire_queue;

struct cuda_copies {
	uint64_t n, bytes;
	double ns; /* over the machine's PCIe: pcie.* */
};

struct cuda_program {
	char *const *argv;	       /* of the program, ended by NULL */
	const char *name;	       /* of argv[0]; cuda_program_open() sets it */
	const char *kernels;	       /* which launches are recorded (cuda/kernel_choice.h); NULL: all */
	uint64_t max_unpacked;	       /* as fatbin_read() has it */
	const struct machine *machine; /* what the device is; set before it runs */
	uint8_t *window;	       /* of the device's memory; cuda_program_open() makes it, */
	struct wire_queue *queue;      /* and this, which is behind it */
	int memory;		       /* its descriptor */
	FILE *printer;		       /* what kernels print, from one launch to the next: printed[0 .. n_printed) */
	char *printed;
	size_t n_printed;
	pid_t pid;
	bool met; /* the program's library has called */

	/* Fills end_ns[i] with when launch i of a trace ends on the cycle model; NULL: kernels take no time until the
	 * program has ended. */
	int (*time)(void *ctx, struct trace *t, double *end_ns, struct err *e);
	void *time_ctx;
	bool eager; /* somebody is to set `time` */

	/* What came of it. */
	int status;		     /* of the process: its exit status, or 128 and the signal that ended it */
	int signal;		     /* that ended it; 0: none did */
	uint32_t executed, recorded; /* launches */
	struct cuda_copies copies[TRACE_COPY_KINDS];
};

/* Whether `what` is the path of an executable, with a "/" in it, and not the name of anything else that can be run. */
bool cuda_program_is(const char *what);

/* Finds the program and makes the device's memory. cuda_program_close() is due in any case. */
int cuda_program_open(struct cuda_program *p, struct err *e);
void cuda_program_close(struct cuda_program *p);

/* How the process ended, as a predicate: "ended with exit status 3", "was ended by signal 11 (Segmentation fault)". */
void cuda_program_end(const struct cuda_program *p, char out[96]);

/* As a source of a trace (workload/source.h). Runs it to its end. -1: a kernel failed, which is what e says. */
struct source_program cuda_program_source(struct cuda_program *p);

#endif
