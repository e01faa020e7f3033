#include "tests/fuzz/fuzz.h"

FUZZ_READER("ftrace")
