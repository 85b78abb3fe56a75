#include "soak/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/made_up.h"
#include "support/random.h"

enum { COMMAND_BYTES = 9000, LINE_BYTES = 512, ADDRESS_BITS = 34 /* four stacks of 4 GiB */ };

/* ---- what is drawn; an empty word leaves things as they are ---- */

static const char *const machines[] = {"gtx480",     "gtx480-gs4", "gtx480-ldesc", "gtx480-sim3", "mcm4",
				       "multichip8", "ndp4",	   "titanx",	   "titanv",	  "exascale25",
				       "titanv-gs4", "qv100",	   "rtx2060",	   "rtx3070",	  NULL};
static const char *const workloads[] = {"vectoradd", "syrk", "spmv", "bfs",    "transpose", "pathfinder", "histo",
					"nn",	     "mvt",  "srad", "matmul", "sssp",	    "scalarprod", NULL};

/* A word of each of these goes into the command. */
static const char *const l1[] = {"",
				 "--l1-index pric",
				 "--set l1.monitor=true",
				 "--set l1.bytes=4K --set l1.assoc=1 --l1-index pric:37",
				 "--set l1.bytes=32K --set l1.assoc=8 --l1-index pric:61",
				 "--set l1.bytes=1K --set l1.assoc=1",
				 "--set l1.bytes=4K --set l1.assoc=full",
				 "--set l1.enabled=false",
				 NULL};
static const char *const sectors[] = {"",
				      "",
				      "--set l1.sectors=4",
				      "--set l1.sectors=4 --set l1.allocate=fill --set l1.write_hit=update",
				      "--set l2.sectors=4 --set l2.write_allocate=fetch-on-read",
				      "--set l1.sectors=2 --set l2.sectors=2",
				      NULL};
static const char *const halves[] = {
	"", "", "", "--set l2.halves=2", "--set l2.halves=2 --set l2.far_latency=1 --set l2.assoc=2 --set l2.miss_queue=2", NULL};
static const char *const coalescer[] = {"",
					"",
					"--set l2.coalescer=64",
					"--set l2.coalescer=1",
					"--set l2.coalescer=1024 --set l2.coalescer_merges=2",
					"--set l2.coalescer=3 --set l2.coalescer_merges=1024",
					NULL};
static const char *const index_l2[] = {"", "--l2-index pric", "--l2-index linear", NULL};
static const char *const throttle[] = {
	"",
	"",
	"--throttle dwt-cs --set throttle.entries=2 --set throttle.period=400 --set throttle.watchdog=3",
	"--throttle dwt-cs --set throttle.entries=1 --set throttle.latency=1 --set throttle.period=300 --set throttle.unit=warp",
	"--throttle dwt-cs --set throttle.period=2000 --set throttle.over=any",
	"--throttle swt:3",
	"--throttle ccws",
	"--throttle cta:2",
	NULL};
static const char *const bypass_l1[] = {"", "", "--l1-bypass streaming:rate=10,period=200",
					"--l1-bypass streaming:rate=60,period=900", NULL};
static const char *const bypass_l2[] = {"", "", "--l2-bypass streaming:rate=30,period=500", NULL};
static const char *const prefetch[] = {"", "", "--l1-prefetch next-line:mshrs=4", NULL};
static const char *const front[] = {"", "", "--l1-front mrpb:depth=4", NULL};
static const char *const scheduler[] = {"", "--scheduler gto", "--scheduler lrr", NULL};
static const char *const shortage[] = {"",
				       "--set l1.mshr_entries=1",
				       "--set l1.mshr_merges=1 --set l2.mshr_entries=1",
				       "--set l1.miss_queue=1 --set net.in_queue=1",
				       "--set net.out_queue=1 --set l2.in_queue=1",
				       "--set dram.queue=2 --set dram.write_high=2 --set dram.write_low=1",
				       NULL};
static const char *const blocks[] = {"", "", "--no-skip", NULL};
static const char *const *const any_word[] = {l1,	 sectors,  halves, coalescer, index_l2, throttle, bypass_l1,
					      bypass_l2, prefetch, front,  scheduler, shortage, blocks,	  NULL};

