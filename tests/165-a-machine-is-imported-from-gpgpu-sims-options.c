/* 165: `locus machine import`: what GPGPU-Sim's options state becomes a machine's keys, what they do not state is the
 * base's, what has no counterpart is listed. The option files are our own; what each number means is what the
 * registration of the options in GPGPU-Sim 4 says, the expected keys were computed by hand. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/gpgpusim/import.h"
#include "machine/gpgpusim/import_impl.h"
#include "support/program.h"

static const char whole[] =
	"# a machine of nobody's\n"
	"-gpgpu_compute_capability_major 6\n"
	"-gpgpu_compute_capability_minor 2\n"
	"-gpgpu_clock_domains 900.0:800:450.0:1000.5   # core, network, L2, DRAM\n"
	"-gpgpu_n_clusters 7\n"
	"-gpgpu_n_cores_per_cluster 3 -gpgpu_n_mem 12\n" /* two options in a line */
	"-gpgpu_n_sub_partition_per_mchannel 4\n"
	"-gpgpu_shader_core_pipeline 1280:32\n"
	"-gpgpu_shader_cta 11\n"
	"-gpgpu_shader_registers 40960\n"
	"-gpgpu_shmem_size 65536\n"
	"-gpgpu_num_sched_per_core 5\n"
	"-gpgpu_scheduler lrr\n"
	"-gpgpu_num_sp_units 3\n"
	"-gpgpu_num_sfu_units 2\n"
	"-gpgpu_num_dp_units 1\n"
	"-ptx_opcode_latency_int 6,7,8,9,100,21\n"
	"-ptx_opcode_initiation_int 1,2,3,4,5,6\n"
	"-ptx_opcode_latency_fp 11,12,13,14,15\n"
	"-ptx_opcode_initiation_fp 5,4,3,2,1\n"
	"-ptx_opcode_latency_dp 21,22,23,24,25\n"
	"-ptx_opcode_initiation_dp 9,8,7,6,5\n"
	"-ptx_opcode_latency_sfu 33\n"
	"-ptx_opcode_initiation_sfu 6\n"
	"-gpgpu_num_reg_banks 32\n"
	"-gpgpu_operand_collector_num_units_sp 5\n"
	"-gpgpu_operand_collector_num_units_sfu 3\n"
	"-gpgpu_smem_latency 22\n"
	"-gpgpu_shmem_num_banks 16\n"
	"-gpgpu_cache:dl1 S:8:64:12,L:L:s:N:P,A:48:9,5:0,32\n"
	"-gpgpu_l1_latency 31\n"
	"-gpgpu_const_cache:l1 N:16:64:4,L:R:f:N:L,S:3:30,7\n"
	"-gpgpu_cache:il1 N:8:64:2,L:R:f:N:L,S:5:40,6\n"
	"-gpgpu_cache:dl2 S:128:64:6,L:B:m:W:X,A:77:3,13:0,16\n"
	"-gpgpu_l2_rop_latency 88\n"
	"-gpgpu_dram_partition_queues 24:25:26:27\n"
	"-network_mode 2\n"
	"-icnt_flit_size 48\n"
	"-icnt_in_buffer_limit 20\n"
	"-icnt_out_buffer_limit 30\n"
	"-dram_latency 66\n"
	"-gpgpu_dram_scheduler 0\n"
	"-gpgpu_frfcfs_dram_sched_queue_size 40\n"
	"-gpgpu_dram_buswidth 4\n"
	"-gpgpu_n_mem_per_ctrlr 2\n"
	"-gpgpu_dram_burst_length 8\n"
	"-dram_data_command_freq_ratio 4\n"
	"-gpgpu_mem_addr_mapping dramid@9;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.RBBCCCCB.CCSSSSSS\n"
	"-gpgpu_dram_timing_opt \"nbk=8:CCD=2:RRD=7:RCD=13:RAS=29:RP=14:RC=43:\n"
	"                        CL=15:WL=5:CDLR=6:WR=11:nbkgrp=2:CCDL=3:RTPL=4\"\n"
	"-dram_bnkgrp_indexing_policy 1\n"
	"-dram_bnk_indexing_policy 1\n"
	"-dram_dual_bus_interface 1\n"
	"-dram_seperate_write_queue_enable 1\n"
	"-dram_write_queue_size 40:30:10\n"
	"-gpgpu_TB_launch_latency 5000\n"
	"-gpgpu_flush_l1_cache 1\n"
	"-gpgpu_no_such_thing 17\n"
	"-visualizer_enabled 0\n";

