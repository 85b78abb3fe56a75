/* A launch some of whose CTAs are passed over: it is sent in windows of consecutive CTAs, and those of a window that is
 * passed over are not sent. SMs do not drain between: the first CTA of the next window that is sent follows the last
 * one of the window before (docs/how-to/sample-long-programs.md).
 */
#ifndef CSIM_DISPATCH_WINDOWS_H
#define CSIM_DISPATCH_WINDOWS_H

#include <stdint.h>

#define WINDOW_NONE UINT32_MAX

struct dispatch_windows {
	uint32_t ctas;		/* of a window, at least as many as SMs; 0: the launch is sent whole */
	uint32_t n;		/* windows; the last one has what is left of the CTAs, too */
	const uint8_t *skipped; /* by window; 0: its CTAs are sent, as those of one at least are */
};

static inline uint32_t window_of(const struct dispatch_windows *w, uint32_t cta)
{
	return cta / w->ctas < w->n ? cta / w->ctas : w->n - 1;
}

static inline uint32_t window_first(const struct dispatch_windows *w, uint32_t window)
{
	return window * w->ctas;
}

/* The CTA behind its last one. */
static inline uint32_t window_end(const struct dispatch_windows *w, uint32_t window, uint32_t ctas)
{
	return window + 1 < w->n ? window_first(w, window + 1) : ctas;
}

/* The first CTA that is sent, from this one on; `ctas`, those of the launch: there is none. */
static inline uint32_t window_next_cta(const struct dispatch_windows *w, uint32_t cta, uint32_t ctas)
{
	while (cta < ctas && w->skipped[window_of(w, cta)])
		cta = window_end(w, window_of(w, cta), ctas);
	return cta;
}

/* CTAs that are sent. */
static inline uint32_t windows_ctas(const struct dispatch_windows *w, uint32_t ctas)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n; i++)
		n += w->skipped[i] ? 0 : window_end(w, i, ctas) - window_first(w, i);
	return n;
}

#endif
