# Perfetto's messages in C, made by protoc-c from the committed part of its schema. Nobody judges the warnings of
# generated code.
PERFETTO_PB := $(O)/gen/perfetto/perfetto_trace.pb-c

$(PERFETTO_PB).c $(PERFETTO_PB).h &: harness/perfetto/perfetto_trace.proto | $(SETUP)
	@mkdir -p $(@D)
	$(call say,PROTO,$<)
	$(Q)protoc-c --proto_path=harness/perfetto --c_out=$(O)/gen/perfetto $(<F)
$(PERFETTO_PB).o: $(PERFETTO_PB).c $(PERFETTO_PB).h $(O)/gen/flags
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -w -c $< -o $@
$(O)/harness/perfetto/packets.o: $(PERFETTO_PB).h
HARNESS_OBJ += $(PERFETTO_PB).o
