/* 344: the options that name a policy with its settings: what they set, what they refuse. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "machine/schema.h"
#include "session/machine_choice.h"
#include "support/program.h"

#define RUN "locus run vectoradd --size test --max-cycles 1 "

Test(policy_options, set_the_keys_of_the_machine)
{
	struct program p = program_run(RUN "--throttle swt:2 --l1-bypass streaming:rate=80,period=5000 --l2-bypass streaming:70 "
					   "--l1-prefetch next-line:queue=1 --l1-pin buffers:a+b,soft=c,timer=700 --json %s/p.json "
					   "&& grep -E 'throttle|bypass|prefetch\\.(policy|queue)|pin|replacement' %s/p.json",
				       program_tmp(), program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "\"throttle.policy\": \"swt\",\n"), "%s", p.out);
	cr_assert(strstr(p.out, "\"throttle.warps\": 2,\n"), "%s", p.out);
	cr_assert(strstr(p.out, "\"l1.bypass.policy\": \"streaming\",\n"), "%s", p.out);
	cr_assert(strstr(p.out, "\"l1.bypass.rate\": 80,\n"), "%s", p.out);
	cr_assert(strstr(p.out, "\"l1.bypass.period\": 5000,\n"), "%s", p.out);
	cr_assert(strstr(p.out, "\"l2.bypass.rate\": 70,\n"), "%s", p.out);
	cr_assert(strstr(p.out, "\"l1.prefetch.policy\": \"next-line\",\n"), "%s", p.out);
	cr_assert(strstr(p.out, "\"l1.prefetch.queue\": 1,\n"), "%s", p.out);
	cr_assert(strstr(p.out, "\"l1.replacement\": \"pin\",\n"), "%s", p.out);
	cr_assert(strstr(p.out, "\"l1.pin.hard\": \"a+b\",\n"), "%s", p.out);
	cr_assert(strstr(p.out, "\"l1.pin.soft\": \"c\",\n"), "%s", p.out);
	cr_assert(strstr(p.out, "\"l1.pin.timer\": 700,\n"), "%s", p.out);
	program_free(&p);
	program_file("pins.yaml", "name: pins\nbase: gtx480\nl1: { replacement: pin }\n");
	p = program_run(RUN "--machine %s/pins.yaml --l1-pin none --json %s/p.json && grep replacement %s/p.json", program_tmp(),
			program_tmp(), program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "\"l1.replacement\": \"lru\",\n"), "%s", p.out);
	program_free(&p);
	p = program_run(RUN "--throttle cta:3 --json %s/p.json && grep throttle %s/p.json", program_tmp(), program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "\"throttle.policy\": \"cta\",\n"), "%s", p.out);
	cr_assert(strstr(p.out, "\"throttle.ctas\": 3,\n"), "%s", p.out);
	cr_assert(strstr(p.out, "\"throttle.warps\": 64,\n"), "%s", p.out);
	program_free(&p);
}

static void refused(const char *options, const char *line)
{
	struct program p = program_run(RUN "%s", options);

	cr_assert_eq(p.status, 2, "%s: %s", options, p.out);
	cr_assert_str_eq(p.err, line, "%s", p.err);
	program_free(&p);
}

Test(policy_options, refuse_what_no_policy_has)
{
	refused("--throttle fast",
		"locus: --throttle: throttle.policy: \"fast\" is not one of none | swt | cta | dwt-cs | ccws | pcal\n");
	refused("--throttle swt:0", "locus: --throttle: throttle.warps: 0 is not in 1..64\n");
	refused("--throttle swt:", "locus: --throttle: \"swt:\" holds an empty setting, or one that is too long\n");
	refused("--l1-pin buffers", "locus: --l1-pin: buffers needs names of buffers: buffers:A+B\n");
	refused("--l1-pin buffers:A,timer=0", "locus: --l1-pin: l1.pin.timer: 0 is not in 1..2147483647\n");
	refused("--throttle swt", "locus: --throttle: swt needs a number of warps or of CTAs: swt:N, cta:N, pcal:N\n");
	refused("--throttle cta:0", "locus: --throttle: throttle.ctas: 0 is not in 1..64\n");
	refused("--l1-bypass streaming:perod=3",
		"locus: --l1-bypass: l1.bypass.perod=3: unknown key \"l1.bypass.perod\" (did you mean \"l1.bypass.period\"?)\n");
	refused("--l1-bypass none:rate=80", "locus: --l1-bypass: none has no settings\n");
	refused("--l1-front none:32", "locus: --l1-front: none has no settings\n");
	refused("--throttle swt:2,k=3", "locus: --throttle: swt does not read throttle.k\n");
	refused("--throttle ccws:warps=2", "locus: --throttle: ccws does not read throttle.warps\n");
	refused("--l2-bypass streaming:policy=none", "locus: --l2-bypass: the policy has been named already\n");
}

/* Whether a policy reads a key by the key's own description: "swt, pcal: maximum number ..." names two that do; one
 * that begins otherwise is of the one policy that there is beside none. */
static bool described_as_read(const struct schema_key *k, const char *policy)
{
	const char *colon = strchr(k->meaning, ':');
	const char *at = strstr(k->meaning, policy);

	if (strncmp(k->name, "throttle.", 9))
		return strcmp(policy, "none") != 0;
	cr_assert(colon, "%s", k->name);
	return at && at < colon;
}

/* Each key of a policy against each policy. */
Test(policy_options, read_the_keys_whose_descriptions_name_the_policy)
{
	static const struct {
		const char *prefix;
		size_t option; /* in struct machine_choice */
	} of[] = {
		{"throttle", offsetof(struct machine_choice, throttle)},
		{"l1.bypass", offsetof(struct machine_choice, l1_bypass)},
		{"l2.bypass", offsetof(struct machine_choice, l2_bypass)},
		{"l1.front", offsetof(struct machine_choice, l1_front)},
		{"l1.pin", offsetof(struct machine_choice, l1_pin)},
		{"l1.prefetch", offsetof(struct machine_choice, l1_prefetch)},
	};
	static const char *const pins[] = {"none", "buffers", NULL}; /* --l1-pin, which sets l1.replacement */
	unsigned keys = 0;

	for (unsigned i = 0; i < sizeof of / sizeof of[0]; i++) {
		size_t letters = strlen(of[i].prefix);
		char name[64];

		snprintf(name, sizeof name, "%s.policy", of[i].prefix);
		for (const struct schema_key *k = schema_keys; k->name; k++) {
			if (strncmp(k->name, of[i].prefix, letters) || k->name[letters] != '.' || !strcmp(k->name, name))
				continue;
			keys++;
			for (const char *const *policy = schema_find(name) ? schema_find(name)->choices : pins; *policy; policy++) {
				struct machine_choice c = {.name = NULL};
				struct machine m;
				struct err e = {""};
				char text[128];

				snprintf(text, sizeof text, "%s:%s=%s", *policy, k->name + letters + 1, k->fallback);
				*(const char **)((char *)&c + of[i].option) = text;
				machine_choose(&c, &m, &e);
				cr_expect_eq(!strstr(e.text, "does not read") && !strstr(e.text, "has no settings"),
					     described_as_read(k, *policy), "%s: %s", text, e.text);
			}
		}
	}
	cr_expect_geq(keys, 17 + 2 + 2 + 2 + 3 + 2);
}
