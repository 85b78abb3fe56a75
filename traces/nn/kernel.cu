// nn: distance of every place to one, a place a thread: a stream of 8 bytes in, 4 out.
#include "device.h"

struct place {
	float latitude, longitude;
};

extern "C" __global__ void nn(const place *at, float *distance, uint32_t n, float latitude, float longitude)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
	float y, x;

	if (i >= n)
		return;
	y = at[i].latitude - latitude;
	x = at[i].longitude - longitude;
	distance[i] = sqrtf(y * y + x * x);
}
