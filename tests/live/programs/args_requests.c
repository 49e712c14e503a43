/*
 * args_requests - ioctl() requests to missing terminals, disks, interfaces, files, input devices
 * and clocks. Each request is made twice: it fails once and pretends to succeed once.
 */
#include "pretend.h"

#include <linux/blkpg.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/hdreg.h>
#include <linux/if_bridge.h>
#include <linux/input.h>
#include <linux/kd.h>
#include <linux/loop.h>
#include <linux/nbd.h>
#include <linux/perf_event.h>
#include <linux/random.h>
#include <linux/rtc.h>
#include <linux/sockios.h>
#include <linux/userfaultfd.h>
#include <linux/watchdog.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>

/* clang-format off */
static const unsigned pointers[] = {
	/* Terminals and consoles. */
	TCGETS, TCSETS, TCSETSW, TCSETSF, TCGETA, TCSETA, TCSETAW, TCSETAF, TIOCGLCKTRMIOS,
	TIOCSLCKTRMIOS, TIOCGWINSZ, TIOCSWINSZ, TIOCMGET, TIOCMSET, TIOCMBIS, TIOCMBIC, TIOCGPGRP,
	TIOCSPGRP, TIOCGSID, TIOCOUTQ, FIONREAD, FIONBIO, FIOASYNC, TIOCGPTN, TIOCGDEV, TIOCSPTLCK,
	TIOCGETD, TIOCSETD, TIOCPKT, TIOCGSOFTCAR, TIOCSSOFTCAR, TIOCGEXCL, TIOCSTI, TIOCSSERIAL,
	KDGETMODE, KDGKBMODE, KDGKBMETA, KDGKBTYPE, KDGETLED, KDGKBLED,
	/* Block devices and disks. */
	BLKROGET, BLKROSET, BLKBSZGET, BLKBSZSET, BLKSSZGET, BLKPBSZGET, BLKIOMIN, BLKIOOPT,
	BLKALIGNOFF, BLKSECTGET, BLKROTATIONAL, BLKDISCARDZEROES, BLKGETSIZE, BLKGETSIZE64,
	BLKRAGET, BLKFRAGET, BLKDISCARD, BLKSECDISCARD, BLKZEROOUT, BLKPG, BLKRRPART, BLKFLSBUF,
	HDIO_GETGEO, HDIO_GET_IDENTITY, HDIO_GET_MULTCOUNT, HDIO_GET_DMA, HDIO_GET_NICE,
	HDIO_GET_BUSSTATE, HDIO_DRIVE_CMD, HDIO_DRIVE_RESET, HDIO_SCAN_HWIF, LOOP_SET_STATUS,
	LOOP_GET_STATUS, LOOP_SET_STATUS64, LOOP_GET_STATUS64, LOOP_CONFIGURE,
	/* Files. */
	FS_IOC_GETFLAGS, FS_IOC_SETFLAGS, FS_IOC_FIEMAP, FS_IOC_FSGETXATTR, FS_IOC_FSSETXATTR,
	FS_IOC_GETFSLABEL, FS_IOC_SETFSLABEL, FICLONERANGE, FITRIM, FIFREEZE, FITHAW,
	/* Interfaces and bridges. */
	SIOCGIFADDR, SIOCSIFADDR, SIOCGIFDSTADDR, SIOCSIFDSTADDR, SIOCGIFBRDADDR, SIOCSIFBRDADDR,
	SIOCGIFNETMASK, SIOCSIFNETMASK, SIOCGIFFLAGS, SIOCSIFFLAGS, SIOCGIFMETRIC, SIOCSIFMETRIC,
	SIOCGIFMTU, SIOCSIFMTU, SIOCGIFHWADDR, SIOCSIFHWADDR, SIOCSIFHWBROADCAST, SIOCADDMULTI,
	SIOCDELMULTI, SIOCGIFINDEX, SIOCGIFNAME, SIOCSIFNAME, SIOCGIFSLAVE, SIOCSIFSLAVE,
	SIOCGIFTXQLEN, SIOCSIFTXQLEN, SIOCGIFMAP, SIOCSIFMAP, SIOCGIFENCAP, SIOCSIFENCAP,
	SIOCBRADDBR, SIOCBRDELBR, SIOCGIFCONF, SIOCATMARK, SIOCGPGRP, SIOCSPGRP, SIOCOUTQNSD,
	SIOCADDRT, SIOCGARP, SIOCETHTOOL, SIOCGSTAMP_OLD,
	/* Input devices, clocks, watchdogs, events, userfaultfd, random numbers. */
	EVIOCGVERSION, EVIOCGID, EVIOCGREP, EVIOCSREP, EVIOCGKEYCODE_V2, EVIOCGEFFECTS, EVIOCSFF,
	EVIOCSCLOCKID, EVIOCGABS(ABS_X), EVIOCSABS(ABS_Y), RTC_RD_TIME, RTC_SET_TIME, RTC_ALM_READ,
	RTC_WKALM_RD, RTC_WKALM_SET, RTC_IRQP_READ, RTC_PLL_GET, RTC_PLL_SET, RTC_VL_READ,
	WDIOC_GETSTATUS, WDIOC_GETTIMEOUT, WDIOC_SETTIMEOUT, WDIOC_GETTIMELEFT, WDIOC_SETPRETIMEOUT,
	PERF_EVENT_IOC_PERIOD, PERF_EVENT_IOC_ID, PERF_EVENT_IOC_SET_FILTER, UFFDIO_API,
	UFFDIO_REGISTER, UFFDIO_COPY, UFFDIO_ZEROPAGE, UFFDIO_WAKE, RNDGETENTCNT, RNDADDTOENTCNT,
	/* Unknown requests, shown as numbers. */
	0x80046601, 0xc0085a01, 0x5aff,
};

