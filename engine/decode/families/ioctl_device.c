/* Requests of loop devices, clocks, watchdogs, userfaultfd; structs in those of files. */
#include "engine/decode/families/ioctl_args.h"

#include "engine/decode/constants/tables.h"

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/input.h>
#include <linux/loop.h>
#include <linux/random.h>
#include <linux/rtc.h>
#include <linux/userfaultfd.h>
#include <linux/watchdog.h>
#include <string.h>

static void show_name(struct printer *p, const void *element, const void *data)
{
	const size_t *bytes = data;

	print_char_array(p, element, *bytes);
}

/* -- Files ------------------------------------------------------------------------------- */

static void show_fiemap(struct printer *p, uint64_t value, const void *data)
{
	struct fiemap map;

	(void)data;
	if (!printer_read_enter(p, value, &map, sizeof(map))) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out, "{fm_start=%llu, fm_length=%llu, fm_flags=",
		 (unsigned long long)map.fm_start, (unsigned long long)map.fm_length);
	show_flags(p, map.fm_flags, &fiemap_flags);
	str_addf(p->out, ", fm_extent_count=%u}", map.fm_extent_count);
	p->when = BYTES_AT_EXIT;
	if (!printer_succeeded(p) || !printer_read(p, value, &map, sizeof(map)))
		return;
	PUT(p, " => {fm_flags=");
	show_flags(p, map.fm_flags, &fiemap_flags);
	str_addf(p->out, ", fm_mapped_extents=%u, ...}", map.fm_mapped_extents);
}

LAYOUT(file_attributes_layout, struct fsxattr,
	MEMBER_FLAGS(struct fsxattr, fsx_xflags, file_xflags),
	MEMBER(struct fsxattr, fsx_extsize, show_unsigned),
	MEMBER(struct fsxattr, fsx_nextents, show_unsigned),
	MEMBER(struct fsxattr, fsx_projid, show_unsigned),
	MEMBER(struct fsxattr, fsx_cowextsize, show_unsigned));

static void element_destination(struct printer *p, const void *element, const void *data)
{
	const struct file_dedupe_range_info *info = element;

	(void)data;
	PUT(p, "{dest_fd=");
	show_fd(p, (uint32_t)info->dest_fd, NULL);
	str_addf(p->out, ", dest_offset=%llu}", (unsigned long long)info->dest_offset);
}

static void show_dedupe(struct printer *p, uint64_t value, const void *data)
{
	struct file_dedupe_range range;

	(void)data;
	if (!printer_read_enter(p, value, &range, sizeof(range))) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out, "{src_offset=%llu, src_length=%llu, dest_count=%u, info=",
		 (unsigned long long)range.src_offset, (unsigned long long)range.src_length,
		 range.dest_count);
	print_array(p, value + sizeof(range), range.dest_count,
		    sizeof(struct file_dedupe_range_info), element_destination, NULL);
	PUT(p, "}");
}

static void show_entropy(struct printer *p, uint64_t value, const void *data)
{
	struct rand_pool_info info;

	(void)data;
	if (!printer_read(p, value, &info, sizeof(info))) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out, "{entropy_count=%d, buf_size=%d, buf=", info.entropy_count, info.buf_size);
	print_buffer(p, value + sizeof(info), info.buf_size < 0 ? 0 : (uint64_t)info.buf_size);
	PUT(p, "}");
}

/* -- Loop devices ------------------------------------------------------------------------ */

static const size_t loop_name_bytes = LO_NAME_SIZE;

SHORT_LAYOUT(loop_layout, struct loop_info64,
	MEMBER(struct loop_info64, lo_offset, show_ulong),
	MEMBER(struct loop_info64, lo_number, show_unsigned),
	MEMBER_FLAGS(struct loop_info64, lo_flags, loop_flags),
	MEMBER_PRINT(struct loop_info64, lo_file_name, show_name, &loop_name_bytes));
LAYOUT(loop_config_layout, struct loop_config,
	MEMBER(struct loop_config, fd, show_fd),
	MEMBER(struct loop_config, block_size, show_unsigned),
	MEMBER_INNER(struct loop_config, info, loop_layout));

/* -- Clocks and watchdogs ---------------------------------------------------------------- */

SHORT_LAYOUT(clock_layout, struct rtc_time,
	MEMBER(struct rtc_time, tm_sec, show_int),
	MEMBER(struct rtc_time, tm_min, show_int),
	MEMBER(struct rtc_time, tm_hour, show_int),
	MEMBER(struct rtc_time, tm_mday, show_int),
	MEMBER(struct rtc_time, tm_mon, show_int),
	MEMBER(struct rtc_time, tm_year, show_int));
LAYOUT(alarm_layout, struct rtc_wkalrm,
	MEMBER(struct rtc_wkalrm, enabled, show_unsigned),
	MEMBER(struct rtc_wkalrm, pending, show_unsigned),
	MEMBER_INNER(struct rtc_wkalrm, time, clock_layout));

