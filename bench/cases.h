#ifndef SLABSIM_BENCH_CASES_H
#define SLABSIM_BENCH_CASES_H

/* Seen from the root of the tree, where make runs. */
#define BUNDLED_TRACE "workloads/traces/hackbench-6.1-8cpu.txt.zst"

#endif
