#include "engine/recording/perfdata_encode_private.h"

#include "engine/base/hash.h"

#define BUILD_ID_BYTES 20

static void put_comm(struct perfdata_encode *encode, const struct record *record, const char *comm,
		     uint16_t misc, uint64_t time_ns, unsigned int flags)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[16];
	} fields = {
		.header = { .type = PERF_RECORD_COMM, .misc = misc },
		.pid = record->pid,
		.tid = record->tid,
	};
	size_t start = encode->out.len, len = strnlen(comm, sizeof(fields.comm) - 1);

	memcpy(fields.comm, comm, len);
	encode_put(encode, &fields, offsetof(__typeof__(fields), comm) + encode_padded(len + 1));
	encode_put_trailer(encode, record, time_ns, flags);
	encode_finish(encode, start);
}

static void put_fork(struct perfdata_encode *encode, const struct record *record, uint32_t type,
		     uint32_t parent_pid, uint32_t parent_tid, uint16_t misc, uint64_t time_ns,
		     unsigned int flags)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, ppid, tid, ptid;
		uint64_t time_ns;
	} fields = {
		.header = { .type = type,
			    .misc = misc,
			    .size = sizeof(fields) + sizeof(struct perfdata_ext_trailer) },
		.pid = record->pid,
		.ppid = parent_pid,
		.tid = record->tid,
		.ptid = parent_tid,
		.time_ns = time_ns,
	};

	encode_put(encode, &fields, sizeof(fields));
	encode_put_trailer(encode, record, time_ns, flags);
}

/* A task new to the file existed before it: time 0 makes perf apply its records at once. */
void encode_task(struct perfdata_encode *encode, const struct record *record)
{
	bool known = encode_remembered(encode, record->tid);
	uint64_t time_ns = known ? record->time_ns : 0;
	const char *comm = record->task.comm;
	uint32_t parent = record->task.parent_pid;

	if (!known)
		encode_remember(encode, record->tid, 1);
	if (parent || !comm)
		put_fork(encode, record, PERF_RECORD_FORK, parent, parent,
			 PERF_RECORD_MISC_FORK_EXEC, time_ns,
			 PERFDATA_EXT_EXISTING | (comm ? 0 : PERFDATA_EXT_NO_NAME));
	if (comm)
		put_comm(encode, record, comm, 0, time_ns, PERFDATA_EXT_EXISTING);
}

void encode_owner(struct perfdata_encode *encode, const struct record *record)
{
	const char *cgroup = record->owner.cgroup, *comm = record->owner.comm;
	struct perfdata_ext_owner owner = {
		.common = encode_common(record, PERFDATA_EXT_OWNER, 0,
					(cgroup ? 1u : 0) | (comm ? 2u : 0)),
		.uid = record->owner.uid,
		.ns_pid = record->owner.ns_pid,
	};
	size_t cgroup_len = cgroup ? strnlen(cgroup, ENCODE_PATH_BYTES) : 0;
	size_t start = encode->out.len;
	size_t comm_len = comm ? strnlen(comm, 16) : 0;

	encode_put(encode, &owner, sizeof(owner));
	if (cgroup_len)
		encode_put(encode, cgroup, cgroup_len);
	str_addc(&encode->out, '\0');
	if (comm_len)
		encode_put(encode, comm, comm_len);
	encode_put_padded(encode, "", 1);
	while ((encode->out.len - start) % 8)
		str_addc(&encode->out, '\0');
	encode_finish(encode, start);
}

/* Write each build-id once. If two hashes collide, one file lacks its build-id. */
void perfdata_encode_build_id(struct perfdata_encode *encode, bool kernel, uint32_t pid,
			      const char *path, const uint8_t *id, uint32_t bytes)
{
	struct {
		struct perf_event_header header;
		uint32_t pid;
		uint8_t id[BUILD_ID_BYTES];
		uint8_t id_bytes, unused[3];
	} fields = {
		.header = { .type = PERFDATA_EXT_BUILD_ID_TYPE,
			    .misc = (uint16_t)((kernel ? PERF_RECORD_MISC_KERNEL
						       : PERF_RECORD_MISC_USER) |
					       1u << 15) },
		.pid = pid,
		.id_bytes = (uint8_t)bytes,
	};
	size_t start = encode->out.len, len = strnlen(path, ENCODE_PATH_BYTES);

	if (!bytes || bytes > sizeof(fields.id) ||
	    idmap_put(&encode->build_ids, hash_bytes_mix(hash_bytes(path, len), id, bytes), encode))
		return;
	memcpy(fields.id, id, bytes);
	encode_put(encode, &fields, sizeof(fields));
	encode_put(encode, path, len);
	str_addc(&encode->out, '\0');
	while ((encode->out.len - start) % 8)
		str_addc(&encode->out, '\0');
	encode_finish(encode, start);
	str_addn(&encode->build_id_records, encode->out.data + start, encode->out.len - start);
}

