#include "study/study.h"

extern const struct study study_pric;

const struct study *const studies[] = {&study_pric, NULL};
