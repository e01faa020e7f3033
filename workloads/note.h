/*
 * Everything that can befall a trace on its way in, and how often it did. The notes of kind
 * SKIPPED account for every line that gave no event; the others tell of events that were
 * mended, or how their cache was found. lines = events - implicit_free - adopted + all SKIPPED.
 */
#ifndef SLABSIM_NOTE_H
#define SLABSIM_NOTE_H

#include "sim/source.h"

#define NOTES(MENDED, SKIPPED)                                                                     \
	MENDED(IMPLICIT_FREE, "implicit_free",                                                     \
	       "frees put in before an allocation of an address that was still allocated: the "    \
	       "kernel writes no event for bulk and RCU frees")                                    \
	MENDED(ADOPTED, "adopted",                                                                 \
	       "frees of objects from before the trace, which are put into the initial state")     \
	SKIPPED(FREE_OF_UNKNOWN_OBJECT, "free_of_unknown_object",                                  \
		"frees of objects that were allocated before the trace began or by a bulk call")   \
	SKIPPED(FREE_OF_EARLIER_OBJECT, "free_of_earlier_object",                                  \
		"frees of objects from before the trace; with an initial state (replay.initial) "  \
		"they are replayed")                                                               \
	SKIPPED(                                                                                   \
	    FREE_INTO_OTHER_CACHE, "free_into_other_cache",                                        \
	    "frees that name another cache than the object's: it had been freed and allocated "    \
	    "again without an event, so an implicit free stands for it")                           \
	SKIPPED(FREE_OF_NULL, "free_of_null", "kfree(NULL), which does nothing")                   \
	SKIPPED(FREE_OF_ZERO_SIZE, "free_of_zero_size",                                            \
		"kfree of what kmalloc(0) returned, which does nothing")                           \
	SKIPPED(FAILED_ALLOCATION, "failed_allocation", "allocations that returned no object")     \
	SKIPPED(LARGE_KMALLOC, "large_kmalloc",                                                    \
		"allocations and frees beyond two pages: they bypass the slab caches")             \
	MENDED(NAMED_BY_CONFIG, "named_by_config",                                                 \
	       "allocations whose cache the configuration chose by call site")                     \
	MENDED(NAMED_BY_TRACE, "named_by_trace", "allocations whose event names the cache")        \
	MENDED(NAMED_BY_SIZE, "named_by_size",                                                     \
	       "kmalloc calls, whose cache follows from size and flags")                           \
	MENDED(NAMED_BY_FREE, "named_by_free", "allocations whose cache the object's free names")  \
	MENDED(NAMED_BY_CALL_SITE, "named_by_call_site",                                           \
	       "allocations put into the cache that the same call site and size mostly used")      \
	MENDED(NAMED_BY_FUNCTION, "named_by_function",                                             \
	       "allocations put into the cache that the same function and size mostly used")       \
	MENDED(NAMELESS, "nameless",                                                               \
	       "allocations whose cache nothing names: one cache per size and function stands "    \
	       "for it")                                                                           \
	MENDED(SIZE_DISAGREES, "size_disagrees",                                                   \
	       "allocations of another size than most of their cache")                             \
	MENDED(LOST_EVENTS, "lost_events", "events the trace itself says were lost")               \
	SKIPPED(DAMAGED, "damaged_events",                                                         \
		"events of a .slabtrace file from its first damaged block on")                     \
	MENDED(OVERWRITTEN, "overwritten_events",                                                  \
	       "events older than the trace, which the recording buffer had no room to keep")      \
	SKIPPED(COMMENT, "comment_lines", "comment and header lines")                              \
	SKIPPED(BLANK, "blank_lines", "blank lines")                                               \
	SKIPPED(LOST_MARKER, "lost_event_lines", "lines that tell of lost events")                 \
	SKIPPED(OTHER_EVENT, "other_events", "events that are no slab allocation or free")         \
	SKIPPED(STACK_TRACE, "stack_trace_lines", "lines of stack traces")                         \
	SKIPPED(CUT_LINE, "cut_line", "a last line that was cut off in the middle")                \
	SKIPPED(MALFORMED, "malformed_lines",                                                      \
		"allocation and free events whose fields are missing or make no sense")            \
	SKIPPED(OTHER_LINE, "other_lines", "lines that are no event")

enum note {
#define NOTE_ENUM(id, name, help) NOTE_##id,
	NOTES(NOTE_ENUM, NOTE_ENUM)
#undef NOTE_ENUM
	    NR_NOTES
};

/* Its name; and the note of that name, or -1. */
const char *note_name(enum note note);
int note_find(const char *name);

/*
 * Make the notes that count something into an array for source_info; NULL when out of memory.
 * *n is its length.
 */
struct source_note *notes_collect(const uint64_t counts[NR_NOTES], unsigned *n);

#endif
