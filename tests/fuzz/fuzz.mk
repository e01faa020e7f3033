# libFuzzer targets, one for each kind of file that is read.
#
#   make fuzz       each of them for FUZZ_SECONDS (600); FUZZ="csv ftrace" runs some
#
# tests/fuzz/corpus/TARGET has what they begin with. What they find beyond it is kept in
# build/fuzz/corpus, so that the next run goes on from there; a file that breaks something is left in
# build/fuzz/found.

FUZZ_SECONDS ?= 600
FUZZ = $(patsubst tests/fuzz/fuzz-%.c,%,$(wildcard tests/fuzz/fuzz-*.c))

fuzz_flags = -std=c11 -O1 -g -Wall -Wextra -Wshadow -Werror -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=all $(shell pkg-config --cflags $(PACKAGES))
# What reads and writes traces, without models, live recordings and the configuration.
fuzz_parts = bytes class cut csv-% decode_% deliver deliver-% gfp id-pool import input intern kinds \
	kmalloc kmem-% jitter line-text naming naming-% note objects ordered profile reader reader-% recent renumber reorder \
	resolve resolve-% slabtrace-% spool stream task-line temp-file tep-kmem trace-dat trace-dat-%
fuzz_sources = $(filter $(fuzz_parts:%=workloads/%.c),$(sources)) \
	sim/error.c sim/file.c sim/timing.c sim/cost.c sim/escape.c sim/geometry.c sim/order.c
fuzz_objects = $(fuzz_sources:%.c=build/fuzz/%.o) build/fuzz/tests/fuzz/fuzz.o

build/fuzz/%.o: %.c
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)clang $(CPPFLAGS) $(fuzz_flags) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

build/fuzz/fuzz-%: build/fuzz/tests/fuzz/fuzz-%.o $(fuzz_objects)
	$(say) LD $@
	$(Q)clang -fsanitize=fuzzer,address,undefined -rdynamic -o $@ $^ $(LIBS)

.PHONY: fuzz fuzz-targets
fuzz-targets: $(FUZZ:%=build/fuzz/fuzz-%)

fuzz:
	@tools/setup.sh build clang
	@$(MAKE) --no-print-directory $(parallel) fuzz-targets
	@tests/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ)

.SECONDARY: $(fuzz_objects) $(FUZZ:%=build/fuzz/tests/fuzz/fuzz-%.o)
-include $(wildcard build/fuzz/*/*.d build/fuzz/tests/fuzz/*.d)
