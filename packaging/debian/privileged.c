// Starts wifi-harness with the one capability that a scan needs, CAP_NET_ADMIN. The package gives it to the file of this program,
// which the members of the group wifi-harness may execute and nobody else; wifi-harness itself has none, so that reading a
// recording or a capture of a stranger never runs with it.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef COMMAND
#define COMMAND "/usr/bin/wifi-harness"
#endif

int main(int count, char **arguments) {
  if (count < 1) return 64;
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2];
  memset(sets, 0, sizeof sets);
  // Only this one, whatever else the caller has.
  sets[CAP_TO_INDEX(CAP_NET_ADMIN)].effective = CAP_TO_MASK(CAP_NET_ADMIN);
  sets[CAP_TO_INDEX(CAP_NET_ADMIN)].permitted = CAP_TO_MASK(CAP_NET_ADMIN);
  sets[CAP_TO_INDEX(CAP_NET_ADMIN)].inheritable = CAP_TO_MASK(CAP_NET_ADMIN);
  // Where this fails, as on a file system without capabilities, the command says itself what it may not do.
  if (syscall(SYS_capset, &header, sets) == 0) prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_ADMIN, 0, 0);
  if (setenv("WIFI_HARNESS_PRIVILEGED", "1", 1) == 0) execv(COMMAND, arguments);
  fprintf(stderr, "wifi-harness: cannot start %s: %s. Install the package wifi-harness again.\n", COMMAND, strerror(errno));
  return 70;
}
