/* 178: a file that cannot be written, copied or read names the cause in its message, wherever the program makes files
 * of its own. The texts of the causes are strerror's. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bind/sum.h"
#include "bind/xml.h"
#include "process/output.h"
#include "support/program.h"

static void says(int rc, const struct err *e, const char *text)
{
	cr_expect_eq(rc, -1, "%d", rc);
	cr_expect(strstr(e->text, text), "\"%s\" instead of \"%s\"", e->text, text);
}

Test(cause, of_a_copy)
{
	static const struct {
		const char *from, *to, *says;
	} row[] = {
		{"from", "/dev/full", "/dev/full: cannot write: No space left on device"},
		{"from", "nowhere/to", "nowhere/to: cannot write: No such file or directory"},
		{"none", "to", "none: No such file or directory"},
		{"fifo", "to", "fifo: not a regular file"},
		{"large", "to", "large: larger than 1 KiB, the most that is read"},
	};
	struct err e = {""};
	char *text;

	cr_assert_eq(chdir(program_tmp()), 0);
	program_file("from", "text\n");
	program_file("large", "");
	cr_assert_eq(truncate("large", 1025), 0);
	cr_assert_eq(mkfifo("fifo", 0600), 0);
	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		e = (struct err){""};
		says(output_copy(row[i].from, row[i].to, 1024, &e), &e, row[i].says);
		cr_expect_eq(access("to", F_OK), -1, "nothing is left of a copy that failed");
	}
	e = (struct err){""};
	cr_assert_eq(output_copy("from", "to", 1024, &e), 0, "%s", e.text);
	text = program_text("to");
	cr_expect_str_eq(text, "text\n");
	free(text);
}

Test(cause, of_a_blocks_sum)
{
	struct err e = {""};

	program_file("block.so", "code");
	cr_assert_eq(symlink("/dev/full", program_path("block.sum")), 0);
	says(bind_sum_write(program_tmp(), 0, NULL, 0, &e), &e, "block.sum: cannot write: No space left on device");
	e = (struct err){""};
	says(bind_sum_write("/nowhere", 0, NULL, 0, &e), &e, "No such file or directory");
}

Test(cause, of_the_list_of_a_blocks_signals)
{
	struct bind_module m;
	struct arena a = {0};
	struct err e = {""};

	says(bind_xml_read(&m, "/nowhere/v.xml", &a, &e), &e, "/nowhere/v.xml: No such file or directory");
	e = (struct err){""};
	says(bind_xml_read(&m, "/dev/zero", &a, &e), &e, "/dev/zero: not a regular file");
	arena_free(&a);
}
