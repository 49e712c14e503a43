"""A kernel that rejects BPF programs: one line gives the reason, and perf events take over."""

import errno
import json
import os
import shutil

from harness import STXTOP, folder, has_bpf, long, need, need_tracing, program, run, skip

MAP_CREATE, PROG_LOAD, LINK_CREATE = 0, 5, 28

# A command of bpf(2), its error, and the expected message.
REFUSALS = (
    (-1, errno.ENOSYS, "no bpf(2) here"),
    (-1, errno.EPERM, "a seccomp filter, as in containers, forbids maps"),
    (MAP_CREATE, errno.EPERM, "a seccomp filter, as in containers, forbids maps"),
    (MAP_CREATE, errno.ENOMEM, "no memory for maps"),
    (MAP_CREATE, errno.EINVAL, "has no mmapable BPF arrays"),
    (MAP_CREATE, errno.E2BIG, "refuses maps as too large"),
    (PROG_LOAD, errno.EPERM, "forbids the programs"),
    (PROG_LOAD, errno.ENOMEM, "no memory for the programs"),
    (PROG_LOAD, errno.EINVAL, "refuses the programs: Invalid argument"),
    (PROG_LOAD, errno.E2BIG, "refuses the programs as too large"),
    (LINK_CREATE, errno.EPERM, "forbids program attachments"),
)


def check(runner, words, **options):
    """With --source bpf the error is one line; by default perf events report the calls."""
    result = run(*runner, STXTOP, "--source", "bpf", "-s", "--", "true", **options)
    assert result.status == 1, (words, result.status, result.err)
    assert result.err.count("\n") == 1 and result.err.startswith("stxtop: no BPF: "), result.err
    assert words in result.err, (words, result.err)
    path = folder() / "out.json"
    result = run(*runner, STXTOP, "--json", "-w", path, "-e", "getppid", "--", program("mix"),
                 "1", "0", "10", **options)
    assert result.status == 0 and not result.err, (words, result.status, result.err)
    objects = [json.loads(line) for line in path.read_text().splitlines()]
    assert objects[-1]["source"] == "perf", words
    assert len([o for o in objects if o["type"] == "call"]) == 10, words
    access = run(*runner, STXTOP, "--access", **options).out
    assert words in access, (words, access)


def need_bpf():
    need_tracing()
    if not has_bpf():
        skip("BPF programs may not be loaded here")


@long
def test_each_bpf_error_has_its_message():
    need_bpf()
    for command, number, words in REFUSALS:
        check([program("forbid_bpf"), str(command), str(number)], words)


def test_user_namespace_is_reported_as_the_reason():
    need_bpf()
    unshare = [need("unshare"), "--user", "--map-root-user"]
    if run(*unshare, "true").status:
        skip("no user namespace can be created here")
    result = run(*unshare, STXTOP, "--source", "bpf", "-s", "--", "true")
    assert result.status == 1 and result.err.count("\n") == 1, result.err
    assert "in a user namespace" in result.err, result.err


def test_pid_namespace_is_reported_as_the_reason():
    need_bpf()
    unshare = [need("unshare"), "--pid", "--fork", "--mount-proc"]
    if run(*unshare, "true").status:
        skip("no pid namespace can be created here")
    check(unshare, "pid namespace")


def test_two_capabilities_are_enough():
    """The user nobody needs only CAP_BPF and CAP_PERFMON: BPF programs do not need tracefs."""
    need_bpf()
    place = folder()
    place.chmod(0o777)
    # Use copies: an ordinary user may have no access to the build, as in a private home directory.
    copy, mix = (shutil.copy(path, place) for path in (STXTOP, program("mix")))
    nobody = [need("setpriv"), "--reuid", "65534", "--regid", "65534", "--clear-groups",
              "--inh-caps=+bpf,+perfmon", "--ambient-caps=+bpf,+perfmon"]
    if os.geteuid() or run(*nobody, "true").status:
        skip("capabilities cannot be given to another user")
    path = place / "out.json"
    result = run(*nobody, copy, "--json", "-w", path, "-e", "getppid", "--", mix, "1", "0", "10")
    assert result.status == 0 and not result.err, result.err
    objects = [json.loads(line) for line in path.read_text().splitlines()]
    assert objects[-1]["source"] == "bpf"
    assert len([o for o in objects if o["type"] == "call"]) == 10
    result = run(*nobody, copy, "-s", "--for", "0.2")
    assert result.status == 0 and not result.err, result.err
    access = run(*nobody, copy, "--access")
    assert access.status == 0, access.out
    assert "yes  system calls of every process" in access.out, access.out


def test_missing_permissions_are_listed():
    """A failing run lists missing permissions with the same commands as --access."""
    if os.geteuid():
        skip("only root can become the user nobody")
    place = folder()
    place.chmod(0o777)
    copy = shutil.copy(STXTOP, place)
    nobody = [need("setpriv"), "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    access = run(*nobody, copy, "--access", "--json")
    told = json.loads(access.out)
    if told["enough"] or not told["setting"]:
        skip("the user nobody may watch the whole system here")
    result = run(*nobody, copy, "-b", "--for", "0.1")
    assert result.status == 1, result.err
    for kind, label in (("setting", "for all users:"), ("program", "for stxtop:"),
                        ("note", "note:")):
        # In a container, no command can help: a note gives the reason instead.
        assert (told[kind] or "") in result.err, (kind, told, result.err)
        assert bool(told[kind]) == (label in result.err), (kind, told, result.err)
    assert all(line.startswith("stxtop: ") for line in result.err.splitlines()), result.err
