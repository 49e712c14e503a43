/*
 * tables - all tables of constants, by the file that defines them.
 *
 * Enumerations ascend by value; flags are in print order. A test compares every value with the
 * header that its table names.
 */
#ifndef DECODE_TABLES_H
#define DECODE_TABLES_H

#include "engine/decode/constants.h"

/* file.c */
extern const struct constants open_access_modes, open_flags, access_modes, faccessat_flags,
	at_flags, unlinkat_flags, execveat_flags, at_statx_sync_types, file_types, file_mode_bits,
	statx_masks, statx_attributes, seek_whences, rename_flags, xattr_flags, fallocate_modes,
	fadvises, flock_operations, sync_file_range_flags, splice_flags, resolve_flags, rwf_flags,
	memfd_secret_flags, close_range_flags, aio_flags, memfd_flags, inotify_init_flags,
	inotify_masks, fanotify_classes, fanotify_init_flags, fanotify_mark_flags,
	fanotify_event_flags, name_to_handle_flags, file_system_types, statfs_flags;

/* fcntl.c */
extern const struct constants fcntl_commands, fd_flags, lock_types, seals, notify_flags,
	owner_types, rw_hints;

/* memory.c */
extern const struct constants mmap_protections, mmap_types, mmap_flags, mremap_flags, msync_flags,
	madvises, mlockall_flags, mlock_flags, pkey_rights, mempolicy_modes, mempolicy_mode_flags,
	mempolicy_flags, move_pages_flags, mbind_flags, membarrier_commands, membarrier_flags,
	userfaultfd_flags, rseq_flags, map_shadow_stack_flags;

/* process.c */
extern const struct constants clone_flags, clone3_flags, unshare_flags, setns_types, wait_options,
	waitid_types, rlimit_resources, rusage_whos, priority_whiches, kcmp_types, pidfd_open_flags,
	personalities, personality_flags, arch_prctl_options, ptrace_requests, ptrace_options,
	ptrace_events, ptrace_peek_flags, nt_types, capabilities, capability_versions;

/* prctl.c */
extern const struct constants prctl_options, prctl_mm_options, prctl_dumpables, prctl_unaligns,
	prctl_tscs, prctl_timings, prctl_mce_options, prctl_mce_policies, prctl_ambients,
	prctl_speculations, prctl_speculation_flags, prctl_dispatches, prctl_vma_options,
	prctl_core_sched_options, securebits, seccomp_modes, seccomp_operations,
	seccomp_filter_flags, seccomp_actions;

/* sched.c */
extern const struct constants sched_policies, sched_attr_flags, ioprio_whos, ioprio_classes;

/* signal.c */
extern const struct constants sigmask_hows, sigaction_flags, sigaltstack_flags, signalfd_flags,
	si_codes, si_fpe_codes, si_ill_codes, si_segv_codes, si_bus_codes, si_trap_codes,
	si_chld_codes, si_poll_codes, si_sys_codes, sigev_notifies, audit_machines;

/* time.c */
extern const struct constants clocks, timer_flags, timerfd_flags, itimers, adjtimex_modes,
	adjtimex_statuses, adjtimex_states;

/* poll.c */
extern const struct constants poll_events, epoll_controls, epoll_events, epoll_flags, eventfd_flags,
	futex_operations, futex_wake_operations, futex_wake_comparisons, futex_waiter_flags,
	futex2_flags, futex2_sizes, aio_commands;

/* socket.c */
extern const struct constants socket_families, socket_types, socket_flags, accept_flags,
	inet_protocols, netlink_protocols, ethernet_protocols, bluetooth_protocols, shutdown_hows,
	message_flags;

/* socket_options.c */
extern const struct constants socket_levels, socket_options, ip_options, ipv6_options, tcp_options,
	udp_options, raw_options, packet_options, packet_types, netlink_options, alg_options,
	arp_hardware_types, vsock_cids, control_messages, ip_control_messages;

