/* Readers of /proc/slabinfo and of /sys/kernel/slab: what they take, and what they refuse. */
#include "sim/slabinfo_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define VERSION "slabinfo - version: 2.1\n"
#define HEADER                                                                                     \
	VERSION "# name            <active_objs> <num_objs> <objsize> <objperslab> "               \
		"<pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata "        \
		"<active_slabs> <num_slabs> <sharedavail>\n"
#define TAIL " : tunables 0 0 0 : slabdata 6 6 0\n"

static int parse(struct slabinfo *info, const char *text, size_t len, struct error *err)
{
	char *copy = malloc(len + 1);
	int rc;

	assert_non_null(copy);
	memcpy(copy, text, len);
	copy[len] = '\0';
	rc = slabinfo_parse(info, copy, len, "F", err);
	free(copy);
	return rc;
}

static void reads_slabinfo(void **state)
{
	static const char text[] = HEADER
	    "dentry             10752  10773    192   21    1 : tunables    0    0    0 : slabdata "
	    "   513    513      0\n"
	    "a-name-longer-than-its-column      9      9   2368   13    8" TAIL
	    "raced                  7      5    512    8    1" TAIL;
	struct error err = {0};
	struct slabinfo info;

	(void)state;
	if (parse(&info, text, sizeof(text) - 1, &err))
		fail_msg("%s", err.text);
	assert_int_equal(info.n, 3);
	assert_string_equal(info.caches[0].name, "dentry");
	assert_int_equal(info.caches[0].active_objs, 10752);
	assert_int_equal(info.caches[0].num_objs, 10773);
	assert_int_equal(info.caches[0].size, 192);
	assert_int_equal(info.caches[0].object_size, 0);
	assert_int_equal(info.caches[0].objects_per_slab, 21);
	assert_int_equal(info.caches[0].order, 0);
	assert_int_equal(info.caches[0].num_slabs, 513);
	assert_string_equal(info.caches[1].name, "a-name-longer-than-its-column");
	assert_int_equal(info.caches[1].order, 3);
	/* The kernel does not count both at one instant. */
	assert_int_equal(info.caches[2].active_objs, 5);
	assert_int_equal(info.page_size, 4096);
	slabinfo_free(&info);
}

static void infers_the_page_size(void **state)
{
	static const char pages_64k[] = VERSION "a 0 0 192 341 1" TAIL "b 0 0 2048 64 2" TAIL,
			  either[] = VERSION "a 0 0 192 21 1" TAIL "b 0 0 192 341 1" TAIL,
			  no_newline[] = VERSION "a 0 0 192 341 1 : slabdata 0 0 0",
			  dos[] = "slabinfo - version: 2.1\r\na 0 0 192 85 1 : slabdata 0 0 0\r\n";
	static const struct {
		const char *text;
		size_t len;
		unsigned page_size;
	} expect[] = {
	    {pages_64k, sizeof(pages_64k) - 1, 65536},
	    {either, sizeof(either) - 1, 0},
	    {no_newline, sizeof(no_newline) - 1, 65536},
	    {dos, sizeof(dos) - 1, 16384},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(expect) / sizeof(expect[0]); i++) {
		struct error err = {0};
		struct slabinfo info;

		if (parse(&info, expect[i].text, expect[i].len, &err))
			fail_msg("%s", err.text);
		assert_int_equal(info.page_size, expect[i].page_size);
		slabinfo_free(&info);
	}
}

/* Every refusal names the place and is the user's to mend. */
static void refuses_bad_slabinfo(void **state)
{
	static const struct {
		const char *text, *where;
	} bad[] = {
	    {"", "F:1:"},
	    {"name,size\n", "F:1:"},
	    {VERSION, "F: no cache"},
	    {VERSION "a\n", "F:2:"},
	    {VERSION " a 0 0 192 21 1" TAIL, "F:2:"},
	    {VERSION "a 0 0 0 21 1" TAIL, "F:2:"},
	    {VERSION "a 0 0 192 0 1" TAIL, "F:2:"},
	    {VERSION "a 0 0 192 21 0" TAIL, "F:2:"},
	    {VERSION "a 0 0 192 21 3" TAIL, "F:2:"},
	    {VERSION "a 0 0 192 21 2048" TAIL, "F:2:"},
	    {VERSION "a -1 0 192 21 1" TAIL, "F:2:"},
	    {VERSION "a 0x10 0 192 21 1" TAIL, "F:2:"},
	    {VERSION "a 1.5 0 192 21 1" TAIL, "F:2:"},
	    {VERSION "a 99999999999999999999 0 192 21 1" TAIL, "F:2:"},
	    {VERSION "a 0 18446744073709551615 192 21 1" TAIL, "F:2:"},
	    {VERSION "a 0 0 4294967296 21 1" TAIL, "F:2:"},
	    {VERSION "a 0 0 4294967295 21 1" TAIL, "F:2:"},
	    {VERSION "a 0 0 192 99999 1" TAIL, "F:2:"},
	    {VERSION "a 0 0 192 21 1\n", "F:2:"},
	    {VERSION "a 0 0 192 21 1 : tunables 0 0 0 : slabdata 6\n", "F:2:"},
	    {VERSION "a 0 0 192 21 1 : slabdata 0 18446744073709551615 0\n", "F:2:"},
	    {VERSION "a 0 0 192 21 1" TAIL "b 0 0 192 21\n", "F:3:"},
	};
	static const char zero[] = VERSION "a 0 0\0 192 21 1" TAIL;
	struct error err = {0};
	struct slabinfo info;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err = (struct error){0};
		if (!parse(&info, bad[i].text, strlen(bad[i].text), &err))
			fail_msg("taken: %s", bad[i].text);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_memory_equal(err.text, bad[i].where, strlen(bad[i].where));
		assert_int_equal(info.n, 0);
	}
	err = (struct error){0};
	assert_int_equal(parse(&info, zero, sizeof(zero) - 1, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
}

/* Cut a good file anywhere: it is read or refused, and nothing else happens. */
static void survives_truncation(void **state)
{
	static const char text[] = HEADER "dentry 10752 10773 192 21 1" TAIL "b 0 0 2368 13 8" TAIL;

	(void)state;
	for (size_t len = 0; len < sizeof(text); len++) {
		struct error err = {0};
		struct slabinfo info;

		if (!parse(&info, text, len, &err))
			slabinfo_free(&info);
		else
			assert_int_equal(err.kind, ERROR_INPUT);
	}
}

/* ---- /sys/kernel/slab ---- */

static char dir[] = "/tmp/test-slabinfo-XXXXXX";

static void write_attr(const char *cache, const char *attr, const char *value)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, cache);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/%s/%s", dir, cache, attr);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(value, f);
	fclose(f);
}

