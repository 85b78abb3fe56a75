/* The part of cutil that programs included by itself. */
#include "cutil.h"