/* -- userfaultfd ------------------------------------------------------------------------- */

LAYOUT(fault_range_layout, struct uffdio_range,
	MEMBER(struct uffdio_range, start, show_hex_long),
	MEMBER(struct uffdio_range, len, show_hex_long));

/* What is behind "=>" the kernel filled in; of ioctls, bits have no names of their own. */
static void show_fault_api(struct printer *p, uint64_t value, const void *data)
{
	struct uffdio_api api;

	(void)data;
	if (!printer_read_enter(p, value, &api, sizeof(api))) {
		show_pointer(p, value, NULL);
		return;
	}
	str_addf(p->out, "{api=%#llx, features=", (unsigned long long)api.api);
	show_flags_long(p, api.features, &userfault_features);
	p->when = BYTES_AT_EXIT;
	if (printer_succeeded(p) && printer_read(p, value, &api, sizeof(api))) {
		PUT(p, " => features=");
		show_flags_long(p, api.features, &userfault_features);
		PUT(p, ", ioctls=");
		show_flags_long(p, api.ioctls, &userfault_requests);
	}
	PUT(p, "}");
}

static const struct ioctl_arg ioctl_device_args_list[] = {
	{ FS_IOC_FIEMAP, IOCTL_BOTH, show_fiemap, NULL },
	{ FS_IOC_FSGETXATTR, IOCTL_READS, show_struct, &file_attributes_layout },
	{ FS_IOC_FSSETXATTR, IOCTL_WRITES, show_struct, &file_attributes_layout },
	{ FS_IOC_GETFSLABEL, IOCTL_READS, show_string, NULL },
	{ FS_IOC_SETFSLABEL, IOCTL_WRITES, show_string, NULL },
	{ FIDEDUPERANGE, IOCTL_BOTH, show_dedupe, NULL },
	{ RNDADDENTROPY, IOCTL_BOTH, show_entropy, NULL },
	{ LOOP_SET_STATUS64, IOCTL_WRITES, show_struct, &loop_layout },
	{ LOOP_GET_STATUS64, IOCTL_READS, show_struct, &loop_layout },
	{ LOOP_CONFIGURE, IOCTL_WRITES, show_struct, &loop_config_layout },
	{ RTC_RD_TIME, IOCTL_READS, show_struct, &clock_layout },
	{ RTC_SET_TIME, IOCTL_WRITES, show_struct, &clock_layout },
	{ RTC_ALM_READ, IOCTL_READS, show_struct, &clock_layout },
	{ RTC_ALM_SET, IOCTL_WRITES, show_struct, &clock_layout },
	{ RTC_WKALM_RD, IOCTL_READS, show_struct, &alarm_layout },
	{ RTC_WKALM_SET, IOCTL_WRITES, show_struct, &alarm_layout },
	{ RTC_IRQP_READ, IOCTL_READS, show_pointee, &ulong_pointee },
	{ RTC_EPOCH_READ, IOCTL_READS, show_pointee, &ulong_pointee },
	{ RTC_IRQP_SET, IOCTL_WRITES, show_ulong, NULL },
	{ RTC_EPOCH_SET, IOCTL_WRITES, show_ulong, NULL },
	{ RTC_AIE_ON, IOCTL_NOTHING, NULL, NULL },
	{ RTC_AIE_OFF, IOCTL_NOTHING, NULL, NULL },
	{ RTC_UIE_ON, IOCTL_NOTHING, NULL, NULL },
	{ RTC_UIE_OFF, IOCTL_NOTHING, NULL, NULL },
	{ RTC_PIE_ON, IOCTL_NOTHING, NULL, NULL },
	{ RTC_PIE_OFF, IOCTL_NOTHING, NULL, NULL },
	{ WDIOC_KEEPALIVE, IOCTL_NOTHING, NULL, NULL },
	{ WDIOC_GETSTATUS, IOCTL_READS, show_pointee, &int_pointee },
	{ WDIOC_GETTIMEOUT, IOCTL_READS, show_pointee, &int_pointee },
	{ WDIOC_SETTIMEOUT, IOCTL_WRITES, show_pointee, &int_pointee },
	{ EVIOCGVERSION, IOCTL_READS, show_pointee, &int_pointee },
	{ EVIOCGRAB, IOCTL_WRITES, show_ulong, NULL },
	{ EVIOCREVOKE, IOCTL_WRITES, show_ulong, NULL },
	{ UFFDIO_API, IOCTL_BOTH, show_fault_api, NULL },
	{ UFFDIO_WAKE, IOCTL_WRITES, show_struct, &fault_range_layout },
	{ UFFDIO_UNREGISTER, IOCTL_WRITES, show_struct, &fault_range_layout },
};
IOCTL_ARGS(ioctl_device_args);
