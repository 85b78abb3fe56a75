/* Results as JSON: what a session leaves, and the parts that all results have in common.
 *
 * A result is an object with "locus" {version, git}, "workload", "machine", "stats" {name: number} and "units";
 * seconds, which differ from run to run, are in "simulator" if anywhere. Studies and `locus diff` read what the other
 * commands write by result_value().
 */
#ifndef HARNESS_SESSION_RESULT_H
#define HARNESS_SESSION_RESULT_H

#include "process/output.h"
#include "session/session.h"

struct json_t;

/* {"locus", "workload", "trace_hash", "cut", "try", "machine", "blocks", "plan", "stats", "units", "launches",
 * "audit", "intervals", "program"} of a session that has run, always in this order; no plan, no "plan"; "cut" ("the
 * limit", "SIGINT") only if the run did not come to its end. "try", of one (session/tries.h): {"at": the cycle,
 * "set": "KEY=VALUE,..."}, and "machine" is what it became there. Each of "launches" is {"index", "kernel",
 * "program", "stats"}; a program if several ran. "blocks", of a co-simulation, has the hardware blocks that ran in
 * Verilog: {"block", "mode", "drives" (mode rtl: the Verilog gives the model its values), "rtl" (its files), "own"
 * (they are Locus's), "xxh64" (bind_rtl.sum), "instances", "steps", "idle" (no step but the reset), "mismatches",
 * "unread_mismatches", "assertions", "registers_compared", "registers_not_compared"}, with --golden also "golden" and
 * "golden_xxh64". "intervals", of a session with metrics over time: session/intervals_file.h. "program", of a CUDA
 * program: {"exit_status", "launches", "recorded",
 * "to_device", "to_host", "on_device", "fills"}; each of the last four: {"count", "bytes", "pcie_ns"}. Of a sampled
 * run there are "sample" and "estimates" in place of "stats", and the "launches" are those that were simulated
 * (session/sample_json.h). */
struct json_t *result_json(const struct session *s);

/* {version, git}: what made a result. */
struct json_t *result_origin(void);

/* What ended the run; NULL: its own end. */
const char *result_cut_by(const struct gpu_result *r);

/* Writes a result, of which it takes the reference, into a file that was opened before the run. Nothing if none is
 * wanted. */
int result_write(struct output *to, struct json_t *json, struct err *e);

/* The metrics that runs are compared by, in order; NULL ends them. Runs on the CPU have the cpu.* ones, and a machine
 * may lack others. */
extern const char *const result_headlines[];

/* A metric ("cycles", "l1.misses") from a result's "stats", or else its "simulator"; NAN if it has none of that
 * name. */
double result_value(const struct json_t *result, const char *name);

#endif
