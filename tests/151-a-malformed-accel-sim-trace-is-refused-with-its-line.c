/* 151: whatever is wrong with an Accel-Sim trace is reported with file, line and reason, and nothing is left behind. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/sass.h"

static void refused(const char *text, const char *says)
{
	struct err e = {""};
	const char *path = sass_write("bad.traceg", text), *base = strrchr(path, '/') + 1;

	cr_assert_null(sass_import(path, NULL, &e), "accepted: %s", says);
	cr_assert(strstr(e.text, base), "%s", e.text);
	cr_assert_eq(strncmp(strstr(e.text, base), says, strlen(says)), 0, "said: %s\nnot:  %s", strstr(e.text, base), says);
}

/* The instruction is in line 20: behind the 8 lines of SASS_HEAD, 3 more, 2 that end the header and 6 of the block. */
static void refused_line(const char *line, const char *why)
{
	char text[4096], says[512];

	snprintf(text, sizeof text, SASS_HEAD(SASS_V3 SASS_WINDOWS) SASS_BLOCK(1, "%s\n"), line);
	snprintf(says, sizeof says, "bad.traceg:20: %s", why);
	refused(text, says);
}

Test(accelsim_errors, instructions)
{
	refused_line("zz ffffffff 0 NOP 0 0 0", "PC \"zz\": not a hexadecimal number");
	refused_line("0000 1ffffffff 0 NOP 0 0 0", "mask \"1ffffffff\": not a hexadecimal number of at most 0xffffffff");
	refused_line("0000", "the line ends before its mask");
	refused_line("0000 ffffffff 17 R1", "number of destinations \"17\": not a whole decimal number of at most 0x10");
	refused_line("0000 ffffffff 1 X1 NOP 0 0 0", "no register \"X1\"");
	refused_line("0000 ffffffff 1 R256 NOP 0 0 0", "no register \"R256\"");
	refused_line("0000 ffffffff 0 NOP 11 R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 0 0", "more than 10 registers");
	refused_line("0000 ffffffff 0 FROB.X 0 0 0", "opcode FROB.X is in no table");
	refused_line("0000 00000001 0 LDG.E 0 4", "the line ends before its address mode");
	refused_line("0000 00000001 0 LDG.E 0 4 3 0x0", "address mode 3: must be 0 (list), 1 (stride) or 2 (deltas)");
	refused_line("0000 00000003 0 LDG.E 0 4 0 0x100", "the line ends before its address");
	refused_line("0000 00000005 0 LDG.E 0 4 1 0x100 4 0",
		     "base and stride need one contiguous run of lanes, not mask 00000005");
	refused_line("0000 00000003 0 LDG.E 0 4 1 0x100 four 0", "stride \"four\": not a signed decimal number");
	refused_line("0000 00000007 0 LDG.E 0 4 2 0x100 4", "the line ends before its delta");
	refused_line("0000 00000001 0 LDG.E 0 4 1 0x100 4 0 9", "\"9\" is behind the immediate");
	refused_line("0000 00000001 0 LDG.E 0 4 1 0x100 4 what", "immediate \"what\": not a number");
	refused_line("0000 00000001 0 LDG.E 0 0 0", "LDG.E has no addresses (a width of 0)");
	refused_line("0000 00000001 0 LDG.E.256 0 4 1 0x100 4 0", "LDG.E.256 accesses more than 16 bytes a lane");
	refused_line("0000 00000001 0 LDG.E 0 4 1 0xffffffffffffffff 4 0", "LDG.E at 0xffffffffffffffff: no address of a device");
	refused_line("0000 00000001 0 LDS 0 4 1 0x1000000 4 0", "LDS at 0x1000000: outside the 16 MiB of its window");
	refused_line("0000 00000001 0 LDS 0 4 1 0x40000 4 0", "LDS reaches 262148 bytes into shared memory");
	refused_line("0000 00000003 0 LDL 0 4 0 0x0 0x80000 0", "LDL: a thread's local memory would span 524292 bytes");
	refused_line("0000 00000001 0 LDC 0 4 1 0x10000 4 0", "LDC at 0x10000: a constant bank has 64 KiB");
	refused_line("0000 00000001 0 ATOM.E.ADD 0 4 1 0x00007f0012000000 0 0", "ATOM.E.ADD on local memory");
}

