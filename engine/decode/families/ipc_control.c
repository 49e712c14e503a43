/* Arguments and results of semctl(2), shmctl(2) and msgctl(2). */
#include "engine/decode/families/ipc_control.h"

#include "engine/decode/struct_layout.h"

#include <linux/ipc.h>
#include <linux/msg.h>
#include <linux/sem.h>
#include <linux/shm.h>

LAYOUT(ipc_owner_layout, struct ipc64_perm, MEMBER(struct ipc64_perm, uid, show_unsigned),
       MEMBER(struct ipc64_perm, gid, show_unsigned), MEMBER(struct ipc64_perm, mode, show_octal));
/* clang-format off */
LAYOUT(permission_layout, struct ipc64_perm,
	MEMBER(struct ipc64_perm, uid, show_unsigned),
	MEMBER(struct ipc64_perm, gid, show_unsigned),
	MEMBER(struct ipc64_perm, mode, show_octal),
	MEMBER(struct ipc64_perm, key, show_unsigned),
	MEMBER(struct ipc64_perm, cuid, show_unsigned),
	MEMBER(struct ipc64_perm, cgid, show_unsigned));

LAYOUT(shm_layout, struct shmid64_ds,
	MEMBER_INNER(struct shmid64_ds, shm_perm, permission_layout),
	MEMBER(struct shmid64_ds, shm_segsz, show_ulong),
	MEMBER(struct shmid64_ds, shm_cpid, show_int),
	MEMBER(struct shmid64_ds, shm_lpid, show_int),
	MEMBER(struct shmid64_ds, shm_nattch, show_ulong),
	MEMBER(struct shmid64_ds, shm_atime, show_long),
	MEMBER(struct shmid64_ds, shm_dtime, show_long),
	MEMBER(struct shmid64_ds, shm_ctime, show_long));
/* clang-format on */
LAYOUT(shm_set_layout, struct shmid64_ds,
       MEMBER_INNER(struct shmid64_ds, shm_perm, ipc_owner_layout));
/* clang-format off */
LAYOUT(shm_limits_layout, struct shminfo64,
	MEMBER(struct shminfo64, shmmax, show_ulong),
	MEMBER(struct shminfo64, shmmin, show_ulong),
	MEMBER(struct shminfo64, shmmni, show_ulong),
	MEMBER(struct shminfo64, shmseg, show_ulong),
	MEMBER(struct shminfo64, shmall, show_ulong));
LAYOUT(shm_usage_layout, struct shm_info,
	MEMBER(struct shm_info, used_ids, show_int),
	MEMBER(struct shm_info, shm_tot, show_ulong),
	MEMBER(struct shm_info, shm_rss, show_ulong),
	MEMBER(struct shm_info, shm_swp, show_ulong),
	MEMBER(struct shm_info, swap_attempts, show_ulong),
	MEMBER(struct shm_info, swap_successes, show_ulong));

LAYOUT(msg_layout, struct msqid64_ds,
	MEMBER_INNER(struct msqid64_ds, msg_perm, permission_layout),
	MEMBER(struct msqid64_ds, msg_stime, show_long),
	MEMBER(struct msqid64_ds, msg_rtime, show_long),
	MEMBER(struct msqid64_ds, msg_ctime, show_long),
	MEMBER(struct msqid64_ds, msg_qnum, show_ulong),
	MEMBER(struct msqid64_ds, msg_qbytes, show_ulong),
	MEMBER(struct msqid64_ds, msg_lspid, show_int),
	MEMBER(struct msqid64_ds, msg_lrpid, show_int));
/* clang-format on */
LAYOUT(msg_set_layout, struct msqid64_ds,
       MEMBER_INNER(struct msqid64_ds, msg_perm, ipc_owner_layout),
       MEMBER(struct msqid64_ds, msg_qbytes, show_ulong));
/* clang-format off */
LAYOUT(msg_limits_layout, struct msginfo,
	MEMBER(struct msginfo, msgpool, show_int),
	MEMBER(struct msginfo, msgmap, show_int),
	MEMBER(struct msginfo, msgmax, show_int),
	MEMBER(struct msginfo, msgmnb, show_int),
	MEMBER(struct msginfo, msgmni, show_int),
	MEMBER(struct msginfo, msgssz, show_int),
	MEMBER(struct msginfo, msgtql, show_int),
	MEMBER(struct msginfo, msgseg, show_unsigned));
/* clang-format on */

LAYOUT(sem_layout, struct semid64_ds, MEMBER_INNER(struct semid64_ds, sem_perm, permission_layout),
       MEMBER(struct semid64_ds, sem_otime, show_long),
       MEMBER(struct semid64_ds, sem_ctime, show_long),
       MEMBER(struct semid64_ds, sem_nsems, show_ulong));
LAYOUT(sem_set_layout, struct semid64_ds,
       MEMBER_INNER(struct semid64_ds, sem_perm, ipc_owner_layout));
/* clang-format off */
LAYOUT(sem_limits_layout, struct seminfo,
	MEMBER(struct seminfo, semmap, show_int),
	MEMBER(struct seminfo, semmni, show_int),
	MEMBER(struct seminfo, semmns, show_int),
	MEMBER(struct seminfo, semmnu, show_int),
	MEMBER(struct seminfo, semmsl, show_int),
	MEMBER(struct seminfo, semopm, show_int),
	MEMBER(struct seminfo, semume, show_int),
	MEMBER(struct seminfo, semusz, show_int),
	MEMBER(struct seminfo, semvmx, show_int),
	MEMBER(struct seminfo, semaem, show_int));
/* clang-format on */

const struct ipc_control shm_control = {
	.command_arg = 1,
	.stat = { IPC_STAT, SHM_STAT, SHM_STAT_ANY },
	.state = &shm_layout,
	.set = &shm_set_layout,
	.limits = &shm_limits_layout,
	.info = SHM_INFO,
	.usage = &shm_usage_layout,
};
const struct ipc_control msg_control = {
	.command_arg = 1,
	.stat = { IPC_STAT, MSG_STAT, MSG_STAT_ANY },
	.state = &msg_layout,
	.set = &msg_set_layout,
	.limits = &msg_limits_layout,
	.info = MSG_INFO,
	.usage = &msg_limits_layout,
};
const struct ipc_control sem_control = {
	.command_arg = 2,
	.stat = { IPC_STAT, SEM_STAT, SEM_STAT_ANY },
	.state = &sem_layout,
	.set = &sem_set_layout,
	.limits = &sem_limits_layout,
	.info = SEM_INFO,
	.usage = &sem_limits_layout,
};

static const struct layout *filled_by(const struct ipc_control *control, uint32_t command)
{
	for (unsigned i = 0; i < sizeof(control->stat) / sizeof(control->stat[0]); i++)
		if (command == control->stat[i])
			return control->state;
	if (command == IPC_INFO)
		return control->limits;
	return command == control->info ? control->usage : NULL;
}

void show_ipc_control(struct printer *p, uint64_t value, const void *data)
{
	const struct ipc_control *control = data;
	uint32_t command = (uint32_t)p->call->args[control->command_arg] & ~(uint32_t)IPC_64;
	const struct layout *filled = filled_by(control, command);

	if (command == IPC_SET) {
		show_struct(p, value, control->set);
	} else if (filled && printer_succeeded(p)) {
		p->when = BYTES_AT_EXIT;
		show_struct(p, value, filled);
	} else if (command == SETVAL && control == &sem_control && value) {
		show_hex_long(p, value, NULL);
	} else {
		show_pointer(p, value, NULL);
	}
}
