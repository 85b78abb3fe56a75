# Shapes of the block, and the tests of its twin: rtl/rtl.mk says what is done with them.
RTL_SYNTH += \
	locality_table/locality_table
COV_TESTS += tests/support/locality_stimulus.c tests/65[01]-*.c
MUTATION_SHAPES += \
	locality_table/locality_table:ENTRIES=2,ADDR_W=8,PRIO_W=1,DIST_W=1 \
	locality_table/locality_table:ENTRIES=4,ADDR_W=10,PRIO_W=2,DIST_W=6 \
	locality_table/locality_table:ENTRIES=5,ADDR_W=12,PRIO_W=3,DIST_W=7
MUTATION_TWIN_SHAPES += \
	locality_table/locality_table:ENTRIES=5,ADDR_W=64,PRIO_W=8,DIST_W=32
