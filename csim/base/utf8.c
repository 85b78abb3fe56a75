#include "base/utf8.h"

#include <string.h>

unsigned utf8_letter(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned bytes = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 1, low = 0x80, high = 0xbf;

	if (bytes == 1)
		return s[0] >= ' ' && s[0] < 0x7f;
	if (s[0] > 0xf4 || n < bytes)
		return 0;
	if (s[0] == 0xc2) /* U+0080 to U+009F are control characters */
		low = 0xa0;
	else if (s[0] == 0xe0) /* below, a shorter form would do */
		low = 0xa0;
	else if (s[0] == 0xed) /* above are the surrogates of UTF-16 */
		high = 0x9f;
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xf4) /* U+10FFFF is the last one */
		high = 0x8f;
	if (s[1] < low || s[1] > high)
		return 0;
	for (unsigned i = 2; i < bytes; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return bytes;
}

char *utf8_clean(char *s)
{
	size_t left = strlen(s);

	for (char *p = s; left;) {
		unsigned n = utf8_letter(p, left);

		if (!n)
			*p = '?';
		n = n ? n : 1;
		p += n;
		left -= n;
	}
	return s;
}
