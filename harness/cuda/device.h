/* The device's side of the wire: answers one call of the program's library at a time. What comes is not believed:
 * numbers of modules, keys, addresses and sizes are looked up and checked, texts are copied. */
#ifndef HARNESS_CUDA_DEVICE_H
#define HARNESS_CUDA_DEVICE_H

#include <stdbool.h>

#include "base/arena.h"
#include "cuda/program.h"
#include "cuda/wire.h"
#include "workload/program.h"
#include "workload/streams.h"

struct device_call { /* one, as it came, and what is to go back */
	struct wire_call head;
	const uint8_t *bytes; /* head.bytes of them, and a zero behind */
	struct wire_answer answer;
	uint8_t *out; /* answer.bytes of them; malloc's, or NULL */
	bool ahead;   /* a launch that went ahead: there is no answer to it */
};

struct device_function;
struct device_variable;
struct device_released;

struct device_module {
	int module;	 /* of the host; -1: there is no PTX in it, ... */
	const char *why; /* ... for this reason */
	uint32_t sm;	 /* that its PTX is for; 80: 8.0 */
};

struct device {
	struct cuda_program *program;
	struct host *host;
	struct arena arena;
	struct device_module *module;
	uint32_t n_modules, cap_modules;
	struct device_function *function; /* by key */
	struct device_variable *variable; /* likewise, and references */
	uint8_t *kind;			  /* enum wire_memory of each buffer */
	uint32_t cap_kinds;
	struct device_released *released;
	uint64_t in_use;   /* bytes of allocations */
	uint64_t heap;	   /* bytes for kernels' malloc; 0: as at first */
	uint32_t launches; /* all, recorded or not */
	double busy_ns;	   /* of copies */
	double *end_ns;	   /* device_time.c: when each of n_timed recorded launches ended, in the model */
	uint32_t n_timed;
	bool told;		 /* that kernels take no time yet */
	bool misled;		 /* what the program said of its arrays was refused: a plan would be of the rest */
	struct streams *streams; /* what launches wait for */
	int fault_error;	 /* a kernel failed with that cudaError: no call works any more; 0: none did */
};

void device_init(struct device *d, struct cuda_program *p, struct host *h);
void device_free(struct device *d);

/* A line on stderr, whatever it quotes of the program's. */
void device_report(struct err *e);

/* Sets the call's answer. */
void device_answer(struct device *d, struct device_call *c);

/* By subject; each returns the cudaError of the answer. */
int device_open_module(struct device *d, struct device_call *c);
int device_name_function(struct device *d, struct device_call *c);
int device_name_variable(struct device *d, struct device_call *c);
int device_name_reference(struct device *d, struct device_call *c);
int device_symbol(struct device *d, struct device_call *c);
int device_kernel(struct device *d, struct device_call *c);
int device_launch(struct device *d, struct device_call *c);
int device_resident(struct device *d, struct device_call *c);
int device_alloc(struct device *d, struct device_call *c);
int device_release(struct device *d, struct device_call *c);
int device_heap(struct device *d, struct device_call *c);
int device_copy(struct device *d, struct device_call *c);
int device_copied(struct device *d, struct device_call *c);
int device_annotate(struct device *d, struct device_call *c);
int device_pointer(struct device *d, struct device_call *c);
int device_order(struct device *d, struct device_call *c);
int device_elapsed(struct device *d, struct device_call *c);
int device_view(struct device *d, struct device_call *c);
int device_destroy_view(struct device *d, struct device_call *c);

/* device_time.c: the stream that a word of a call names. Something was handed to it that ends at once, for which the
 * host program waits, or does not. */
struct stream_id device_stream(uint64_t word);
void device_pass(struct device *d, uint64_t stream, bool host_waits);

/* The kernel that a key stands for; NULL: none, and *error says why. */
const struct ptx_kernel *device_kernel_of(struct device *d, uint64_t key, unsigned *module, int *error);

/* What the memory at an address is for. Of what no allocation holds: WIRE_VARIABLE_MEMORY. */
enum wire_memory device_kind_at(const struct device *d, uint64_t addr);
/* The variable at an address is a managed one. */
void device_set_managed(struct device *d, uint64_t addr);

/* Bytes of allocations that the machine has room for. */
uint64_t device_memory_bytes(const struct machine *m);

#endif
