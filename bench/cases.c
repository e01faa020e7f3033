/* What is measured. */
#include "bench/bench.h"

#include "bench/cases.h"

static const struct set_recipe hackbench = {
    .name = "hackbench",
    .what = "the bundled trace: 8 CPUs, 39 caches; tables stay in the second-level cache",
    .trace = BUNDLED_TRACE,
};
static const struct set_recipe random_64ki = {
    .name = "64Ki",
    .what = "one cache, 64 Ki object ids, half of them live, random order",
    .ids = 1 << 16,
    .live = 1 << 15,
    .events = 4 << 20,
};
static const struct set_recipe runs_64ki = {
    .name = "64Ki-runs",
    .what = "the same, 16 allocations and 16 frees in turn",
    .ids = 1 << 16,
    .live = 1 << 15,
    .run = 16,
    .events = 4 << 20,
};
static const struct set_recipe random_16mi = {
    .name = "16Mi",
    .what = "one cache, 16 Mi live objects, random order: each access goes to memory",
    .ids = 18 << 20,
    .live = 16 << 20,
    .events = 8 << 20,
    .once = true,
};

static const struct set_recipe timed_8 = {
    .name = "timed-8",
    .what = "one cache, 64 Ki object ids, 8 CPUs",
    .ids = 1 << 16,
    .live = 1 << 15,
    .events = 1 << 20,
};
static const struct set_recipe timed_256 = {
    .name = "timed-256",
    .what = "the same, 256 CPUs",
    .ids = 1 << 16,
    .live = 1 << 15,
    .cpus = 256,
    .events = 1 << 20,
};

#define LIMIT(set_, rounds_)                                                                       \
	{                                                                                          \
		.name = "limit/" #set_, .set = &set_, .unit = "events", .rounds = rounds_,         \
		.run = limit_run                                                                   \
	}
#define ORDER(set_, rounds_, limit_, preset_)                                                      \
	{                                                                                          \
		.name = "order/" #set_ "/" preset_, .set = &set_, .limit = "limit/" limit_,        \
		.preset = preset_, .unit = "events", .rounds = rounds_, .run = order_run           \
	}
#define TIMED(set_, preset_)                                                                       \
	{                                                                                          \
		.name = "timed/" #set_ "/" preset_, .set = &set_, .preset = preset_,               \
		.timed = true, .unit = "events", .run = order_run                                  \
	}
#define MODEL(name_, model_, cpus_, preset_)                                                       \
	{                                                                                          \
		.name = "timed/" name_ "_" #cpus_ "/" preset_, .model = model_, .cpus = cpus_,     \
		.preset = preset_, .unit = "events", .run = model_run                              \
	}
/* Twice as many events; a hundred live objects a CPU. */
#define OPEN                                                                                       \
	"{\"open\": {\"operations\": 500000, \"think_ns\": {\"exponential\": 1000}, "              \
	"\"lifetime_ns\": {\"exponential\": 100000}, \"remote\": 0.3}}"
/* An iteration frees what it allocated. */
#define LOOP(us) "{\"loop\": {\"duration_us\": " #us ", \"work_ns\": 500, \"grace_us\": 0}}"
/* Every allocator: slub, slub-delayed, slub-sheaves, sheaves. */
#define ORDERS(set, rounds, limit)                                                                 \
	ORDER(set, rounds, limit, "linux-6.1"), ORDER(set, rounds, limit, "linux-6.12"),           \
	    ORDER(set, rounds, limit, "linux-6.18"), ORDER(set, rounds, limit, "linux-7.0")

const struct bench_case bench_cases[] = {
    {.name = "import/hackbench", .unit = "lines", .run = import_run},
    {.name = "deliver/hackbench", .unit = "events", .rounds = 10, .run = deliver_run},
    {.name = "convert/hackbench", .unit = "events", .run = convert_run},
    LIMIT(hackbench, 5),
    {.name = "read/hackbench",
     .limit = "limit/hackbench",
     .unit = "events",
     .rounds = 10,
     .run = read_run},
    {.name = "read/hackbench/no-times",
     .limit = "limit/hackbench",
     .unit = "events",
     .rounds = 10,
     .run = read_bare_run},
    {.name = "read/hackbench/in-order",
     .limit = "limit/hackbench",
     .unit = "events",
     .rounds = 10,
     .run = read_in_order_run},
    ORDERS(hackbench, 5, "hackbench"),
    {.name = "order/hackbench/linux-6.1/2-threads",
     .set = &hackbench,
     .limit = "limit/hackbench",
     .preset = "linux-6.1",
     .unit = "events",
     .rounds = 20,
     .threads = 2,
     .run = order_run},
    LIMIT(random_64ki, 1),
    ORDERS(random_64ki, 1, "random_64ki"),
    LIMIT(runs_64ki, 1),
    ORDERS(runs_64ki, 1, "runs_64ki"),
    LIMIT(random_16mi, 1),
    {.name = "limit/random_16mi/prefetch",
     .set = &random_16mi,
     .unit = "events",
     .rounds = 1,
     .prefetch = 24,
     .run = limit_run},
    ORDERS(random_16mi, 1, "random_16mi/prefetch"),
    TIMED(timed_8, "linux-6.1"),
    TIMED(timed_8, "linux-7.0"),
    TIMED(timed_256, "linux-6.1"),
    TIMED(timed_256, "linux-7.0"),
    MODEL("loop", LOOP(40000), 8, "linux-6.1"),
    MODEL("loop", LOOP(1250), 256, "linux-6.1"),
    MODEL("open", OPEN, 8, "linux-6.1"),
    MODEL("open", OPEN, 256, "linux-6.1"),
};
const unsigned nr_bench_cases = sizeof(bench_cases) / sizeof(bench_cases[0]);
