/* locus --version: which program this is, how it was built, and where it reads machines, kernels and RTL. */
#include <stdio.h>

#include "base/files/root.h"
#include "cli/cli.h"
#include "version.h"

void cli_version(void)
{
	struct err e = {""};
	char root[ROOT_PATH_MAX];

	printf("locus %s\nsource    %s\ncompiler  %s\nflags     %s\n", LOCUS_VERSION, LOCUS_GIT, LOCUS_COMPILER, LOCUS_FLAGS);
	printf("root      %s\n", root_check(&e) == 0 ? root_path("", root) : "none");
}
