/* Launch files. They find tests/fuzz/launch.ptx as k.ptx, two graphs and a file of bytes. Small launches are run. */
#include "fuzz/files.h"
#include "fuzz/fuzz.h"
#include "workload/launchfile.h"

static void make_files(void)
{
	static const char metis[] = "3 2 001\n2 5\n1 5 3 7\n2 7\n",
			  matrix[] = "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1.5\n2 3 -2\n1 2 4\n";

	files_put_copy("k.ptx", "tests/fuzz/launch.ptx");
	files_put("g.graph", metis, sizeof metis - 1);
	files_put("m.mtx", matrix, sizeof matrix - 1);
	files_put("b.bin", "0123456789abcdef", 16);
}

void fuzz_launch(const uint8_t *data, size_t n)
{
	const struct host_options o = {.print_to = fuzz_sink()};
	static bool ready;
	struct err e = {""};
	struct host *h;
	bool expects;

	if (!ready)
		make_files();
	ready = true;
	files_put("f.yaml", data, n);
	h = host_new(&o, &e);
	REQUIRE(h);
	if (launchfile_run(h, "f.yaml", &expects, &e))
		fuzz_told(&e);
	host_free(h);
}
