#include "workloads/note.h"

struct source_note *notes_collect(const uint64_t counts[NR_NOTES], unsigned *n)
{
	static const struct source_note all[] = {
#define MENDED(id, note_name, note_help)  {.name = note_name, .help = note_help},
#define SKIPPED(id, note_name, note_help) {.name = note_name, .help = note_help, .skipped = true},
	    NOTES(MENDED, SKIPPED)
#undef MENDED
#undef SKIPPED
	};
	struct source_note *notes = calloc(NR_NOTES, sizeof(*notes));

	*n = 0;
	if (!notes)
		return NULL;
	for (int i = 0; i < NR_NOTES; i++) {
		if (!counts[i])
			continue;
		notes[*n] = all[i];
		notes[(*n)++].count = counts[i];
	}
	return notes;
}