static const char *in_tmp(const char *name)
{
	static char path[4][512];
	static unsigned turn;

	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[0], "%s/%s", program_tmp(), name);
	return path[turn];
}

static struct gpgpusim_import *import_with(const char *config, const char *icnt, const char *base, struct err *e)
{
	struct gpgpusim_request r = {.config = in_tmp("gpgpusim.config"), .base = base, .machines_dir = "csim/machines"};

	e->text[0] = '\0';
	program_file("gpgpusim.config", config);
	if (icnt) {
		program_file("net.icnt", icnt);
		r.icnt = in_tmp("net.icnt");
	}
	return gpgpusim_import(&r, e);
}

static struct gpgpusim_import *import(const char *config)
{
	struct err e;
	struct gpgpusim_import *i = import_with(config, NULL, NULL, &e);

	cr_assert(i, "%s", e.text);
	return i;
}

static const char *key(const struct machine *m, const char *name)
{
	static char text[SCHEMA_TEXT_MAX];

	cr_assert(schema_find(name), "%s", name);
	return schema_text(m, schema_find(name), text);
}

static void expect_keys(const struct machine *m, const char *const pairs[][2])
{
	for (unsigned k = 0; pairs[k][0]; k++)
		cr_expect_str_eq(key(m, pairs[k][0]), pairs[k][1], "%s: %s, not %s", pairs[k][0], key(m, pairs[k][0]), pairs[k][1]);
}

