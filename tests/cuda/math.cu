/* A kernel for each function of the CUDA Math API that has an error bound: out[i] = f(in[i], ...). Arguments beyond the
 * first are in[n + i], in[2n + i] ... */
#define KERNEL(type, function, ...)                                                                                                \
	extern "C" __global__ void k_##function(type *out, const type *in, unsigned n)                                             \
	{                                                                                                                          \
		unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                                                \
		if (i < n)                                                                                                         \
			out[i] = function(__VA_ARGS__);                                                                            \
	}
#define FLOAT_1(name)  KERNEL(float, name, in[i])
#define DOUBLE_1(name) KERNEL(double, name, in[i])
#define BOTH_1(name)                                                                                                               \
	FLOAT_1(name##f)                                                                                                           \
	DOUBLE_1(name)
#define BOTH_2(name)                                                                                                               \
	KERNEL(float, name##f, in[i], in[n + i])                                                                                   \
	KERNEL(double, name, in[i], in[n + i])
#define BOTH_3(name)                                                                                                               \
	KERNEL(float, name##f, in[i], in[n + i], in[2 * n + i])                                                                    \
	KERNEL(double, name, in[i], in[n + i], in[2 * n + i])
#define BOTH_4(name)                                                                                                               \
	KERNEL(float, name##f, in[i], in[n + i], in[2 * n + i], in[3 * n + i])                                                     \
	KERNEL(double, name, in[i], in[n + i], in[2 * n + i], in[3 * n + i])

BOTH_1(acos)
BOTH_1(acosh)
BOTH_1(asin)
BOTH_1(asinh)
BOTH_1(atan)
BOTH_1(atanh)
BOTH_1(cbrt)
BOTH_1(ceil)
BOTH_1(cos)
BOTH_1(cosh)
BOTH_1(cospi)
BOTH_1(erf)
BOTH_1(erfc)
BOTH_1(erfcinv)
BOTH_1(erfcx)
BOTH_1(erfinv)
BOTH_1(exp)
BOTH_1(exp10)
BOTH_1(exp2)
BOTH_1(expm1)
BOTH_1(fabs)
BOTH_1(floor)
BOTH_1(lgamma)
BOTH_1(log)
BOTH_1(log10)
BOTH_1(log1p)
BOTH_1(log2)
BOTH_1(logb)
BOTH_1(normcdf)
BOTH_1(normcdfinv)
BOTH_1(rcbrt)
BOTH_1(rint)
BOTH_1(round)
BOTH_1(rsqrt)
BOTH_1(sin)
BOTH_1(sinh)
BOTH_1(sinpi)
BOTH_1(sqrt)
BOTH_1(tan)
BOTH_1(tanh)
BOTH_1(tgamma)
BOTH_1(trunc)
BOTH_2(atan2)
BOTH_2(copysign)
BOTH_2(fdim)
BOTH_2(fmax)
BOTH_2(fmin)
BOTH_2(fmod)
BOTH_2(hypot)
BOTH_2(nextafter)
BOTH_2(pow)
BOTH_2(remainder)
BOTH_2(rhypot)
BOTH_3(fma)
BOTH_3(norm3d)
BOTH_3(rnorm3d)
BOTH_4(norm4d)
BOTH_4(rnorm4d)
KERNEL(float, ldexpf, in[i], (int)fminf(fmaxf(in[n + i], -3000), 3000))
KERNEL(double, ldexp, in[i], (int)fmin(fmax(in[n + i], -3000), 3000))
KERNEL(float, __frsqrt_rn, in[i])
