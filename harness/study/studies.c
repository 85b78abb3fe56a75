#include "study/study.h"

extern const struct study study_coda, study_ldesc, study_paver, study_placement, study_pric, study_tafe;

const struct study *const studies[] = {&study_coda, &study_ldesc, &study_paver, &study_placement, &study_pric, &study_tafe, NULL};
