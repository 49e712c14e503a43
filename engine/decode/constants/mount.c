#include "engine/decode/constants/tables.h"

CONSTANTS(mount_flags, "linux/mount.h", "MS_???",
	{ "MS_RDONLY", 0x1 },
	{ "MS_NOSUID", 0x2 },
	{ "MS_NODEV", 0x4 },
	{ "MS_NOEXEC", 0x8 },
	{ "MS_SYNCHRONOUS", 0x10 },
	{ "MS_REMOUNT", 0x20 },
	{ "MS_MANDLOCK", 0x40 },
	{ "MS_DIRSYNC", 0x80 },
	{ "MS_NOSYMFOLLOW", 0x100 },
	{ "MS_NOATIME", 0x400 },
	{ "MS_NODIRATIME", 0x800 },
	{ "MS_BIND", 0x1000 },
	{ "MS_MOVE", 0x2000 },
	{ "MS_REC", 0x4000 },
	{ "MS_SILENT", 0x8000 },
	{ "MS_POSIXACL", 0x10000 },
	{ "MS_UNBINDABLE", 0x20000 },
	{ "MS_PRIVATE", 0x40000 },
	{ "MS_SLAVE", 0x80000 },
	{ "MS_SHARED", 0x100000 },
	{ "MS_RELATIME", 0x200000 },
	{ "MS_KERNMOUNT", 0x400000 },
	{ "MS_I_VERSION", 0x800000 },
	{ "MS_STRICTATIME", 0x1000000 },
	{ "MS_LAZYTIME", 0x2000000 },
	{ "MS_SUBMOUNT", 0x4000000 },
	{ "MS_NOREMOTELOCK", 0x8000000 },
	{ "MS_NOSEC", 0x10000000 },
	{ "MS_BORN", 0x20000000 },
	{ "MS_ACTIVE", 0x40000000 },
	{ "MS_NOUSER", 0x80000000 });

CONSTANTS(umount_flags, "sys/mount.h", "MNT_???",
	{ "MNT_FORCE", 0x1 },
	{ "MNT_DETACH", 0x2 },
	{ "MNT_EXPIRE", 0x4 },
	{ "UMOUNT_NOFOLLOW", 0x8 });

CONSTANTS(open_tree_flags, "linux/mount.h,linux/fcntl.h", "OPEN_TREE_???",
	{ "OPEN_TREE_CLONE", 0x1 },
	{ "OPEN_TREE_CLOEXEC", 0x80000 },
	{ "AT_SYMLINK_NOFOLLOW", 0x100 },
	{ "AT_REMOVEDIR", 0x200 },
	{ "AT_SYMLINK_FOLLOW", 0x400 },
	{ "AT_NO_AUTOMOUNT", 0x800 },
	{ "AT_EMPTY_PATH", 0x1000 },
	{ "AT_RECURSIVE", 0x8000 });

CONSTANTS(move_mount_flags, "linux/mount.h", "MOVE_MOUNT_???",
	{ "MOVE_MOUNT_F_SYMLINKS", 0x1 },
	{ "MOVE_MOUNT_F_AUTOMOUNTS", 0x2 },
	{ "MOVE_MOUNT_F_EMPTY_PATH", 0x4 },
	{ "MOVE_MOUNT_T_SYMLINKS", 0x10 },
	{ "MOVE_MOUNT_T_AUTOMOUNTS", 0x20 },
	{ "MOVE_MOUNT_T_EMPTY_PATH", 0x40 },
	{ "MOVE_MOUNT_SET_GROUP", 0x100 },
	{ "MOVE_MOUNT_BENEATH", 0x200 });

CONSTANTS(fsopen_flags, "linux/mount.h", "FSOPEN_???",
	{ "FSOPEN_CLOEXEC", 0x1 });

CONSTANTS(fsmount_flags, "linux/mount.h", "FSMOUNT_???",
	{ "FSMOUNT_CLOEXEC", 0x1 });

CONSTANTS(fsconfig_commands, "linux/mount.h", "FSCONFIG_???",
	{ "FSCONFIG_SET_FLAG", 0 },
	{ "FSCONFIG_SET_STRING", 1 },
	{ "FSCONFIG_SET_BINARY", 2 },
	{ "FSCONFIG_SET_PATH", 3 },
	{ "FSCONFIG_SET_PATH_EMPTY", 4 },
	{ "FSCONFIG_SET_FD", 5 },
	{ "FSCONFIG_CMD_CREATE", 6 },
	{ "FSCONFIG_CMD_RECONFIGURE", 7 },
	{ "FSCONFIG_CMD_CREATE_EXCL", 8 });

CONSTANTS(fspick_flags, "linux/mount.h", "FSPICK_???",
	{ "FSPICK_CLOEXEC", 0x1 },
	{ "FSPICK_SYMLINK_NOFOLLOW", 0x2 },
	{ "FSPICK_NO_AUTOMOUNT", 0x4 },
	{ "FSPICK_EMPTY_PATH", 0x8 });

CONSTANTS(mount_attributes, "linux/mount.h", "MOUNT_ATTR_???",
	{ "MOUNT_ATTR_RDONLY", 0x1 },
	{ "MOUNT_ATTR_NOSUID", 0x2 },
	{ "MOUNT_ATTR_NODEV", 0x4 },
	{ "MOUNT_ATTR_NOEXEC", 0x8 },
	{ "MOUNT_ATTR_NOATIME", 0x10 },
	{ "MOUNT_ATTR_STRICTATIME", 0x20 },
	{ "MOUNT_ATTR_NODIRATIME", 0x80 },
	{ "MOUNT_ATTR_IDMAP", 0x100000 },
	{ "MOUNT_ATTR_NOSYMFOLLOW", 0x200000 });

