#include "policy/kernel_limits.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* "NAME:N", `len` letters of it; several kernels may have the name. */
static int limit_one(uint32_t *limit, const char *const *name, uint32_t n, const char *item, size_t len, struct err *e)
{
	const char *colon = memchr(item, ':', len);
	size_t letters = colon ? (size_t)(colon - item) : len;
	unsigned long warps = 0;
	uint32_t found = 0;
	char *end;

	if (colon && colon[1] >= '0' && colon[1] <= '9')
		warps = strtoul(colon + 1, &end, 10);
	if (warps < 1 || warps > MOST || end != item + len)
		return err_set(e, "throttle.kernels: \"%.*s\" is not KERNEL:N with N in 1..%d", (int)len, item, MOST);
	for (uint32_t i = 0; i < n; i++)
		if (strlen(name[i]) == letters && !memcmp(name[i], item, letters)) {
			limit[i] = (uint32_t)warps;
			found++;
		}
	return found ? 0 : err_set(e, "throttle.kernels: the program has no kernel \"%.*s\"", (int)letters, item);
}

int kernel_limits_init(const uint32_t **limit, struct arena *a, const struct machine *m, const char *const *name, uint32_t n,
		       struct err *e)
{
	uint32_t *of = arena_array(a, (size_t)n + 1, sizeof *of);
	const char *list = m->throttle.kernels;
	size_t len;

	for (uint32_t i = 0; i < n; i++)
		of[i] = m->throttle.warps;
	*limit = of;
	if (!strcmp(list, "none"))
		return 0;
	for (const char *item = list;; item += len + 1) {
		len = strcspn(item, "+");
		if (limit_one(of, name, n, item, len, e) != 0)
			return -1;
		if (!item[len])
			return 0;
	}
}
