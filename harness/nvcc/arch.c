/* Which GPU the device code is for.
 *
 * clang-14 knows sm_35 to sm_86 and PTX 7.5. Code for a later GPU is compiled for sm_86 with __CUDA_ARCH__ of the later
 * one, so that programs choose what they would; the PTX then names the later target, and a .version that has it (PTX
 * ISA manual, "Release Notes"), as instructions of inline assembly may need both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/infile.h"
#include "nvcc/nvcc.h"
#include "process/output.h"

enum { OLDEST = 35, NEWEST_OF_CLANG = 86, NEWEST = 121 };

/* The first PTX version with a target; ascending. */
static const struct {
	unsigned arch;
	const char *version;
} versions[] = {{87, "7.4"},  {88, "9.0"},  {89, "7.8"},  {90, "7.8"},	{100, "8.6"},
		{101, "8.6"}, {103, "8.8"}, {110, "9.0"}, {120, "8.7"}, {121, "8.8"}};

int nvcc_arch(struct nvcc_job *j, const char *text, struct err *e)
{
	const char *digits = text + strcspn(text, "0123456789");
	char *end;
	unsigned long n = strtoul(digits, &end, 10);
	bool prefix = digits == text || !strncmp(text, "sm_", 3) || !strncmp(text, "compute_", 8) || !strncmp(text, "lto_", 4);

	if (!prefix || end == digits || (*end && ((*end != 'a' && *end != 'f') || end[1])))
		return err_set(e, "%s is not a GPU architecture, such as sm_80 or compute_80", text);
	if (n > NEWEST)
		return err_set(e, "%s is an unknown GPU; the newest is sm_%d", text, NEWEST);
	if (n >= j->arch) {
		j->arch = n < OLDEST ? OLDEST : (unsigned)n;
		j->arch_suffix = *end;
	}
	return 0;
}

unsigned nvcc_arch_of_clang(const struct nvcc_job *j)
{
	static const unsigned known[] = {86, 80, 75, 72, 70, 62, 61, 60, 53, 52, 50, 37, 35};

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
		if (known[i] <= j->arch)
			return known[i];
	return OLDEST;
}

static const char *version_of(unsigned arch)
{
	const char *version = "7.5";

	for (unsigned i = 0; i < sizeof versions / sizeof versions[0]; i++)
		if (versions[i].arch <= arch)
			version = versions[i].version;
	return version;
}

static void rewrite_line(const struct nvcc_job *j, const char *line, FILE *f)
{
	if (!strncmp(line, ".version ", 9))
		fprintf(f, ".version %s\n", version_of(j->arch));
	else if (!strncmp(line, ".target ", 8))
		fprintf(f, ".target sm_%u%.*s%s", j->arch, j->arch_suffix ? 1 : 0, &j->arch_suffix, line + strcspn(line, ",\n"));
	else
		fputs(line, f);
}

int nvcc_arch_rewrite(const struct nvcc_job *j, const char *path, struct err *e)
{
	struct output o;
	FILE *in;
	char *line = NULL;
	size_t room = 0;

	if (j->arch == nvcc_arch_of_clang(j))
		return 0;
	in = infile_open(path, INFILE_MOST, e);
	if (!in)
		return -1;
	if (output_open(&o, path, e)) {
		fclose(in);
		return -1;
	}
	while (getline(&line, &room, in) > 0)
		rewrite_line(j, line, o.f);
	free(line);
	fclose(in);
	return output_keep(&o, e);
}
