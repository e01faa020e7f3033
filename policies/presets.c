/*
 * What each kernel version answers on every axis (facts 1-6). linux-7.0 has no per-CPU partial
 * lists, so it does not ask about them; those columns repeat linux-6.18's.
 */
#include "sim/policy.h"

/* clang-format off */
/* No version differs in what becomes of a full list's next slab, nor in min_partial. */
#define LINUX(id, version, text, allocator, order, accounting, cpu_partial, refill, empty, count)  \
	static const struct preset_setting settings_##id[] = {                                     \
		{AXIS_ALLOCATOR, allocator},                                                       \
		{AXIS_ORDER, order},                                                               \
		{AXIS_PARTIAL_ACCOUNTING, accounting},                                             \
		{AXIS_CPU_PARTIAL, cpu_partial},                                                   \
		{AXIS_CPU_PARTIAL_FULL, "drain"},                                                  \
		{AXIS_REFILL, refill},                                                             \
		{AXIS_MIN_PARTIAL, "default"},                                                     \
		{AXIS_EMPTY_SLAB, empty},                                                          \
		{AXIS_COUNT_PARTIAL, count},                                                       \
	};                                                                                         \
	static const struct preset linux_##id = {                                                  \
		.name = "linux-" version,                                                          \
		.summary = text,                                                                   \
		.settings = settings_##id,                                                         \
		.nr_settings = sizeof(settings_##id) / sizeof(settings_##id[0]),                   \
	};                                                                                         \
	PRESET(linux_##id)

LINUX(3_2, "3.2", "3.2 to 3.6 (2012): per-CPU partial lists are new",
      "slub", "legacy", "objects", "default-old", "3.2", "since-3.2", "walk");

LINUX(3_7, "3.7", "3.7 to 3.15 (2012-2014): a refill counts the objects it takes",
      "slub", "legacy", "objects", "default-old", "3.7", "since-3.2", "walk");

LINUX(5_15, "5.15", "3.16 to 5.15 (2014-2021): an empty slab is given back at min_partial already",
      "slub", "legacy", "objects", "default-old", "3.7", "since-3.16", "walk");

LINUX(5_16, "5.16", "5.16 (2022): per-CPU partial lists are limited in slabs, defaults four times larger",
      "slub", "legacy", "pages", "default", "5.16", "since-3.16", "walk");

LINUX(6_1, "6.1", "5.17 to 6.6 (2022-2023): as linux-5.16",
      "slub", "legacy", "pages", "default", "5.16", "since-3.16", "walk");

LINUX(6_7, "6.7", "6.7 (2024): calculate_order() cleaned up",
      "slub", "mainline", "pages", "default", "5.16", "since-3.16", "walk");

LINUX(6_8, "6.8", "6.8 and 6.9 (2024): slabs on per-CPU partial lists are no longer frozen",
      "slub-delayed", "mainline", "pages", "default", "5.16", "since-3.16", "walk");

LINUX(6_12, "6.12", "6.10 to 6.17 (2024-2025): refill tries the node first, slabinfo's count is approximate",
      "slub-delayed", "mainline", "pages", "default", "6.10", "since-3.16", "approximate");

LINUX(6_18, "6.18", "6.18 and 6.19 (2025-2026): caches may ask for sheaves above their cpu slabs",
      "slub-sheaves", "mainline", "pages", "default", "6.10", "since-3.16", "approximate");

LINUX(7_0, "7.0", "7.0 (2026): sheaves in every cache, no cpu slabs and no per-CPU partial lists",
      "sheaves", "mainline", "pages", "default", "6.10", "since-3.16", "approximate");
