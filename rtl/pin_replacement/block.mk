# Shapes of the block, and the tests of its twin: rtl/rtl.mk says what is done with them.
RTL_SYNTH += \
	pin_replacement/pin_replacement \
	pin_replacement/pin_replacement:SETS=1,WAYS=4 \
	pin_replacement/pin_replacement:SETS=1,WAYS=16
COV_TESTS += tests/661-*.c tests/662-*.c tests/support/pin_rule.c
MUTATION_SHAPES += \
	pin_replacement/pin_replacement:SETS=2,WAYS=2,TIMER=10 \
	pin_replacement/pin_replacement:SETS=2,WAYS=4,TIMER=40 \
	pin_replacement/pin_replacement:SETS=4,WAYS=4,TIMER=60
MUTATION_TWIN_SHAPES += \
	pin_replacement/pin_replacement:SETS=1,WAYS=1,TIMER=1 \
	pin_replacement/pin_replacement:SETS=1,WAYS=3,TIMER=20 \
	pin_replacement/pin_replacement:SETS=4,WAYS=6,TIMER=100
