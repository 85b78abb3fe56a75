#include "study/study.h"

extern const struct study study_pric, study_coda, study_paver, study_tafe;

const struct study *const studies[] = {&study_coda, &study_paver, &study_pric, &study_tafe, NULL};
