/* UTF-8 letters, for text that a user gave: what may go to a YAML reader, and to a terminal. Source: RFC 3629, section
 * 4. */
#ifndef CSIM_BASE_UTF8_H
#define CSIM_BASE_UTF8_H

#include <stddef.h>

/* Bytes of the letter that begins at s, of which n >= 1 bytes can be read; 0 if there is none, or a control character
 * (below U+0020, U+007F to U+009F). */
unsigned utf8_letter(const char *s, size_t n);

/* What is no letter becomes '?', byte by byte: a line that shows the text shows nothing else, and a terminal only
 * prints it. Returns s. */
char *utf8_clean(char *s);

#endif
