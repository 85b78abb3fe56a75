/* What a sampled run leaves in a result (session/result.h), in place of "stats".
 *
 * "sample" is {"error", "confidence", "metric", "seed", "runs", "launches", "simulated", "warp_insts",
 * "simulated_warp_insts", "strata"}, each stratum {"kernel", "launches", "simulated", "least", "most"} (warp
 * instructions of a launch); "estimates" is {name: {"value", "low", "high"}}. Since there are no "stats", whatever
 * reads results refuses the file: an estimate is never taken for a measurement.
 */
#ifndef HARNESS_SESSION_SAMPLE_JSON_H
#define HARNESS_SESSION_SAMPLE_JSON_H

#include "run/gpu_sampled.h"

struct json_t;
struct json_t *sample_json(const struct gpu_sampled *s, const struct trace *t);
struct json_t *estimates_json(const struct gpu_sampled *s);
struct json_t *estimates_units_json(const struct gpu_sampled *s);

#endif
