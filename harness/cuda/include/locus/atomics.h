/* atomicAdd and its like (programming guide, "Atomic Functions"), for the device, the CTA (_block) and the system, on
 * the functions of clang's headers: __iAtomicAdd(int *, int) and so on. All give the old value. */
/* A function a line reads as the table that it is. */
/* clang-format off */
#ifndef LOCUS_CUDA_ATOMICS_H
#define LOCUS_CUDA_ATOMICS_H

#define LOCUS_ATOMIC(name, letter, type)                                                                                           \
	LOCUS_DEVICE type atomic##name(type *p, type v) { return __##letter##Atomic##name(p, v); }                                 \
	LOCUS_DEVICE type atomic##name##_block(type *p, type v) { return __##letter##Atomic##name##_block(p, v); }                 \
	LOCUS_DEVICE type atomic##name##_system(type *p, type v) { return __##letter##Atomic##name##_system(p, v); }
#define LOCUS_ATOMIC_SIGNED_64(name)                                                                                               \
	LOCUS_DEVICE long long atomic##name(long long *p, long long v) { return __llAtomic##name(p, v); }                          \
	LOCUS_DEVICE long long atomic##name##_block(long long *p, long long v) { return __llAtomic##name##_block(p, v); }          \
	LOCUS_DEVICE long long atomic##name##_system(long long *p, long long v) { return __llAtomic##name##_system(p, v); }
typedef unsigned int locus_uint;
typedef unsigned long long locus_ull;

LOCUS_ATOMIC(Add, i, int)
LOCUS_ATOMIC(Add, u, locus_uint)
LOCUS_ATOMIC(Add, ull, locus_ull)
LOCUS_ATOMIC(Add, f, float)
LOCUS_ATOMIC(Add, d, double)
LOCUS_ATOMIC(Exch, i, int)
LOCUS_ATOMIC(Exch, u, locus_uint)
LOCUS_ATOMIC(Exch, ull, locus_ull)
LOCUS_ATOMIC(Exch, f, float)
LOCUS_ATOMIC(Min, i, int)
LOCUS_ATOMIC(Min, u, locus_uint)
LOCUS_ATOMIC(Min, ull, locus_ull)
LOCUS_ATOMIC(Min, ill, long long)
LOCUS_ATOMIC(Max, i, int)
LOCUS_ATOMIC(Max, u, locus_uint)
LOCUS_ATOMIC(Max, ull, locus_ull)
LOCUS_ATOMIC(Max, ill, long long)
LOCUS_ATOMIC(Inc, u, locus_uint)
LOCUS_ATOMIC(Dec, u, locus_uint)
LOCUS_ATOMIC(And, i, int)
LOCUS_ATOMIC(And, u, locus_uint)
LOCUS_ATOMIC(And, ull, locus_ull)
LOCUS_ATOMIC(Or, i, int)
LOCUS_ATOMIC(Or, u, locus_uint)
LOCUS_ATOMIC(Or, ull, locus_ull)
LOCUS_ATOMIC(Xor, i, int)
LOCUS_ATOMIC(Xor, u, locus_uint)
LOCUS_ATOMIC(Xor, ull, locus_ull)
LOCUS_ATOMIC_SIGNED_64(And)
LOCUS_ATOMIC_SIGNED_64(Or)
LOCUS_ATOMIC_SIGNED_64(Xor)
#undef LOCUS_ATOMIC
#undef LOCUS_ATOMIC_SIGNED_64

/* A difference is the sum with the complement: what wraps, wraps the same. */
#define LOCUS_ATOMIC_SUB(scope)                                                                                                    \
	LOCUS_DEVICE int atomicSub##scope(int *p, int v) { return atomicAdd##scope(p, (int)-(unsigned)v); }                        \
	LOCUS_DEVICE unsigned atomicSub##scope(unsigned *p, unsigned v) { return atomicAdd##scope(p, -v); }
LOCUS_ATOMIC_SUB()
LOCUS_ATOMIC_SUB(_block)
LOCUS_ATOMIC_SUB(_system)
#undef LOCUS_ATOMIC_SUB

#define LOCUS_ATOMIC_CAS(scope, builtin)                                                                                           \
	LOCUS_DEVICE int atomicCAS##scope(int *p, int old, int v) { return __nvvm_atom_##builtin##_gen_i(p, old, v); }             \
	LOCUS_DEVICE unsigned atomicCAS##scope(unsigned *p, unsigned old, unsigned v)                                              \
	{                                                                                                                          \
		return (unsigned)__nvvm_atom_##builtin##_gen_i((int *)p, (int)old, (int)v);                                        \
	}                                                                                                                          \
	LOCUS_DEVICE locus_ull atomicCAS##scope(locus_ull *p, locus_ull old, locus_ull v)                                          \
	{                                                                                                                          \
		return (locus_ull)__nvvm_atom_##builtin##_gen_ll((long long *)p, (long long)old, (long long)v);                    \
	}
LOCUS_ATOMIC_CAS(, cas)
LOCUS_ATOMIC_CAS(_block, cta_cas)
LOCUS_ATOMIC_CAS(_system, sys_cas)
#undef LOCUS_ATOMIC_CAS

/* Of 16 bits: by the word that holds them, again whenever the other half has changed. */
LOCUS_DEVICE unsigned short atomicCAS(unsigned short *p, unsigned short old, unsigned short v)
{
	unsigned *word = (unsigned *)((size_t)p & ~(size_t)3);
	unsigned shift = ((size_t)p & 2) ? 16 : 0, seen = *(volatile unsigned *)word, expected;

	do {
		expected = seen;
		if ((unsigned short)(expected >> shift) != old)
			break;
		seen = atomicCAS(word, expected, (expected & ~(0xffffu << shift)) | (unsigned)v << shift);
	} while (seen != expected);
	return (unsigned short)(seen >> shift);
}

#endif
