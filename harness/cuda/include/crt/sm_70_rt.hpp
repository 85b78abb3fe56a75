/* __match_any_sync and __match_all_sync (programming guide, "Warp Match Functions"): clang's header, which includes
 * this file, has them for 32 and 64 bits; here they are for each type. */
#ifndef LOCUS_CUDA_SM_70_RT_HPP
#define LOCUS_CUDA_SM_70_RT_HPP

#define LOCUS_MATCH(type, bits, as)                                                                                                \
	static __device__ __inline__ __attribute__((unused)) unsigned __match_any_sync(unsigned mask, type v)                      \
	{                                                                                                                          \
		return (unsigned)__match##bits##_any_sync(mask, __builtin_bit_cast(as, v));                                        \
	}                                                                                                                          \
	static __device__ __inline__ __attribute__((unused)) unsigned __match_all_sync(unsigned mask, type v, int *all)            \
	{                                                                                                                          \
		return (unsigned)__match##bits##_all_sync(mask, __builtin_bit_cast(as, v), all);                                   \
	}
LOCUS_MATCH(int, 32, unsigned)
LOCUS_MATCH(unsigned, 32, unsigned)
LOCUS_MATCH(float, 32, unsigned)
LOCUS_MATCH(long, 64, unsigned long long)
LOCUS_MATCH(unsigned long, 64, unsigned long long)
LOCUS_MATCH(long long, 64, unsigned long long)
LOCUS_MATCH(unsigned long long, 64, unsigned long long)
LOCUS_MATCH(double, 64, unsigned long long)
#undef LOCUS_MATCH

#endif
