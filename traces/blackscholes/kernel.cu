// blackscholes: prices of European options, a grid-stride stream of three inputs and two outputs, with the
// special-function unit busy in between. The normal distribution is the polynomial of Abramowitz and Stegun, 26.2.17.
#include "device.h"

static __device__ float normal(float d)
{
	float k = 1 / (1 + 0.2316419f * fabsf(d));
	float tail = 0.39894228040143267794f * __expf(-0.5f * d * d) *
		     (k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));

	return d > 0 ? 1 - tail : tail;
}

extern "C" __global__ void blackscholes(const float *price, const float *strike, const float *years, float *call, float *put,
					float rate, float volatility, uint32_t n)
{
	for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float s = price[i], x = strike[i], t = years[i];
		float spread = volatility * sqrtf(t);
		float d1 = (__logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / spread, d2 = d1 - spread;
		float n1 = normal(d1), n2 = normal(d2), discounted = x * __expf(-rate * t);

		call[i] = s * n1 - discounted * n2;
		put[i] = discounted * (1 - n2) - s * (1 - n1);
	}
}
