/*
 * unentered - a thread that seccomp holds in mkdir("/nowhere/held", 0700) before sys_enter.
 *
 * Prints the tid of the thread. Reads letters from standard input: 'g' lets the thread make the
 * call, 'c' answers the notification so that the call continues, 'e' so that it fails with EPERM
 * without having run. The thread then sleeps. Ends with its standard input.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int start[2], listener;

static void *thread(void *arg)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdir, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, filter };
	char byte;

	(void)arg;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
				SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
	printf("%ld\n", listener < 0 ? -1 : syscall(SYS_gettid));
	fflush(stdout);
	while (read(start[0], &byte, 1) == 1)
		syscall(SYS_mkdir, "/nowhere/held", 0700);
	return NULL;
}

static void answer(char how)
{
	struct seccomp_notif notification;
	struct seccomp_notif_resp response = { 0 };

	memset(&notification, 0, sizeof(notification));
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notification))
		return;
	response.id = notification.id;
	if (how == 'c')
		response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	else
		response.error = -EPERM;
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

int main(void)
{
	pthread_t held;
	char letter;

	if (pipe(start) || pthread_create(&held, NULL, thread, NULL))
		return 1;
	while (read(STDIN_FILENO, &letter, 1) == 1) {
		if (letter == 'g' && write(start[1], &letter, 1) != 1)
			return 1;
		if (letter == 'c' || letter == 'e')
			answer(letter);
	}
	return 0;
}
