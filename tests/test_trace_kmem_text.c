/* The fields of kmem events as kernels 3.x to 7.x print them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/trace_fixture.h"
#include "workloads/gfp.h"
#include "workloads/kmem-record.h"
#include "workloads/kmem-text.h"
#include "workloads/kmalloc.h"

#define MAY  GFP_BIT_MAY_BLOCK
#define ACCT GFP_BIT_ACCOUNT

struct expect {
	const char *event, *text;
	uint64_t ptr;
	unsigned bytes_req, bytes_alloc;
	const char *call_site, *name; /* name NULL: no such field */
	int node;
	uint8_t gfp;
	int accounted; /* -1: not told */
};

static const struct expect variants[] = {
    /* up to 5.3: raw call sites, GFP names without underscores, (null) */
    {"kmalloc",
     "call_site=c0000000003ce108 ptr=0xc000000fcd646360 bytes_req=96 bytes_alloc=96 "
     "gfp_flags=GFP_NOFS|GFP_ZERO",
     0xc000000fcd646360, 96, 96, "c0000000003ce108", NULL, -1, MAY, -1},
    {"kmalloc_node",
     "call_site=ffffffff8116ffbd ptr=ffff88007d6ec000 bytes_req=16344 bytes_alloc=16384 "
     "gfp_flags=GFP_KERNEL|GFP_REPEAT node=-1",
     0xffff88007d6ec000, 16344, 16384, "ffffffff8116ffbd", NULL, -1, MAY, -1},
    {"kmem_cache_alloc_node",
     "call_site=c10b963e ptr=c1610c08 bytes_req=64 bytes_alloc=64 gfp_flags=GFP_KERNEL|GFP_ZERO "
     "node=3",
     0xc1610c08, 64, 64, "c10b963e", NULL, 3, MAY, -1},
    {"kfree", "call_site=c10bfa4a ptr=  (null)", 0, 0, 0, NULL, NULL, -1, 0, -1},
    /* 5.4 to 5.11 */
    {"kmem_cache_alloc",
     "call_site=__build_skb+0x24/0x60 ptr=0000000003218205 bytes_req=224 bytes_alloc=256 "
     "gfp_flags=GFP_ATOMIC",
     0x3218205, 224, 256, "__build_skb+0x24", NULL, -1, 0, -1},
    /* a function of a module */
    {"kmem_cache_alloc",
     "call_site=nf_ct_alloc+0x24/0x60 [nf_conntrack] ptr=0000000003218205 bytes_req=224 "
     "bytes_alloc=256 gfp_flags=GFP_ATOMIC",
     0x3218205, 224, 256, "nf_ct_alloc+0x24", NULL, -1, 0, -1},
    /* 5.12 on: the name on the free */
    {"kmem_cache_free", "call_site=do_sys_openat2+0x88/0xd0 ptr=00000000e9f8401d name=names_cache",
     0xe9f8401d, 0, 0, NULL, "names_cache", -1, 0, -1},
    {"kmem_cache_free", "call_site=f+0x88/0xd0 ptr=00000000e9f8401d name=a name with blanks",
     0xe9f8401d, 0, 0, NULL, "a name with blanks", -1, 0, -1},
    /* 6.1 with real pointers: empty strings */
    {"kmem_cache_free", "call_site=f+0x88/0xd0 ptr=ff11000101828000 name=", 0xff11000101828000, 0,
     0, NULL, "", -1, 0, -1},
    {"kmem_cache_alloc",
     "call_site=getname_flags+0x2b/0x180 ptr=ff11000101828000 bytes_req=4096 bytes_alloc=4096 "
     "gfp_flags= node=-1 accounted=false",
     0xff11000101828000, 4096, 4096, "getname_flags+0x2b", NULL, -1, MAY, 0},
    /* 6.1 */
    {"kmalloc",
     "call_site=single_open+0x2a/0x90 ptr=00000000deadbeef bytes_req=32 bytes_alloc=32 "
     "gfp_flags=GFP_KERNEL_ACCOUNT node=1 accounted=true",
     0xdeadbeef, 32, 32, "single_open+0x2a", NULL, 1, MAY | ACCT, 1},
    /* 6.18: the name on the allocation */
    {"kmem_cache_alloc",
     "call_site=__d_alloc+0x2d/0x230 ptr=ffff88822e3ad9c0 name=dentry bytes_req=192 "
     "bytes_alloc=192 gfp_flags=GFP_KERNEL node=-1 accounted=true",
     0xffff88822e3ad9c0, 192, 192, "__d_alloc+0x2d", "dentry", -1, MAY, 1},
    /* the trace option "fields" */
    {"kmalloc",
     "call_site=ext4_dir_open+0x1f/0x50 (-2122747377) ptr=0xffff888162e33e40 (-131385685492160) "
     "bytes_req=0x3c (60) bytes_alloc=0x40 (64) gfp_flags=0x400cc0 (4197568) node=0xffffffff (-1)",
     0xffff888162e33e40, 60, 64, "ext4_dir_open+0x1f", NULL, -1, MAY | ACCT, -1},
    {"kmem_cache_alloc",
     "call_site=f+0x1f/0x50 (-2122747377) ptr=0xffff888162e33e40 (-131385685492160) name=filp "
     "bytes_req=0x3c (60) bytes_alloc=0x40 (64) gfp_flags=0x820 (2080) node=0x0 (0) accounted=(1)",
     0xffff888162e33e40, 60, 64, "f+0x1f", "filp", 0, 0, 1},
    /* trace-cmd report: a plugin's text in front, 0x, no size of the function, cut at the end */
    {"kmem_cache_alloc",
     "(security_file_alloc+0x27) call_site=security_file_alloc+0x27 ptr=0xffff88815bf29c90 "
     "name=lsm_file_cache bytes_req=24 bytes_alloc=24 gfp_flags=GFP_KERNEL|__GFP_ZERO node=-1 "
     "accounted=fals",
     0xffff88815bf29c90, 24, 24, "security_file_alloc+0x27", "lsm_file_cache", -1, MAY, 0},
    {"kfree", "(ida_alloc_range+0x39b) call_site=ida_alloc_range+0x39b ptr=(nil)", 0, 0, 0, NULL,
     NULL, -1, 0, -1},
    /* trace-cmd report -R */
    {"kmem_cache_alloc",
     "call_site=0xffffffff816349cd ptr=0xffff88815bf29c90 name=filp bytes_req=24 bytes_alloc=24 "
     "gfp_flags=0xd40 node=-1 accounted=1",
     0xffff88815bf29c90, 24, 24, "ffffffff816349cd", "filp", -1, MAY, 1},
    /* fields in another order, and one that is not known yet */
    {"kmem_cache_alloc",
     "accounted=false colour=red green node=2 name=filp bytes_alloc=24 ptr=0x10 bytes_req=20 "
     "gfp_flags=GFP_NOWAIT|__GFP_NOWARN call_site=f+0x1/0x2",
     0x10, 20, 24, "f+0x1", "filp", 2, 0, 0},
};

