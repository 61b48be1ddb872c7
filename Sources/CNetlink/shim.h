#ifndef CNETLINK_SHIM_H
#define CNETLINK_SHIM_H

#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <netlink/genl/genl.h>
#include <linux/nl80211.h>
#include <sys/eventfd.h>

#endif
