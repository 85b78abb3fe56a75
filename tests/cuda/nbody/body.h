/* What the files of this program share. */
#ifndef BODY_H
#define BODY_H

#include <cuda_runtime.h>

struct Body {
	float x, y, z, mass, vx, vy, vz, unused;
};

/* Moves n bodies of the device's memory on by dt, `steps` times, to and fro between two places. */
void move_bodies(Body *from, Body *to, int n, float dt, int steps);

/* What is added to the square of each distance; and how often one body pulled another. */
cudaError_t set_softening(float epsilon);
cudaError_t count_pulls(int *n);

#endif
