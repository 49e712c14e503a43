#include "engine/source/live/access.h"
#include "engine/source/live/access_grant.h"

#include "tests/unit/runner.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>

#define BIT(capability) (1ULL << (capability))

START_TEST(every_row_is_explained)
{
	static struct access access;

	access_check(&access);
	for (size_t i = 0; i < ACCESS_COUNT; i++) {
		const struct access_row *row = &access.rows[i];

		ck_assert_uint_eq(row->id, i);
		ck_assert(row->what[0] != '\0' && row->name[0] != '\0');
		ck_assert_msg(row->works == !row->why[0], "%s: %s", row->what, row->why);
		ck_assert_msg(!row->works || (!row->setting[0] && !row->program[0]),
			      "%s works and needs: %s%s", row->what, row->setting, row->program);
	}
}
END_TEST

START_TEST(access_to_all_calls_is_enough)
{
	static struct access access;

	ck_assert(!access_is_enough(&access));
	access.rows[ACCESS_TRACEFS].works = true;
	access.rows[ACCESS_OWN_CALLS].works = true;
	ck_assert(!access_is_enough(&access));
	access.rows[ACCESS_ALL_CALLS].works = true;
	ck_assert(access_is_enough(&access));
	/* BPF programs need no tracefs. */
	access.rows[ACCESS_TRACEFS].works = false;
	ck_assert(access_is_enough(&access));
}
END_TEST

START_TEST(plans_need_only_what_works)
{
	static struct access access;
	struct access_row *rows = access.rows;
	struct access_plan plans[ACCESS_PLANS];

	rows[ACCESS_BPF].works = true;
	ck_assert_uint_eq(access_plans(&access, plans), 0);
	rows[ACCESS_OWN_CALLS].works = true;
	rows[ACCESS_KERNEL_STACKS].works = true;
	ck_assert_uint_eq(access_plans(&access, plans), 3);
	ck_assert_ptr_nonnull(strstr(plans[1].probes, "at every call"));
	rows[ACCESS_KERNEL_STACKS].works = false;
	rows[ACCESS_TRACEFS].works = true;
	ck_assert_uint_eq(access_plans(&access, plans), 3);
	ck_assert_ptr_nonnull(strstr(plans[1].probes, "BPF programs at these calls"));
	rows[ACCESS_BPF].works = false;
	rows[ACCESS_KERNEL_STACKS].works = true;
	ck_assert_uint_eq(access_plans(&access, plans), 4);
	ck_assert_ptr_nonnull(strstr(plans[0].probes, "raw_syscalls"));
	ck_assert_ptr_null(strstr(plans[3].probes, "wakeups"));
	rows[ACCESS_WAKERS].works = true;
	ck_assert_uint_eq(access_plans(&access, plans), 4);
	ck_assert_ptr_nonnull(strstr(plans[3].probes, "wakeups"));
}
END_TEST

/* ---- the lines ------------------------------------------------------------------------ */

#define ALL_CAPABILITIES (BIT(41) - 1)

struct line_case {
	const char *name;
	enum access_id id;
	int code;
	struct access_place place;
	const char *setting, *program;
	const char *why; /* part of the reason; NULL: any */
};

#define BARE_PLACE \
	.gid = 7, .program = "/x", .capabilities_known = ALL_CAPABILITIES, \
	.rights = { .bounding = ALL_CAPABILITIES }
#define PLACE BARE_PLACE, .mounted = true

