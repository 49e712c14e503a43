#include "engine/base/cgroup_path.h"
#include "tests/unit/runner.h"

#define ID "3f4a1b2c5d6e7f8091a2b3c4d5e6f70812233445566778899aabbccddeeff001"

static const struct {
	const char *path, *word;
	bool in;
} cases[] = {
	{ "/", "/", true },
	{ "/a", "/", true },
	{ "/a", "/a", true },
	{ "/a/b", "/a", true },
	{ "/a/b", "/a/", true },
	{ "/ab", "/a", false },
	{ "/a", "/a/b", false },
	{ "/", "/a", false },
	{ "/x/a", "/a", false },
	{ "/system.slice/nginx.service", "nginx.service", true },
	{ "/system.slice/nginx.service/worker", "nginx.service", true },
	{ "/system.slice/nginx.service", "nginx", false },
	{ "/system.slice/nginx.service", "slice", false },
	{ "/docker/" ID, ID, true },
	{ "/docker/" ID, "3f4a1b2c5d6e", true },
	{ "/docker/" ID, "3f4a", true },
	{ "/docker/" ID, "3f4", false },
	{ "/docker/" ID, "4a1b", false },
	{ "/docker/" ID, "3f4a1b2c5d6f", false },
	{ "/docker/" ID, "3F4A1B", false },
	{ "/system.slice/docker-" ID ".scope", "3f4a1b", true },
	{ "/kubepods/besteffort/pod12/cri-containerd-" ID ".scope/inner", "3f4a1b", true },
	{ "/kubepods/besteffort/pod12", "pod12", true },
	{ "/short/3f4a1b2c5d6e", "3f4a", false },
	{ "/docker/" ID, ID "0", false },
	{ "/a", "", false },
	{ "", "/a", false },
	{ "", "a", false },
	{ "//a", "a", true },
};

START_TEST(words_match_cgroups)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(cgroup_path_in(cases[i].path, cases[i].word) == cases[i].in,
			      "%s in %s", cases[i].path, cases[i].word);
}
END_TEST

Suite *suite_cgroup_path(void);
Suite *suite_cgroup_path(void)
{
	Suite *suite = suite_create("cgroup_path");
	TCase *tests = tcase_create("cgroup_path");

	tcase_add_test(tests, words_match_cgroups);
	suite_add_tcase(suite, tests);
	return suite;
}