struct env {
	struct reader_ctx ctx;
	struct error err;
};

static void setup(struct env *env, const char *text, size_t len)
{
	char *path = fixture_file(text, len);

	*env = (struct env){0};
	env->ctx.in = input_open(path, &env->err);
	env->ctx.strings = intern_new();
	env->ctx.gfp = gfp_cache_new();
	remove(path);
	free(path);
}

static void teardown(struct env *env)
{
	input_close(env->ctx.in);
	intern_free(env->ctx.strings);
	gfp_cache_free(env->ctx.gfp);
}

/* The text without a NUL behind it, so that reading beyond it is noticed. */
static int parse(struct env *env, const char *event, const char *text, struct record *rec)
{
	size_t n = strlen(text);
	char *copy = malloc(n + 1);
	int kind = kmem_kind(event, strlen(event)), ret;

	assert_true(kind >= 0);
	memcpy(copy, text, n);
	*rec = (struct record){.kind = (uint8_t)kind, .line = 1};
	ret = kmem_text_parse(&env->ctx, copy, copy + n, rec, &env->err);
	free(copy);
	return ret;
}

static void check(struct env *env, const struct expect *e)
{
	bool alloc = e->bytes_alloc != 0;
	struct record rec;

	if (parse(env, e->event, e->text, &rec) != 1)
		fail_msg("not parsed: %s", e->text);
	assert_int_equal(rec.op, alloc ? EV_ALLOC : EV_FREE);
	assert_int_equal(rec.ptr, e->ptr);
	assert_int_equal(rec.has_name, e->name != NULL);
	assert_string_equal(intern_str(env->ctx.strings, rec.name), e->name ? e->name : "");
	assert_int_equal(rec.node, e->node);
	if (!alloc)
		return;
	assert_int_equal(rec.bytes_req, e->bytes_req);
	assert_int_equal(rec.bytes_alloc, e->bytes_alloc);
	assert_string_equal(intern_str(env->ctx.strings, rec.call_site), e->call_site);
	assert_int_equal(rec.gfp, e->gfp);
	assert_int_equal(rec.has_accounted, e->accounted >= 0);
	assert_int_equal(rec.accounted, e->accounted == 1);
}

