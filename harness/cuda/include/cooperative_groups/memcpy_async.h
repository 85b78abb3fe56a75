/* Copies by a group, which cooperative_groups.h has. */
#include "cooperative_groups.h"
