/*
 * Small faults, one at a time: for a mutation check of the tests.
 *
 *   mutate list FILE       one line for each: NUMBER, LINE, OLD, NEW, the line before, the line
 *                          after; separated by tabs
 *   mutate apply FILE N    FILE with the N-th of them, on standard output
 *
 * What is changed: comparisons, && and ||, arithmetic, shifts, increments, true and false, a ! that
 * is dropped, and whole numbers, which become one more (1 becomes 0). A binary operator has a space
 * on both sides in this tree, so "a * b" and "char *b" are told apart by that. Comments, strings,
 * preprocessor lines and static assertions are left alone.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct swap {
	const char *old, *now;
};

/* Longer ones first, so that <= is not taken for <. */
static const struct swap binary[] = {
    {"<<", ">>"}, {">>", "<<"}, {"<=", "<"},  {">=", ">"},  {"==", "!="}, {"!=", "=="},
    {"&&", "||"}, {"||", "&&"}, {"+=", "-="}, {"-=", "+="}, {"|=", "&="}, {"&=", "|="},
    {"*=", "/="}, {"/=", "*="}, {"<", "<="},  {">", ">="},  {"+", "-"},	  {"-", "+"},
    {"*", "/"},	  {"/", "*"},	{"%", "*"},   {"&", "|"},   {"|", "&"},	  {"^", "&"},
};

static const struct swap words[] = {{"true", "false"}, {"false", "true"}};

struct text {
	const char *s;
	size_t len;
	const char *path;
	long wanted; /* the number of the one to apply, or -1 to list them */
	long found;
};

static void print_line(const struct text *t, size_t at, size_t old_len, const char *now)
{
	size_t start = at, end = at;

	while (start && t->s[start - 1] != '\n')
		start--;
	while (end < t->len && t->s[end] != '\n')
		end++;
	while (start < at && (t->s[start] == '\t' || t->s[start] == ' '))
		start++;
	printf("\t");
	for (size_t i = start; i < end; i++) {
		if (now && i == at) {
			fputs(now, stdout);
			i += old_len;
			if (i >= end)
				break;
		}
		putchar(t->s[i] == '\t' ? ' ' : t->s[i]);
	}
}

/* One fault: old_len bytes at "at" become "now". */
static void fault(struct text *t, size_t at, size_t old_len, const char *now)
{
	size_t line = 1;

	t->found++;
	if (t->wanted == t->found) {
		fwrite(t->s, 1, at, stdout);
		fputs(now, stdout);
		fwrite(t->s + at + old_len, 1, t->len - at - old_len, stdout);
	}
	if (t->wanted >= 0)
		return;
	for (size_t i = 0; i < at; i++)
		line += t->s[i] == '\n';
	printf("%ld\t%zu\t%.*s\t%s", t->found, line, (int)old_len, t->s + at, now);
	print_line(t, at, 0, NULL);
	print_line(t, at, old_len, now);
	putchar('\n');
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t skip_line(const struct text *t, size_t i)
{
	while (i < t->len && t->s[i] != '\n')
		i += t->s[i] == '\\' && i + 1 < t->len ? 2 : 1;
	return i;
}

static size_t skip_quoted(const struct text *t, size_t i)
{
	char quote = t->s[i++];

	while (i < t->len && t->s[i] != quote)
		i += t->s[i] == '\\' ? 2 : 1;
	return i + 1;
}

/* A comment, a string, a preprocessor line or an assertion at i: where it ends; else i. */
static size_t skip(const struct text *t, size_t i)
{
	const char *s = t->s + i, *end;

	if (s[0] == '/' && s[1] == '*') {
		end = strstr(s, "*/");
		return end ? (size_t)(end - t->s) + 2 : t->len;
	}
	if (s[0] == '#' || (s[0] == '/' && s[1] == '/'))
		return skip_line(t, i);
	if (s[0] == '"' || s[0] == '\'')
		return skip_quoted(t, i);
	if (!strncmp(s, "_Static_assert", 14)) {
		end = strchr(s, ';');
		return end ? (size_t)(end - t->s) : t->len;
	}
	return i;
}

static size_t number(struct text *t, size_t i)
{
	size_t len = 0;
	unsigned long value;
	char *end, now[64];

	while (is_word(t->s[i + len]) || t->s[i + len] == '.')
		len++;
	value = strtoul(t->s + i, &end, 0);
	/* Suffixes stay; what is no whole number is left alone. */
	if (strspn(end, "uUlL") == (size_t)(t->s + i + len - end) && len < 20) {
		snprintf(now, sizeof(now), "%lu%.*s", value == 1 ? 0 : value + 1,
			 (int)(t->s + i + len - end), end);
		fault(t, i, len, now);
	}
	return i + len;
}

static size_t word(struct text *t, size_t i)
{
	size_t len = 0;

	while (is_word(t->s[i + len]))
		len++;
	for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++)
		if (strlen(words[w].old) == len && !strncmp(t->s + i, words[w].old, len))
			fault(t, i, len, words[w].now);
	return i + len;
}

static size_t operator(struct text *t, size_t i)
{
	const char *s = t->s + i;

	if (!strncmp(s, "++", 2) || !strncmp(s, "--", 2)) {
		fault(t, i, 2, s[0] == '+' ? "--" : "++");
		return i + 2;
	}
	if (s[0] == '-' && s[1] == '>')
		return i + 2;
	if (s[0] == '!' && s[1] != '=') {
		fault(t, i, 1, "");
		return i + 1;
	}
	for (size_t b = 0; b < sizeof(binary) / sizeof(binary[0]); b++) {
		size_t len = strlen(binary[b].old);

		if (strncmp(s, binary[b].old, len))
			continue;
		if (i && isspace((unsigned char)s[-1]) && isspace((unsigned char)s[len]))
			fault(t, i, len, binary[b].now);
		return i + len;
	}
	return i + 1;
}

static void scan(struct text *t)
{
	for (size_t i = 0; i < t->len;) {
		size_t next = skip(t, i);

		if (next > i)
			i = next;
		else if (isdigit((unsigned char)t->s[i]))
			i = number(t, i);
		else if (is_word(t->s[i]))
			i = word(t, i);
		else
			i = operator(t, i);
	}
}

static char *read_all(const char *path, size_t *len)
{
	FILE *in = fopen(path, "rb");
	size_t room = 1 << 20;
	char *s = malloc(room + 1);

	if (!in || !s) {
		free(s);
		if (in)
			fclose(in);
		return NULL;
	}
	*len = fread(s, 1, room, in);
	s[*len] = 0;
	fclose(in);
	return s;
}

int main(int argc, char **argv)
{
	bool apply = argc == 4 && !strcmp(argv[1], "apply");
	struct text t = {.wanted = -1};
	char *s;

	if (!apply && (argc != 3 || strcmp(argv[1], "list"))) {
		fputs("usage: mutate list FILE | mutate apply FILE N\n", stderr);
		return 2;
	}
	s = read_all(argv[2], &t.len);
	if (!s) {
		perror(argv[2]);
		return 1;
	}
	t.s = s;
	t.path = argv[2];
	if (apply)
		t.wanted = strtol(argv[3], NULL, 10);
	scan(&t);
	free(s);
	return apply && t.found < t.wanted ? 1 : 0;
}
