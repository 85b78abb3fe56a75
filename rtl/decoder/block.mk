# Shapes of the block, and the tests of its twin: rtl/rtl.mk says what is done with them.
RTL_SYNTH += \
	decoder/div_const:W=38 \
	decoder/addr_decoder:ADDR_W=48 \
	decoder/addr_decoder:ADDR_W=48,HASH_CHANNEL=1,HASH_BANK=1 \
	decoder/addr_decoder:ADDR_W=48,STACKS=1,CHANNELS=6 \
	decoder/addr_decoder:ADDR_W=48,CHANNELS=6 \
	decoder/addr_decoder:ADDR_W=48,STACKS=1,CHANNELS=40,HASH_CHANNEL=1 \
	decoder/addr_decoder_pipe:ADDR_W=48 \
	decoder/addr_decoder_pipe:ADDR_W=48,PORTS=4
COV_TESTS += tests/611-*.c tests/612-*.c
MUTATION_SHAPES += \
	decoder/addr_decoder \
	decoder/addr_decoder:ADDR_W=48,STACKS=1,CHANNELS=40,HASH_CHANNEL=1 \
	decoder/addr_decoder:STACKS=1,CHANNELS=6 \
	decoder/addr_decoder:STACKS=2,CHANNELS=16,HASH_CHANNEL=1,HASH_BANK=1,ADDR_W=48 \
	decoder/addr_decoder_pipe \
	decoder/addr_decoder_pipe:PORTS=1,STACKS=1,CHANNELS=6,ADDR_W=40 \
	decoder/addr_decoder_pipe:PORTS=3,STACKS=2,CHANNELS=16,HASH_CHANNEL=1,HASH_BANK=1,ADDR_W=40
MUTATION_TWIN_SHAPES += \
	decoder/addr_decoder:ADDR_W=24,CHANNELS=6,INTERLEAVE=32,BANKS=4,BURST_W=4,MAP_W=10,BANK_MASK=768 \
	decoder/addr_decoder:STACKS=32,FGP_LSB=7,CHANNELS=3,PORTS=4,BANK_MASK=43520 \
	decoder/addr_decoder:STACKS=1,CHANNELS=1,HASH_CHANNEL=1,HASH_BANK=1,ADDR_W=64 \
	decoder/addr_decoder:HASH_CHANNEL=1,HASH_BANK=1 \
	decoder/addr_decoder:ADDR_W=40,STACKS=2,CHANNELS=28,HASH_CHANNEL=1 \
	decoder/addr_decoder_pipe:PORTS=2,STACKS=1,CHANNELS=20,ADDR_W=40 \
	decoder/addr_decoder_pipe:PORTS=1,STACKS=2,CHANNELS=28,ADDR_W=40
