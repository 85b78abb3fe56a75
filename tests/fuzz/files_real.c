/* files.h in the working folder, which is a temporary one: the tests run the targets so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/files.h"
#include "fuzz/fuzz.h"
#include "support/program.h"

static char root[4096];

static void enter(void)
{
	if (!root[0])
		REQUIRE(getcwd(root, sizeof root) && chdir(program_tmp()) == 0);
}

void files_put(const char *name, const void *bytes, size_t n)
{
	const char *slash = strchr(name, '/');
	char folder[64];
	FILE *f;

	enter();
	snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - name) : 0, name);
	if (slash)
		mkdir(folder, 0777);
	f = fopen(name, "wb");
	REQUIRE(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

void files_put_copy(const char *name, const char *path)
{
	char from[sizeof root + 256], bytes[1 << 16];
	FILE *f;
	size_t n;

	enter();
	snprintf(from, sizeof from, "%s/%s", root, path);
	f = fopen(from, "rb");
	REQUIRE(f);
	n = fread(bytes, 1, sizeof bytes, f);
	REQUIRE(n < sizeof bytes);
	fclose(f);
	files_put(name, bytes, n);
}