static void put_map(struct perfdata_encode *encode, const struct record *record, uint64_t time_ns)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t start, bytes, offset;
		union {
			struct {
				uint32_t dev_major, dev_minor;
				uint64_t inode, generation;
			} file;
			struct {
				uint8_t bytes, unused[3];
				uint8_t id[BUILD_ID_BYTES];
			} build;
		};
		uint32_t prot, flags;
	} fields = {
		.header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
		.pid = record->pid,
		.tid = record->tid,
		.start = record->map.start,
		.bytes = record->map.bytes,
		.offset = record->map.file_offset,
		.prot = record->map.prot,
		.flags = 2, /* MAP_PRIVATE */
	};
	const uint8_t *id = record->map.build_id;
	uint32_t id_bytes = record->map.build_id_bytes;
	size_t start, len = strnlen(record->map.path, ENCODE_PATH_BYTES);

	if (id && id_bytes <= BUILD_ID_BYTES && !record->map.inode) {
		fields.header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
		fields.build.bytes = (uint8_t)id_bytes;
		memcpy(fields.build.id, id, id_bytes);
	} else {
		if (id)
			perfdata_encode_build_id(encode, false, record->pid, record->map.path, id,
						 id_bytes);
		fields.file.dev_major = record->map.dev_major;
		fields.file.dev_minor = record->map.dev_minor;
		fields.file.inode = record->map.inode;
		fields.file.generation = record->map.inode_generation;
	}
	start = encode->out.len;
	encode_put(encode, &fields, sizeof(fields));
	encode_put(encode, record->map.path, len);
	str_addc(&encode->out, '\0');
	while ((encode->out.len - start) % 8)
		str_addc(&encode->out, '\0');
	encode_put_trailer(encode, record, time_ns, 0);
	encode_finish(encode, start);
}

void perfdata_encode_old_map(struct perfdata_encode *encode, const struct record *record)
{
	put_map(encode, record, 0);
}

void perfdata_encode_kernel_map(struct perfdata_encode *encode, uint64_t start_address,
				uint64_t bytes, uint64_t offset, const char *path)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t start, bytes, offset;
	} fields = {
		.header = { .type = PERF_RECORD_MMAP, .misc = PERF_RECORD_MISC_KERNEL },
		.pid = UINT32_MAX, /* HOST_KERNEL_ID */
		.start = start_address,
		.bytes = bytes,
		.offset = offset,
	};
	struct record unknown = { .pid = UINT32_MAX };
	size_t start = encode->out.len, len = strnlen(path, ENCODE_PATH_BYTES);

	encode_put(encode, &fields, sizeof(fields));
	encode_put(encode, path, len);
	str_addc(&encode->out, '\0');
	while ((encode->out.len - start) % 8)
		str_addc(&encode->out, '\0');
	encode_put_trailer(encode, &unknown, 0, PERFDATA_EXT_PERF_ONLY);
	encode_finish(encode, start);
}

void encode_map(struct perfdata_encode *encode, const struct record *record)
{
	put_map(encode, record, record->time_ns);
}

void encode_comm(struct perfdata_encode *encode, const struct record *record)
{
	put_comm(encode, record, record->comm.comm,
		 record->comm.exec ? PERF_RECORD_MISC_COMM_EXEC : 0, record->time_ns, 0);
}

void encode_fork(struct perfdata_encode *encode, const struct record *record)
{
	put_fork(encode, record, PERF_RECORD_FORK, record->fork.parent_pid, record->fork.parent_tid,
		 0, record->time_ns, 0);
	encode_remember(encode, record->tid, 1);
}

void encode_task_exit(struct perfdata_encode *encode, const struct record *record)
{
	put_fork(encode, record, PERF_RECORD_EXIT, 0, 0, 0, record->time_ns, 0);
	idmap_remove(&encode->entered, record->tid);
}
