/* 967: locus run --checkpoint-every, --resume: a run goes on in another process, to the byte, also one that was killed
 * at any moment; what is no checkpoint of it is refused with a line, whatever the file holds. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/panic.h"
#include "support/program.h"

/* Not with sanitizers: their heap is where pairs of small numbers seem to point to, for which none is written. */
#define KEPT(name) Test(checkpoint_file, name, .disabled = CHECK_COSTLY)

static void run(const char *options, int status)
{
	struct program p = program_run("locus run %s", options);

	cr_assert_eq(p.status, status, "%s: %s", options, p.err);
	program_free(&p);
}

static void expect_same(const char *options, const char *one, const char *other)
{
	char *x = program_text(program_path(one)), *y = program_text(program_path(other));

	cr_expect(!strcmp(x, y), "%s: %s and %s differ", options, one, other);
	free(x);
	free(y);
}

/* Kept once, at cycle `at`. */
static void expect_resumes(const char *options, unsigned at)
{
	char text[2048];

	snprintf(text, sizeof text, "%s --json %s", options, program_path("alone.json"));
	run(text, 0);
	snprintf(text, sizeof text, "%s --checkpoint-every %u --checkpoint %s --max-cycles %u", options, at, program_path("kept"),
		 at + 1);
	run(text, 0);
	snprintf(text, sizeof text, "%s --resume %s --json %s", options, program_path("kept"), program_path("resumed.json"));
	run(text, 0);
	expect_same(options, "alone.json", "resumed.json");
}

KEPT(is_resumed_by_another_process)
{
	expect_resumes("matmul --size test --interval 200 --timeline /dev/null", 1501);
	expect_resumes("matmul --size test -m ndp4 --plan coda", 2002);
	expect_resumes("matmul --size test --plan paver-kway --throttle swt:4", 1003);
	expect_resumes("matmul --size test -m gtx480-ldesc --plan ldesc --working-set", 2004);
	expect_resumes("matmul --size test -m mcm4 --set vm.enabled=true --set vm.placement=first-touch --set vm.migrate=pages",
		       3005);
	expect_resumes("matmul --size test -m titanv --threads 2", 1006);
}

/* Programs of TAFE's calls, whose extents the hardware has tracked ahead of the launches. */
KEPT(has_what_the_launches_before_it_left)
{
	expect_resumes("bfs --size test -m multichip8 --plan tafe --launches", 60001);
	expect_resumes("bfs --size test --throttle ccws --l1-prefetch next-line", 123456);
}

/* ---- kills ---- */

static pid_t begin(const char *every, const char *kept)
{
	const char *build = getenv("LOCUS_BUILD");
	char program[4096];
	int nowhere;
	pid_t p;

	snprintf(program, sizeof program, "%s/locus", build ? build : "build");
	p = fork();
	if (p)
		return p;
	nowhere = open("/dev/null", O_WRONLY);
	dup2(nowhere, STDOUT_FILENO);
	execl(program, "locus", "run", "bfs", "--size", "test", "--checkpoint-every", every, "--checkpoint", kept, NULL);
	_exit(127);
}

static bool is_there(const char *file)
{
	struct stat st;

	return stat(file, &st) == 0;
}

static void kill_behind(const char *kept, unsigned milliseconds)
{
	pid_t p = begin("2000", kept);
	int status;

	for (unsigned i = 0; i < 20000 && !is_there(kept); i++)
		usleep(1000);
	usleep(milliseconds * 1000);
	kill(p, SIGKILL);
	waitpid(p, &status, 0);
	cr_assert(is_there(kept));
}

KEPT(is_whole_whenever_its_run_is_killed)
{
	char text[1024];

	snprintf(text, sizeof text, "bfs --size test --json %s", program_path("alone.json"));
	run(text, 0);
	for (unsigned i = 0; i < 4; i++) {
		unlink(program_path("killed"));
		kill_behind(program_path("killed"), 7 * i);
		snprintf(text, sizeof text, "bfs --size test --resume %s --json %s", program_path("killed"),
			 program_path("resumed.json"));
		run(text, 0);
		expect_same("killed", "alone.json", "resumed.json");
	}
}

/* ---- what is refused ---- */

#define PLAIN "matmul --size test "

static void keep(void)
{
	char text[1024];

	snprintf(text, sizeof text, PLAIN "--checkpoint-every 1000 --checkpoint %s --max-cycles 1001", program_path("kept"));
	run(text, 0);
}

static void expect_refusal(const char *options, const char *file, const char *text)
{
	struct program p = program_run("locus run %s --resume %s", options, file);

	cr_expect_eq(p.status, 2, "%s: status %d", text, p.status);
	cr_expect(strstr(p.err, text), "%s: %s", text, p.err);
	cr_expect(program_is_clean_error(&p), "%s", text);
	program_free(&p);
}