Test(import, each_option_is_its_key)
{
	static const char *const pairs[][2] = {
		{"device.capability", "62"},
		{"clock.core", "900"},
		{"clock.net", "800"},
		{"clock.l2", "450"},
		{"clock.dram", "1001"},
		{"sm.count", "21"}, /* 7 clusters of 3 */
		{"dram.channels", "12"},
		{"l2.slices", "4"},
		{"sm.threads", "1280"},
		{"sm.warps", "40"},
		{"sm.ctas", "11"},
		{"sm.registers", "40960"},
		{"sm.shared_bytes", "65536"},
		{"sm.schedulers", "5"},
		{"sm.scheduler", "lrr"},
		{"pipe.sp", "3"},
		{"pipe.sfu", "2"},
		{"pipe.fp64", "sp"},
		{"latency.int", "6,7,8,9,100"},
		{"latency.int_interval", "1,2,3,4,5"},
		{"latency.fp32", "11,12,13,14,15"},
		{"latency.fp32_interval", "5,4,3,2,1"},
		{"latency.fp64", "21,22,23,24,25"},
		{"latency.fp64_interval", "9,8,7,6,5"},
		{"latency.sfu", "33"},
		{"latency.sfu_interval", "6"},
		{"operands.banks", "32"},
		{"operands.sp", "5"},
		{"operands.sfu", "3"},
		{"operands.mem", "2"}, /* its default */
		{"shared.latency", "22"},
		{"shared.banks", "16"},
		{"l1.enabled", "true"},
		{"l1.bytes", "6144"}, /* 8 x 64 x 12 */
		{"l1.line", "64"},
		{"l1.assoc", "12"},
		{"l1.index", "pric"},
		{"l1.poly", "11"}, /* x^3+x+1 */
		{"l1.mshr_entries", "48"},
		{"l1.mshr_merges", "9"},
		{"l1.miss_queue", "5"},
		{"l1.latency", "31"},
		{"const.bytes", "4096"}, /* 16 x 64 x 4 */
		{"const.line", "64"},
		{"const.assoc", "4"},
		{"const.mshr_entries", "3"},
		{"const.mshr_merges", "30"},
		{"const.miss_queue", "7"},
		{"fetch.width", "2"}, /* instructions are not said to be always there */
		{"icache.bytes", "1024"},
		{"icache.line", "64"},
		{"icache.assoc", "2"},
		{"icache.mshr_entries", "5"},
		{"icache.mshr_merges", "40"},
		{"icache.miss_queue", "6"},
		{"l2.bytes", "49152"}, /* 128 x 64 x 6 */
		{"l2.line", "64"},
		{"l2.assoc", "6"},
		{"l2.index", "pric"},
		{"l2.poly", "131"}, /* x^7+x+1 */
		{"l2.mshr_entries", "77"},
		{"l2.mshr_merges", "3"},
		{"l2.miss_queue", "13"},
		{"l2.port_bytes", "16"},
		{"l2.write_allocate", "fetch-always"},
		{"l2.sectors", "2"}, /* 64 bytes in 32 */
		{"l1.sectors", "2"},
		{"l1.packet_sectors", "2"},
		{"l1.allocate", "fill"},
		{"l1.write_hit", "evict"}, /* L: global stores evict */
		{"l2.latency", "88"},
		{"l2.in_queue", "24"},
		{"net.flit_bytes", "48"},
		{"net.in_queue", "20"},
		{"net.out_queue", "30"},
		{"dram.latency", "66"},
		{"dram.sched", "fcfs"},
		{"dram.queue", "40"},
		{"dram.burst_bytes", "32"}, /* 8 x 4 x 2 = 64, of which a sector is used */
		{"dram.burst", "2"},	    /* 8 / 4 */
		{"dram.interleave", "512"},
		{"dram.map", "BBCCCCBCCCSSSSS"},
		{"dram.row_bytes", "4096"}, /* 12 bits that are not the bank's */
		{"dram.banks", "8"},
		{"dram.ccd", "2"},
		{"dram.rrd", "7"},
		{"dram.rcd", "13"},
		{"dram.ras", "29"},
		{"dram.rp", "14"},
		{"dram.rc", "43"},
		{"dram.cl", "15"},
		{"dram.wl", "5"},
		{"dram.cdlr", "6"},
		{"dram.wr", "11"},
		{"dram.groups", "2"},
		{"dram.ccdl", "3"},
		{"dram.rtp", "4"},
		{"dram.group_bits", "low"},
		{"map.hash_bank", "true"},
		{"map.hash_channel", "false"},
		{"dram.command_bus", "dual"},
		{"dram.write_high", "30"},
		{"dram.write_low", "10"},
		{NULL, NULL},
	};
	struct gpgpusim_import *i = import(whole);

	expect_keys(gpgpusim_import_machine(i), pairs);
	gpgpusim_import_free(i);
}

/* Silence: units that there are none of, switches that are off, the times of SFUs. */
Test(import, some_options_that_are_missing_have_gpgpu_sims_default)
{
	static const char *const pairs[][2] = {
		{"pipe.fp64", "sfu"},	     {"latency.sfu", "8"},	     {"latency.sfu_interval", "8"}, {"operands.banks", "8"},
		{"operands.sp", "4"},	     {"operands.sfu", "4"},	     {"fetch.width", "2"},	    {"l2.slices", "1"},
		{"dram.group_bits", "high"}, {"dram.command_bus", "single"}, {"map.hash_bank", "false"},    {NULL, NULL},
	};
	struct gpgpusim_import *i = import("-gpgpu_compute_capability_major 7\n");

	expect_keys(gpgpusim_import_machine(i), pairs);
	gpgpusim_import_free(i);
}

