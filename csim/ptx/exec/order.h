/* Comparisons of set and setp by their names in PTX, for instructions that are too rare for a row of their own. */
#ifndef CSIM_PTX_EXEC_ORDER_H
#define CSIM_PTX_EXEC_ORDER_H

#include <stdbool.h>

/* how: eq, ne, lt, le, gt, ge, or such a name with more letters behind. order: -1, 0 or 1, as the first value is less
 * than, equal to or greater than the second. */
static inline bool order_holds(const char *how, int order)
{
	switch (how[0] << 8 | how[1]) {
	case 'e' << 8 | 'q':
		return order == 0;
	case 'n' << 8 | 'e':
		return order != 0;
	case 'l' << 8 | 't':
		return order < 0;
	case 'l' << 8 | 'e':
		return order <= 0;
	case 'g' << 8 | 't':
		return order > 0;
	default:
		return order >= 0;
	}
}

#endif
