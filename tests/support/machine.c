#include "support/machine.h"

#include <criterion/criterion.h>

struct machine machine_with(const char *const *set)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, "gtx480", "csim/machines", &e), 0, "%s", e.text);
	for (; set && *set; set++)
		cr_assert_eq(machine_set(&m, *set, &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	return m;
}