static const char *const plans_of_any[] = {"",
					   "",
					   "--plan paver-kway,source=trace",
					   "--plan paver-mst,source=trace",
					   "--plan paver-rb,source=trace,groups=even",
					   "--plan paver-rb,source=trace,steal=off",
					   "--plan ldesc,source=profile",
					   "--plan ldesc-cache,source=profile,l2=bypass",
					   "--plan ldesc-pref,source=profile",
					   "--plan coda,source=profile",
					   "--plan clusters,x=2",
					   "--plan bcs",
					   NULL};
static const char *const plans_of_workloads[] = {"--plan tafe", "--plan tafe,per=4,extents=2", "--plan tafe-tid,shared=turn",
						 "--plan paver-kway", NULL};
static const char *const pins[] = {"", "", "--l1-pin buffers:hard=A,soft=B,timer=300", "--l1-pin buffers:soft=A+B,timer=50", NULL};

static const char *one_of(const char *const *word, uint64_t *draw)
{
	unsigned n = 0;

	while (word[n])
		n++;
	return word[random_below(draw, n)];
}

static void add(char *command, const char *word)
{
	size_t n = strlen(command);

	if (*word)
		snprintf(command + n, COMMAND_BYTES - n, " %s", word);
}

/* A trace as odd as can be, in the file. */
static void write_trace(const char *path, uint64_t seed, uint32_t length)
{
	struct made_up m;

	made_up_init(&m, seed, length);
	made_up_narrow(&m, ADDRESS_BITS);
	trace_close(made_up_record(&m, &(struct trace_options){.name = "made up", .path = path}));
	made_up_free(&m);
}

static void draw_command(char *command, uint64_t seed, const char *trace, const char *locus)
{
	uint64_t draw = seed;
	bool made_up = random_below(&draw, 2);

	if (made_up) {
		write_trace(trace, random_u64(&draw), 2 + (uint32_t)random_below(&draw, 60));
		snprintf(command, COMMAND_BYTES, "'%s' cosim '%s'", locus, trace);
	} else {
		snprintf(command, COMMAND_BYTES, "'%s' cosim %s --size test", locus, one_of(workloads, &draw));
	}
	add(command, "--machine");
	add(command, one_of(machines, &draw));
	for (const char *const *const *k = any_word; *k; k++)
		add(command, one_of(*k, &draw));
	add(command, one_of(!made_up && random_below(&draw, 3) == 0 ? plans_of_workloads : plans_of_any, &draw));
	if (made_up)
		add(command, one_of(pins, &draw));
}

/* ---- running ---- */

struct run {
	uint64_t steps;
	unsigned blocks;
	char says[LINE_BYTES]; /* the last line of standard error */
	int status;
	double seconds;
};

