# Shapes of the block, and the tests of its twin: rtl/rtl.mk says what is done with them.
RTL_SHAPES += \
	tafe/tafe_top \
	tafe/tafe_top:ENTRIES=8,ADDR_W=64,INDEX_W=16,TB_W=20,BLOCK_W=15 \
	tafe/tafe_top:ENTRIES=4,ADDR_W=16,INDEX_W=4,TB_W=4,BLOCK_W=1
RTL_SYNTH += \
	tafe/tafe_top
COV_TESTS += tests/support/tafe_bench.c tests/support/tafe_host.c tests/63[12]-*.c
