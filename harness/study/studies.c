#include "study/study.h"

extern const struct study study_pric, study_coda;

const struct study *const studies[] = {&study_coda, &study_pric, NULL};