static void write_cache(const char *cache, const char *object_size)
{
	write_attr(cache, "object_size", object_size);
	write_attr(cache, "slab_size", "192\n");
	write_attr(cache, "align", "64\n");
	write_attr(cache, "order", "1\n");
	write_attr(cache, "objs_per_slab", "42\n");
	write_attr(cache, "objects", "100 N0=60 N1=40\n");
	write_attr(cache, "total_objects", "126 N0=84 N1=42\n");
	write_attr(cache, "slabs", "3 N0=2 N1=1\n");
}

static void link_to(const char *alias, const char *target)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, alias);
	assert_int_equal(symlink(target, path), 0);
}

static void remove_all(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char sub[600];
		struct stat st;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		snprintf(sub, sizeof(sub), "%s/%s", path, e->d_name);
		if (!lstat(sub, &st) && S_ISDIR(st.st_mode))
			remove_all(sub);
		else
			unlink(sub);
	}
	if (d)
		closedir(d);
	rmdir(path);
}

static void reads_sysfs(void **state)
{
	struct error err = {0};
	struct slabinfo info;

	(void)state;
	assert_non_null(mkdtemp(dir));
	write_cache("zfilp", "184\n");
	write_cache(":A-0000192", "168\n");
	link_to("cred", ":A-0000192");
	link_to("aaaa_jar", ":A-0000192");
	link_to("cred_jar", "../slab/:A-0000192");
	link_to("dangling", ":nothing");
	if (slabinfo_read(&info, dir, &err))
		fail_msg("%s", err.text);
	assert_int_equal(info.n, 2);
	/* The longest alias, and of those the first by the alphabet. */
	assert_string_equal(info.caches[0].name, "aaaa_jar");
	assert_int_equal(info.caches[0].object_size, 168);
	assert_string_equal(info.caches[1].name, "zfilp");
	assert_int_equal(info.caches[1].object_size, 184);
	assert_int_equal(info.caches[1].size, 192);
	assert_int_equal(info.caches[1].align, 64);
	assert_int_equal(info.caches[1].order, 1);
	assert_int_equal(info.caches[1].objects_per_slab, 42);
	assert_int_equal(info.caches[1].active_objs, 100);
	assert_int_equal(info.caches[1].num_objs, 126);
	assert_int_equal(info.caches[1].num_slabs, 3);
	assert_int_equal(info.page_size, 4096);
	slabinfo_free(&info);
}

static void refuses_bad_sysfs(void **state)
{
	static const char *const values[] = {"",     "\n", "x\n", "-5\n", "0\n", "99999999999\n",
					     "193\n"};
	struct error err = {0};
	struct slabinfo info;
	char path[300];

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		/* object_size 0 says nothing; all else is no size, or more than slab_size. */
		write_attr("zfilp", "object_size", values[i]);
		err = (struct error){0};
		if (!strcmp(values[i], "0\n")) {
			assert_int_equal(slabinfo_read(&info, dir, &err), 0);
			slabinfo_free(&info);
			continue;
		}
		assert_int_equal(slabinfo_read(&info, dir, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_non_null(strstr(err.text, "zfilp"));
	}
	snprintf(path, sizeof(path), "%s/zfilp/object_size", dir);
	unlink(path);
	err = (struct error){0};
	assert_int_equal(slabinfo_read(&info, dir, &err), -1);
	assert_non_null(strstr(err.text, "object_size"));

	remove_all(dir);
	mkdir(dir, 0755);
	err = (struct error){0};
	assert_int_equal(slabinfo_read(&info, dir, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	rmdir(dir);
	err = (struct error){0};
	assert_int_equal(slabinfo_read(&info, dir, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reads_slabinfo),	    cmocka_unit_test(infers_the_page_size),
	    cmocka_unit_test(refuses_bad_slabinfo), cmocka_unit_test(survives_truncation),
	    cmocka_unit_test(reads_sysfs),	    cmocka_unit_test(refuses_bad_sysfs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
