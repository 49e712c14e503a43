/* System V shared memory, semaphores and messages; POSIX message queues. */
#include "engine/decode/families/ipc_control.h"
#include "engine/decode/shapes.h"

#include "engine/decode/tables.h"

#include <linux/ipc.h>
#include <linux/mqueue.h>
#include <linux/msg.h>
#include <linux/sem.h>
#include <linux/shm.h>

#define MODE_BITS 0777u
#define HUGE_SHIFT 26
#define HUGE_BITS (63u << HUGE_SHIFT)

static void show_key(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if ((uint32_t)value)
		str_addx(p->out, (uint32_t)value);
	else
		PUT(p, "IPC_PRIVATE");
}

/* Show "IPC_CREAT|0600"; a mode without flags is printed with all its digits. */
static void show_get_flags(struct printer *p, uint64_t value, const void *data)
{
	uint32_t flags = (uint32_t)value & ~MODE_BITS, huge = 0;

	if (data == &shm_get_flags) {
		huge = flags & HUGE_BITS;
		flags &= ~HUGE_BITS;
	}
	if (flags) {
		if (!print_flags_of(p, flags, data))
			str_addx(p->out, flags);
		PUT(p, "|");
	}
	if (huge) {
		str_addu(p->out, huge >> HUGE_SHIFT);
		PUT(p, "<<SHM_HUGE_SHIFT|");
	}
	show_octal(p, (uint32_t)value & MODE_BITS, NULL);
}

static void show_control(struct printer *p, uint64_t value, const void *data)
{
	uint32_t command = (uint32_t)value;

	if (command & IPC_64) {
		PUT(p, "IPC_64|");
		command &= ~(uint32_t)IPC_64;
	}
	print_enum(p, command, data);
}

static void element_sembuf(struct printer *p, const void *element, const void *data)
{
	const struct sembuf *op = element;

	(void)data;
	str_addf(p->out, "{sem_num=%u, sem_op=%d, sem_flg=", op->sem_num, op->sem_op);
	show_flags(p, (uint16_t)op->sem_flg, &sem_flags);
	PUT(p, "}");
}

static void show_semops(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_array(p, value, (uint32_t)p->call->args[2], sizeof(struct sembuf), element_sembuf,
		    NULL);
}

static void print_msgbuf(struct printer *p, uint64_t address, uint64_t size)
{
	int64_t type;

	if (!printer_read(p, address, &type, sizeof(type))) {
		show_pointer(p, address, NULL);
		return;
	}
	PUT(p, "{mtype=");
	str_addd(p->out, type);
	PUT(p, ", mtext=");
	print_buffer(p, address + sizeof(type), size);
	PUT(p, "}");
}

static void show_sent(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_msgbuf(p, value, p->call->args[2]);
}

static void show_received(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_msgbuf(p, value, (uint64_t)p->call->ret);
}

static void show_mq_flags(struct printer *p, uint64_t value, const void *data)
{
	show_open_flags(p, value, data);
}

static unsigned mq_open_count(const struct call *call)
{
	return call->args[1] & 0100 ? 4 : 2;
}

static const struct pointee priority_pointee = { 4, show_unsigned, NULL };

