/* What the cycle model trusts of a decoded CTA, asked of hostile files by tests and fuzz targets; and the closing of a
 * trace file that was changed behind its checksums. */
#ifndef TESTS_SUPPORT_TRACE_SOUND_H
#define TESTS_SUPPORT_TRACE_SOUND_H

#include "trace/trace.h"

/* NULL, or what does not hold. */
const char *trace_unsound(const struct trace *t, uint32_t launch, const struct trace_cta *c);

/* Makes the checksums of a file's tables and header right again; its header's sizes and offsets must be within the
 * file. */
void trace_seal(uint8_t *file);

#endif
