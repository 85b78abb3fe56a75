// libor: prices of swaptions in a market of forward rates, a path of random numbers a thread. libor_price has the rates
// of one path in local memory and moves them from date to date; libor_greeks keeps the rates of all dates, and goes
// back through them to find what the price owes to each rate of the beginning (the adjoint of the way there).
#include "device.h"

enum : uint32_t { RATES = 80, DATES = 40, LATER = RATES - DATES, OPTIONS = 15 };

__constant__ float libor_volatility[RATES]; // by the periods until a rate starts
__constant__ float libor_swap_rate[OPTIONS];
__constant__ uint32_t libor_maturity[OPTIONS]; // in periods after the last date

static const float period = 0.25f, root_of_period = 0.5f;

// From date n to the next: rates n+1 .. RATES-1 of `from` become those of `to`, which may be the same.
static __device__ __forceinline__ void move(const float *from, float *to, uint32_t n, float z)
{
	float drift = 0;

#pragma unroll 1
	for (uint32_t i = n + 1; i < RATES; i++) {
		float volatility = libor_volatility[i - n - 1], c = period * volatility, rate = from[i];

		drift += c * rate / (1 + period * rate);
		to[i] = rate * __expf(c * drift + volatility * (root_of_period * z - 0.5f * c));
	}
}

// Bonds on the last date, and the running sums of a period's interest in them.
static __device__ __forceinline__ void price_bonds(const float *rate, float *bond, float *annuity)
{
	float discount = 1, sum = 0;

#pragma unroll 1
	for (uint32_t i = 0; i < LATER; i++) {
		discount = discount / (1 + period * rate[DATES + i]);
		sum += period * discount;
		bond[i] = discount;
		annuity[i] = sum;
	}
}

static __device__ __forceinline__ float gain(const float *bond, const float *annuity, uint32_t option)
{
	uint32_t m = libor_maturity[option] - 1;

	return 1 - bond[m] - libor_swap_rate[option] * annuity[m];
}

static __device__ __forceinline__ float worth(const float *bond, const float *annuity)
{
	float sum = 0;

#pragma unroll 1
	for (uint32_t k = 0; k < OPTIONS; k++)
		sum += fmaxf(gain(bond, annuity, k), 0);
	return sum;
}

// From the last date to today.
static __device__ __forceinline__ float discount_to_today(const float *rate)
{
	float discount = 1;

#pragma unroll 1
	for (uint32_t n = 0; n < DATES; n++)
		discount = discount / (1 + period * rate[n]);
	return discount;
}

// z: DATES rows of `paths` numbers.
extern "C" __global__ void libor_price(const float *z, const float *rates, float *price, uint32_t paths)
{
	uint32_t p = blockIdx.x * blockDim.x + threadIdx.x;
	float rate[RATES], bond[LATER], annuity[LATER];

	if (p >= paths)
		return;
#pragma unroll 1
	for (uint32_t i = 0; i < RATES; i++)
		rate[i] = rates[i];
#pragma unroll 1
	for (uint32_t n = 0; n < DATES; n++)
		move(rate, rate, n, z[n * paths + p]);
	price_bonds(rate, bond, annuity);
	price[p] = worth(bond, annuity) * discount_to_today(rate);
}

// What the price owes to the rates of the last date.
static __device__ __forceinline__ void owe_at_the_end(const float *rate, const float *bond, const float *annuity, float *owed)
{
	float today = discount_to_today(rate), price = worth(bond, annuity) * today;

#pragma unroll 1
	for (uint32_t n = 0; n < DATES; n++)
		owed[n] = -period * price / (1 + period * rate[n]);
#pragma unroll 1
	for (uint32_t i = 0; i < LATER; i++) {
		float before = i > 0 ? annuity[i - 1] : 0, sum = 0;

#pragma unroll 1
		for (uint32_t k = 0; k < OPTIONS; k++) {
			uint32_t m = libor_maturity[k] - 1;

			if (m >= i && gain(bond, annuity, k) > 0)
				sum += bond[m] + libor_swap_rate[k] * (annuity[m] - before);
		}
		owed[DATES + i] = today * period * sum / (1 + period * rate[DATES + i]);
	}
}

// greek: RATES rows of `paths` numbers.
extern "C" __global__ void libor_greeks(const float *z, const float *rates, float *greek, uint32_t paths)
{
	uint32_t p = blockIdx.x * blockDim.x + threadIdx.x;
	float rate[(DATES + 1) * RATES], bond[LATER], annuity[LATER], owed[RATES];

	if (p >= paths)
		return;
#pragma unroll 1
	for (uint32_t i = 0; i < RATES; i++)
		rate[i] = rates[i];
#pragma unroll 1
	for (uint32_t n = 0; n < DATES; n++) {
		float *now = rate + n * RATES;

#pragma unroll 1
		for (uint32_t i = 0; i <= n; i++)
			now[RATES + i] = now[i];
		move(now, now + RATES, n, z[n * paths + p]);
	}
	price_bonds(rate + DATES * RATES, bond, annuity);
	owe_at_the_end(rate + DATES * RATES, bond, annuity, owed);
#pragma unroll 1
	for (uint32_t n = DATES; n-- > 0;) {
		const float *now = rate + n * RATES, *next = now + RATES;
		float through_drift = 0;

#pragma unroll 1
		for (uint32_t i = RATES - 1; i > n; i--) {
			float c = period * libor_volatility[i - n - 1], per = 1 / (1 + period * now[i]), moved = owed[i] * next[i];

			through_drift += moved * c;
			owed[i] = moved / now[i] + through_drift * c * per * per;
		}
	}
#pragma unroll 1
	for (uint32_t i = 0; i < RATES; i++)
		greek[i * paths + p] = owed[i];
}
