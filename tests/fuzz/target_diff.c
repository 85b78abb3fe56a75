/* Two results, as `locus diff` compares and prints them; a line that begins with %%%% is between them. */
#include "cli/cli.h"
#include "fuzz/files.h"
#include "fuzz/fuzz.h"

void fuzz_diff(const uint8_t *data, size_t n)
{
	static char *argument[] = {"diff", "--all", "a.json", "b.json", NULL};
	FILE *out = stdout, *err = stderr;
	const uint8_t *part[2];
	size_t size[2];
	int status;

	fuzz_parts(data, n, 2, part, size);
	files_put("a.json", part[0], size[0]);
	files_put("b.json", part[1], size[1]);
	stdout = stderr = fuzz_sink();
	status = cli_diff(4, argument);
	stdout = out;
	stderr = err;
	REQUIRE(status == CLI_OK || status == CLI_USAGE);
}
