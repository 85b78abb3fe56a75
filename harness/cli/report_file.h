/* Where the page of a report goes: `locus report`, `locus sweep report`. */
#ifndef HARNESS_CLI_REPORT_FILE_H
#define HARNESS_CLI_REPORT_FILE_H

#include "report/report_page.h"

/* to: "-", an .html file, or a folder, which is made and gets index.html. Prints the file's path when it is whole. */
int report_file_write(const struct report_page *p, const char *to, struct err *e);

/* Gives the results and bundles of the page back. */
void report_file_free(struct report_page *p);

#endif
