#include "engine/source/bpf/verifier_log.h"
#include "tests/unit/runner.h"

#include <string.h>

static const struct {
	const char *log, *line;
} cases[] = {
	{ "", "" },
	{ "\n\n", "" },
	{ "R1 invalid mem access 'scalar'", "R1 invalid mem access 'scalar'" },
	{ "0: (bf) r6 = r1\n; if (!thread)\n1: (85) call bpf_x#12\nunknown func bpf_x#12\n"
	  "processed 2 insns (limit 1000000) max_states_per_insn 0 total_states 0\n",
	  "unknown func bpf_x#12" },
	{ "BPF program is too large. Processed 1000001 insn\nverification time 9 usec\n"
	  "stack depth 64\nprocessed 1000001 insns\n\n",
	  "BPF program is too large. Processed 1000001 insn" },
	{ "processed 2 insns\n", "" },
};

START_TEST(the_error_line_is_found)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *line = "";
		size_t len = verifier_log_line(cases[i].log, &line);

		ck_assert_msg(len == strlen(cases[i].line) && !memcmp(line, cases[i].line, len),
			      "%s: %.*s", cases[i].log, (int)len, line);
	}
}
END_TEST

Suite *suite_verifier_log(void);
Suite *suite_verifier_log(void)
{
	Suite *suite = suite_create("verifier_log");
	TCase *tests = tcase_create("verifier_log");

	tcase_add_test(tests, the_error_line_is_found);
	suite_add_tcase(suite, tests);
	return suite;
}
