/* What `locus check` prints, and its JSON: findings (ptx/exec/findings.h), the most frequent first. */
#ifndef HARNESS_CHECK_CHECK_REPORT_H
#define HARNESS_CHECK_CHECK_REPORT_H

#include <stdio.h>

#include "ptx/exec/findings.h"

struct json_t;

/* most: how many; the line that says how many there are is printed in any case. */
void check_report_print(const struct findings *f, uint32_t most, FILE *to);

/* [{"kind": "race", "store" or "unwritten", "space", "kernel", "launch", "cta", "offset", "times", "first", "second"},
 * ...] with {"opcode", "ptx", "ptx_line", "source", "line", "thread"} for an access; "unwritten" has no "first". */
struct json_t *check_report_json(const struct findings *f);

#endif