Test(import, options_that_go_together_are_read_together)
{
	static const struct {
		const char *config, *key, *value;
	} all[] = {
		/* collectors for any unit are none of ours */
		{"-gpgpu_enable_specialized_operand_collector 0\n-gpgpu_num_reg_banks 16\n", "operands.banks", "0"},
		{"-gpgpu_kernel_launch_latency 5000\n", "launch.latency", "5000"},
		{"-network_mode 1\n-icnt_in_buffer_limit 99\n", "net.in_queue", "512"}, /* the base's */
		{"-gpgpu_cache:dl1 none\n", "l1.enabled", "false"},
		{"-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:L,A:8:8,8\n-gpgpu_gmem_skip_L1D 1\n", "l1.enabled", "false"},
		{"-gpgpu_cache:dl1 1:128:4,L:L:m:N,A:8:8,8\n", "l1.bytes", "512"}, /* GPGPU-Sim 3's form */
		{"-gpgpu_cache:dl1 N:1:128:4,L:L:m:N:P,A:8:8,8\n", "l1.index", "linear"},
		{"-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:8:8,8\n", "l2.port_bytes", "128"}, /* a line's bytes */
		{"-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:8:8,8\n", "l2.sectors", "4"},
		{"-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:8:8,8\n", "l2.write_allocate", "fetch-on-read"},
		{"-gpgpu_cache:dl2 N:64:128:8,L:B:m:L:L,A:8:8,8\n", "l2.sectors", "1"},
		{"-gpgpu_cache:dl1 N:32:128:4,F:L:m:N:L,A:8:8,8\n", "l1.replacement", "fifo"},
		{"-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:L,A:8:8,8\n", "l1.replacement", "lru"},
		{"-gpgpu_cache:dl2 S:64:128:8,F:B:m:L:L,A:8:8,8\n", "l2.replacement", "fifo"},
		{"-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:8:8,8\n", "l1.write_hit", "update"},
		{"-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:8:8,8\n", "l1.allocate", "miss"},
		{"-gpgpu_cache:dl1 N:4:128:64,L:L:f:N:L,A:8:8,8\n", "l1.allocate", "fill"},
		{"-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:8:8,8\n-gpgpu_l1_banks 4\n", "l1.banks", "4"},
		{"-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:8:8,8\n-gpgpu_l1_banks_byte_interleaving 32\n", "l1.bank_bytes", "32"},
		{"-gpgpu_cache:dl1 N:4:128:64,L:T:m:L:L,A:8:8,8\n-gpgpu_l1_banks_byte_interleaving 32\n", "l1.bank_bytes", "0"},
		{"-gpgpu_memory_partition_indexing 2\n-gpgpu_n_mem 16\n", "map.hash_channel", "true"},
		{"-gpgpu_memory_partition_indexing 2\n-gpgpu_n_mem 12\n", "map.hash_channel", "true"},
		/* no column of an L2 in lines is lost: 4 bytes x 2 chips x 8 beats */
		{"-gpgpu_cache:dl2 N:64:128:8,L:B:m:L:L,A:8:8,8\n-gpgpu_dram_burst_length 8\n-gpgpu_n_mem_per_ctrlr 2\n"
		 "-gpgpu_mem_addr_mapping "
		 "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB.CCCSSSSS\n",
		 "dram.map", "BBBCCCCBCCSSSSSS"},
		{"-gpgpu_dram_timing_opt 16:2:6:12:28:12:40:12:4:5:13\n", "dram.wr", "13"},
		{"-gpgpu_dram_timing_opt 16:2:6:12:28:12:40:12:4:5:13\n", "dram.groups", "1"},
		{"-gpgpu_dram_timing_opt 16:2:6:12:28:12:40:12:4:5:13\n", "dram.ccdl", "2"}, /* no groups: tCCD */
		{"-gpgpu_n_mem 3\n-gpgpu_n_mem 6\n", "dram.channels", "6"},		     /* the last one holds */
		{"-gpgpu_n_mem\n6\n", "dram.channels", "6"},
	};

	for (unsigned k = 0; k < sizeof all / sizeof all[0]; k++) {
		struct gpgpusim_import *i = import(all[k].config);
		const char *got = key(gpgpusim_import_machine(i), all[k].key);

		cr_expect_str_eq(got, all[k].value, "%s: %s %s, not %s", all[k].config, all[k].key, got, all[k].value);
		gpgpusim_import_free(i);
	}
}

/* The interconnect's file: its flits, where it is read. */
Test(import, a_network_of_its_own_file)
{
	struct err e;
	struct gpgpusim_import *i = import_with("-network_mode 1\n-icnt_flit_size 40\n",
						"// a crossbar\ntopology = fly;\nk = 27;  n = 1;\nflit_size = 24;\n", NULL, &e);

	cr_assert(i, "%s", e.text);
	cr_expect_str_eq(key(gpgpusim_import_machine(i), "net.flit_bytes"), "24");
	gpgpusim_import_free(i);
	i = import_with("-network_mode 2\n-icnt_flit_size 40\n", "flit_size = 24;\n", NULL, &e);
	cr_assert(i, "%s", e.text);
	cr_expect_str_eq(key(gpgpusim_import_machine(i), "net.flit_bytes"), "40");
	gpgpusim_import_free(i);
}

