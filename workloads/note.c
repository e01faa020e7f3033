#include "workloads/note.h"

static const struct source_note all[] = {
#define MENDED(id, note_name, note_help)  {.name = note_name, .help = note_help},
#define SKIPPED(id, note_name, note_help) {.name = note_name, .help = note_help, .skipped = true},
    NOTES(MENDED, SKIPPED)
#undef MENDED
#undef SKIPPED
};

const char *note_name(enum note note)
{
	return all[note].name;
}

int note_find(const char *name)
{
	for (int i = 0; i < NR_NOTES; i++)
		if (!strcmp(all[i].name, name))
			return i;
	return -1;
}

struct source_note *notes_collect(const uint64_t counts[NR_NOTES], unsigned *n)
{
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
