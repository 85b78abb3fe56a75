/* 791: the save file of a wave without a difference opens on the first thing that the block is there for: marker and
 * zoom are there. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/monitor_wave.h"
#include "support/program.h"

struct view {
	double zoom;
	long long start, marker;
};

static struct view view_of(const char *name)
{
	struct view v = {0};
	char path[256], *text;
	const char *start, *zoom;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	text = program_text(path);
	start = strstr(text, "\n[timestart] ");
	zoom = strstr(text, "\n*");
	cr_assert(start && zoom && sscanf(start, "\n[timestart] %lld", &v.start) == 1 &&
			  sscanf(zoom, "\n*%lf %lld", &v.zoom, &v.marker) == 2,
		  "%s", text);
	free(text);
	return v;
}

/* 2^-zoom time units are in 200 pixels: a window of 1000 shows the marker, and something behind it. */
static void expect_marker(struct view v, long long marker)
{
	double width = 5 * exp2(-v.zoom);

	cr_assert_eq(v.marker, marker, "%lld", v.marker);
	cr_assert(v.start <= marker && (double)(marker - v.start) < width / 2, "from %lld, %g wide", v.start, width);
}

/* The first conflict is that of the second access, at the edge after its own. */
Test(clean_waves, of_the_set_monitor_open_on_the_first_conflict)
{
	static const struct {
		uint64_t later;
		long long marker;
	} row[] = {{0, 125}, {700, 7125}};

	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		char path[256];

		snprintf(path, sizeof path, "%s/w.fst", program_tmp());
		monitor_wave(&(struct monitor_wave){.wave = path, .to = UINT64_MAX, .mode = UNIT_LOCKSTEP, .later = row[i].later});
		expect_marker(view_of("w.gtkw"), row[i].marker);
	}
}

/* Without a conflict: on the first access. */
Test(clean_waves, open_on_the_first_text_where_nothing_more_happens)
{
	char path[256];

	snprintf(path, sizeof path, "%s/w.fst", program_tmp());
	monitor_wave(&(struct monitor_wave){.wave = path, .to = UINT64_MAX, .mode = UNIT_LOCKSTEP, .same_tag = true});
	expect_marker(view_of("w.gtkw"), 105);
}

/* PAVER's opens where the first group comes: the edge at which the wave's text says so. */
Test(clean_waves, of_paver_open_on_the_first_group)
{
	struct program p =
		program_run("cd %s && locus cosim syrk --size test --plan paver-kway --hw paver=lockstep --wave w.fst >/dev/null",
			    program_tmp());
	char path[256], *said;
	const char *at;

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/w.fst", program_tmp());
	said = monitor_wave_texts(path);
	at = strstr(said, " SM 0 gets group [0, ");
	cr_assert(at, "%s", said);
	while (*at != '#')
		at--;
	expect_marker(view_of("w.gtkw"), atoll(at + 1));
	free(said);
}
