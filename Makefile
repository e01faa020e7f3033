# slabsim: what would this slab allocator policy do to this workload on this machine?
#
#   make          build ./slabsim                make demo     set up, replay a real trace, draw charts
#   make check    set up, run every test         make bench    how fast it is
#   make install  DESTDIR= PREFIX=/usr/local     make deb      a Debian package
#   make gallery  the pictures of docs/gallery.md again, in a few minutes
#
#   make lint, asan, tsan, valgrind, coverage, mutate: see tools/checks.mk
#
#   CC=clang, O=-O0, SANITIZE=address,undefined make a build of their own under build/.

PREFIX ?= /usr/local
CC = gcc
O = -O2
SANITIZE =
PACKAGES = libcjson gsl libzstd zlib liblzma libtracecmd libtracefs libtraceevent

# For a make below this one: a job on each CPU, or else as many as "make -j N" allows both.
JOBS := $(shell nproc)
parallel = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

# V=1 shows the commands.
V ?= 0
Q := $(if $(filter 0,$(V)),@)
say := @$(if $(filter 0,$(V)),echo ' ',:)

comma := ,
config := $(notdir $(firstword $(CC)))$(O)$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))
B := build/$(config)

CPPFLAGS += -I. -D_GNU_SOURCE -include sim/banned.h
# Neighbouring counters added to as one vector wait for what was stored to each: no such vectors.
CFLAGS += -std=c11 $(O) -g -Wall -Wextra -Wshadow -Werror -fno-common -fno-tree-slp-vectorize
ifneq ($(SANITIZE),)
CFLAGS += -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
LDFLAGS += -fsanitize=$(SANITIZE)
CPPFLAGS += -DSANITIZED
endif
# Asked only when something is built, so that "make check" can install the packages first.
LIBS = $(shell pkg-config --libs $(PACKAGES)) -ldl -lm -lpthread
CFLAGS += $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)