Test(accelsim_errors, headers)
{
	refused("-accelsim tracer version = 99\n", "bad.traceg:1: -accelsim tracer version = 99: versions 1 to 5 are known");
	refused("-accelsim tracer version = 6\n", "bad.traceg:1: -accelsim tracer version = 6: versions 1 to 5");
	refused("-accelsim tracer version = 0\n", "bad.traceg:1: -accelsim tracer version = 0: versions 1 to 5");
	refused("-grid dim = (1,1)\n", "bad.traceg:1: -grid dim = (1,1): must be (x,y,z), each at least 1");
	refused("-grid dim = (0,1,1)\n", "bad.traceg:1: -grid dim = (0,1,1): must be");
	refused("-grid dim = (1,1,1)\n-grid dim = (1,1,1)\n", "bad.traceg:2: a second -grid dim");
	refused("-block dim = (1,1,1)\n\n#BEGIN_TB\n", "bad.traceg:3: the header has no -grid dim");
	refused("-grid dim = (1,1,1)\n#BEGIN_TB\n", "bad.traceg:2: the header has no -block dim");
	refused("-grid dim = (1,1,1)\n-block dim = (1025,1,1)\n#BEGIN_TB\n", "bad.traceg:3: a block has more than 1024 threads");
	refused("-grid dim = (65536,65536,1)\n-block dim = (1,1,1)\n#BEGIN_TB\n",
		"bad.traceg:3: a grid has more than 2^32 - 1 blocks");
	refused("-nregs = many\n", "bad.traceg:1: -nregs = many: must be a whole number of at most 255");
	refused("-shmem base_addr = xyz\n", "bad.traceg:1: -shmem base_addr = xyz: must be a hexadecimal number");
	refused("-enable lineinfo = 2\n", "bad.traceg:1: -enable lineinfo = 2: must be a whole number of at most 1");
	refused("-nonsense\n", "bad.traceg:1: a header line must be \"-name = value\"");
	refused("hello\n", "bad.traceg:1: \"hello\" is outside a thread block");
	refused("", "bad.traceg: no thread block (#BEGIN_TB)");
}

#define TWO	"-grid dim = (2,1,1)\n-block dim = (33,1,1)\n-accelsim tracer version = 3\n"
#define WARP(n) "warp = " #n "\ninsts = 1\n0 00000001 0 NOP 0 0 0\n"

Test(accelsim_errors, thread_blocks)
{
	refused(TWO "#BEGIN_TB\n", "bad.traceg:5: the file ends within a thread block");
	refused(TWO "#BEGIN_TB\nthread block = 2,0,0\n", "bad.traceg:5: thread block's x is 2, the grid's is 2");
	refused(TWO "#BEGIN_TB\nthread block = 0,0\n", "bad.traceg:5: a thread block must be x,y,z");
	refused(TWO "#BEGIN_TB\nwarp = 0\n", "bad.traceg:5: \"warp = 0\" is where \"thread block = x,y,z\" must be");
	refused(TWO "#BEGIN_TB\nthread block = 0,0,0\nwarp = 2\n",
		"bad.traceg:6: warp = \"2\": must be a whole number of at most 1");
	refused(TWO "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 0\n", "bad.traceg:7: warp 0 has no instructions");
	refused(TWO "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 4294967295\n", "bad.traceg:8: the file ends within");
	refused(TWO "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 4294967296\n",
		"bad.traceg:7: insts = \"4294967296\": must be a whole number of at most 4294967295");
	refused(TWO "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n0 1 0 NOP 0 0 0\n#END_TB\n",
		"bad.traceg:9: warp 0 ends after 1 of 2 instructions");
	refused(TWO "#BEGIN_TB\nthread block = 0,0,0\n" WARP(0) WARP(0), "bad.traceg:9: a second warp 0 in this thread block");
	refused(TWO "#BEGIN_TB\nthread block = 0,0,0\n" WARP(0) "#END_TB\n", "bad.traceg:9: thread block 0,0,0 has no warp 1");
	refused(TWO "#BEGIN_TB\nthread block = 0,0,0\nwarp = 1\ninsts = 1\n0 3 0 NOP 0 0 0\n",
		"bad.traceg:8: mask 00000003 has lanes that warp 1 of a block does not have (00000001)");
	refused(TWO "#BEGIN_TB\nthread block = 0,0,0\n" WARP(0) WARP(1) "#END_TB\n",
		"bad.traceg: the grid is 2x1x1, but thread block 1,0,0 is missing");
	refused(TWO "#BEGIN_TB\nthread block = 0,0,0\n" WARP(0) WARP(1) "#END_TB\n#BEGIN_TB\nthread block = 0,0,0\n" WARP(0)
			WARP(1) "#END_TB\n",
		"bad.traceg:13: thread block 0,0,0 a second time");
	refused(TWO "#BEGIN_TB\nthread block = 0,0,0\n" WARP(0) "0010 00000001 0 NOP 0 0 0\n",
		"bad.traceg:9: \"0010 00000001 0 NOP 0 0 0\" is where \"warp = N\" must be");
	refused(TWO "#END_TB\n", "bad.traceg:4: \"#END_TB\" is outside a thread block");
	refused("-grid dim = (1,1,1)\n-block dim = (32,1,1)\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"
		"0 0 0 3 0000 ffffffff 0 NOP 0 0 0\n",
		"bad.traceg:7: the line's warp is 3, but it is under 0");
}

