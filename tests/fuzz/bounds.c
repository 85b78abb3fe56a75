/* How much work an input may ask for, in libFuzzer programs; and where they find the program's root: nowhere.
 *
 * A launch file may ask for a launch of 2^31 CTAs, a million times over, and gets it: that takes long, and is no hang.
 * So a launch of more than MAX_THREADS is passed over here, and nothing is repeated more than twice. fuzz.mk has the
 * linker put these functions before the program's own (--wrap).
 */
#include <string.h>

#include "base/files/root.h"
#include "base/files/yaml.h"
#include "ptx/ptx.h"

enum { MAX_THREADS = 256 };

int __real_ptx_run(const struct ptx_kernel *k, const struct ptx_launch *l, struct memory *mem, struct trace_writer *w,
		   uint32_t index, struct err *e);
int __wrap_ptx_run(const struct ptx_kernel *k, const struct ptx_launch *l, struct memory *mem, struct trace_writer *w,
		   uint32_t index, struct err *e);
int __wrap_ptx_run(const struct ptx_kernel *k, const struct ptx_launch *l, struct memory *mem, struct trace_writer *w,
		   uint32_t index, struct err *e)
{
	double threads = 1;

	for (int d = 0; d < 3; d++)
		threads *= (double)l->grid[d] * l->block[d];
	return threads > MAX_THREADS ? 0 : __real_ptx_run(k, l, mem, w, index, e);
}

int __real_yaml_u64(struct yaml *y, struct fy_node *n, const char *key, uint64_t min, uint64_t max, uint64_t *out, struct err *e);
int __wrap_yaml_u64(struct yaml *y, struct fy_node *n, const char *key, uint64_t min, uint64_t max, uint64_t *out, struct err *e);
int __wrap_yaml_u64(struct yaml *y, struct fy_node *n, const char *key, uint64_t min, uint64_t max, uint64_t *out, struct err *e)
{
	int rc = __real_yaml_u64(y, n, key, min, max, out, e);
	size_t length = strlen(key);

	if (rc == 0 && *out > 2 && length >= 6 && !strcmp(key + length - 6, "repeat"))
		*out = 2;
	return rc;
}

/* Commands look for the root before anything else; no target needs what is in it. */
int __wrap_root_check(struct err *e);
int __wrap_root_check(struct err *e)
{
	(void)e;
	return 0;
}
