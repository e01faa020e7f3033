/* "Did you mean ...?": the known word nearest to one that is not known. */
#ifndef SLABSIM_SUGGEST_H
#define SLABSIM_SUGGEST_H

#include <stddef.h>

/*
 * Offer the candidates one after the other with suggest_offer(), then read s->best: the nearest
 * of them, or NULL when none is near enough to be a slip of the keyboard. Nearness counts
 * letters inserted, left out, replaced and swapped. Words are borrowed.
 */
struct suggest {
	const char *word;
	const char *best;
	unsigned distance;
};

void suggest_init(struct suggest *s, const char *word);
void suggest_offer(struct suggest *s, const char *candidate);
/* Write "; did you mean \"BEST\"?" to buf, or nothing when there is no best. Returns buf. */
const char *suggest_text(const struct suggest *s, char *buf, size_t size);

#endif
