/* A wave file as the text of a VCD file, from GTKWave's own converter. */
#ifndef TESTS_SUPPORT_VCD_H
#define TESTS_SUPPORT_VCD_H

/* To be freed. */
char *vcd_text(const char *fst);

/* The identifier of a signal in the first scope of that name, or below it. */
void vcd_identifier(const char *text, const char *scope, const char *name, char out[8]);

/* All changes of a signal, "time value" each, a line each; to be freed. */
char *vcd_changes(const char *text, const char *identifier);

#endif
