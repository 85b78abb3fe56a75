/* What a sampled run leaves in a result (session/result.h), in place of "stats".
 *
 * "sample" is {"error", "confidence", "metric", "seed", "runs", "launches", "simulated", "divided", "windows",
 * "simulated_windows", "warp_insts", "simulated_warp_insts", "strata"}: launches of the trace, those that were
 * simulated (whole, or some windows of their CTAs), those that were divided into windows, their windows and those that
 * were simulated; each stratum {"kernel", "of", "units", "measured", "least", "most"} (of "launches", "ends" or
 * "windows" between them; warp instructions of a launch); "estimates" is {name: {"value", "low", "high"}}. Since there
 * are no "stats", whatever reads results refuses the file: an estimate is never taken for a measurement.
 */
#ifndef HARNESS_SESSION_SAMPLE_JSON_H
#define HARNESS_SESSION_SAMPLE_JSON_H

#include "run/gpu_sampled.h"

struct json_t;
struct json_t *sample_json(const struct gpu_sampled *s, const struct trace *t);
struct json_t *estimates_json(const struct gpu_sampled *s);
struct json_t *estimates_units_json(const struct gpu_sampled *s);

#endif
