#include "engine/decode/tables.h"

/* Constants in socket addresses of rarely used families. */

CONSTANTS(bluetooth_channels, NULL, "HCI_CHANNEL_???",
	{ "HCI_CHANNEL_RAW", 0 },
	{ "HCI_CHANNEL_USER", 1 },
	{ "HCI_CHANNEL_MONITOR", 2 },
	{ "HCI_CHANNEL_CONTROL", 3 },
	{ "HCI_CHANNEL_LOGGING", 4 });

CONSTANTS(bluetooth_psms, NULL, "L2CAP_PSM_???",
	{ "L2CAP_PSM_SDP", 1 },
	{ "L2CAP_PSM_RFCOMM", 3 },
	{ "L2CAP_PSM_3DSP", 0x21 },
	{ "L2CAP_PSM_IPSP", 0x23 },
	{ "L2CAP_PSM_LE_DYN_START", 0x80 },
	{ "L2CAP_PSM_LE_DYN_END", 0xff },
	{ "L2CAP_PSM_DYN_START", 0x1001 },
	{ "L2CAP_PSM_AUTO_END", 0x10ff },
	{ "L2CAP_PSM_DYN_END", 0xffff });

CONSTANTS(bluetooth_cids, NULL, "L2CAP_CID_???",
	{ "L2CAP_CID_SIGNALING", 1 },
	{ "L2CAP_CID_CONN_LESS", 2 },
	{ "L2CAP_CID_A2MP", 3 },
	{ "L2CAP_CID_ATT", 4 },
	{ "L2CAP_CID_LE_SIGNALING", 5 },
	{ "L2CAP_CID_SMP", 6 },
	{ "L2CAP_CID_SMP_BREDR", 7 },
	{ "L2CAP_CID_DYN_START", 0x40 },
	{ "L2CAP_CID_LE_DYN_END", 0x7f },
	{ "L2CAP_CID_DYN_END", 0xffff });

CONSTANTS(bluetooth_address_types, NULL, "BDADDR_???",
	{ "BDADDR_BREDR", 0 },
	{ "BDADDR_LE_PUBLIC", 1 },
	{ "BDADDR_LE_RANDOM", 2 });

CONSTANTS(ieee802154_types, NULL, "IEEE802154_ADDR_???",
	{ "IEEE802154_ADDR_NONE", 0 },
	{ "IEEE802154_ADDR_SHORT", 2 },
	{ "IEEE802154_ADDR_LONG", 3 });

CONSTANTS(ieee802154_pan_ids, NULL, NULL,
	{ "IEEE802154_PANID_BROADCAST", 0xffff });

CONSTANTS(ieee802154_addresses, NULL, NULL,
	{ "IEEE802154_ADDR_UNDEF", 0xfffe },
	{ "IEEE802154_ADDR_BROADCAST", 0xffff });

CONSTANTS(nfc_protocols, "linux/nfc.h", "NFC_PROTO_???",
	{ "NFC_PROTO_JEWEL", 1 },
	{ "NFC_PROTO_MIFARE", 2 },
	{ "NFC_PROTO_FELICA", 3 },
	{ "NFC_PROTO_ISO14443", 4 },
	{ "NFC_PROTO_NFC_DEP", 5 },
	{ "NFC_PROTO_ISO14443_B", 6 },
	{ "NFC_PROTO_ISO15693", 7 });

CONSTANTS(nfc_access_points, NULL, NULL,
	{ "LLCP_SAP_SDP", 1 },
	{ "LLCP_SAP_IP", 2 },
	{ "LLCP_SAP_OBEX", 3 },
	{ "LLCP_SAP_SNEP", 4 },
	{ "LLCP_SAP_MAX", 255 });

CONSTANTS(rxrpc_services, NULL, "???_SERVICE",
	{ "CM_SERVICE", 1 },
	{ "YFS_FS_SERVICE", 2500 },
	{ "YFS_CM_SERVICE", 2501 },
	{ "YFS_VL_SERVICE", 2503 });

CONSTANTS(tipc_types, "linux/tipc.h", "TIPC_ADDR_???",
	{ "TIPC_SERVICE_RANGE", 1 },
	{ "TIPC_SERVICE_ADDR", 2 },
	{ "TIPC_SOCKET_ADDR", 3 });

CONSTANTS(tipc_scopes, "linux/tipc.h", "TIPC_???_SCOPE",
	{ "TIPC_ZONE_SCOPE", 1 },
	{ "TIPC_CLUSTER_SCOPE", 2 },
	{ "TIPC_NODE_SCOPE", 3 });

CONSTANTS(qrtr_nodes, "linux/qrtr.h", NULL,
	{ "QRTR_NODE_BCAST", 0xffffffff });

CONSTANTS(qrtr_ports, "linux/qrtr.h", NULL,
	{ "QRTR_PORT_CTRL", 0xfffffffe });

CONSTANTS(mctp_networks, "linux/mctp.h", NULL,
	{ "MCTP_NET_ANY", 0 });

CONSTANTS(mctp_addresses, "linux/mctp.h", NULL,
	{ "MCTP_ADDR_NULL", 0 },
	{ "MCTP_ADDR_ANY", 255 });

CONSTANTS(vsock_ports, "linux/vm_sockets.h", NULL,
	{ "VMADDR_PORT_ANY", 0xffffffff });

CONSTANTS(vsock_flags, "linux/vm_sockets.h", "VMADDR_FLAG_???",
	{ "VMADDR_FLAG_TO_HOST", 1 });

CONSTANTS(xdp_flags, "linux/if_xdp.h", "XDP_???",
	{ "XDP_SHARED_UMEM", 1 },
	{ "XDP_COPY", 2 },
	{ "XDP_ZEROCOPY", 4 },
	{ "XDP_USE_NEED_WAKEUP", 8 });

CONSTANTS(algorithm_flags, NULL, "CRYPTO_ALG_???",
	{ "CRYPTO_ALG_KERN_DRIVER_ONLY", 0x1000 });
