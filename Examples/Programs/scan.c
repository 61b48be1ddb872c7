// Lists the networks that a scan hears, with libnl: scan INTERFACE
//
//   cc -o scan scan.c $(pkg-config --cflags --libs libnl-genl-3.0)
#include <errno.h>
#include <linux/nl80211.h>
#include <net/if.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int finished, failure;

static int on_event(struct nl_msg *message, void *argument) {
  (void)argument;
  struct genlmsghdr *header = nlmsg_data(nlmsg_hdr(message));
  if (header->cmd == NL80211_CMD_NEW_SCAN_RESULTS || header->cmd == NL80211_CMD_SCAN_ABORTED) finished = 1;
  return NL_OK;
}

static int on_error(struct sockaddr_nl *address, struct nlmsgerr *error, void *argument) {
  (void)address;
  (void)argument;
  failure = -error->error;
  return NL_STOP;
}

static int any_sequence(struct nl_msg *message, void *argument) {
  (void)message;
  (void)argument;
  return NL_OK;
}

static int on_bss(struct nl_msg *message, void *argument) {
  (void)argument;
  struct nlattr *attributes[NL80211_ATTR_MAX + 1], *bss[NL80211_BSS_MAX + 1];
  struct genlmsghdr *header = nlmsg_data(nlmsg_hdr(message));
  nla_parse(attributes, NL80211_ATTR_MAX, genlmsg_attrdata(header, 0), genlmsg_attrlen(header, 0), NULL);
  if (!attributes[NL80211_ATTR_BSS] || nla_parse_nested(bss, NL80211_BSS_MAX, attributes[NL80211_ATTR_BSS], NULL) || !bss[NL80211_BSS_BSSID])
    return NL_SKIP;
  unsigned char *address = nla_data(bss[NL80211_BSS_BSSID]);
  for (int index = 0; index < 6; index++) printf("%s%02x", index ? ":" : "", address[index]);
  int signal = bss[NL80211_BSS_SIGNAL_MBM] ? (int)nla_get_u32(bss[NL80211_BSS_SIGNAL_MBM]) : 0;
  printf(" %u MHz %d dBm\n", bss[NL80211_BSS_FREQUENCY] ? nla_get_u32(bss[NL80211_BSS_FREQUENCY]) : 0, signal / 100);
  return NL_OK;
}

int main(int count, char **arguments) {
  unsigned interface = if_nametoindex(count > 1 ? arguments[1] : "wlan0");
  if (!interface) {
    perror("no such interface");
    return 1;
  }
  struct nl_sock *events = nl_socket_alloc(), *requests = nl_socket_alloc();
  genl_connect(events);
  genl_connect(requests);
  int family = genl_ctrl_resolve(requests, "nl80211");
  int group = genl_ctrl_resolve_grp(requests, "nl80211", "scan");
  if (family < 0 || group < 0) {
    fprintf(stderr, "no nl80211: %s\n", nl_geterror(family));
    return 1;
  }
  // Before the scan begins, or its end may be missed.
  nl_socket_add_membership(events, group);
  nl_socket_modify_cb(events, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, any_sequence, NULL);
  nl_socket_modify_cb(events, NL_CB_VALID, NL_CB_CUSTOM, on_event, NULL);
  nl_socket_modify_err_cb(requests, NL_CB_CUSTOM, on_error, NULL);

  struct nl_msg *message = nlmsg_alloc();
  genlmsg_put(message, 0, 0, family, 0, 0, NL80211_CMD_TRIGGER_SCAN, 0);
  nla_put_u32(message, NL80211_ATTR_IFINDEX, interface);
  struct nlattr *names = nla_nest_start(message, NL80211_ATTR_SCAN_SSIDS);
  nla_put(message, 1, 0, "");
  nla_nest_end(message, names);
  nl_send_sync(requests, message);
  if (failure) {
    fprintf(stderr, "the scan cannot begin: %s\n", strerror(failure));
    return 1;
  }
  while (!finished) nl_recvmsgs_default(events);

  nl_socket_modify_cb(requests, NL_CB_VALID, NL_CB_CUSTOM, on_bss, NULL);
  message = nlmsg_alloc();
  genlmsg_put(message, 0, 0, family, 0, NLM_F_DUMP, NL80211_CMD_GET_SCAN, 0);
  nla_put_u32(message, NL80211_ATTR_IFINDEX, interface);
  nl_send_auto(requests, message);
  nlmsg_free(message);
  nl_recvmsgs_default(requests);
  nl_socket_free(events);
  nl_socket_free(requests);
  return 0;
}