static void all_variants(void **state)
{
	struct env env;

	(void)state;
	setup(&env, "x", 1);
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
		check(&env, &variants[i]);
	teardown(&env);
}

static void malformed(void **state)
{
	static const char *const texts[] = {
	    "",
	    "call_site=",
	    "call_site=f+0x1/0x2 bytes_req=1 bytes_alloc=8",
	    "ptr= bytes_req=1 bytes_alloc=8",
	    "ptr=(efault) bytes_req=1 bytes_alloc=8",
	    "ptr=xyz bytes_req=1 bytes_alloc=8",
	    "ptr=12345678901234567 bytes_req=1 bytes_alloc=8",
	    "ptr=1234",
	    "ptr=1234 bytes_req=1",
	    "ptr=1234 bytes_req= bytes_alloc=8",
	    "ptr=1234 bytes_req=9 bytes_alloc=8",
	    "ptr=1234 bytes_req=0 bytes_alloc=0",
	    "ptr=1234 bytes_req=1 bytes_alloc=-8",
	    "ptr=1234 bytes_req=1 bytes_alloc=99999999999999999999",
	    "ptr=1234 bytes_req=1 bytes_alloc=1073741825",
	    "ptr=1234 bytes_req=1 bytes_alloc=8 node=1024",
	    "ptr=1234 bytes_req=1 bytes_alloc=8 node=x",
	};
	struct record rec;
	struct env env;

	(void)state;
	setup(&env, "x", 1);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (parse(&env, "kmem_cache_alloc", texts[i], &rec) != 0)
			fail_msg("parsed: %s", texts[i]);
	assert_int_equal(env.err.kind, ERROR_NONE);
	/* Pointers that are not printed are another matter. */
	assert_int_equal(parse(&env, "kfree", "ptr=(____ptrval____)", &rec), -1);
	assert_int_equal(env.err.kind, ERROR_INPUT);
	teardown(&env);
}

static void every_prefix_is_harmless(void **state)
{
	struct env env;

	(void)state;
	setup(&env, "x", 1);
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		char *text = strdup(variants[i].text);
		struct record rec;

		for (size_t n = strlen(text); n > 0; n--) {
			text[n] = '\0';
			assert_true(parse(&env, variants[i].event, text, &rec) >= 0);
		}
		free(text);
	}
	teardown(&env);
}

/* Every byte at every place of a 16-digit address. */
static void addresses(void **state)
{
	struct env env;

	(void)state;
	setup(&env, "x", 1);
	for (int place = 0; place < 16; place++) {
		for (int c = 1; c < 256; c++) {
			char text[] = "ptr=ffFF8881a0Bc9d07", one[2] = {(char)c, 0}, *end;
			long digit = strtol(one, &end, 16);
			uint64_t expect;
			struct record rec;
			int ret;

			if (c == ' ' || c == '\t' || c == '\n' || (place == 1 && (c | 32) == 'x'))
				continue;
			expect = strtoull(text + 4, NULL, 16) & ~(15ull << (60 - 4 * place));
			expect |= (uint64_t)digit << (60 - 4 * place);
			text[4 + place] = (char)c;
			ret = parse(&env, "kfree", text, &rec);
			assert_int_equal(ret, end == one ? 0 : 1);
			if (ret)
				assert_true(rec.ptr == expect);
		}
	}
	teardown(&env);
}