sources := $(wildcard sim/*.c sim/*/*.c policies/*.c workloads/*.c)
objects := $(sources:%.c=$(B)/%.o)
# Everything but the program's own main(), for tests to link with.
parts := $(filter-out $(B)/sim/main.o,$(objects))
# What several tests share.
helpers := $(patsubst %.c,$(B)/%.o,$(filter-out tests/test_%.c,$(wildcard tests/*.c)))
tests := $(patsubst %.c,$(B)/%,$(wildcard tests/test_*.c))

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all setup demo gallery check bench bench-scale install uninstall clean tests

all: slabsim

# Another build's may be there, and newer.
slabsim: $(B)/slabsim FORCE
	@cmp -s $< $@ || { cp -f $< $@.tmp && mv -f $@.tmp $@; }

$(B)/slabsim: $(objects) $(B)/objects
	$(say) LD $@
	$(Q)$(CC) $(LDFLAGS) -rdynamic -o $@ $(objects) $(LIBS)

# Changes when a file comes or goes: what was deleted is not to stay in the program.
$(B)/objects: FORCE
	@mkdir -p $(@D)
	@echo $(objects:$(B)/%=%) | cmp -s - $@ || echo $(objects:$(B)/%=%) >$@
.PHONY: FORCE

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/tests/test_%: $(B)/tests/test_%.o $(helpers) $(parts)
	$(say) LD $@
	$(Q)$(CC) $(LDFLAGS) -rdynamic -o $@ $^ $(LIBS) -lcmocka

# The benchmarks are built with the tests, so that a change that breaks them is seen.
tests: $(tests) $(B)/bench/bench

# How fast it is. BENCH=--instructions counts them with callgrind as well, BENCH="--compare OLD.json"
# shows two builds; bench --help tells more. bench-scale: against events, CPUs and objects.
bench_objects := $(patsubst %.c,$(B)/%.o,$(wildcard bench/*.c))
$(B)/bench/report.o: CPPFLAGS += -DBENCH_BUILD='"$(CC) $(O)"'

$(B)/bench/bench: $(bench_objects) $(parts)
	$(say) LD $@
	$(Q)$(CC) $(LDFLAGS) -rdynamic -o $@ $^ $(LIBS)

bench bench-scale: $(B)/bench/bench
	@$< $(if $(filter bench-scale,$@),--scale) $(BENCH)

setup:
	@CC="$(CC)" tools/setup.sh build test chart

# A second make, so that what setup installed is seen.
check: setup
	@$(MAKE) --no-print-directory $(parallel) slabsim tests
	@$(MAKE) --no-print-directory run-tests

scripts := $(wildcard tests/*_test.sh)
shared := $(abspath ../shared)
.PHONY: run-tests
run-tests:
	@SLABSIM=$(B)/slabsim \
	SLABSIM_ORACLE=$(wildcard $(shared)/oracle) SLABSIM_TRACES=$(wildcard $(shared)/traces) \
	tests/run.sh $(tests) $(scripts)

# How close recorded traces come to their kernels' own counters, worst counter per cache.
.PHONY: parity
parity: $(B)/tests/test_trace_parity
	@out=$$(SLABSIM_TRACES=$(wildcard $(shared)/traces) $< 2>&1); status=$$?; \
	echo "$$out" | grep '^parity:' | sort -u; exit $$status

demo: setup
	@$(MAKE) --no-print-directory $(parallel) slabsim
	@tools/demo.sh

gallery: setup
	@$(MAKE) --no-print-directory $(parallel) slabsim
	@tools/gallery.sh

# ---- installation ----

DATADIR = $(PREFIX)/share/slabsim
PKGCONFIGDIR = $(PREFIX)/lib/pkgconfig
# What a policy of one's own includes, with all that these include.
headers = policy.h error.h event.h stat.h cache.h machine.h order.h geometry.h generation.h layer.h \
	replay.h initial.h arena.h node_list.h timing.h cost.h cpu_partial.h cpu_slab.h cpu_slab_check.h node_slab.h sheaf.h \
	sheaf_check.h
# FOLDER:FILES, under $(DATADIR).
data = plots:plots/*.gp plots:plots/report.css plots:plots/report.js configs:configs/*.json configs:configs/*.txt \
	configs/published:configs/published/*.json machines:configs/machines/*.json \
	workloads/traces:workloads/traces/* examples/plugin:examples/plugin/*.c \
	examples/plugin:examples/plugin/*.json examples/plugin:examples/plugin/Makefile

# What knows where data is installed is made again when PREFIX changes.
located := $(patsubst %,$(B)/%.o,sim/config/config_machine_file sim/chart/plot tests/test_config)
$(located): $(B)/datadir
$(located): CPPFLAGS += -DDATADIR='"$(DATADIR)"' -DPLOTDIR='"$(DATADIR)/plots"'
$(B)/datadir: FORCE
	@mkdir -p $(@D)
	@echo '$(DATADIR)' | cmp -s - $@ || echo '$(DATADIR)' >$@

# Manual pages tell what the program tells of itself.
pages = slabsim.1 slabsim-config.5 slabsim-trace.5
MANDIR = $(PREFIX)/share/man
COMPLETIONDIR = $(PREFIX)/share/bash-completion/completions
.PHONY: man
man: $(pages:%=$(B)/man/%)
$(B)/man/%: man/%.in man/make-page workloads/note.h $(B)/slabsim $(B)/datadir
	@mkdir -p $(@D)
	$(say) MAN $@
	$(Q)man/make-page $(B)/slabsim $(DATADIR) $< >$@

install: $(B)/slabsim man
	install -D -m 755 $(B)/slabsim $(DESTDIR)$(PREFIX)/bin/slabsim
	install -d $(DESTDIR)$(PREFIX)/include/slabsim/sim $(DESTDIR)$(PKGCONFIGDIR)
	install -m 644 $(headers:%=sim/%) $(DESTDIR)$(PREFIX)/include/slabsim/sim
	@for d in $(data); do \
	  mkdir -p $(DESTDIR)$(DATADIR)/$${d%%:*} && \
	  install -m 644 $${d#*:} $(DESTDIR)$(DATADIR)/$${d%%:*} || exit 1; done
	@# Machines are found beside the installed configs even where $(PREFIX) is not in force yet.
	ln -sfn ../machines $(DESTDIR)$(DATADIR)/configs/machines
	sed -e 's|@PREFIX@|$(PREFIX)|' \
	  -e "s|@VERSION@|$$(sed -n 's/.*VERSION "\(.*\)"/\1/p' sim/version.h)|" \
	  tools/slabsim.pc.in >$(DESTDIR)$(PKGCONFIGDIR)/slabsim.pc
	@for p in $(pages); do \
	  install -D -m 644 $(B)/man/$$p $(DESTDIR)$(MANDIR)/man$${p##*.}/$$p || exit 1; done
	install -D -m 644 completion/slabsim.bash $(DESTDIR)$(COMPLETIONDIR)/slabsim

uninstall:
	rm -f $(foreach p,$(pages),$(DESTDIR)$(MANDIR)/man$(patsubst .%,%,$(suffix $(p)))/$(p))
	rm -f $(DESTDIR)$(COMPLETIONDIR)/slabsim
	rm -f $(DESTDIR)$(PREFIX)/bin/slabsim $(DESTDIR)$(PKGCONFIGDIR)/slabsim.pc
	rm -rf $(DESTDIR)$(PREFIX)/include/slabsim $(DESTDIR)$(DATADIR)

include tools/checks.mk
include tests/fuzz/fuzz.mk

clean:
	rm -rf build slabsim

.SECONDARY: $(tests:=.o) $(helpers)
-include $(objects:.o=.d) $(helpers:.o=.d) $(bench_objects:.o=.d) $(tests:=.d)
-include tests/slurm/slurm.mk
