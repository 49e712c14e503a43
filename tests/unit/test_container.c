#include "engine/base/container.h"

#include "tests/unit/runner.h"

#include <string.h>

#define ID "3f4a1b2c5d6e7f8091a2b3c4d5e6f70812233445566778899aabbccddeeff001"
#define OTHER "00000000000000000000000000000000000000000000000000000000000000ff"
#define UID "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9"
#define UID_ "0a1b2c3d_4e5f_6071_8293_a4b5c6d7e8f9"
#define STATIC_UID "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
#define SHORT "3f4a1b2c5d6e"

static const struct {
	const char *path;
	bool contains;
	const char *runtime, *shown, *id, *pod;
} cases[] = {
	{ "/docker/" ID, true, "docker", SHORT, ID, "" },
	{ "/docker/" ID "/init.scope", true, "docker", SHORT, ID, "" },
	{ "/docker/" ID "/system.slice/nginx.service", true, "docker", SHORT, ID, "" },
	{ "/system.slice/docker-" ID ".scope", true, "docker", SHORT, ID, "" },
	{ "/machine.slice/libpod-" ID ".scope/container", true, "podman", SHORT, ID, "" },
	{ "/libpod_parent/libpod-" ID, true, "podman", SHORT, ID, "" },
	{ "/libpod_parent/" ID, true, "podman", SHORT, ID, "" },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope", true,
	  "podman", SHORT, ID, "" },
	{ "/machine.slice/libpod-conmon-" ID ".scope", false, NULL, "libpod-conmon-" ID ".scope",
	  "libpod-conmon-" ID ".scope", "" },
	{ "/system.slice/nerdctl-" ID ".scope", true, "nerdctl", SHORT, ID, "" },
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_ ".slice/"
	  "cri-containerd-" ID ".scope",
	  true, "containerd", SHORT, ID, UID },
	{ "/kubepods.slice/kubepods-pod" UID_ ".slice/crio-" ID ".scope", true, "cri-o", SHORT, ID,
	  UID },
	{ "/kubepods/besteffort/pod" UID "/" ID, true, "container", SHORT, ID, UID },
	{ "/kubepods/pod" STATIC_UID "/crio-" ID, true, "cri-o", SHORT, ID, STATIC_UID },
	{ "/kubepods/burstable/pod" UID, true, "kubernetes", "pod 0a1b2c3d", "", UID },
	{ "/system.slice/containerd.service/kubepods-besteffort-pod" UID_
	  ".slice:cri-containerd:" ID,
	  true, "containerd", SHORT, ID, UID },
	{ "/system.slice/x.slice:other:" ID, true, "container", SHORT, ID, "" },
	{ "/docker/" OTHER "/kubelet/kubepods/pod" UID "/cri-containerd-" ID ".scope", true,
	  "containerd", SHORT, ID, UID },
	{ "/docker/" OTHER "/docker/" ID, true, "docker", SHORT, ID, "" },
	{ "/ecs/task/" ID, true, "container", SHORT, ID, "" },
	{ "/lxc/web1", true, "lxc", "web1", "web1", "" },
	{ "/lxc/101/ns/system.slice/ssh.service", true, "lxc", "101", "101", "" },
	{ "/lxc.payload.web1/init.scope", true, "lxc", "web1", "web1", "" },
	{ "/lxc.payload/web1", true, "lxc", "web1", "web1", "" },
	{ "/lxc.monitor.web1", false, NULL, "", "", "" },
	{ "/machine.slice/systemd-nspawn@web1.service/payload", true, "nspawn", "web1", "web1",
	  "" },
	{ "/machine.slice/machine-qemu\\x2d1\\x2ddeb.scope/libvirt", true, "machine", "qemu-1-deb",
	  "qemu-1-deb", "" },
	{ "/machine.slice/machine-a.slice", false, NULL, "", "", "" },
	{ "/system.slice/nginx.service", false, NULL, "nginx.service", "nginx.service", "" },
	{ "/system.slice/system-getty.slice/getty@tty1.service", false, NULL, "getty@tty1.service",
	  "getty@tty1.service", "" },
	{ "/user.slice/user-0.slice/session-3.scope", false, NULL, "session-3.scope",
	  "session-3.scope", "" },
	{ "/", false, NULL, "", "", "" },
	{ "", false, NULL, "", "", "" },
	{ NULL, false, NULL, "", "", "" },
	/* Untrusted paths: invalid ids are rejected, and names are shown escaped. */
	{ "/docker", false, NULL, "", "", "" },
	{ "/docker/3f4a", false, NULL, "", "", "" },
	{ "/docker/" ID "0", false, NULL, "", "", "" },
	{ "/docker-.scope", false, NULL, "docker-.scope", "docker-.scope", "" },
	{ "/.scope", false, NULL, "", "", "" },
	{ "/pod", false, NULL, "", "", "" },
	{ "/podcast/player.service", false, NULL, "player.service", "player.service", "" },
	{ "/kubepods-pod.slice", false, NULL, "", "", "" },
	{ "/:cri-containerd:" ID, true, "container", SHORT, ID, "" },
	{ "/:" ID, true, "container", SHORT, ID, "" },
	{ "/lxc/\033]0;x\007", true, "lxc", "\\33]0;x\\7", "\\33]0;x\\7", "" },
	{ "/lxc/a\\x1b[2Jb", true, "lxc", "a\\33[2Jb", "a\\33[2Jb", "" },
	{ "/lxc/a\\x", true, "lxc", "a\\\\x", "a\\\\x", "" },
	{ "/lxc/a\\xzz", true, "lxc", "a\\\\xzz", "a\\\\xzz", "" },
	{ "/lxc//", false, NULL, "", "", "" },
	{ "/lxc/\xff", true, "lxc", "\\377", "\\377", "" },
};

static void assert_added(void (*add)(struct str *, const struct container *),
			 const struct container *container, const char *expected, const char *path)
{
	struct str text = STR_INIT;

	add(&text, container);
	ck_assert_msg(!strcmp(text.data, expected), "%s: \"%s\", not \"%s\"", path, text.data,
		      expected);
	str_release(&text);
}

START_TEST(container_runtime_follows_from_the_path)
{
	struct container container;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *path = cases[i].path ? cases[i].path : "none";

		ck_assert_msg(container_find(&container, cases[i].path) == cases[i].contains, "%s",
			      path);
		ck_assert_msg(
			!container.runtime == !cases[i].runtime &&
				(!cases[i].runtime || !strcmp(container.runtime, cases[i].runtime)),
			"%s: runtime %s", path, container.runtime);
		assert_added(container_add_short, &container, cases[i].shown, path);
		assert_added(container_add_id, &container, cases[i].id, path);
		assert_added(container_add_pod, &container, cases[i].pod, path);
	}
}
END_TEST

Suite *suite_container(void);
Suite *suite_container(void)
{
	Suite *suite = suite_create("container");
	TCase *tests = tcase_create("container");

	tcase_add_test(tests, container_runtime_follows_from_the_path);
	suite_add_tcase(suite, tests);
	return suite;
}
