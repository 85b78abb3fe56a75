/* Bodies that pull one another. This file is C++ without device code; see the Makefile. */
#include <cmath>
#include <vector>

#include "../check.h"
#include "body.h"

enum { N = 40, STEPS = 2 };
static const float DT = 0.01f, SOFTENING = 0.1f;

static std::vector<Body> step_on_host(const std::vector<Body> &from)
{
	std::vector<Body> to = from;

	for (Body &b : to) {
		const Body was = b;

		for (const Body &by : from) {
			float dx = by.x - was.x, dy = by.y - was.y, dz = by.z - was.z;
			float square = dx * dx + dy * dy + dz * dz + SOFTENING;
			float strength = by.mass / (square * std::sqrt(square));

			b.vx += dx * strength * DT;
			b.vy += dy * strength * DT;
			b.vz += dz * strength * DT;
		}
		b.x += b.vx * DT;
		b.y += b.vy * DT;
		b.z += b.vz * DT;
	}
	return to;
}

static bool is_near(float a, float b)
{
	return std::fabs(a - b) <= 1e-5f * (1 + std::fabs(b));
}

int main()
{
	std::vector<Body> bodies(N), result(N);
	Body *from, *to;
	int pulls = 0;
	long wrong = 0;

	for (int i = 0; i < N; i++)
		bodies[i] = {(float)(i % 5), (float)(i % 7), (float)(i % 3), 1.0f + i % 2, 0, 0, 0, 0};
	CHECK(cudaMalloc((void **)&from, N * sizeof(Body)));
	CHECK(cudaMalloc((void **)&to, N * sizeof(Body)));
	CHECK(cudaMemcpy(from, bodies.data(), N * sizeof(Body), cudaMemcpyHostToDevice));
	CHECK(set_softening(SOFTENING));
	move_bodies(from, to, N, DT, STEPS);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(result.data(), from, N * sizeof(Body), cudaMemcpyDeviceToHost)); /* STEPS is even */
	for (int s = 0; s < STEPS; s++)
		bodies = step_on_host(bodies);
	for (int i = 0; i < N; i++)
		wrong += !is_near(result[i].x, bodies[i].x) || !is_near(result[i].vy, bodies[i].vy) ||
			 !is_near(result[i].z, bodies[i].z) || result[i].mass != bodies[i].mass;
	CHECK(count_pulls(&pulls));
	wrong += pulls != N * N * STEPS;
	CHECK(cudaFree(from));
	CHECK(cudaFree(to));
	return verdict("nbody", wrong);
}
