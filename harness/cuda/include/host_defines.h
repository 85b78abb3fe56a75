/* The old place of the keywords. */
#include "crt/host_defines.h"