/* "  pric             lockstep          32            680,127            0": block, mode, owners, steps, mismatches. */
static void read_block_line(const char *line, struct run *r)
{
	char mode[16], steps[64];
	uint64_t n = 0;

	if (sscanf(line, " %*s %15s %*s %63s", mode, steps) != 2 || strcmp(mode, "lockstep") != 0)
		return;
	for (const char *c = steps; *c; c++)
		if (*c >= '0' && *c <= '9')
			n = 10 * n + (uint64_t)(*c - '0');
	r->steps += n;
	r->blocks++;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run_command(const char *command, const char *folder, struct run *r, struct err *e)
{
	char line[COMMAND_BYTES + 4200], said[4200];
	double begin = now();
	FILE *f;

	*r = (struct run){0};
	snprintf(said, sizeof said, "%s/model.err", folder);
	snprintf(line, sizeof line, "%s --bundle '%s/mismatch' 2>'%s'", command, folder, said);
	f = popen(line, "r");
	if (!f)
		return err_set(e, "%s: cannot be run", command), 2;
	while (fgets(line, LINE_BYTES, f))
		read_block_line(line, r);
	r->status = pclose(f);
	r->status = WIFSIGNALED(r->status) ? 128 + WTERMSIG(r->status) : WEXITSTATUS(r->status);
	r->seconds = now() - begin;
	f = fopen(said, "r");
	while (f && fgets(r->says, sizeof r->says, f))
		; /* progress comes first */
	if (f)
		fclose(f);
	r->says[strcspn(r->says, "\n")] = '\0';
	return 0;
}

static int run_seed(uint64_t seed, const char *folder, const char *locus, struct run *r, char *command, struct err *e)
{
	char trace[4200];

	snprintf(trace, sizeof trace, "%s/model-%lu.ltrace", folder, seed);
	draw_command(command, seed, trace, locus);
	if (run_command(command, folder, r, e))
		return 2;
	if (r->status != 0 && (r->status != 2 || strncmp(r->says, "locus: ", 7) != 0))
		return err_set(e, "model, seed %lu: status %d, \"%s\": %s", seed, r->status, r->says, command), 1;
	remove(trace);
	return 0;
}

/* One that refuses what does go together refuses whatever is drawn, and nothing would be compared. */
static int check_program(const char *folder, const char *locus, struct err *e)
{
	char command[COMMAND_BYTES];
	struct run r;

	snprintf(command, sizeof command, "'%s' cosim vectoradd --size test", locus);
	if (run_command(command, folder, &r, e))
		return 2;
	return r.status == 2 ? (err_set(e, "%s: refused: %s", command, r.says), 2) : 0;
}

int model_seed(uint64_t seed, const char *folder, const char *locus, struct err *e)
{
	char command[COMMAND_BYTES];
	struct run r;
	int rc = run_seed(seed, folder, locus, &r, command, e);

	if (rc == 0)
		printf("%s\n%s\n%lu steps of %u blocks\n", command, r.status ? r.says : "agreed", r.steps, r.blocks);
	return rc;
}

/* ---- the record ---- */

struct record {
	uint64_t last_seed, runs, refused, steps;
	double seconds;
};

static void read_record(const char *path, struct record *r)
{
	char line[LINE_BYTES];
	FILE *f = fopen(path, "r");

	*r = (struct record){0};
	while (f && fgets(line, sizeof line, f)) {
		unsigned long seed, steps;
		unsigned refused;
		double seconds;

		/* A line that a kill has cut does not count. */
		if (!strchr(line, '\n') || sscanf(line, "%lu|%u|%lu|%lf", &seed, &refused, &steps, &seconds) != 4)
			continue;
		r->last_seed = seed;
		r->runs += !refused;
		r->refused += refused;
		r->steps += steps;
		r->seconds += seconds;
	}
	if (f)
		fclose(f);
}

int model_soak(double minutes, const char *folder, const char *locus, struct err *e)
{
	char path[4200], command[COMMAND_BYTES];
	struct record have;
	FILE *f;
	int rc = 0;

	snprintf(path, sizeof path, "%s/model", folder);
	read_record(path, &have);
	f = fopen(path, "a");
	if (!f)
		return err_set(e, "%s: cannot be written", path), 2;
	rc = check_program(folder, locus, e);
	while (have.seconds < 60 * minutes && rc == 0) {
		struct run r;

		rc = run_seed(++have.last_seed, folder, locus, &r, command, e);
		have.seconds += r.seconds;
		if (rc == 0)
			fprintf(f, "%lu|%d|%lu|%.3f\n", have.last_seed, r.status == 2, r.steps, r.seconds);
		fflush(f); /* what was run counts, however this ends */
	}
	if ((ferror(f) | fclose(f)) && rc == 0)
		return err_set(e, "%s: cannot be written", path), 2;
	return rc;
}

/* What another clone has run, as the published table has it. */
static void print_published(const char *folder)
{
	char path[4200], line[LINE_BYTES];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof path, "%s/published", folder);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f)) {
		if (!found && !strncmp(line, "| whole models ", 15)) {
			found = true;
			putchar('\n');
		}
		if (found)
			fputs(line, stdout);
	}
	if (f)
		fclose(f);
}

void model_table(const char *folder)
{
	struct record r;
	char path[4200];

	snprintf(path, sizeof path, "%s/model", folder);
	read_record(path, &r);
	if (!r.runs) {
		print_published(folder);
		return;
	}
	puts("\n| whole models | steps compared | refused as drawn | seeds | minutes |");
	puts("| ---: | ---: | ---: | ---: | ---: |");
	printf("| %lu | %.3g | %lu | 1 to %lu | %.1f |\n", r.runs, (double)r.steps, r.refused, r.last_seed, r.seconds / 60);
}
