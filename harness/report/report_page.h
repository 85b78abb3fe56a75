/* The page of `locus report`: one HTML file that needs nothing beside it, neither a server nor a network.
 *
 * It is the committed bundle harness/report/web/dist/report.html, which has style, script and a place for data, with
 * the results put there as JSON. All that comes from a file is data: it goes into a script block that no browser
 * executes, as ASCII without "<", ">" and "&", so that no text can end the block; the page's script shows text as
 * text. What the page may load says a Content-Security-Policy in the bundle: nothing but its own script, known by its
 * hash.
 *
 * The same input gives the same bytes: there is no time, path or host in the page.
 */
#ifndef HARNESS_REPORT_REPORT_PAGE_H
#define HARNESS_REPORT_REPORT_PAGE_H

#include <stdio.h>

#include "base/err.h"

enum { REPORT_RUNS = 64, REPORT_BUNDLES = 16 };

struct json_t;

struct report_page {
	struct json_t *run[REPORT_RUNS]; /* results, whole */
	const char *label[REPORT_RUNS];
	unsigned n;
	struct json_t *bundle[REPORT_BUNDLES]; /* report/report_bundle.h */
	unsigned n_bundles;
	const char *name;     /* of a sweep's plan: the page's title; NULL: the programs' names */
	struct json_t *table; /* of a sweep (sweep_table_json); NULL: none */
};

/* What of a result the page shows, so much of it as it shows: metrics, launches, profile and so on. The caller owns the
 * reference; parts of the whole are shared. */
struct json_t *report_page_run(const struct json_t *whole, const char *label);

/* Writes the JSON as it may be in a script block. 0, or -1 with errno. */
int report_page_data(const struct json_t *data, FILE *to);

/* Fails if the bundle is not there or not one. What cannot be written shows in ferror(to). */
int report_page_write(const struct report_page *p, FILE *to, struct err *e);

#endif