Test(import, the_base_goes_by_the_compute_capability)
{
	static const struct {
		const char *config, *base, *depth;
	} all[] = {{"-gpgpu_compute_capability_major 2\n", NULL, "6"}, /* gtx480-gs4 */
		   {"-gpgpu_compute_capability_major 6\n", NULL, "5"}, /* titanx-gs4 */
		   {"-gpgpu_ptx_force_max_capability 20\n", NULL, "6"},
		   {"-gpgpu_compute_capability_major 8\n", NULL, "5"},
		   {"-gpgpu_compute_capability_major 8\n", "gtx480", "0"}};
	struct err e;

	for (unsigned k = 0; k < sizeof all / sizeof all[0]; k++) {
		struct gpgpusim_import *i = import_with(all[k].config, NULL, all[k].base, &e);

		cr_assert(i, "%s: %s", all[k].config, e.text);
		cr_expect_str_eq(key(gpgpusim_import_machine(i), "pipe.depth"), all[k].depth, "%s", all[k].config);
		gpgpusim_import_free(i);
	}
	cr_expect_null(import_with("", NULL, "gtx4800", &e));
	cr_expect(strstr(e.text, "no machine \"gtx4800\""), "%s", e.text);
}

/* titanv-gs4's refresh: 3,315 cycles of 850 MHz are 3,900 ns, at 1,700 MHz 6,630 cycles. */
Test(import, times_of_the_base_keep_their_nanoseconds)
{
	struct gpgpusim_import *i = import("-gpgpu_clock_domains 1200:1200:1200:1700\n-icnt_flit_size 20\n");

	cr_expect_str_eq(key(gpgpusim_import_machine(i), "dram.refi"), "6630");
	cr_expect_str_eq(key(gpgpusim_import_machine(i), "dram.rfc"), "442");
	cr_expect_str_eq(key(gpgpusim_import_machine(i), "dram.faw"), "24");
	cr_expect_str_eq(key(gpgpusim_import_machine(i), "energy.flit"), "193750", "half of 387500");
	gpgpusim_import_free(i);
}

/* ---- the file and the list ---- */

