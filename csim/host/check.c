/* Comparing the device's results with the host's reference. */
#include "host/host_internal.h"

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

/* Where a first difference stands, as text; how many there are after it. */
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

int host_check_f32(struct host *h, const char *what, uint64_t addr, const float *want, uint64_t n, float rel_tol, struct err *e)
{
	const float *got = host_bytes(h, addr, 4 * n);
	uint64_t first = 0, count = 0;
	char a[32], b[32];

	for (uint64_t i = 0; i < n; i++) {
		/* Bit for bit first, so that an infinity that the reference has too is no difference. */
		bool same = !memcmp(&got[i], &want[i], 4) && !isnan(want[i]);

		if (same || (isfinite(want[i]) && fabs((double)got[i] - want[i]) <= rel_tol * fabs((double)want[i])))
			continue;
		if (!count++)
			first = i;
	}
	if (!count)
		return 0;
	snprintf(a, sizeof a, "%.9g", got[first]);
	snprintf(b, sizeof b, "%.9g", want[first]);
	return report(h, what, first, a, b, count - 1, e);
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

int host_check_u32(struct host *h, const char *what, uint64_t addr, const uint32_t *want, uint64_t n, struct err *e)
{
	const uint32_t *got = host_bytes(h, addr, 4 * n);
	uint64_t first = 0, count = 0;
	char a[32], b[32];

	for (uint64_t i = 0; i < n; i++)
		if (got[i] != want[i] && !count++)
			first = i;
	if (!count)
		return 0;
	snprintf(a, sizeof a, "%u", got[first]);
	snprintf(b, sizeof b, "%u", want[first]);
	return report(h, what, first, a, b, count - 1, e);
}
