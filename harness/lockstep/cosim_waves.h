/* The waves of a co-simulation: one file per block, of one owner of it. Private to harness/lockstep/cosim.c.
 *
 * While the run goes on, the first owner of each block (or the one that --wave-owner names) writes its wave into a
 * scratch folder beside the final place. At the end a block that differs elsewhere, in another owner or outside the
 * default window, gets a new wave there instead: the logged steps of the owner that differs first are run again, as for
 * a bundle. An owner or a window that the user named is kept. Then the files get their names:
 *
 *     FILE.fst          the block of --rtl, or else the block that differs first, or else the first block
 *     FILE-BLOCK.fst    every other block
 *
 * Until then older files of these names stay as they were.
 */
#ifndef HARNESS_LOCKSTEP_COSIM_WAVES_H
#define HARNESS_LOCKSTEP_COSIM_WAVES_H

#include <stdio.h>

#include "base/files/scratch.h"
#include "lockstep/cosim.h"

struct cosim_wave {
	struct unit *u;		  /* the owner that is shown */
	const struct unit *first; /* the owner that differs first, if its difference is not in the wave; else NULL */
	bool by_user;		  /* of --rtl */
	bool empty;		  /* the window has no step of the owner */
	struct gtkw view;	  /* what the save file opens on */
	char path[4200];	  /* in the scratch folder */
	char fst[1024], save[1024];
};

struct cosim_waves {
	const struct cosim_options *o;
	struct scratch work;
	struct cosim_wave wave[COSIM_MAX_BLOCKS];
	unsigned n;
	unsigned main; /* the wave that gets the name that was given */
};

/* o->wave may be NULL: no waves. */
void cosim_waves_init(struct cosim_waves *w, const struct cosim_options *o);

/* Watches the unit if its block has no wave yet and the owner is wanted. by_user: its Verilog is that of --rtl. */
int cosim_waves_watch(struct cosim_waves *w, struct unit *u, bool by_user, struct err *e);

/* After unit_finish() of all units: the waves under their names, with their save files. */
int cosim_waves_keep(struct cosim_waves *w, struct unit *const *unit, unsigned n, struct err *e);

/* A line for each wave: file, block, owner, number of steps that differ. */
void cosim_waves_print(const struct cosim_waves *w, FILE *to);

/* Removes what has no name yet. The units' waves are closed. */
void cosim_waves_drop(struct cosim_waves *w);

#endif
