#include "workload/program.h"

#include <string.h>

const struct workload *workload_find(const char *name)
{
	for (unsigned i = 0; workloads[i]; i++)
		if (!strcmp(workloads[i]->name, name))
			return workloads[i];
	return NULL;
}
