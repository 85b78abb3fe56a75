/* One instruction at a time, over a table of operands and answers.
 *
 * A case's text names its operands: $d the destination, $0 .. $3 the sources, as in "mad.lo.s32 $d, $0, $1, $2". Their
 * kinds are letters, destination first: h 16 bits, r 32, d 64, f float, g double, p predicate, as in "rrrr". Each
 * vector holds the bits of the sources and of the answer. Each lane gets a vector, once with all 32 lanes of the warp
 * active and once with only the odd ones, where the even ones must keep what the destination held before.
 */
#ifndef TESTS_SUPPORT_PTX_OP_H
#define TESTS_SUPPORT_PTX_OP_H

#include <stdint.h>

struct op_vector {
	uint64_t src[4], want;
};
struct op_case {
	const char *text, *kinds;
	unsigned n; /* vectors, at most 32 */
	struct op_vector v[12];
};

void ptx_op_check(const struct op_case *c);
/* Runs the cases up to one whose text is NULL. */
void ptx_op_check_all(const struct op_case *c);

/* Bits of floats, for tables. */
#define F_ONE	UINT64_C(0x3f800000)
#define F_INF	UINT64_C(0x7f800000)
#define F_NAN	UINT64_C(0x7fffffff)
#define F_QNAN	UINT64_C(0x7fc00001) /* another NaN */
#define F_MAX	UINT64_C(0x7f7fffff)
#define F_MINUS UINT64_C(0x80000000)
#define D_ONE	UINT64_C(0x3ff0000000000000)
#define D_INF	UINT64_C(0x7ff0000000000000)
#define D_NAN	UINT64_C(0x7ff8000000000000)
#define D_MINUS UINT64_C(0x8000000000000000)

#endif