static const unsigned numbers[] = {
	TCSBRK, TCSBRKP, TCXONC, TCFLSH, TIOCSCTTY, TIOCEXCL, TIOCNOTTY, KDSETMODE, KDSKBMODE,
	KDSETLED, KDSKBLED, KDSKBMETA, KIOCSOUND, KDSIGACCEPT, BLKRASET, BLKFRASET, HDIO_SET_DMA,
	HDIO_SET_NICE, HDIO_SET_BUSSTATE, HDIO_UNREGISTER_HWIF, LOOP_SET_FD, LOOP_CTL_ADD,
	LOOP_SET_BLOCK_SIZE, NBD_SET_SOCK, NBD_SET_BLKSIZE, NBD_SET_FLAGS, NBD_DO_IT, FICLONE,
	EVIOCRMFF, EVIOCGRAB, RTC_IRQP_SET, RTC_AIE_ON, PERF_EVENT_IOC_ENABLE,
	PERF_EVENT_IOC_REFRESH, WDIOC_KEEPALIVE,
};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Fill each word with a small number, or all bytes with letters and no NUL. */
static void fill(unsigned char *bytes, size_t len, int letters)
{
	memset(bytes, 0, len);
	for (size_t i = 0; i < 400; i++)
		bytes[i] = letters ? (unsigned char)('a' + i % 26)
				   : (unsigned char)(i % 8 ? 0 : 1 + i / 8);
}

int main(void)
{
	size_t len = PRETEND_BYTES;
	unsigned char *bytes = pretend_memory();

	pretend_from_now();
	for (int letters = 0; letters < 2; letters++) {
		for (size_t i = 0; i < COUNT(pointers); i++) {
			fill(bytes, len, letters);
			ioctl(-1, pointers[i], bytes);
			pretend(SYS_ioctl, -1, pointers[i], bytes, 0, 0);
			ioctl(-1, pointers[i], NULL);
		}
	}
	for (size_t i = 0; i < COUNT(numbers); i++)
		for (long value = 0; value < 4; value++)
			ioctl(-1, numbers[i], value);
	for (unsigned type = 0; type < 32; type++)
		ioctl(-1, EVIOCGBIT(type, 64), bytes);
	return 0;
}