/* A grid of 4 thousand million blocks, stated in a few bytes, allocates nothing of that size. */
Test(accelsim_errors, hostile_counts_do_not_allocate)
{
	refused("-grid dim = (65535,65535,1)\n-block dim = (1,1,1)\n-accelsim tracer version = 3\n#BEGIN_TB\nthread block = "
		"0,0,0\n" WARP(0) "#END_TB\n",
		"bad.traceg: the grid is 65535x65535x1, but thread block 1,0,0 is missing");
}

static void refused_list(const char *text, const char *says)
{
	struct err e = {""};

	cr_assert_null(sass_import(sass_write("kernelslist.g", text), NULL, &e));
	cr_assert(strstr(e.text, says), "%s", e.text);
}

Test(accelsim_errors, lists)
{
	refused_list("", "kernelslist.g: contains no kernel");
	refused_list("kernel-9.traceg\n", "kernel-9.traceg: No such file or directory");
	refused_list("\nMemcpyHtoD,0x100\n", "kernelslist.g:2: a copy must be MemcpyHtoD,ADDRESS,BYTES");
	refused_list("MemcpyHtoD,0x100,-4\n", "kernelslist.g:1: a copy must be");
	refused_list("launch.traceg\n", "kernelslist.g:1: \"launch.traceg\": neither a kernel's .traceg");
}

static void refused_map(const char *text, const char *says)
{
	char map[256];
	struct accelsim_options o = {.opcode_map = map};
	struct err e = {""};

	snprintf(map, sizeof map, "%s", sass_write("my.ops", text));
	cr_assert_null(sass_import("none.traceg", &o, &e));
	cr_assert(strstr(e.text, says), "%s", e.text);
}

Test(accelsim_errors, opcode_tables)
{
	refused_map("# mine\nFROB\n", "my.ops:2: opcode FROB has no class");
	refused_map("FROB fp32_ad\n", "my.ops:1: no class \"fp32_ad\" (did you mean \"fp32_add\"?)");
	refused_map("FROB load\n", "my.ops:1: a load needs a memory space");
	refused_map("FROB sfu global\n", "my.ops:1: a sfu takes no memory space");
	refused_map("FROB load globl\n", "my.ops:1: no memory space \"globl\" (did you mean \"global\"?)");
	refused_map("FROB load global 3\n", "my.ops:1: a width of \"3\" bytes: must be 1, 2, 4, 8 or 16");
	refused_map("FROB tensor_f16\n", "my.ops:1: a tensor_f16 needs its multiply-adds, a power of two up to 1048576");
	refused_map("FROB tensor_f16 96\n", "my.ops:1: a tensor_f16 needs its multiply-adds");
	refused_map("FROB tensor_f16 64 K\n", "my.ops:1: \"K\" is too much");
	refused_map("FROB load global 4 more\n", "my.ops:1: \"more\" is too much");
}
