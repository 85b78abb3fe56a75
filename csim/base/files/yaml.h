/* A YAML file, read by libfyaml, whose every error names file, line and column.
 *
 * Values come back as scalars' text; yaml_u64 and the like check form and range. A document stays valid until
 * yaml_close.
 */
#ifndef CSIM_BASE_FILES_YAML_H
#define CSIM_BASE_FILES_YAML_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct fy_node;
struct yaml;

enum { YAML_MAX_FILE = 16 * 1024 * 1024 /* bytes */ };

struct yaml *yaml_open(const char *path, struct err *e);
/* Text with a name for messages. */
struct yaml *yaml_parse(const char *text, const char *name, struct err *e);
void yaml_close(struct yaml *y);

struct fy_node *yaml_root(struct yaml *y); /* NULL for an empty document */

/* "FILE:LINE:COLUMN: message" for the place where `at` is (the file alone if at is NULL). Always returns -1. */
int yaml_error(struct yaml *y, struct fy_node *at, struct err *e, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Walks the pairs of a mapping: *iter starts as NULL; key is the text of the key, valid until yaml_close. false at the
 * end. The node must be a mapping: see yaml_is_map. */
bool yaml_next_pair(struct fy_node *map, void **iter, const char **key, struct fy_node **key_node, struct fy_node **value);
/* Walks the items of a sequence. NULL at the end. */
struct fy_node *yaml_next_item(struct fy_node *seq, void **iter);

bool yaml_is_map(struct fy_node *n);
bool yaml_is_seq(struct fy_node *n);
bool yaml_is_scalar(struct fy_node *n);
const char *yaml_text(struct fy_node *n); /* of a scalar; "" for anything else; valid until yaml_close */

/* Where a scalar, or a sequence's first item, is: from 1; 0 if it was left out. */
void yaml_position(struct fy_node *n, uint32_t *line, uint32_t *column);

/* A scalar as a whole number (base/number.h) in [min, max]; `key` is for the message. */
int yaml_u64(struct yaml *y, struct fy_node *n, const char *key, uint64_t min, uint64_t max, uint64_t *out, struct err *e);
int yaml_f64(struct yaml *y, struct fy_node *n, const char *key, double *out, struct err *e);
int yaml_bool(struct yaml *y, struct fy_node *n, const char *key, bool *out, struct err *e);

#endif
