/* What CUDA's runtime and driver interfaces have in common. */
#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
