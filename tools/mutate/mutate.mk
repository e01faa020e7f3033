# The tests that a faulty program has to fail, built for speed; run in a copy of the tree by run.sh:
#
#   make -f tools/mutate/mutate.mk objects     compile, tests aside
#   make -f tools/mutate/mutate.mk kill        run the tests one by one, up to the first that fails
#
# Everything is compiled without -Werror: a fault that only draws a warning has to be found by a test.

CC = gcc
B := build/mutate
PACKAGES = libcjson gsl libzstd zlib liblzma libtracecmd libtracefs libtraceevent cmocka
CFLAGS := -std=c11 -O1 -w -fno-common -I. -D_GNU_SOURCE -include sim/banned.h \
	-DDATADIR='"configs"' -DPLOTDIR='"plots"' $(shell pkg-config --cflags $(PACKAGES))
LIBS := $(shell pkg-config --libs $(PACKAGES)) -ldl -lm -lpthread

# Those that look at what policies and mechanics do; quick ones that find much come first, and what
# is about files, charts, sweeps and messages is left out.
first := oracle cpu_slab_policies sheaves sheaves_6_18 sheaves_batch sheaves_calls sheaves_free geometry \
	mechanics replay machine merge order_pages trace_parity order
last := timed memory timed_queues threads timed_order
others := compare config malformed report_% schema sweep% trace_% policy_registry
all := $(patsubst tests/test_%.c,%,$(wildcard tests/test_*.c))
tests := $(filter-out $(SKIP),$(filter $(all),$(first)) \
	$(filter-out $(first) $(others) $(last),$(all)) $(filter $(all),$(last)))

sources := $(filter-out sim/main.c,$(wildcard sim/*.c sim/*/*.c policies/*.c workloads/*.c))
helpers := $(filter-out tests/test_%.c,$(wildcard tests/*.c))
parts := $(patsubst %.c,$(B)/%.o,$(sources) $(helpers))
objects := $(parts) $(tests:%=$(B)/tests/test_%.o)

.SECONDARY:
.PHONY: objects kill list
objects: $(parts)

list:
	@echo $(tests)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/tests/test_%: $(B)/tests/test_%.o $(parts)
	@$(CC) -s -rdynamic -o $@ $^ $(LIBS)

# A fault may make a test run, or grow, for ever.
kill_%: $(B)/tests/test_%
	@ulimit -v 8000000; ulimit -t 30; timeout 300 $< >$(B)/log 2>&1 || { echo $* >$(B)/killed_by; exit 1; }

kill: $(tests:%=kill_%)

-include $(objects:.o=.d)
