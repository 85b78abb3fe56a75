/* A step of all bodies, and the calls that launch it. */
#include "pull.h"

__global__ void step(const Body *from, Body *to, int n, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	Body b = from[i];
	for (int j = 0; j < n; j++) {
		float3 a = pull(from[i], from[j]);

		b.vx += a.x * dt;
		b.vy += a.y * dt;
		b.vz += a.z * dt;
	}
	b.x += b.vx * dt;
	b.y += b.vy * dt;
	b.z += b.vz * dt;
	to[i] = b;
}

void move_bodies(Body *from, Body *to, int n, float dt, int steps)
{
	for (int s = 0; s < steps; s++) {
		step<<<(n + 31) / 32, 32>>>(from, to, n, dt);
		Body *other = from;
		from = to;
		to = other;
	}
}
