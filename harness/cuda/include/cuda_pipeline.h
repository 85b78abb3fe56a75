/* The pipeline, of which the primitives are here. */
#include "cuda_pipeline_primitives.h"
