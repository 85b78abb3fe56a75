# Shapes of the block, and the tests of its twin: rtl/rtl.mk says what is done with them.
RTL_SYNTH += \
	set_monitor/set_monitor
COV_TESTS += tests/604-*.c
MUTATION_SHAPES += \
	set_monitor/set_monitor:SETS=2,TAG_W=1,COUNT_W=2 \
	set_monitor/set_monitor:SETS=4,TAG_W=6,COUNT_W=3 \
	set_monitor/set_monitor:SETS=8,TAG_W=20,COUNT_W=4