static void show_mq_attr(struct printer *p, uint64_t value, const void *data)
{
	struct mq_attr attr;

	(void)data;
	if (!printer_read(p, value, &attr, sizeof(attr))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{mq_flags=");
	show_flags_long(p, (uint64_t)attr.mq_flags, &mq_flags);
	str_addf(p->out, ", mq_maxmsg=%ld, mq_msgsize=%ld, mq_curmsgs=%ld}", attr.mq_maxmsg,
		 attr.mq_msgsize, attr.mq_curmsgs);
}

static void show_mq_sent(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_buffer(p, value, p->call->args[2]);
}

static void show_mq_received(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_buffer(p, value, (uint64_t)p->call->ret);
}

/* clang-format off */
static const struct call_form ipc_forms[] = {
	{ .name = "shmget", .classes = IPC,
	  .prototype = "key_t key, size_t size, int shmflg",
	  .args = { [0] = SHOW(show_key), [2] = SHOW_WITH(show_get_flags, &shm_get_flags) } },
	{ .name = "shmat", .classes = MEMORY | IPC,
	  .prototype = "int shmid, char * shmaddr, int shmflg",
	  .args = { [1] = SHOW(show_pointer), [2] = FLAGS(shm_at_flags) },
	  .result = result_address },
	{ .name = "shmdt", .classes = MEMORY | IPC,
	  .prototype = "char * shmaddr" },
	{ .name = "shmctl", .classes = IPC,
	  .prototype = "int shmid, int cmd, struct shmid_ds * buf",
	  .args = { [1] = SHOW_WITH(show_control, &shm_controls),
		    [2] = SHOW_WITH(show_ipc_control, &shm_control) } },
	{ .name = "semget", .classes = IPC,
	  .prototype = "key_t key, int nsems, int semflg",
	  .args = { [0] = SHOW(show_key), [2] = SHOW_WITH(show_get_flags, &ipc_get_flags) } },
	{ .name = "semop", .classes = IPC,
	  .prototype = "int semid, struct sembuf * tsops, unsigned nsops",
	  .args = { [1] = SHOW(show_semops) } },
	{ .name = "semtimedop", .classes = IPC,
	  .prototype = "int semid, struct sembuf * tsops, unsigned int nsops, "
		       "const struct __kernel_timespec * timeout",
	  .args = { [1] = SHOW(show_semops), [3] = IN(timespec_layout) } },
	{ .name = "semctl", .classes = IPC,
	  .prototype = "int semid, int semnum, int cmd, unsigned long arg",
	  .args = { [2] = SHOW_WITH(show_control, &sem_controls),
		    [3] = SHOW_WITH(show_ipc_control, &sem_control) } },
	{ .name = "msgget", .classes = IPC,
	  .prototype = "key_t key, int msgflg",
	  .args = { [0] = SHOW(show_key), [1] = SHOW_WITH(show_get_flags, &ipc_get_flags) } },
	{ .name = "msgsnd", .classes = IPC,
	  .prototype = "int msqid, struct msgbuf * msgp, size_t msgsz, int msgflg",
	  .args = { [1] = SHOW(show_sent), [3] = FLAGS(msg_flags) } },
	{ .name = "msgrcv", .classes = IPC,
	  .prototype = "int msqid, struct msgbuf * msgp, size_t msgsz, long msgtyp, int msgflg",
	  .args = { [1] = SHOW_OUT(show_received), [4] = FLAGS(msg_flags) } },
	{ .name = "msgctl", .classes = IPC,
	  .prototype = "int msqid, int cmd, struct msqid_ds * buf",
	  .args = { [1] = SHOW_WITH(show_control, &msg_controls),
		    [2] = SHOW_WITH(show_ipc_control, &msg_control) } },
	{ .name = "mq_open", .classes = DESC,
	  .prototype = "const char * u_name, int oflag, umode_t mode, struct mq_attr * u_attr",
	  .args = { [0] = SHOW(show_string), [1] = SHOW(show_mq_flags),
		    [3] = SHOW(show_mq_attr) },
	  .count = mq_open_count, .result = result_fd },
	{ .name = "mq_unlink",
	  .prototype = "const char * u_name",
	  .args = { [0] = SHOW(show_string) } },
	{ .name = "mq_timedsend", .classes = DESC,
	  .prototype = "mqd_t mqdes, const char * u_msg_ptr, size_t msg_len, "
		       "unsigned int msg_prio, const struct __kernel_timespec * u_abs_timeout",
	  .args = { [1] = SHOW(show_mq_sent), [4] = IN(timespec_layout) } },
	{ .name = "mq_timedreceive", .classes = DESC,
	  .prototype = "mqd_t mqdes, char * u_msg_ptr, size_t msg_len, "
		       "unsigned int * u_msg_prio, "
		       "const struct __kernel_timespec * u_abs_timeout",
	  .args = { [1] = SHOW_OUT(show_mq_received), [3] = FILLS(priority_pointee),
		    [4] = IN(timespec_layout) } },
	{ .name = "mq_notify", .classes = DESC,
	  .prototype = "mqd_t mqdes, const struct sigevent * u_notification",
	  .args = { [1] = SHOW(show_sigevent) } },
	{ .name = "mq_getsetattr", .classes = DESC,
	  .prototype = "mqd_t mqdes, const struct mq_attr * u_mqstat, "
		       "struct mq_attr * u_omqstat",
	  .args = { [1] = SHOW(show_mq_attr), [2] = SHOW_OUT(show_mq_attr) } },
};
/* clang-format on */

CALL_FAMILY(ipc);
