/* Pictures by gnuplot, which runs commands of a shell that it finds in a script, in double quotes and in the names of
 * files.
 *
 * So a text of a user's goes into a script through gnuplot_text alone, in single quotes, in which gnuplot looks for
 * nothing but their end; and no name of a file goes into it at all: gnuplot reads the script from standard input and
 * writes the picture to standard output, both of them files of ours.
 */
#ifndef HARNESS_PROCESS_GNUPLOT_H
#define HARNESS_PROCESS_GNUPLOT_H

#include <stdio.h>

#include "base/err.h"
#include "process/output.h"

/* A new script, to be written and then drawn, for a picture of that size in pixels: PNG if its path ends in .png, else
 * SVG. All pictures look alike: white ground, the font, greys, and line types 1 to GNUPLOT_COLORS in the colours of the
 * report's page (harness/report/web/src/style.css), which the colour-blind can tell apart; up to GNUPLOT_LINES more
 * colours follow, of which no two are the same. The title is broken where it is wider than the picture. NULL: *e is
 * set. */
enum { GNUPLOT_COLORS = 8, GNUPLOT_LINES = 64 };
FILE *gnuplot_script(const char *path, unsigned width, unsigned height, const char *title, struct err *e);

/* Colour i, from 0 on: "#0072b2"; GNUPLOT_LINES of them. */
enum { GNUPLOT_COLOR_TEXT = 8 };
const char *gnuplot_color(unsigned i, char text[GNUPLOT_COLOR_TEXT]);

/* The text as a quoted string; what is no letter in it is shown as '?'. */
void gnuplot_text(FILE *script, const char *text);

/* Likewise the label of a tic, which gnuplot takes for a format of numbers. */
void gnuplot_tic(FILE *script, const char *text);

/* Runs the script, which it closes, and keeps the picture, which was opened for it. */
int gnuplot_draw(FILE *script, struct output *picture, struct err *e);

#endif
