// cfd: a finite-volume solver of the Euler equations for a compressible gas, over elements of four faces each. A thread
// an element; what an element has stands in planes of n words: density, three momenta, energy; for each face the
// neighbour and the normal.
//
// A step of time takes cfd_step_factor (how far an element may go) and three stages of cfd_flux (what flows in through
// the faces: the neighbours' five values are gathered) and cfd_advance.
#include "device.h"

enum : int32_t { WALL = -1, OUTSIDE = -2 };
enum { VALUES = 5, FACES = 4 };

// What the gas is like outside of the mesh; the host writes it.
__constant__ float cfd_far_away[VALUES];

struct vec {
	float x, y, z;
};
struct state {
	float density, energy, pressure, sound; // sound: its speed
	vec momentum, velocity;
	float speed;
};

static __device__ __forceinline__ float dot(vec a, vec b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static __device__ __forceinline__ state derive(float density, float mx, float my, float mz, float energy)
{
	state s;
	float per_mass = 1 / density, square;

	s.density = density;
	s.energy = energy;
	s.momentum = {mx, my, mz};
	s.velocity = {mx * per_mass, my * per_mass, mz * per_mass};
	square = dot(s.velocity, s.velocity);
	s.speed = sqrtf(square);
	s.pressure = 0.4f * (energy - 0.5f * density * square);
	s.sound = sqrtf(1.4f * s.pressure * per_mass);
	return s;
}

static __device__ __forceinline__ state load(const float *value, uint32_t i, uint32_t n)
{
	return derive(value[i], value[n + i], value[2 * n + i], value[3 * n + i], value[4 * n + i]);
}

// Adds what flows through a face, of what a state holds, along `normal`.
static __device__ __forceinline__ void add_flow(float flow[VALUES], const state &s, vec normal, float weight)
{
	float through = weight * dot(s.velocity, normal), push = weight * s.pressure;

	flow[0] -= through * s.density;
	flow[1] -= through * s.momentum.x + push * normal.x;
	flow[2] -= through * s.momentum.y + push * normal.y;
	flow[3] -= through * s.momentum.z + push * normal.z;
	flow[4] -= through * (s.energy + s.pressure);
}

extern "C" __global__ void cfd_step_factor(const float *value, const float *area, float *factor, uint32_t n)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	state s = load(value, i, n);
	factor[i] = 0.5f / (sqrtf(area[i]) * (s.speed + s.sound));
}

extern "C" __global__ void cfd_flux(const int32_t *neighbour, const float *normal, const float *value, float *flux, uint32_t n)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
	float flow[VALUES] = {0, 0, 0, 0, 0};

	if (i >= n)
		return;
	state here = load(value, i, n);
#pragma unroll 1
	for (uint32_t face = 0; face < FACES; face++) {
		int32_t to = neighbour[face * n + i];
		const float *at = normal + 3 * face * n + i;
		vec out = {at[0], at[n], at[2 * n]};

		if (to == WALL) {
			flow[1] -= here.pressure * out.x;
			flow[2] -= here.pressure * out.y;
			flow[3] -= here.pressure * out.z;
		} else if (to == OUTSIDE) {
			add_flow(flow, derive(cfd_far_away[0], cfd_far_away[1], cfd_far_away[2], cfd_far_away[3], cfd_far_away[4]), out, 0.5f);
			add_flow(flow, here, out, 0.5f);
		} else {
			state there = load(value, (uint32_t)to, n);
			// Some smoothing, as strong as the fastest wave is.
			float smooth = 0.1f * sqrtf(dot(out, out)) * (here.speed + there.speed + here.sound + there.sound);

			add_flow(flow, here, out, 0.5f);
			add_flow(flow, there, out, 0.5f);
			flow[0] += smooth * (there.density - here.density);
			flow[1] += smooth * (there.momentum.x - here.momentum.x);
			flow[2] += smooth * (there.momentum.y - here.momentum.y);
			flow[3] += smooth * (there.momentum.z - here.momentum.z);
			flow[4] += smooth * (there.energy - here.energy);
		}
	}
#pragma unroll
	for (uint32_t v = 0; v < VALUES; v++)
		flux[v * n + i] = flow[v];
}

// Stage 1, 2, 3 of a step goes a third, half, the whole of the way, always from where the step began.
extern "C" __global__ void cfd_advance(const float *old, const float *factor, const float *flux, float *value, uint32_t stage,
				       uint32_t n)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
	float way;

	if (i >= n)
		return;
	way = factor[i] / (float)(4 - stage);
#pragma unroll
	for (uint32_t v = 0; v < VALUES; v++)
		value[v * n + i] = old[v * n + i] + way * flux[v * n + i];
}