KEPT(of_another_run_is_refused)
{
	keep();
	expect_refusal(PLAIN "--set l1.latency=30", program_path("kept"), "made with another machine");
	expect_refusal("vectoradd --size test", program_path("kept"), "made with another trace");
	expect_refusal(PLAIN "--plan bcs", program_path("kept"), "made with another plan");
	expect_refusal(PLAIN "--interval 100", program_path("kept"), "made with another choice of options");
	expect_refusal(PLAIN "--timeline /dev/null", program_path("kept"), "made with another choice of options");
	expect_refusal(PLAIN "--no-skip", program_path("kept"), "made with another choice of options");
	expect_refusal(PLAIN "--max-cycles 500", program_path("kept"), "past the limit");
	expect_refusal(PLAIN "--konata /dev/null", program_path("kept"), "checkpoints do not keep pipelines");
	expect_refusal(PLAIN "--trace-requests latency=500", program_path("kept"), "checkpoints do not keep the paths of requests");
	expect_refusal(PLAIN, program_path("nothing"), "No such file");
	expect_refusal(PLAIN, program_tmp(), "not a regular file");
}

Test(checkpoint_file, wants_a_run_on_the_sms)
{
	static const char *const with[] = {"--on cpu", "--at 2000 --try l1.latency=9", "--throttle swt:best"};

	for (unsigned i = 0; i < sizeof with / sizeof *with; i++) {
		struct program p = program_run("locus run " PLAIN "--checkpoint-every 100 %s", with[i]);

		cr_expect_eq(p.status, 2, "%s", with[i]);
		cr_expect(strstr(p.err, "needs a single run: leave out --on cpu, --try and --throttle swt:best"), "%s", p.err);
		program_free(&p);
	}
}

static size_t read_all(const char *file, char **bytes)
{
	FILE *f = fopen(file, "r");
	struct stat st;

	cr_assert(f && fstat(fileno(f), &st) == 0);
	*bytes = malloc((size_t)st.st_size);
	cr_assert_eq(fread(*bytes, 1, (size_t)st.st_size, f), (size_t)st.st_size);
	fclose(f);
	return (size_t)st.st_size;
}

static void write_all(const char *file, const char *bytes, size_t n)
{
	FILE *f = fopen(file, "w");

	cr_assert(f);
	cr_assert_eq(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

KEPT(that_is_damaged_is_refused)
{
	char *bytes;
	size_t n;

	keep();
	n = read_all(program_path("kept"), &bytes);
	for (size_t length = 0; length < n; length = length < 200 ? length + 23 : length * 3) {
		write_all(program_path("bad"), bytes, length);
		expect_refusal(PLAIN, program_path("bad"), length < 128 ? "is not a checkpoint" : "is damaged");
	}
	for (size_t at = 0; at < n; at = at < 160 ? at + 8 : at * 2) {
		bytes[at] ^= 1 << at % 8;
		write_all(program_path("bad"), bytes, n);
		expect_refusal(PLAIN, program_path("bad"), at < 16 ? "is not a checkpoint" : "is damaged");
		bytes[at] ^= 1 << at % 8;
	}
	write_all(program_path("bad"), "locus checkpt 1", 16);
	expect_refusal(PLAIN, program_path("bad"), "is not a checkpoint");
	free(bytes);
}

/* Who could write it could have the program do anything. */
KEPT(of_another_user_is_refused)
{
	if (geteuid() != 0) /* nobody else can give a file away */
		return;
	keep();
	cr_assert_eq(chown(program_path("kept"), 1, 1), 0);
	expect_refusal(PLAIN, program_path("kept"), "belongs to another user");
}

KEPT(that_others_may_write_is_refused)
{
	static const struct {
		unsigned file, folder;
		const char *says;
	} cases[] = {
		{0666, 0700, "its group may write it (mode 0666)"},
		{0602, 0700, "may be written by others"},
		{0660, 0700, "its group may write it (mode 0660)"},
		{0600, 0777, "is in a folder that others may write"},
	};
	struct stat st;

	keep();
	cr_assert_eq(stat(program_path("kept"), &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0600, "%o", (unsigned)st.st_mode);
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		cr_assert(chmod(program_path("kept"), cases[i].file) == 0 && chmod(program_tmp(), cases[i].folder) == 0);
		expect_refusal(PLAIN, program_path("kept"), cases[i].says);
	}
	cr_assert(chmod(program_path("kept"), 0644) == 0 && chmod(program_tmp(), 01777) == 0);
	cr_expect_eq(program_run("locus run " PLAIN "--resume %s", program_path("kept")).status, 0);
}

/* A FIFO stands for a device: as root, a checkpoint took the place of /dev/null. */
KEPT(takes_the_place_of_a_regular_file_alone)
{
	struct program p = program_run("cd %s && mkfifo it && locus run " PLAIN
				       "--checkpoint-every 1000 --checkpoint it; test -p it && echo there",
				       program_tmp());

	cr_expect_str_eq(p.err, "locus: it: cannot write: not a regular file\n", "%s", p.err);
	cr_expect_str_eq(p.out, "there\n", "%s", p.out);
	program_free(&p);
}

/* The run is as good as without. */
KEPT(that_cannot_be_written_is_said_in_the_end)
{
	struct program p = program_run("locus run " PLAIN "--checkpoint-every 1000 --checkpoint %s/no/such --json %s",
				       program_tmp(), program_path("a.json"));

	cr_expect_eq(p.status, 2);
	cr_expect(strstr(p.err, "checkpoint of cycle 1000: "), "%s", p.err);
	cr_expect(strstr(p.err, "cannot write"), "%s", p.err);
	run(PLAIN "--json /dev/null", 0);
	cr_expect(is_there(program_path("a.json")));
	program_free(&p);
}
