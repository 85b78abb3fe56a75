/* 790: a wave has a track that tells in words what the block does, at the edge at which it happens: the same of the
 * golden twin as of the RTL alone. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/monitor_wave.h"
#include "support/program.h"
#include "waves/track.h"

static char *texts(enum unit_mode mode, bool same_tag, uint64_t from)
{
	char path[256];

	snprintf(path, sizeof path, "%s/w.fst", program_tmp());
	monitor_wave(&(struct monitor_wave){.wave = path, .from = from, .to = UINT64_MAX, .mode = mode, .same_tag = same_tag});
	return monitor_wave_texts(path);
}

/* A cycle's edge is at 10 c + 5. An access is in the table a cycle after it was taken; the second has another tag. */
Test(track, tells_accesses_and_conflicts_at_their_edges)
{
	char *said = texts(UNIT_LOCKSTEP, false, 0);

	cr_assert(strstr(said, "#105 set 3 gets tag 0x0\n#115 set 3 gets tag 0x1\n"
			       "#125 set 3: conflict 1; set 3 gets tag 0x0\n#135 set 3: conflict 2; set 3 gets tag 0x1\n"),
		  "%s", said);
	cr_assert(strstr(said, "#595 set 3: conflict 38; set 3 gets tag 0x1\n"), "%s", said);
	free(said);
}

Test(track, of_the_rtl_alone_is_that_of_the_golden_twin)
{
	char *golden = texts(UNIT_LOCKSTEP, false, 0), *rtl = texts(UNIT_RTL, false, 0);

	cr_assert_str_eq(golden, rtl);
	free(golden);
	free(rtl);
}

/* Twice the same text are two: one more blank. */
Test(track, shows_that_something_happened_again)
{
	char *said = texts(UNIT_LOCKSTEP, true, 0);

	cr_assert(strstr(said, "#105 set 3 gets tag 0x1\n#115 set 3 gets tag 0x1 \n#125 set 3 gets tag 0x1\n"), "%s", said);
	free(said);
}

Test(track, begins_with_the_window)
{
	char *said = texts(UNIT_LOCKSTEP, false, 15);

	cr_assert_null(strstr(said, "#145 "), "%s", said);
	cr_assert(strstr(said, "#155 set 3: conflict 4; set 3 gets tag 0x1\n"), "%s", said);
	free(said);
}

Test(track, cuts_what_has_no_room)
{
	struct track_text t = {.n = 0};
	char whole[BIND_TEXT + 1];

	for (unsigned i = 0; i < BIND_TEXT / 8; i++)
		track_say(&t, "%06u", i);
	snprintf(whole, sizeof whole, "%s", t.at);
	cr_assert_eq(t.n, BIND_TEXT - 2, "as many of 6 and 2 for each \"; \" but the first");
	track_say(&t, "and more");
	cr_assert_eq(strlen(t.at), BIND_TEXT);
	cr_assert_str_eq(t.at + BIND_TEXT - 2, "..");
	cr_assert_eq(strncmp(t.at, whole, BIND_TEXT - 2), 0);
	track_say(&t, "nothing changes");
	cr_assert_eq(strlen(t.at), BIND_TEXT);
}