/* clang-format off */
static const struct line_case line_cases[] = {
	{ "tracefs is root's", ACCESS_TRACEFS, -EACCES, { PLACE, .tracefs = -EACCES },
	  "mount -o remount,gid=7,mode=750 /sys/kernel/tracing",
	  "setcap cap_dac_read_search+ep /x", "no permission to read" },
	{ "tracefs is not there", ACCESS_TRACEFS, -ENOENT, { BARE_PLACE, .tracefs = -ENOENT },
	  "mount -t tracefs -o gid=7,mode=750 tracefs /sys/kernel/tracing", "", "not mounted" },
	{ "tracefs is below debugfs", ACCESS_TRACEFS, -EACCES, { BARE_PLACE, .tracefs = -EACCES },
	  "mount -t tracefs -o gid=7,mode=750 tracefs /sys/kernel/tracing",
	  "setcap cap_dac_read_search+ep /x", "no permission to read" },
	{ "no line with a locked-down kernel", ACCESS_ALL_CALLS, -EACCES,
	  { .program = "/x", .mounted = true, .tracefs = -EACCES, .paranoid = 2,
	    .capabilities_known = ALL_CAPABILITIES,
	    .rights = { .bounding = ALL_CAPABILITIES, .confidential = true } }, "", "", NULL },
	{ "a sandbox forbids it", ACCESS_ALL_CALLS, -ENOSYS, { PLACE, .paranoid = 2 }, "", "",
	  NULL },
	{ "root mounts tracefs without options", ACCESS_TRACEFS, -ENOENT,
	  { .root = true, .tracefs = -ENOENT }, "mount -t tracefs tracefs /sys/kernel/tracing", "",
	  NULL },
	{ "one's own calls", ACCESS_OWN_CALLS, -EACCES, { PLACE, .paranoid = 3 },
	  "sysctl kernel.perf_event_paranoid=1", "setcap cap_perfmon+ep /x",
	  "is 3, must be at most 1" },
	{ "all calls", ACCESS_ALL_CALLS, -EPERM, { PLACE, .paranoid = 1 },
	  "sysctl kernel.perf_event_paranoid=-1", "setcap cap_perfmon+ep /x",
	  "must be at most -1" },
	{ "all calls without formats", ACCESS_ALL_CALLS, -EACCES,
	  { PLACE, .paranoid = 2, .tracefs = -EACCES },
	  "mount -o remount,gid=7,mode=750 /sys/kernel/tracing && "
	  "sysctl kernel.perf_event_paranoid=-1",
	  "setcap cap_dac_read_search,cap_perfmon+ep /x", "is 2, must be at most -1" },
	{ "all calls, nothing mounted", ACCESS_ALL_CALLS, -ENOENT,
	  { BARE_PLACE, .paranoid = -1, .tracefs = -ENOENT },
	  "mount -t tracefs -o gid=7,mode=750 tracefs /sys/kernel/tracing",
	  "mount -t tracefs -o gid=7,mode=750 tracefs /sys/kernel/tracing && "
	  "setcap cap_perfmon+ep /x", NULL },
	{ "capabilities of the file are retained", ACCESS_ALL_CALLS, -EPERM,
	  { .program = "/x", .paranoid = 2, .capabilities_known = ALL_CAPABILITIES,
	    .rights = { .bounding = ALL_CAPABILITIES, .permitted = BIT(CAP_SYSLOG) } },
	  "sysctl kernel.perf_event_paranoid=-1", "setcap cap_syslog,cap_perfmon+ep /x", NULL },
	{ "the level is not the reason", ACCESS_ALL_CALLS, -EPERM, { PLACE, .paranoid = -1 }, "",
	  "setcap cap_perfmon+ep /x", "security module" },
	{ "addresses, by level", ACCESS_KERNEL_SYMBOLS, -EPERM, { PLACE, .paranoid = 2 },
	  "sysctl kernel.perf_event_paranoid=1", "setcap cap_syslog+ep /x", NULL },
	{ "addresses, by both", ACCESS_KERNEL_SYMBOLS, -EPERM,
	  { PLACE, .paranoid = 2, .kptr_restrict = 1 },
	  "sysctl kernel.perf_event_paranoid=1 kernel.kptr_restrict=0",
	  "setcap cap_syslog+ep /x", "kptr_restrict is 1" },
	{ "addresses hidden from root", ACCESS_KERNEL_SYMBOLS, -EPERM,
	  { PLACE, .paranoid = 1, .kptr_restrict = 2 }, "sysctl kernel.kptr_restrict=0",
	  "sysctl kernel.kptr_restrict=1 && setcap cap_syslog+ep /x", NULL },
	{ "memory", ACCESS_MEMORY, -EPERM, { PLACE, .paranoid = 2 }, "",
	  "setcap cap_sys_ptrace+ep /x", NULL },
	{ "files", ACCESS_FILES, -EACCES, { PLACE }, "",
	  "setcap cap_dac_read_search,cap_sys_ptrace+ep /x", NULL },
	{ "BPF", ACCESS_BPF, -EPERM, { PLACE }, "", "setcap cap_perfmon,cap_bpf+ep /x",
	  NULL },
	{ "BPF before 5.8", ACCESS_BPF, -EPERM,
	  { .program = "/x", .capabilities_known = BIT(38) - 1,
	    .rights = { .bounding = BIT(38) - 1 } }, "", "setcap cap_sys_admin+ep /x", NULL },
	{ "no BPF in this kernel", ACCESS_BPF, -EINVAL, { PLACE }, "", "", NULL },
	{ "a container's bounds", ACCESS_BPF, -EPERM,
	  { .program = "/x", .capabilities_known = ALL_CAPABILITIES,
	    .rights = { .bounding = BIT(CAP_SYS_PTRACE) } }, "", "", NULL },
	{ "capabilities of files are ignored", ACCESS_MEMORY, -EPERM,
	  { PLACE, .copied = "install /x /y" }, "",
	  "install /x /y && setcap cap_sys_ptrace+ep /x", NULL },
	{ "a program without a usable path", ACCESS_MEMORY, -EPERM,
	  { .capabilities_known = ALL_CAPABILITIES, .rights = { .bounding = ALL_CAPABILITIES } },
	  "", "", NULL },
};
/* clang-format on */