Test(import, what_is_written_is_the_machine_that_was_imported)
{
	struct gpgpusim_import *i = import(whole);
	struct machine m;
	struct err e = {""};
	json_t *a, *b;
	struct program p;

	p = program_run("locus machine import %s/gpgpusim.config --name \"a \\\"b\\\" \\\\ c\" >%s/my.yaml", program_tmp(),
			program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(machine_load(&m, in_tmp("my.yaml"), "csim/machines", &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	cr_expect_str_eq(m.name, "a \"b\" \\ c");
	a = machine_json(gpgpusim_import_machine(i));
	b = machine_json(&m);
	json_object_del(a, "name");
	json_object_del(b, "name");
	cr_expect(json_equal(a, b));
	json_decref(a);
	json_decref(b);
	program_free(&p);
	gpgpusim_import_free(i);
}

Test(import, each_key_names_its_option_and_the_rest_is_the_bases)
{
	struct program p;
	struct err e;

	gpgpusim_import_free(import_with(whole, NULL, NULL, &e));
	p = program_run("locus machine import %s/gpgpusim.config 2>&1 >%s/my.yaml; cat %s/my.yaml | tr -s ' '", program_tmp(),
			program_tmp(), program_tmp());
	cr_expect(strstr(p.out, "\nbase: \"titanx-gs4\"\n"), "%s", p.out);
	cr_expect(strstr(p.out, "\n count: 21 # -gpgpu_n_clusters 7, -gpgpu_n_cores_per_cluster 3\n"));
	cr_expect(strstr(p.out, "\n core: 900 # -gpgpu_clock_domains 900.0:800:450.0:1000.5\n net: 800 # -gpgpu_clock_domains\n"));
	cr_expect(strstr(p.out, "\n mem: 2 # -gpgpu_operand_collector_num_units_mem 2 (default)\n"));
	cr_expect(strstr(p.out, "\n# pipe.depth: 5\n"));
	cr_expect_null(strstr(p.out, "# l1.latency:"), "is not the base's");
	program_free(&p);
}

Test(import, what_has_no_counterpart_is_listed_with_the_reason)
{
	struct program p;
	struct err e;

	gpgpusim_import_free(import_with(whole, NULL, NULL, &e));
	p = program_run("locus machine import %s/gpgpusim.config 2>&1 >/dev/null | tr -s ' '", program_tmp());
	cr_expect(strstr(p.out, " 56 -gpgpu_TB_launch_latency 5000 not modelled\n"), "%s", p.out);
	cr_expect(strstr(p.out, " 58 -gpgpu_no_such_thing 17 not an option that this knows\n"));
	cr_expect(strstr(p.out, " 59 -visualizer_enabled 0 about what is printed or written\n"));
	cr_expect(strstr(p.out, "1000.5 clocks are whole numbers of MHz: rounded\n"));
	cr_expect(strstr(p.out, " data port: an L1 moves a line a cycle here\n"), "%s", p.out);
	cr_expect_null(strstr(p.out, "-gpgpu_flush_l1_cache"), "1 is what the model does");
	cr_expect_null(strstr(p.out, "-gpgpu_shader_cta"), "is a key");
	program_free(&p);
}

Test(import, the_table_names_each_option_once)
{
	for (unsigned a = 0; gpgpusim_rules[a].option; a++) {
		cr_assert_lt(a, GPGPUSIM_MAX_RULES);
		cr_expect(gpgpusim_rules[a].take || gpgpusim_rules[a].why, "%s", gpgpusim_rules[a].option);
		for (unsigned b = 0; b < a; b++)
			cr_expect_str_neq(gpgpusim_rules[a].option, gpgpusim_rules[b].option);
	}
}

/* ---- refusals ---- */

Test(import, what_cannot_be_is_refused_with_its_line)
{
	static const struct {
		const char *config, *says;
	} all[] = {
		{"\n\ngpgpu_n_mem 6\n", ":3: \"gpgpu_n_mem\" is not an option"},
		{"-gpgpu_n_mem 6 7\n", ":1: \"7\" is not an option"},
		{"-a b\n-gpgpu_dram_timing_opt \"nbk=16:\nCCD=2\n", ":2: a quoted value without its end"},
		{"-a b\n\"no option\n", ":2: a quoted value without its end"},
		{"-gpgpu_n_mem 99999999999999999999\n", ":1: -gpgpu_n_mem 99999999999999999999: \"99999999999999999999\" is not"},
		{"-gpgpu_n_mem -6\n", "\"-6\" is not a whole number"},
		{"-gpgpu_n_mem 4294967295\n", "dram.channels: 4294967295 is not in 1..96"},
		{"\n-gpgpu_n_mem 17\n", ":2:1: dram.channels: 17 is not 2^k times an odd number up to 15"},
		{"-gpgpu_n_clusters 4294967295\n-gpgpu_n_cores_per_cluster 4294967295\n", "sm.count: "},
		{"-gpgpu_clock_domains 1:2:3\n", "not 4 clocks"},
		{"-gpgpu_clock_domains 1:2:3:4e9\n", "\"4e9\" is not a number of MHz"},
		{"-gpgpu_clock_domains 1:2:3:nan\n", "\"nan\" is not a number of MHz"},
		{"-gpgpu_shader_core_pipeline 1024:64\n", "a warp has 32 threads here"},
		{"-ptx_opcode_latency_int 1,2,3,4\n", "not five numbers"},
		{"-gpgpu_cache:dl1 N:32:128\n", "not SHAPE,POLICIES,MSHRS,QUEUE"},
		{"-gpgpu_cache:dl1 N:32:128:4,L:L:m,A:8:8,8\n", "\"L:L:m\" is not five letters"},
		{"-gpgpu_cache:dl1 N:3:128:4,L:L:m:N:L,A:8:8,8\n", ":1:1: l1.bytes: 1536 bytes"},
		{"-gpgpu_cache:dl1 N:4294967295:4294967295:4,L:L:m:N:L,A:8:8,8\n", "no cache is that large"},
		{"-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:L,Q:8:8,8\n", "is not KIND:ENTRIES:MERGES"},
		{"-gpgpu_const_cache:l1 none\n", "cannot do without const.*"},
		{"-gpgpu_dram_timing_opt nbk=16:CCD=2\n", "RRD is missing"},
		{"-gpgpu_dram_timing_opt nbk=16:XYZ=2\n", "no timing \"XYZ\""},
		{"-gpgpu_dram_burst_length 8\n-dram_data_command_freq_ratio 0\n",
		 ":2: -dram_data_command_freq_ratio 0: not from 1"},
		{"-gpgpu_mem_addr_mapping dramid@8;00\n", "not 64 of the letters"},
		{"-gpgpu_mem_addr_mapping dramid@8\n", "not dramid@BIT;MAP"},
		{"-gpgpu_mem_addr_mapping "
		 "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.RBBBRCCB.CCCSSSSS\n",
		 "bits of the row, or that mean nothing, below"},
	};
	struct err e;

	for (unsigned k = 0; k < sizeof all / sizeof all[0]; k++) {
		struct gpgpusim_import *i = import_with(all[k].config, NULL, NULL, &e);

		cr_expect_null(i, "%s is taken", all[k].config);
		cr_expect(strstr(e.text, all[k].says) && strstr(e.text, "gpgpusim.config:") && !strchr(e.text, '\n'), "%s: %s",
			  all[k].config, e.text);
		gpgpusim_import_free(i);
	}
	cr_expect_null(import_with("", "flit_size 32;\n", NULL, &e));
	cr_expect(strstr(e.text, "net.icnt:1: not of the form NAME = VALUE;"), "%s", e.text);
	cr_expect_null(import_with("", "k = 3;\nflit_size = 0;\n", NULL, &e));
	cr_expect(strstr(e.text, "net.icnt:2: flit_size 0: net.flit_bytes: 0 is not in"), "%s", e.text);
}

#define VOLTA	    "-gpgpu_compute_capability_major 7\n-gpgpu_shmem_size 98304\n-gpgpu_adaptive_cache_config 1\n"
#define L1_OF(ways) "-gpgpu_cache:dl1 S:4:128:" ways ",L:T:s:L:L,A:8:8,8\n"

/* 96 KB of 128 leave 32 KB: 64 ways of 4 sets of 128 bytes, whatever the file's L1 has. */
Test(import, an_array_for_l1_and_shared_memory_is_divided)
{
	static const char *const shared[][2] = {{"sm.unified_bytes", "131072"},
						{"sm.carveouts", "0,8192,65536,98304"},
						{"l1.bytes", "32768"},
						{"l1.assoc", "64"},
						{NULL, NULL}};
	static const char *const apart[][2] = {
		{"sm.unified_bytes", "0"}, {"sm.carveouts", "0"}, {"l1.bytes", "131072"}, {NULL, NULL}};
	static const char *const without[] = {
		VOLTA L1_OF("256"),								/* no size, no list */
		VOLTA "-gpgpu_unified_l1d_size 128\n-gpgpu_shmem_option 0,8,64\n" L1_OF("256"), /* the last is not 96 */
		VOLTA "-gpgpu_unified_l1d_size 128\n-gpgpu_shmem_option 0,9,96\n"
		      "-gpgpu_cache:dl1 S:16:128:64,L:T:s:L:L,A:8:8,8\n", /* 119 KB are no ways of 2 KB */
	};
	struct gpgpusim_import *i = import(VOLTA "-gpgpu_unified_l1d_size 128\n-gpgpu_shmem_option 0,8,64,96\n" L1_OF("256"));

	expect_keys(gpgpusim_import_machine(i), shared);
	gpgpusim_import_free(i);
	for (unsigned k = 0; k < sizeof without / sizeof without[0]; k++) {
		i = import(without[k]);
		expect_keys(gpgpusim_import_machine(i), apart);
		gpgpusim_import_free(i);
	}
}
