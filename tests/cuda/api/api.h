/* What CUDA's runtime library answers to calls from C, without a compiler driver: `api SUBJECT` walks through the calls
 * of one subject and prints a line for each answer that is not what the CUDA Runtime API documentation has. */
#ifndef API_H
#define API_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cuda_runtime_api.h"

/* That the call has this error; that it has none; that what follows it holds. */
#define EXPECT(call, expected) api_expect(__FILE__, __LINE__, #call, call, expected)
#define WORKS(call)	       EXPECT(call, cudaSuccess)
#define HOLDS(condition)       api_holds(__FILE__, __LINE__, #condition, condition)

void api_expect(const char *file, int line, const char *what, cudaError_t is, cudaError_t expected);
void api_holds(const char *file, int line, const char *what, bool is);

/* ---- the module that main.c registers; these are keys alone ---- */

extern char api_fill[];	    /* kernel (int *to, int value): to[CTA * threads + thread] = value */
extern char api_bounded[];  /* kernel without parameters, of blocks of 128 threads at most */
extern char api_shared[];   /* kernel without parameters: 40,000 bytes of shared memory */
extern char api_missing[];  /* a kernel's name that the PTX does not have */
extern char api_counters[]; /* variable: int[4], {1, 2, 3, 4} */

/* fill() on so many threads. */
cudaError_t api_launch_fill(int *to, int value, dim3 grid, dim3 block, size_t shared);

void api_memory(void);
void api_pointers(void);
void api_copies(void);
void api_boxes(void);
void api_symbols(void);
void api_launches(void);
void api_bounds(void);
void api_events(void);
void api_elapsed(void);
void api_devices(void);
void api_small(void);
void api_churn(void);
void api_fork(void);
void api_touch_device(void);
void api_cut(void);
void api_die(void);
void api_three_launches(void);
void api_threads(void);
void api_host_pointer(void);

#endif
