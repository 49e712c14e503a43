#include "engine/source/bpf/bpf_load_error.h"

#include "engine/base/escape.h"
#include "engine/base/str.h"
#include "engine/process/self_capabilities.h"
#include "engine/source/bpf/verifier_log.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define LOG_LINE_MAX 120

static const char *const stages[] = {
	[BPF_STAGE_MAPS] = "maps",
	[BPF_STAGE_PROGRAMS] = "the programs",
	[BPF_STAGE_RINGS] = "ring buffers",
	[BPF_STAGE_ATTACH] = "program attachments",
};

/* ---- features of this kernel -------------------------------------------------------- */

/* True before Linux 5.11: maps count as locked memory; later kernels charge the cgroup. */
static bool counts_locked_memory(void)
{
	struct utsname host;
	char *rest;
	long major;

	if (uname(&host))
		return false;
	major = strtol(host.release, &rest, 10);
	return major < 5 || (major == 5 && *rest == '.' && strtol(rest + 1, NULL, 10) < 11);
}

/* Return a feature that this kernel lacks; NULL if none is known to be missing. */
static const char *missing_feature(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, mapped, .map_flags = BPF_F_MMAPABLE);
	int fd;

	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return "has no /sys/kernel/btf/vmlinux (CONFIG_DEBUG_INFO_BTF)";
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "stxtop_try", 4, 8, 1, &mapped);
	if (fd == -EINVAL)
		return "has no mmapable BPF arrays (Linux 5.5)";
	if (fd >= 0)
		close(fd);
	if (!libbpf_probe_bpf_map_type(BPF_MAP_TYPE_TASK_STORAGE, NULL))
		return "has no BPF task storage (Linux 5.11)";
	return NULL;
}

/* ---- error messages ------------------------------------------------------------------ */

static int explain_rejection(int ret, const char *program, const char *log, struct err *err)
{
	struct str shown = STR_INIT;
	const char *line = "";
	size_t len = verifier_log_line(log, &line);
	struct self_capabilities rights;

	self_capabilities_read(&rights);
	if (rights.confidential) {
		str_release(&shown);
		return err_set(err, ret,
			       "no BPF: the kernel is locked down (confidentiality), so "
			       "programs may not read its memory");
	}
	str_add_escaped(&shown, line, len < LOG_LINE_MAX ? len : LOG_LINE_MAX, ESCAPE_PLAIN);
	err_set(err, ret, "no BPF: this kernel rejects the program %s: %s", program, shown.data);
	str_release(&shown);
	return ret;
}

static int explain_permission(int ret, const char *what, struct err *err)
{
	struct self_capabilities rights;
	bool bpf, perfmon;

	self_capabilities_read(&rights);
	bpf = self_capabilities_has(&rights, CAP_BPF);
	perfmon = self_capabilities_has(&rights, CAP_PERFMON);
	if (!bpf || !perfmon)
		return err_set(err, ret,
			       "no BPF: it needs CAP_BPF and CAP_PERFMON; %s%s%s %s "
			       "missing: run as root, or with `setcap cap_bpf,cap_perfmon+ep`",
			       bpf ? "" : "CAP_BPF", !bpf && !perfmon ? " and " : "",
			       perfmon ? "" : "CAP_PERFMON", !bpf && !perfmon ? "are" : "is");
	if (rights.user_namespace)
		return err_set(err, ret,
			       "no BPF: capabilities do not count in a user namespace; run stxtop "
			       "outside the container");
	if (rights.confidential)
		return err_set(err, ret, "no BPF: the kernel is locked down (confidentiality)");
	if (rights.filtered)
		return err_set(err, ret, "no BPF: a seccomp filter, as in containers, forbids %s",
			       what);
	if (counts_locked_memory())
		return err_set(err, ret,
			       "no BPF: %s need more locked memory; try `ulimit -l "
			       "unlimited`",
			       what);
	return err_set(
		err, ret,
		"no BPF: %s are not permitted, despite CAP_BPF and CAP_PERFMON: a security module?",
		what);
}

int bpf_refusal_explain(int ret, enum bpf_stage stage, const char *program, const char *log,
			struct err *err)
{
	const char *what = stages[stage], *missing;

	if (program && log && *log)
		return explain_rejection(ret, program, log, err);
	if (ret == -ENOSYS)
		return err_set(err, ret,
			       "no BPF: no bpf(2) here: the kernel was built without it, or a "
			       "seccomp filter hides it");
	if (ret == -EPERM || ret == -EACCES)
		return explain_permission(ret, what, err);
	if (ret == -ENOMEM)
		return err_set(err, ret, "no BPF: no memory for %s; %s", what,
			       counts_locked_memory()
				       ? "try `ulimit -l unlimited`"
				       : "a memory cgroup limit? try smaller rings (-m)");
	if (ret == -E2BIG)
		return err_set(
			err, ret,
			"no BPF: this kernel refuses %s as too large; try smaller rings (-m)",
			what);
	missing = missing_feature();
	if (missing)
		return err_set(err, ret, "no BPF: this kernel %s", missing);
	if (ret == -ESRCH || ret == -ENOENT)
		return err_set(err, ret,
			       "no BPF: this kernel lacks tracepoints or types that %s need", what);
	return err_set(err, ret, "no BPF: the kernel refuses %s: %s", what, strerror(-ret));
}
