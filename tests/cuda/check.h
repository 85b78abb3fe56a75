/* What each of these programs does with CUDA's answers, and with its own. */
#ifndef CHECK_H
#define CHECK_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                                                \
	do {                                                                                                                       \
		cudaError_t error_ = (call);                                                                                       \
		if (error_ != cudaSuccess) {                                                                                       \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));                 \
			exit(1);                                                                                                   \
		}                                                                                                                  \
	} while (0)

/* The program's last line, and its status. */
static inline int verdict(const char *program, long wrong)
{
	if (wrong)
		printf("%s: %ld results are wrong\n", program, wrong);
	else
		printf("%s: passed\n", program);
	return wrong != 0;
}

#endif
