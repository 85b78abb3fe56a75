#include "cli/run_best.h"

#include <string.h>
#include <unistd.h>

#include "sweep/pool.h"

#define BEST "swt:best"

bool run_best_is_wanted(const char *throttle, const char **dir)
{
	size_t n = strlen(BEST);

	if (!throttle || strncmp(throttle, BEST, n) || (throttle[n] && throttle[n] != '='))
		return false;
	*dir = throttle[n] && throttle[n + 1] ? throttle + n + 1 : "swt-best";
	return true;
}

/* Options of the command that are not the search's runs', each with a value or without. argp takes a beginning of an
 * option's name for the option, if there is no other with it: whoever came here has passed it. */
static bool is_own(const char *word, bool *alone)
{
	static const struct {
		const char *name;
		bool has_value;
	} own[] = {{"throttle", true},	       {"json", true},	       {"timeline", true},
		   {"launches", false},	       {"working-set", false}, {"interval", true},
		   {"interval-metrics", true}, {"interval-csv", true}, {"brief", false}};
	size_t n = strcspn(word, "=");

	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		if (n > 2 && !strncmp(word, "--", 2) && !strncmp(word + 2, own[i].name, n - 2)) {
			*alone = !own[i].has_value || word[n];
			return true;
		}
	return false;
}

static const char *args_of_runs(struct arena *a, int argc, char **argv)
{
	const char *args = "run";

	for (int i = 1; i < argc; i++) {
		bool alone;

		if (is_own(argv[i], &alone))
			i += !alone;
		else
			args = arena_printf(a, "%s %s", args, sweep_pool_quoted(a, argv[i]));
	}
	return args;
}

int run_best(int argc, char **argv, struct session_options *o, const char *dir, char schedule[LIMIT_SCHEDULE], struct err *e)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct arena a = {0};
	struct limit_search s = {.session = o, .dir = dir, .jobs = processors > 0 ? (unsigned)processors : 1};
	int rc;

	s.args = args_of_runs(&a, argc, argv);
	o->machine.throttle = NULL;
	rc = limit_search(&s, stdout, schedule, e);
	o->machine.throttle = schedule;
	arena_free(&a);
	return rc;
}