START_TEST(lines_fix_what_is_missing)
{
	const struct line_case *at = &line_cases[_i];
	struct access_row row = { .id = at->id };
	struct err err;

	snprintf(err.text, sizeof(err.text), "perf_event_open: %s", strerror(-at->code));
	access_explain(&row, &at->place, at->code, &err);
	ck_assert_msg(!strcmp(row.setting, at->setting), "%s: %s", at->name, row.setting);
	ck_assert_msg(!strcmp(row.program, at->program), "%s: %s", at->name, row.program);
	ck_assert_msg(row.why[0] && (!at->why || strstr(row.why, at->why)), "%s: %s", at->name,
		      row.why);
}
END_TEST

/* All rows together need the lowest level that any of them needs, and each capability once. */
START_TEST(one_line_fixes_all)
{
	struct access_place place = { PLACE, .paranoid = 2, .kptr_restrict = 1,
				      .tracefs = -EACCES };
	static struct access access;
	struct err err = { .text = "perf_event_open: no" };

	for (int i = 0; i < ACCESS_COUNT; i++) {
		access.rows[i].id = (enum access_id)i;
		access_explain(&access.rows[i], &place, -EACCES, &err);
	}
	access_explain_all(&access, &place);
	ck_assert_str_eq(access.setting,
			 "mount -o remount,gid=7,mode=750 /sys/kernel/tracing && "
			 "sysctl kernel.perf_event_paranoid=-1 kernel.kptr_restrict=0");
	ck_assert_str_eq(access.program, "setcap cap_dac_read_search,cap_sys_ptrace,cap_syslog,"
					 "cap_perfmon,cap_bpf+ep /x");
	ck_assert_str_eq(access.note, "");
	place.rights.bounding = 0;
	access_explain_all(&access, &place);
	ck_assert_str_eq(access.program, "");
	ck_assert_ptr_nonnull(strstr(access.note, "bounding"));
}
END_TEST

Suite *suite_access(void);
Suite *suite_access(void)
{
	Suite *suite = suite_create("access");
	TCase *tc = tcase_create("access");

	tcase_add_test(tc, every_row_is_explained);
	tcase_add_test(tc, access_to_all_calls_is_enough);
	tcase_add_test(tc, plans_need_only_what_works);
	tcase_add_loop_test(tc, lines_fix_what_is_missing, 0,
			    (int)(sizeof(line_cases) / sizeof(line_cases[0])));
	tcase_add_test(tc, one_line_fixes_all);
	suite_add_tcase(suite, tc);
	return suite;
}
