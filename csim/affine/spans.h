/* The bytes that the threads of one CTA touch through an access, as spans.
 *
 * Like affine_enumerate(), but not thread by thread: indices and loops on which no condition depends are taken
 * together, so that a row of a matrix that 256 threads read in 1,000 iterations is one span. Which conditions matter is
 * decided for each CTA on its own: inside a grid the guards of its border hold for all threads.
 *
 * Not only for exact accesses. Of one whose address is known but not its conditions, all that it may touch is reported
 * (AFFINE_POSSIBLE): conditions that are not known are taken to hold, a loop that may be left early to run to its end.
 * Slack that a choice between two ways brought in (i > 0 ? i - 1 : i) takes its two ends. Other slack makes the access
 * open, as does a loop without a known number of trips that the address goes through.
 */
#ifndef CSIM_AFFINE_SPANS_H
#define CSIM_AFFINE_SPANS_H

#include "affine/affine.h"

enum affine_certainty { AFFINE_EXACT, AFFINE_POSSIBLE, AFFINE_OPEN };
enum affine_certainty affine_certainty_of(const struct affine_launch *l, const struct affine_access *x);

struct affine_spans; /* of one access; keeps what the CTAs have in common */
typedef void affine_span_visit(void *ctx, int64_t offset, uint64_t bytes);

/* The access must not be open. */
struct affine_spans *affine_spans_new(const struct affine_launch *l, const struct affine_access *x);
/* Takes another access in, if it differs by a number of bytes alone (as those of an unrolled loop do): what both touch
 * is then reported together, and rows that were read every fourth element are whole again. False: it differs in
 * more. */
bool affine_spans_join(struct affine_spans *s, const struct affine_access *x);
/* Offsets are relative to the buffer. Spans may overlap and come in any order. */
void affine_spans_of_cta(struct affine_spans *s, const uint32_t cta[3], affine_span_visit *visit, void *ctx);
void affine_spans_free(struct affine_spans *s);

#endif
