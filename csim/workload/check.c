/* Comparing the device's results with the host's reference. */
#include "workload/program_impl.h"

#include <math.h>
#include <string.h>

float host_sum_tolerance(uint64_t n)
{
	return (float)((double)(n + 2) * 0x1p-24);
}

bool host_differs(const struct host *h)
{
	return h->differs;
}

/* Where a first difference is, as text; how many there are after it. */
static int report(struct host *h, const char *what, uint64_t index, const char *got, const char *want, uint64_t more, struct err *e)
{
	const char *name = host_description(h);
	char tail[64] = "";

	h->differs = true;
	if (more)
		snprintf(tail, sizeof tail, " (and %llu more differ)", (unsigned long long)more);
	return err_set(e, "%s%s%s[%llu] is %s, the reference says %s%s", name, *name ? ": " : "", what, (unsigned long long)index,
		       got, want, tail);
}

/* Bit for bit first, so that an infinity that the reference has too is no difference. */
static bool same_float(double got, double want, bool same_bits, double rel_tol)
{
	return (same_bits && !isnan(want)) || (isfinite(want) && fabs(got - want) <= rel_tol * fabs(want));
}

static double float_at(struct element t, const void *at)
{
	double d;
	float s;

	memcpy(t.bytes == 8 ? (void *)&d : &s, at, t.bytes);
	return t.bytes == 8 ? d : (double)s;
}

int host_check_elements(struct host *h, const char *what, uint64_t addr, struct element t, const void *want, uint64_t n,
			double rel_tol, struct err *e)
{
	const uint8_t *got = host_bytes(h, addr, t.bytes * n), *ref = want;
	uint64_t first = 0, count = 0;
	char a[ELEMENT_TEXT], b[ELEMENT_TEXT];

	for (uint64_t i = 0; i < n; i++) {
		const uint8_t *x = got + i * t.bytes, *y = ref + i * t.bytes;
		bool same = memcmp(x, y, t.bytes) == 0;

		if (t.kind == 'f')
			same = same_float(float_at(t, x), float_at(t, y), same, rel_tol);
		if (!same && !count++)
			first = i;
	}
	if (!count)
		return 0;
	return report(h, what, first, element_text(t, got + first * t.bytes, a), element_text(t, ref + first * t.bytes, b),
		      count - 1, e);
}

int host_check_f32(struct host *h, const char *what, uint64_t addr, const float *want, uint64_t n, float rel_tol, struct err *e)
{
	return host_check_elements(h, what, addr, (struct element){'f', 4}, want, n, (double)rel_tol, e);
}

int host_check_u32(struct host *h, const char *what, uint64_t addr, const uint32_t *want, uint64_t n, struct err *e)
{
	return host_check_elements(h, what, addr, (struct element){'u', 4}, want, n, 0, e);
}

int host_check_f64(struct host *h, const char *what, uint64_t addr, const double *want, uint64_t n, double abs_tol, struct err *e)
{
	const double *got = host_bytes(h, addr, 8 * n);
	uint64_t first = 0, count = 0;
	char a[32], b[32];

	for (uint64_t i = 0; i < n; i++) {
		if (fabs(got[i] - want[i]) <= abs_tol) /* never for a NaN */
			continue;
		if (!count++)
			first = i;
	}
	if (!count)
		return 0;
	snprintf(a, sizeof a, "%.17g", got[first]);
	snprintf(b, sizeof b, "%.17g", want[first]);
	return report(h, what, first, a, b, count - 1, e);
}
