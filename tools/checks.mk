# What developers run beside "make check"; each has a build of its own under build/.
#
#   make lint       clang-tidy, clang-format and shellcheck find nothing
#   make asan       every test under the address and undefined-behaviour sanitizers
#   make tsan       ... under the thread sanitizer
#   make valgrind   ... every test program under valgrind
#   make check-builds  results are exact with gcc and clang, -O0 and -O3, one thread and several
#   make coverage   which lines of sim/, policies/ and workloads/ the tests run
#   make malformed  1,000 damaged files of every kind, given to the commands
#   make mutate     which small faults the tests notice; MUTATE="-n 150 -j 2" draws some
#   make deb        a Debian package, in build/deb

.PHONY: lint lint-format lint-tidy lint-shell asan tsan valgrind coverage malformed mutate deb check-builds

c_files = $(wildcard sim/*.[ch] sim/*/*.[ch] policies/*.[ch] workloads/*.[ch] tests/*.[ch] bench/*.[ch] \
	examples/plugin/*.c tools/mutate/*.c)

lint: lint-format lint-tidy lint-shell

lint-format:
	@tools/setup.sh lint
	$(say) FORMAT
	$(Q)clang-format --dry-run -Werror $(c_files)

# One .ok for each file, so that only what changed is looked at again.
tidied := $(patsubst %.c,build/tidy/%.ok,$(sources))
lint-tidy:
	@tools/setup.sh lint
	@$(MAKE) --no-print-directory $(tidied)
$(tidied): build/tidy/%.ok: %.c .clang-tidy tools/tidy.h $(wildcard sim/*.h sim/*/*.h policies/*.h workloads/*.h)
	@mkdir -p $(@D)
	$(say) TIDY $<
	$(Q)clang-tidy --quiet $< -- -std=c11 $(CPPFLAGS) -include tools/tidy.h -DDATADIR='""' -DPLOTDIR='""' \
	  $(shell pkg-config --cflags $(PACKAGES)) 2>build/tidy/log || { cat build/tidy/log; exit 1; }
	@touch $@

lint-shell:
	@tools/setup.sh lint
	shellcheck .ci/run tests/*.sh tools/*.sh tools/*/*.sh man/make-page completion/slabsim.bash

asan tsan: setup
	@tools/setup.sh build clang
	@$(MAKE) --no-print-directory CC=clang O=-O1 \
	  SANITIZE=$(if $(filter asan,$@),address$(comma)undefined,thread) checked

# What run-tests needs, then the tests.
.PHONY: checked
checked: $(B)/slabsim tests
	@$(MAKE) --no-print-directory B=$(B) run-tests

valgrind: setup
	@tools/setup.sh valgrind
	@$(MAKE) --no-print-directory O=-O1 valgrind-tests

# TESTS="test_order ..." runs some of them.
.PHONY: valgrind-tests
valgrind-tests: $(B)/slabsim tests
	@SLABSIM=$(B)/slabsim TEST_WRAPPER="tools/valgrind.sh" \
	  tests/run.sh $(if $(TESTS),$(TESTS:%=$(B)/tests/%),$(tests))
	@echo "SKIPPED: $(words $(scripts)) scripts, which run the program thousands of times; make asan runs them"

check-builds: setup
	@tools/setup.sh build clang
	@SLABSIM_ORACLE=$(wildcard $(shared)/oracle) tools/check-builds.sh $(JOBS)

coverage_build = O="-O1 --coverage -include tools/coverage.h" LDFLAGS=--coverage B=build/coverage
coverage: setup
	@$(MAKE) --no-print-directory $(coverage_build) build/coverage/slabsim tests
	@find build/coverage -name '*.gcda' -delete
	@$(MAKE) --no-print-directory $(coverage_build) run-tests
	@tools/coverage.sh build/coverage

malformed: setup
	@$(MAKE) --no-print-directory $(B)/tests/test_malformed
	@SLABSIM_MALFORMED=1000 $(B)/tests/test_malformed

mutate: setup
	@tools/mutate/run.sh $(MUTATE)

deb:
	@tools/setup.sh build test chart deb
	@tools/deb.sh build/deb
