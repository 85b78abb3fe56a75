/* 845: the 16 applications of Table 2 (ldesc) are annotated as the table says. Types and sharing are the table's;
 * D-tiles and C-tiles were worked out from the kernels, histo's are those of Figures 8 and 9. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

enum { TYPES = 3, SHAPES = 4 };

#define COACCESSED_REGULAR "inter-thread, coaccessed, regular"

/* A type without its access is one of which the table says none. */
static const struct application {
	const char *name, *args, *type[TYPES], *shape[SHAPES];
} table[] = {
	{"syrk",
	 "n=64,m=64,pitch=1024",
	 {COACCESSED_REGULAR, "no-reuse"},
	 {"A: " COACCESSED_REGULAR "; 2 D-tiles of (1024,32,1), C-tiles of (1,8,1) CTAs, map (1,0,0)",
	  "C: no-reuse; 8 D-tiles of (1024,8,1), C-tiles of (2,1,1) CTAs, map (0,1,0)"}},
	{"doitgen",
	 "nr=4,nq=32,np=64",
	 {COACCESSED_REGULAR, "no-reuse"},
	 {"C4: " COACCESSED_REGULAR "; 2 D-tiles of (32,64,1), C-tiles of (1,4,1) CTAs, map (1,0,0)",
	  "A: " COACCESSED_REGULAR "; 4 D-tiles of (64,8,4), C-tiles of (2,1,1) CTAs, map (0,1,0)",
	  "sum: no-reuse; 8 D-tiles of (32,8,1), C-tiles of (1,1,1) CTAs, map (1,2,0)"}},
	{"dwt2d",
	 "cols=256,rows=64",
	 {"inter-thread, nearby, regular"},
	 {"red: inter-thread, nearby, regular; 16 D-tiles of (192,8,1), C-tiles of (1,1,1) CTAs, map (1,2,0)"}},
	{"conv2d",
	 "rows=128,cols=256,pitch=256",
	 {"inter-thread, nearby"},
	 {"in: inter-thread, nearby, irregular; 128 D-tiles of (32,8,1), C-tiles of (1,1,1) CTAs, map (1,2,0)"}},
	{"spmv",
	 NULL,
	 {"intra-thread", "inter-thread, coaccessed, irregular"},
	 {"value: intra-thread; 4096 D-tiles of", "C-tiles of (1,1,1) threads, map (1,0,0)",
	  "x: inter-thread, coaccessed, irregular; 1 D-tiles of (4096,1,1), C-tiles of (32,1,1) CTAs, map (0,0,0)"}},
	{"libor",
	 "paths=128",
	 {"intra-thread"},
	 {"z: intra-thread; 128 D-tiles of (1,40,1), C-tiles of (1,1,1) threads, map (1,0,0)"}},
	{"lavamd",
	 "side=2,particles=32",
	 {"intra-thread", COACCESSED_REGULAR},
	 {"at: " COACCESSED_REGULAR "; 4 D-tiles of (64,1,1), C-tiles of (2,1,1) CTAs, map (1,0,0)",
	  "force: intra-thread; 8 D-tiles of (32,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"}},
	{"histo",
	 "n=1035840,bins=100000",
	 {COACCESSED_REGULAR},
	 {"mapping: " COACCESSED_REGULAR "; 14 D-tiles of (768,97,1), C-tiles of (1,16,1) CTAs, map (1,0,0)"}},
	{"atax",
	 "rows=512,cols=512,pitch=512",
	 {"no-reuse", COACCESSED_REGULAR},
	 {"A: no-reuse; 2 D-tiles of (512,256,1), C-tiles of (1,1,1) CTAs, map (1,0,0)",
	  "x: " COACCESSED_REGULAR "; 1 D-tiles of (512,1,1), C-tiles of (2,1,1) CTAs, map (0,0,0)",
	  "A: no-reuse; 2 D-tiles of (256,512,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"}},
	{"mvt",
	 "n=512,pitch=512",
	 {"no-reuse", COACCESSED_REGULAR},
	 {"A: no-reuse; 2 D-tiles of (512,256,1), C-tiles of (1,1,1) CTAs, map (1,0,0)",
	  "y2: " COACCESSED_REGULAR "; 1 D-tiles of (512,1,1), C-tiles of (2,1,1) CTAs, map (0,0,0)",
	  "A: no-reuse; 2 D-tiles of (256,512,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"}},
	{"particlefilter",
	 "particles=1000",
	 {"no-reuse"},
	 {"weight: no-reuse; 2 D-tiles of (512,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0)",
	  "next_x: no-reuse; 8 D-tiles of (128,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"}},
	{"streamcluster",
	 "n=4096,dimensions=32",
	 {"no-reuse", "inter-thread, nearby"},
	 {"coordinate: no-reuse; 8 D-tiles of (512,32,1), C-tiles of (1,1,1) CTAs, map (1,0,0)",
	  "points: inter-thread, nearby, irregular; 8 D-tiles of (512,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"}},
	{"transpose",
	 "n=128",
	 {"no-reuse"},
	 {"in: no-reuse; 64 D-tiles of (16,16,1), C-tiles of (1,1,1) CTAs, map (1,2,0)",
	  "out: no-reuse; 64 D-tiles of (16,16,1), C-tiles of (1,1,1) CTAs, map (2,1,0)"}},
	{"scalarprod",
	 "pairs=256,n=2048",
	 {"no-reuse"},
	 {"a: no-reuse; 128 D-tiles of (2048,2,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"}},
	{"lps",
	 "nx=36,ny=36,nz=12",
	 {"no-reuse", "intra-thread"},
	 {"next: no-reuse; 18 D-tiles of (32,4,12), C-tiles of (1,1,1) CTAs, map (1,2,0)",
	  "potential: intra-thread; 18 D-tiles of (32,4,12), C-tiles of (1,1,1) CTAs, map (1,2,0)"}},
	{"pathfinder",
	 "rows=11,cols=8192,height=5",
	 {"no-reuse"},
	 {"weight: no-reuse; 34 D-tiles of (246,11,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"}},
};

