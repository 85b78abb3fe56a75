/* What the lanes of a warp do together and clang's headers lack: match and reduce, shuffles of any type, sleep. */
#ifndef LOCUS_CUDA_WARP_H
#define LOCUS_CUDA_WARP_H

#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
#define LOCUS_REDUCE(name, op, type, letter)                                                                                       \
	LOCUS_DEVICE type __reduce_##name##_sync(unsigned mask, type v)                                                            \
	{                                                                                                                          \
		type r;                                                                                                            \
		__asm__ volatile("redux.sync." op " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask));                                   \
		return r;                                                                                                          \
	}
LOCUS_REDUCE(add, "add.s32", int, )
LOCUS_REDUCE(add, "add.u32", unsigned, )
LOCUS_REDUCE(min, "min.s32", int, )
LOCUS_REDUCE(min, "min.u32", unsigned, )
LOCUS_REDUCE(max, "max.s32", int, )
LOCUS_REDUCE(max, "max.u32", unsigned, )
LOCUS_REDUCE(and, "and.b32", unsigned, )
LOCUS_REDUCE(or, "or.b32", unsigned, )
LOCUS_REDUCE(xor, "xor.b32", unsigned, )
#undef LOCUS_REDUCE
#endif

LOCUS_DEVICE unsigned __lane_id(void)
{
	return __nvvm_read_ptx_sreg_laneid();
}
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
LOCUS_DEVICE void __nanosleep(unsigned ns)
{
	__asm__ volatile("nanosleep.u32 %0;" ::"r"(ns));
}
#endif

#endif
