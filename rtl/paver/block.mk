# Shapes of the block, and the tests of its twin: rtl/rtl.mk says what is done with them.
RTL_SYNTH += \
	paver/paver_top \
	paver/paver_top:SMS=28 \
	paver/paver_top:SMS=80
COV_TESTS += tests/support/paver_bench.c tests/64[123]-*paver*.c
MUTATION_SHAPES += \
	paver/paver_top:SMS=2,PTR_W=5,TB_W=6 \
	paver/paver_top:SMS=3,PTR_W=6,TB_W=7 \
	paver/paver_top:SMS=5,PTR_W=7,TB_W=7
MUTATION_TWIN_SHAPES += \
	paver/paver_top:SMS=4,PTR_W=32,TB_W=32 \
	paver/paver_top:SMS=32,PTR_W=32,TB_W=32 \
	paver/paver_top:SMS=64,PTR_W=32,TB_W=32