static void gfp_flags(void **state)
{
	static const struct {
		const char *text;
		uint8_t bits;
	} cases[] = {
	    {"GFP_KERNEL", MAY},
	    {"GFP_KERNEL|__GFP_ZERO", MAY},
	    {"GFP_KERNEL_ACCOUNT|__GFP_ZERO", MAY | ACCT},
	    {"GFP_NOFS|__GFP_ZERO|__GFP_NOFAIL|__GFP_ACCOUNT", MAY | ACCT},
	    {"GFP_NOIO", MAY},
	    {"GFP_USER", MAY},
	    {"GFP_HIGHUSER_MOVABLE", MAY},
	    {"GFP_ATOMIC", 0},
	    {"GFP_ATOMIC|__GFP_NOWARN|__GFP_COMP", 0},
	    {"GFP_NOWAIT", 0},
	    {"GFP_NOWAIT|__GFP_IO|__GFP_FS", 0},
	    {"GFP_TRANSHUGE_LIGHT", 0},
	    {"__GFP_DIRECT_RECLAIM|__GFP_IO", MAY},
	    {"__GFP_RECLAIM", MAY},
	    {"__GFP_KSWAPD_RECLAIM", 0},
	    {"GFP_WAIT|GFP_HIGH", MAY},
	    {"GFP_KERNEL|GFP_DMA", MAY | GFP_BIT_DMA},
	    {"GFP_DMA32", 0},
	    {"__GFP_RECLAIMABLE|GFP_KERNEL", MAY | GFP_BIT_RECLAIMABLE},
	    {"GFP_KERNEL|GFP_RECLAIMABLE", MAY}, /* before there was kmalloc-rcl */
	    {"GFP_NOWAIT|0x8000000", 0},
	    {"none", 0},
	    {"", MAY}, /* not told */
	    {"0xcc0", MAY},
	    {"0x820 (2080)", 0},
	    {"0x400cd1", MAY | ACCT | GFP_BIT_DMA | GFP_BIT_RECLAIMABLE},
	};
	struct gfp_cache *cache = gfp_cache_new();

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			const char *s = cases[i].text;

			if (gfp_decode(s, strlen(s)) != cases[i].bits ||
			    gfp_cache_decode(cache, s, strlen(s)) != cases[i].bits)
				fail_msg("%s", s);
		}
	}
	gfp_cache_free(cache);
}

static void kmalloc_caches(void **state)
{
	static const struct {
		uint64_t request, size;
		const char *name;
	} cases[] = {
	    {1, 8, "kmalloc-8"},
	    {8, 8, "kmalloc-8"},
	    {9, 16, "kmalloc-16"},
	    {33, 64, "kmalloc-64"},
	    {64, 64, "kmalloc-64"},
	    {65, 96, "kmalloc-96"},
	    {96, 96, "kmalloc-96"},
	    {97, 128, "kmalloc-128"},
	    {129, 192, "kmalloc-192"},
	    {192, 192, "kmalloc-192"},
	    {193, 256, "kmalloc-256"},
	    {1024, 1024, "kmalloc-1k"},
	    {1025, 2048, "kmalloc-2k"},
	    {8192, 8192, "kmalloc-8k"},
	    {2 << 20, 2 << 20, "kmalloc-2M"},
	};
	char buf[64];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(kmalloc_size(cases[i].request), cases[i].size);
		kmalloc_name(KMALLOC_NORMAL, cases[i].size, buf, sizeof(buf));
		assert_string_equal(buf, cases[i].name);
	}
	kmalloc_name(KMALLOC_CGROUP, 96, buf, sizeof(buf));
	assert_string_equal(buf, "kmalloc-cg-96");
	kmalloc_name(KMALLOC_RECLAIM, 4096, buf, sizeof(buf));
	assert_string_equal(buf, "kmalloc-rcl-4k");
	kmalloc_name(KMALLOC_DMA, 192, buf, sizeof(buf));
	assert_string_equal(buf, "dma-kmalloc-192");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_variants),
	    cmocka_unit_test(malformed),
	    cmocka_unit_test(every_prefix_is_harmless),
	    cmocka_unit_test(gfp_flags),
	    cmocka_unit_test(addresses),
	    cmocka_unit_test(kmalloc_caches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
