/* Loads and stores with cache hints (__ldcg and its like), address spaces of generic pointers, asynchronous copies into
 * shared memory. */
#ifndef LOCUS_CUDA_MEMORY_H
#define LOCUS_CUDA_MEMORY_H

LOCUS_DEVICE size_t locus_global(const void *p)
{
	return (size_t)(const void __attribute__((address_space(1))) *)p;
}

#define LOCUS_LOAD(name, op, type, letter, ptx)                                                                                    \
	LOCUS_DEVICE type name(const type *p)                                                                                      \
	{                                                                                                                          \
		type v;                                                                                                            \
		__asm__ volatile(op "." ptx " %0, [%1];" : "=" letter(v) : "l"(locus_global(p)) : "memory");                       \
		return v;                                                                                                          \
	}
#define LOCUS_LOAD_2(name, op, type, letter, ptx)                                                                                  \
	LOCUS_DEVICE type name(const type *p)                                                                                      \
	{                                                                                                                          \
		type v;                                                                                                            \
		__asm__ volatile(op ".v2." ptx " {%0, %1}, [%2];"                                                                  \
				 : "=" letter(v.x), "=" letter(v.y)                                                                \
				 : "l"(locus_global(p))                                                                            \
				 : "memory");                                                                                      \
		return v;                                                                                                          \
	}
#define LOCUS_LOAD_4(name, op, type, letter, ptx)                                                                                  \
	LOCUS_DEVICE type name(const type *p)                                                                                      \
	{                                                                                                                          \
		type v;                                                                                                            \
		__asm__ volatile(op ".v4." ptx " {%0, %1, %2, %3}, [%4];"                                                          \
				 : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w)                              \
				 : "l"(locus_global(p))                                                                            \
				 : "memory");                                                                                      \
		return v;                                                                                                          \
	}
#define LOCUS_STORE(name, op, type, letter, ptx)                                                                                   \
	LOCUS_DEVICE void name(type *p, type v)                                                                                    \
	{                                                                                                                          \
		__asm__ volatile(op "." ptx " [%0], %1;" ::"l"(locus_global(p)), letter(v) : "memory");                            \
	}
#define LOCUS_STORE_2(name, op, type, letter, ptx)                                                                                 \
	LOCUS_DEVICE void name(type *p, type v)                                                                                    \
	{                                                                                                                          \
		__asm__ volatile(op ".v2." ptx " [%0], {%1, %2};" ::"l"(locus_global(p)), letter(v.x), letter(v.y) : "memory");    \
	}
#define LOCUS_STORE_4(name, op, type, letter, ptx)                                                                                 \
	LOCUS_DEVICE void name(type *p, type v)                                                                                    \
	{                                                                                                                          \
		__asm__ volatile(op ".v4." ptx " [%0], {%1, %2, %3, %4};" ::"l"(locus_global(p)), letter(v.x), letter(v.y),        \
				 letter(v.z), letter(v.w)                                                                          \
				 : "memory");                                                                                      \
	}
#define LOCUS_HINTS(width, ...)                                                                                                    \
	LOCUS_LOAD##width(__ldca, "ld.global.ca", __VA_ARGS__) LOCUS_LOAD##width(__ldcg, "ld.global.cg", __VA_ARGS__)              \
		LOCUS_LOAD##width(__ldcs, "ld.global.cs", __VA_ARGS__) LOCUS_LOAD##width(__ldlu, "ld.global.lu", __VA_ARGS__)      \
			LOCUS_LOAD##width(__ldcv, "ld.global.cv", __VA_ARGS__)                                                     \
				LOCUS_STORE##width(__stwb, "st.global.wb", __VA_ARGS__)                                            \
					LOCUS_STORE##width(__stcg, "st.global.cg", __VA_ARGS__)                                    \
						LOCUS_STORE##width(__stcs, "st.global.cs", __VA_ARGS__)                            \
							LOCUS_STORE##width(__stwt, "st.global.wt", __VA_ARGS__)
LOCUS_HINTS(, short, "h", "s16")
LOCUS_HINTS(, unsigned short, "h", "u16")
LOCUS_HINTS(, int, "r", "s32")
LOCUS_HINTS(, unsigned, "r", "u32")
LOCUS_HINTS(, long, "l", "s64")
LOCUS_HINTS(, unsigned long, "l", "u64")
LOCUS_HINTS(, long long, "l", "s64")
LOCUS_HINTS(, unsigned long long, "l", "u64")
LOCUS_HINTS(, float, "f", "f32")
LOCUS_HINTS(, double, "d", "f64")
LOCUS_HINTS(_2, int2, "r", "s32")
LOCUS_HINTS(_2, uint2, "r", "u32")
LOCUS_HINTS(_2, longlong2, "l", "s64")
LOCUS_HINTS(_2, ulonglong2, "l", "u64")
LOCUS_HINTS(_2, float2, "f", "f32")
LOCUS_HINTS(_2, double2, "d", "f64")
LOCUS_HINTS(_4, int4, "r", "s32")
LOCUS_HINTS(_4, uint4, "r", "u32")
LOCUS_HINTS(_4, float4, "f", "f32")
#undef LOCUS_HINTS
#undef LOCUS_LOAD
#undef LOCUS_LOAD_2
#undef LOCUS_LOAD_4
#undef LOCUS_STORE
#undef LOCUS_STORE_2
#undef LOCUS_STORE_4

/* ---- copies into shared memory that go on beside the thread (cuda_pipeline_primitives.h has the names) ---- */

LOCUS_DEVICE void locus_copy_async(void *shared, const void *global, size_t bytes, size_t from)
{
	unsigned to = (unsigned)(size_t)(void __attribute__((address_space(3))) *)shared;

	if (bytes == 16)
		__asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(locus_global(global)),
				 "r"((unsigned)from)
				 : "memory");
	else if (bytes == 8)
		__asm__ volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(locus_global(global)),
				 "r"((unsigned)from)
				 : "memory");
	else
		__asm__ volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(locus_global(global)),
				 "r"((unsigned)from)
				 : "memory");
}

/* ---- which space a generic address is in ---- */

LOCUS_DEVICE unsigned __isGlobal(const void *p)
{
	return (unsigned)__nvvm_isspacep_global(p);
}
LOCUS_DEVICE unsigned __isShared(const void *p)
{
	return (unsigned)__nvvm_isspacep_shared(p);
}
LOCUS_DEVICE unsigned __isConstant(const void *p)
{
	return (unsigned)__nvvm_isspacep_const(p);
}
LOCUS_DEVICE unsigned __isLocal(const void *p)
{
	return (unsigned)__nvvm_isspacep_local(p);
}
LOCUS_DEVICE size_t __cvta_generic_to_global(const void *p)
{
	return locus_global(p);
}
LOCUS_DEVICE size_t __cvta_generic_to_shared(const void *p)
{
	return (size_t)(const void __attribute__((address_space(3))) *)p;
}
LOCUS_DEVICE size_t __cvta_generic_to_constant(const void *p)
{
	return (size_t)(const void __attribute__((address_space(4))) *)p;
}
LOCUS_DEVICE size_t __cvta_generic_to_local(const void *p)
{
	return (size_t)(const void __attribute__((address_space(5))) *)p;
}
LOCUS_DEVICE void *__cvta_global_to_generic(size_t p)
{
	return (void *)(void __attribute__((address_space(1))) *)p;
}
LOCUS_DEVICE void *__cvta_shared_to_generic(size_t p)
{
	return (void *)(void __attribute__((address_space(3))) *)p;
}

#endif