/* netlink.c */
extern const struct constants netlink_types, netlink_flags, netlink_new_flags, netlink_get_flags,
	netlink_delete_flags, netlink_ack_flags, route_types, address_flags, route_scopes,
	route_tables, route_protocols, route_kinds, route_flags, neighbour_states, neighbour_flags;

/* ipc.c */
extern const struct constants ipc_get_flags, shm_get_flags, shm_at_flags, shm_controls,
	sem_controls, sem_flags, msg_controls, msg_flags;

/* mount.c */
extern const struct constants mount_flags, umount_flags, open_tree_flags, move_mount_flags,
	statmount_masks, fsopen_flags, fsmount_flags, fsconfig_commands, fspick_flags,
	mount_attributes, mount_atimes, mount_setattr_flags, mount_propagations, swap_flags,
	quota_commands, quota_types, quota_formats, landlock_rule_types, landlock_flags,
	landlock_fs_accesses, landlock_net_accesses, landlock_scopes, core_sched_scopes;

/* protocol_options.c */
extern const struct constants vsock_options, can_raw_options, sctp_options, ipx_options,
	ax25_options, irda_options, llc_options, dccp_options, tipc_options, rxrpc_options,
	pppol2tp_options, bluetooth_options, pnpipe_options, rds_options, iucv_options,
	caif_options, nfc_options, kcm_options, tls_options, xdp_options, ip_get_options,
	ip_set_options, ipv6_get_options, ipv6_set_options, socket_get_options, packet_memberships,
	icmp_types, socket_rehashes;

/* address.c */
extern const struct constants bluetooth_channels, bluetooth_psms, bluetooth_cids,
	bluetooth_address_types, ieee802154_types, ieee802154_pan_ids, ieee802154_addresses,
	nfc_protocols, nfc_access_points, rxrpc_services, tipc_types, tipc_scopes, qrtr_nodes,
	qrtr_ports, mctp_networks, mctp_addresses, vsock_ports, vsock_flags, xdp_flags,
	algorithm_flags;

/* device.c */
extern const struct constants disk_commands, disk_bus_states, disk_nice_flags, partition_operations,
	loop_encryptions, network_disk_flags, console_modes, keyboard_modes, keyboard_types,
	keyboard_metas, keyboard_leds, keyboard_flags, modem_lines, clock_voltage_flags,
	clock_parameters, perf_request_flags, fault_register_modes, fault_copy_modes,
	fault_zero_modes, userfault_range_requests;

/* system.c */
extern const struct constants reboot_magics1, reboot_magics2, reboot_commands, syslog_actions,
	getrandom_flags, delete_module_flags, module_init_flags, kexec_file_flags, kexec_machines,
	kexec_flags, keyctl_operations, key_serials, key_defaults, key_permissions, key_ciphers,
	key_move_flags, key_capabilities_0, key_capabilities_1;

/* trace.c */
extern const struct constants bpf_commands, bpf_map_types, bpf_program_types, bpf_attach_types,
	bpf_map_flags, bpf_program_flags, bpf_update_flags, perf_types, perf_attr_sizes,
	perf_hardware_events, perf_software_events, perf_sample_fields, perf_read_formats,
	perf_open_flags, bpf_lookup_flags, bpf_file_flags, bpf_attach_flags, bpf_query_flags,
	bpf_test_flags, bpf_task_fd_types, bpf_statistics, bpf_probe_flags, bpf_batch_flags;

/* uring.c */
extern const struct constants uring_setup_flags, uring_enter_flags, uring_features, uring_registers,
	uring_operations, uring_operation_flags, uring_restrictions, uring_entry_flags,
	uring_resource_flags;

/* input.c */
extern const struct constants input_types, input_axes, input_effects;

/* terminal.c */
extern const struct constants terminal_input_modes, terminal_output_modes, terminal_control_modes,
	terminal_local_modes, terminal_speeds, terminal_sizes, terminal_flush_queues,
	terminal_flow_actions;

/* ioctl/ioctl_common_codes.c */
extern const struct constants interface_flags, inode_flags, ioctl_directions, mq_flags,
	fiemap_flags, file_xflags, loop_flags, userfault_features, userfault_requests;

#endif
