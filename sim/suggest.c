#include "sim/suggest.h"

/* Longer words are no slip of the keyboard any more. */
#define MAX_WORD 64

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

/* The optimal string alignment distance; the three rows that matter of its table. */
static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned row[3][MAX_WORD + 1];

	for (size_t j = 0; j <= m; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *now = row[i % 3], *above = row[(i + 2) % 3], *above2 = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = min3(now[j - 1] + 1, above[j] + 1,
				      above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    above2[j - 2] + 1 < now[j])
				now[j] = above2[j - 2] + 1;
		}
	}
	return row[n % 3][m];
}

void suggest_init(struct suggest *s, const char *word)
{
	size_t n = strlen(word);

	s->word = word;
	s->best = NULL;
	/* One slip in a short word, more in a longer one. */
	s->distance = (unsigned)(n / 3 < 1 ? 2 : n / 3 + 1);
}

void suggest_offer(struct suggest *s, const char *candidate)
{
	size_t n = strlen(s->word), m = strlen(candidate);
	unsigned d;

	if (n > MAX_WORD || m > MAX_WORD)
		return;
	d = distance(s->word, n, candidate, m);
	/* A word no letter of which is right is not near. */
	if (d < s->distance && d < n) {
		s->distance = d;
		s->best = candidate;
	}
}

const char *suggest_text(const struct suggest *s, char *buf, size_t size)
{
	if (s->best)
		snprintf(buf, size, "; did you mean \"%s\"?", s->best);
	else
		buf[0] = 0;
	return buf;
}
