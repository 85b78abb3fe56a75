#include "study/study.h"

extern const struct study study_cache, study_coda, study_gpus, study_ldesc, study_modern, study_paver, study_placement, study_tafe;

const struct study *const studies[] = {&study_cache, &study_coda,      &study_gpus, &study_ldesc, &study_modern,
				       &study_paver, &study_placement, &study_tafe, NULL};