CONSTANTS(mount_atimes, "linux/mount.h", "MOUNT_ATTR_???",
	{ "MOUNT_ATTR_RELATIME", 0 },
	{ "MOUNT_ATTR_NOATIME", 16 },
	{ "MOUNT_ATTR_STRICTATIME", 32 });

CONSTANTS(mount_setattr_flags, "linux/fcntl.h", "AT_???",
	{ "AT_SYMLINK_NOFOLLOW", 0x100 },
	{ "AT_NO_AUTOMOUNT", 0x800 },
	{ "AT_EMPTY_PATH", 0x1000 },
	{ "AT_RECURSIVE", 0x8000 });

CONSTANTS(mount_propagations, "linux/mount.h", "MS_???",
	{ "MS_UNBINDABLE", 0x20000 },
	{ "MS_PRIVATE", 0x40000 },
	{ "MS_SLAVE", 0x80000 },
	{ "MS_SHARED", 0x100000 });

CONSTANTS(swap_flags, "sys/swap.h", "SWAP_FLAG_???",
	{ "SWAP_FLAG_PREFER", 0x8000 },
	{ "SWAP_FLAG_DISCARD", 0x10000 },
	{ "SWAP_FLAG_DISCARD_ONCE", 0x20000 },
	{ "SWAP_FLAG_DISCARD_PAGES", 0x40000 });

CONSTANTS(quota_commands, "linux/quota.h", "Q_???",
	{ "Q_XQUOTAON", 0x5801 },
	{ "Q_XQUOTAOFF", 0x5802 },
	{ "Q_XGETQUOTA", 0x5803 },
	{ "Q_XSETQLIM", 0x5804 },
	{ "Q_XGETQSTAT", 0x5805 },
	{ "Q_XQUOTARM", 0x5806 },
	{ "Q_XQUOTASYNC", 0x5807 },
	{ "Q_XGETQSTATV", 0x5808 },
	{ "Q_XGETNEXTQUOTA", 0x5809 },
	{ "Q_SYNC", 0x800001 },
	{ "Q_QUOTAON", 0x800002 },
	{ "Q_QUOTAOFF", 0x800003 },
	{ "Q_GETFMT", 0x800004 },
	{ "Q_GETINFO", 0x800005 },
	{ "Q_SETINFO", 0x800006 },
	{ "Q_GETQUOTA", 0x800007 },
	{ "Q_SETQUOTA", 0x800008 },
	{ "Q_GETNEXTQUOTA", 0x800009 });

CONSTANTS(quota_types, "linux/quota.h", "???QUOTA",
	{ "USRQUOTA", 0 },
	{ "GRPQUOTA", 1 },
	{ "PRJQUOTA", 2 });

CONSTANTS(quota_formats, "linux/quota.h", "QFMT_VFS_???",
	{ "QFMT_VFS_OLD", 1 },
	{ "QFMT_VFS_V0", 2 },
	{ "QFMT_OCFS2", 3 },
	{ "QFMT_VFS_V1", 4 });

CONSTANTS(landlock_rule_types, "linux/landlock.h", "LANDLOCK_RULE_???",
	{ "LANDLOCK_RULE_PATH_BENEATH", 1 },
	{ "LANDLOCK_RULE_NET_PORT", 2 });

CONSTANTS(landlock_flags, "linux/landlock.h", "LANDLOCK_CREATE_RULESET_???",
	{ "LANDLOCK_CREATE_RULESET_VERSION", 0x1 },
	{ "LANDLOCK_CREATE_RULESET_ERRATA", 0x2 });

CONSTANTS(landlock_fs_accesses, "linux/landlock.h", "LANDLOCK_ACCESS_FS_???",
	{ "LANDLOCK_ACCESS_FS_EXECUTE", 0x1 },
	{ "LANDLOCK_ACCESS_FS_WRITE_FILE", 0x2 },
	{ "LANDLOCK_ACCESS_FS_READ_FILE", 0x4 },
	{ "LANDLOCK_ACCESS_FS_READ_DIR", 0x8 },
	{ "LANDLOCK_ACCESS_FS_REMOVE_DIR", 0x10 },
	{ "LANDLOCK_ACCESS_FS_REMOVE_FILE", 0x20 },
	{ "LANDLOCK_ACCESS_FS_MAKE_CHAR", 0x40 },
	{ "LANDLOCK_ACCESS_FS_MAKE_DIR", 0x80 },
	{ "LANDLOCK_ACCESS_FS_MAKE_REG", 0x100 },
	{ "LANDLOCK_ACCESS_FS_MAKE_SOCK", 0x200 },
	{ "LANDLOCK_ACCESS_FS_MAKE_FIFO", 0x400 },
	{ "LANDLOCK_ACCESS_FS_MAKE_BLOCK", 0x800 },
	{ "LANDLOCK_ACCESS_FS_MAKE_SYM", 0x1000 },
	{ "LANDLOCK_ACCESS_FS_REFER", 0x2000 },
	{ "LANDLOCK_ACCESS_FS_TRUNCATE", 0x4000 },
	{ "LANDLOCK_ACCESS_FS_IOCTL_DEV", 0x8000 });
