/* A sweep's plan: which runs there are, from a YAML file.
 *
 *     common: {size: test}                  what all runs have
 *     axes:                                 their product is the runs
 *       workload: [syrk, gesummv]
 *       l1.assoc: [4, 8]                    each axis sets one thing (settings.h) ...
 *       mechanism:                          ... or its values have names and set several
 *         none: {}
 *         both: {l1-index: pric, throttle: dwt-cs}
 *     list:                                 runs beside the product, one or more an item
 *       - {workload: atax, l1.assoc: [16, 32]}
 *     exclude:                              runs that are left out
 *       - {workload: gesummv, l1.assoc: 8}
 *
 * A plan is hostile: its axes, their values and its runs are bounded, and whatever is wrong is an error that names
 * file, line and column before anything runs.
 */
#ifndef HARNESS_SWEEP_PLAN_H
#define HARNESS_SWEEP_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/files/yaml.h"
#include "sweep/content.h"
#include "sweep/settings.h"

enum { SWEEP_MAX_AXES = 32, SWEEP_MAX_VALUES = 4096 /* of an axis */, SWEEP_MAX_POINTS = 100000, SWEEP_NOTHING = UINT16_MAX };

struct sweep_set {	     /* what one value sets */
	struct setting *set; /* n of them */
	struct fy_node **at; /* where their values are, for errors */
	unsigned n;
};

struct sweep_value {
	const char *label; /* the value itself, or its name */
	struct sweep_set sets;
};

struct sweep_label;
struct sweep_axis {
	const char *name;
	struct sweep_value *value;
	unsigned n, room;
	struct sweep_label *label; /* of all values, for which has one */
	unsigned multiplied;	   /* the first ones of them, which are in the product; the rest is in the list alone */
	struct fy_node *at;
};

struct sweep_point {
	const uint16_t *choice; /* by axis: which value; SWEEP_NOTHING: the run has none of it */
	/* From sweep_plan_check on: */
	const char *args;	   /* of the run, as sweep/pool.h takes them */
	char content[CONTENT_HEX]; /* what it is made with */
};

struct sweep_plan {
	struct arena arena;
	struct yaml *y;
	const char *path;
	const char *name; /* letters, digits, "-", "_" and "." */
	struct sweep_set common;
	struct sweep_axis axis[SWEEP_MAX_AXES];
	unsigned n_axes;
	struct sweep_point *point;
	unsigned n_points, room;
	struct sweep_seen *seen;
};

/* Reads the file. sweep_plan_close() is due in any case. */
int sweep_plan_read(struct sweep_plan *p, const char *path, struct err *e);

/* Checks every name and value, and each run's machine; makes the runs' command lines and contents. program: path of
 * locus. */
int sweep_plan_check(struct sweep_plan *p, const char *program, struct err *e);

void sweep_plan_close(struct sweep_plan *p);

/* The value of an axis at a point; "-" for none. */
const char *sweep_plan_label(const struct sweep_plan *p, const struct sweep_point *at, unsigned axis);
/* The same as a table and a picture show it: a machine's or a workload's file by its name, without folder and
 * extension, unless two values of the axis have that name. */
const char *sweep_plan_shown(struct sweep_plan *p, const struct sweep_point *at, unsigned axis);

/* By name; -1 with e, which says what there is. */
int sweep_plan_axis(const struct sweep_plan *p, const char *name, unsigned *axis, struct err *e);
int sweep_plan_value(const struct sweep_plan *p, unsigned axis, const char *label, unsigned *value, struct err *e);

/* ---- within the reader ---- */

/* The product of the axes, the list's runs, less those that are excluded. list, exclude: sequences, or NULL. */
int sweep_plan_points(struct sweep_plan *p, struct fy_node *list, struct fy_node *exclude, struct err *e);
/* The value with this label; made if the axis sets one thing by its name. */
int sweep_plan_take_value(struct sweep_plan *p, unsigned axis, struct fy_node *at, unsigned *value, struct err *e);
/* The axis of this name; made if it is the name of a setting. */
int sweep_plan_take_axis(struct sweep_plan *p, const char *name, struct fy_node *at, unsigned *axis, struct err *e);

#endif
