/* Requests of block devices, disks, loop devices and network block devices. */
#include "engine/decode/ioctl_args.h"

#include "engine/decode/shapes.h"
#include "engine/decode/struct_layout.h"
#include "engine/decode/tables.h"

#include <linux/blkpg.h>
#include <linux/fs.h>
#include <linux/hdreg.h>
#include <linux/loop.h>
#include <linux/nbd.h>
#include <string.h>

#define BLK_GET_DISK_SEQUENCE 0x80081280u /* BLKGETDISKSEQ, missing in older headers */
#define BLK_GET_ZONE_SIZE 0x80041284u
#define BLK_GET_ZONES 0x80041285u
#define BLK_TRACE_START 0x1274u
#define BLK_TRACE_STOP 0x1275u
#define BLK_TRACE_TEARDOWN 0x1276u

static const struct pointee small_pointee = { 2, show_unsigned, NULL };

static void show_pair(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_array(p, value, 2, 8, element_ulong, NULL);
}

static void show_partition(struct printer *p, uint64_t value, const void *data)
{
	struct blkpg_ioctl_arg request;
	struct blkpg_partition partition;

	(void)data;
	if (!printer_read(p, value, &request, sizeof(request))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{op=");
	print_enum(p, (uint32_t)request.op, &partition_operations);
	str_addf(p->out, ", flags=%d, datalen=%d, data=", request.flags, request.datalen);
	if (printer_read(p, (uintptr_t)request.data, &partition, sizeof(partition))) {
		str_addf(p->out, "{start=%lld, length=%lld, pno=%d, devname=", partition.start,
			 partition.length, partition.pno);
		print_char_array(p, partition.devname, sizeof(partition.devname));
		PUT(p, ", volname=");
		print_char_array(p, partition.volname, sizeof(partition.volname));
		PUT(p, "}");
	} else {
		show_pointer(p, (uintptr_t)request.data, NULL);
	}
	PUT(p, "}");
}

/* -- Disks --------------------------------------------------------------------------------- */

LAYOUT(geometry_layout, struct hd_geometry, MEMBER(struct hd_geometry, heads, show_unsigned),
       MEMBER(struct hd_geometry, sectors, show_unsigned),
       MEMBER(struct hd_geometry, cylinders, show_unsigned),
       MEMBER(struct hd_geometry, start, show_ulong));

static const struct pointee bus_pointee = { 8, show_enum_long, &disk_bus_states };
static const struct pointee nice_pointee = { 8, show_flags_long, &disk_nice_flags };

static void show_identity(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_buffer(p, value, sizeof(struct hd_driveid));
}

static void show_three_words(struct printer *p, uint64_t value, const void *data)
{
	uint32_t words[3];

	(void)data;
	if (!printer_read(p, value, words, sizeof(words))) {
		show_pointer(p, value, NULL);
		return;
	}
	for (unsigned i = 0; i < 3; i++) {
		str_add(p->out, i ? ", " : "[");
		str_addx(p->out, words[i]);
	}
	PUT(p, "]");
}

/* Size of the header, the same in command and reply, and of the data that strace shows. */
#define DRIVE_COMMAND_BYTES (4 + 64)

/* Show the four command bytes; the reply of the disk overwrites them. */
static void show_drive_command(struct printer *p, uint64_t value, const void *data)
{
	uint8_t bytes[4];

	(void)data;
	if (!printer_read_enter(p, value, bytes, sizeof(bytes))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{command=");
	print_enum(p, bytes[0], &disk_commands);
	str_addf(p->out, ", sector_number=%u, feature=%u, sector_count=%u}", bytes[1], bytes[2],
		 bytes[3]);
	p->when = BYTES_AT_EXIT;
	if (!printer_succeeded(p) || !printer_read(p, value, bytes, sizeof(bytes)))
		return;
	PUT(p, " => {status=");
	str_addx(p->out, bytes[0]);
	str_addf(p->out, ", error=%u, nsector=%u", bytes[1], bytes[2]);
	if (bytes[3]) {
		PUT(p, ", buf=");
		print_hex_buffer(p, value + sizeof(bytes), bytes[3] * 512u);
	}
	PUT(p, "}");
}

/* -- Loop devices -------------------------------------------------------------------------- */

static void print_key(struct printer *p, const void *key, uint32_t bytes)
{
	print_quoted(p, key, bytes < LO_KEY_SIZE ? bytes : LO_KEY_SIZE);
}

static void element_loop(struct printer *p, const void *element, const void *data)
{
	struct loop_info64 info;

	(void)data;
	memcpy(&info, element, sizeof(info));
	PUT(p, "{lo_offset=");
	str_addx(p->out, info.lo_offset);
	str_addf(p->out, ", lo_number=%u", info.lo_number);
	if (info.lo_encrypt_type) {
		PUT(p, ", lo_encrypt_type=");
		print_enum(p, info.lo_encrypt_type, &loop_encryptions);
		str_addf(p->out, ", lo_encrypt_key_size=%u", info.lo_encrypt_key_size);
	}
	PUT(p, ", lo_flags=");
	show_flags(p, info.lo_flags, &loop_flags);
	PUT(p, ", lo_file_name=");
	print_char_array(p, info.lo_file_name, sizeof(info.lo_file_name));
	if (info.lo_encrypt_type) {
		PUT(p, ", lo_crypt_name=");
		print_char_array(p, info.lo_crypt_name, sizeof(info.lo_crypt_name));
		PUT(p, ", lo_encrypt_key=");
		print_key(p, info.lo_encrypt_key, info.lo_encrypt_key_size);
	}
	PUT(p, ", ...}");
}

static void show_loop(struct printer *p, uint64_t value, const void *data)
{
	struct loop_info64 info;

	if (printer_read(p, value, &info, sizeof(info)))
		element_loop(p, &info, data);
	else
		show_pointer(p, value, NULL);
}

/* struct loop_info: the older layout, with narrower members. */
static void show_old_loop(struct printer *p, uint64_t value, const void *data)
{
	struct loop_info info;

	(void)data;
	if (!printer_read(p, value, &info, sizeof(info))) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out, "{lo_number=%d, lo_offset=", info.lo_number);
	str_addx(p->out, (uint32_t)info.lo_offset);
	if (info.lo_encrypt_type) {
		PUT(p, ", lo_encrypt_type=");
		print_enum(p, (uint32_t)info.lo_encrypt_type, &loop_encryptions);
		str_addf(p->out, ", lo_encrypt_key_size=%u", (uint32_t)info.lo_encrypt_key_size);
	}
	PUT(p, ", lo_flags=");
	show_flags(p, (uint32_t)info.lo_flags, &loop_flags);
	PUT(p, ", lo_name=");
	print_char_array(p, info.lo_name, sizeof(info.lo_name));
	if (info.lo_encrypt_type) {
		PUT(p, ", lo_encrypt_key=");
		print_key(p, info.lo_encrypt_key, (uint32_t)info.lo_encrypt_key_size);
	}
	PUT(p, ", ...}");
}

static void show_loop_config(struct printer *p, uint64_t value, const void *data)
{
	struct loop_config config;
	bool any = false;

	if (!printer_read(p, value, &config, sizeof(config))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{fd=");
	show_fd(p, config.fd, NULL);
	str_addf(p->out, ", block_size=%u, info=", config.block_size);
	element_loop(p, &config.info, data);
	for (unsigned i = 0; i < sizeof(config.__reserved) / 8; i++)
		any |= config.__reserved[i] != 0;
	for (unsigned i = 0; any && i < sizeof(config.__reserved) / 8; i++) {
		str_add(p->out, i ? ", " : ", __reserved=[");
		str_addx(p->out, config.__reserved[i]);
	}
	str_add(p->out, any ? "]}" : "}");
}

#define READS(code, pointee) \
	{ \
		code, IOCTL_READS, show_pointee, &(pointee), 0 \
	}
#define VALUE(code) \
	{ \
		code, IOCTL_WRITES, show_ulong, NULL, 0 \
	}
#define NOTHING(code) \
	{ \
		code, IOCTL_NOTHING, NULL, NULL, 0 \
	}

/* clang-format off */
static const struct ioctl_arg ioctl_block_args_list[] = {
	READS(BLKROGET, int_pointee),
	{ BLKROSET, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	READS(BLKBSZGET, int_pointee),
	{ BLKBSZSET, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	READS(BLKSSZGET, int_pointee), READS(BLKPBSZGET, unsigned_pointee),
	READS(BLKIOMIN, unsigned_pointee), READS(BLKIOOPT, unsigned_pointee),
	READS(BLKALIGNOFF, int_pointee), READS(BLKSECTGET, small_pointee),
	READS(BLKROTATIONAL, small_pointee), READS(BLKDISCARDZEROES, unsigned_pointee),
	READS(BLKGETSIZE, ulong_pointee), READS(BLKGETSIZE64, ulong_pointee),
	READS(BLKRAGET, long_pointee), READS(BLKFRAGET, long_pointee),
	READS(BLK_GET_DISK_SEQUENCE, ulong_pointee), READS(BLK_GET_ZONE_SIZE, unsigned_pointee),
	READS(BLK_GET_ZONES, unsigned_pointee),
	VALUE(BLKRASET), VALUE(BLKFRASET),
	{ BLKDISCARD, IOCTL_WRITES, show_pair, NULL, 16 },
	{ BLKSECDISCARD, IOCTL_WRITES, show_pair, NULL, 16 },
	{ BLKZEROOUT, IOCTL_WRITES, show_pair, NULL, 16 },
	{ BLKPG, IOCTL_WRITES, show_partition, NULL, sizeof(struct blkpg_ioctl_arg) },
	NOTHING(BLKRRPART), NOTHING(BLKFLSBUF), NOTHING(BLK_TRACE_START),
	NOTHING(BLK_TRACE_STOP), NOTHING(BLK_TRACE_TEARDOWN),

	{ HDIO_GETGEO, IOCTL_READS, show_struct, &geometry_layout, 0 },
	{ HDIO_GET_IDENTITY, IOCTL_READS, show_identity, NULL, sizeof(struct hd_driveid) },
	{ HDIO_OBSOLETE_IDENTITY, IOCTL_READS, show_identity, NULL, sizeof(struct hd_driveid) },
	READS(HDIO_GET_UNMASKINTR, ulong_pointee), READS(HDIO_GET_MULTCOUNT, ulong_pointee),
	READS(HDIO_GET_KEEPSETTINGS, ulong_pointee),
	READS(HDIO_GET_32BIT, ulong_pointee), READS(HDIO_GET_NOWERR, ulong_pointee),
	READS(HDIO_GET_DMA, ulong_pointee), READS(HDIO_GET_WCACHE, ulong_pointee),
	READS(HDIO_GET_ACOUSTIC, ulong_pointee), READS(HDIO_GET_ADDRESS, ulong_pointee),
	READS(HDIO_GET_NICE, nice_pointee), READS(HDIO_GET_BUSSTATE, bus_pointee),
	VALUE(HDIO_SET_MULTCOUNT), VALUE(HDIO_SET_UNMASKINTR), VALUE(HDIO_SET_KEEPSETTINGS),
	VALUE(HDIO_SET_32BIT), VALUE(HDIO_SET_NOWERR), VALUE(HDIO_SET_DMA),
	VALUE(HDIO_SET_PIO_MODE), VALUE(HDIO_SET_WCACHE), VALUE(HDIO_SET_ACOUSTIC),
	VALUE(HDIO_SET_ADDRESS), VALUE(HDIO_UNREGISTER_HWIF),
	{ HDIO_SET_NICE, IOCTL_WRITES, show_flags_long, &disk_nice_flags, 0 },
	{ HDIO_SET_BUSSTATE, IOCTL_WRITES, show_enum_long, &disk_bus_states, 0 },
	{ HDIO_DRIVE_RESET, IOCTL_WRITES, show_three_words, NULL, 12 },
	{ HDIO_SCAN_HWIF, IOCTL_WRITES, show_three_words, NULL, 12 },
	{ HDIO_DRIVE_CMD, IOCTL_BOTH, show_drive_command, NULL, DRIVE_COMMAND_BYTES },

	{ LOOP_SET_FD, IOCTL_WRITES, show_fd, NULL, 0 },
	{ LOOP_CHANGE_FD, IOCTL_WRITES, show_fd, NULL, 0 },
	NOTHING(LOOP_CLR_FD), NOTHING(LOOP_SET_CAPACITY), NOTHING(LOOP_CTL_GET_FREE),
	{ LOOP_CTL_ADD, IOCTL_WRITES, show_int, NULL, 0 },
	{ LOOP_CTL_REMOVE, IOCTL_WRITES, show_int, NULL, 0 },
	VALUE(LOOP_SET_DIRECT_IO), VALUE(LOOP_SET_BLOCK_SIZE),
	{ LOOP_SET_STATUS, IOCTL_WRITES, show_old_loop, NULL, sizeof(struct loop_info) },
	{ LOOP_GET_STATUS, IOCTL_READS, show_old_loop, NULL, sizeof(struct loop_info) },
	{ LOOP_SET_STATUS64, IOCTL_WRITES, show_loop, NULL, sizeof(struct loop_info64) },
	{ LOOP_GET_STATUS64, IOCTL_READS, show_loop, NULL, sizeof(struct loop_info64) },
	{ LOOP_CONFIGURE, IOCTL_WRITES, show_loop_config, NULL, sizeof(struct loop_config) },

	{ NBD_SET_SOCK, IOCTL_WRITES, show_fd, NULL, 0 },
	VALUE(NBD_SET_BLKSIZE), VALUE(NBD_SET_SIZE), VALUE(NBD_SET_SIZE_BLOCKS),
	VALUE(NBD_SET_TIMEOUT),
	{ NBD_SET_FLAGS, IOCTL_WRITES, show_flags_long, &network_disk_flags, 0 },
	NOTHING(NBD_DO_IT), NOTHING(NBD_CLEAR_SOCK), NOTHING(NBD_CLEAR_QUE),
	NOTHING(NBD_PRINT_DEBUG), NOTHING(NBD_DISCONNECT),
};
/* clang-format on */
IOCTL_ARGS(ioctl_block_args);
