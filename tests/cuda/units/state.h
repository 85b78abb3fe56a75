/* What state.cu defines and main.cu names, on both sides. */
#ifndef STATE_H
#define STATE_H

enum { STEPS = 4 };

extern __device__ int total;
extern __constant__ int factor[STEPS];
extern __managed__ int visits[];
namespace deep
{
extern __device__ long last;
}
__device__ int scaled(int step, int x);

/* Of state.cu's own variable. */
int read_secret();

#endif