static char *planned(const struct application *a)
{
	char args[256] = "", *out;
	struct program p;

	for (const char *at = a->args; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		snprintf(args + strlen(args), sizeof args - strlen(args), " --arg %.*s", (int)strcspn(at, ","), at);
	p = program_run("locus plan %s --machine gtx480 --size test --plan ldesc%s", a->name, args);
	cr_assert_eq(p.status, 0, "%s: %s", a->name, p.err);
	out = strdup(p.out);
	program_free(&p);
	return out;
}

/* A line of a descriptor: "    1  A: TYPE; 2 D-tiles of ...". */
static const char *next_type(const char *at, char *type, size_t size)
{
	for (; at; at = strchr(at, '\n')) {
		const char *begin, *end;

		at += *at == '\n';
		begin = strstr(at, ": ");
		end = strchr(at, ';');
		if (!begin || !end || memchr(at, '\n', (size_t)(end - at)) || begin > end || !strstr(end, "D-tiles of"))
			continue;
		snprintf(type, size, "%.*s", (int)(end - begin - 2), begin + 2);
		return end;
	}
	return NULL;
}

Test(table_2, gives_the_locality_types)
{
	for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
		char *out = planned(&table[i]), type[128];
		unsigned seen = 0, all = 0;

		for (const char *at = out; (at = next_type(at, type, sizeof type));) {
			unsigned k = 0;

			while (k < TYPES && table[i].type[k] && strncmp(type, table[i].type[k], strlen(table[i].type[k])) != 0)
				k++;
			cr_expect(k < TYPES && table[i].type[k], "%s: \"%s\" is not in the table", table[i].name, type);
			seen |= 1u << k;
		}
		for (unsigned k = 0; k < TYPES && table[i].type[k]; k++)
			all |= 1u << k;
		cr_expect_eq(seen, all, "%s has types 0x%x of 0x%x", table[i].name, seen, all);
		free(out);
	}
}

Test(table_2, has_the_tiles_of_the_kernels)
{
	for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
		char *out = planned(&table[i]);

		for (unsigned k = 0; k < SHAPES && table[i].shape[k]; k++)
			cr_expect_not_null(strstr(out, table[i].shape[k]), "%s: no \"%s\" in\n%s", table[i].name, table[i].shape[k],
					   out);
		free(out);
	}
}
