/* Found here by `locus nvcc`; nvcc finds it by -I of the folder where it is alone. */
#include "annotate/locus_annotate.h"
