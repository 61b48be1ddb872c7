// Starts wifi-harness with the one capability that a scan needs, CAP_NET_ADMIN. The package gives it to the file of this program,
// which the members of the group wifi-harness may execute and no other user; wifi-harness itself has none, so that reading a
// recording or a capture from elsewhere never runs with it.
//
// The kernel does not treat the program that is executed here as a privileged one (no AT_SECURE in its auxiliary vector), so neither the
// C library nor the Swift runtime distrusts its environment. This program does: it passes what ALLOWED lists and nothing else.
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

// Variables that no library of the command takes for a file to open, a program to start or a switch of its own. The command reads some of them;
// what `watch --exec` starts reads the others. A name that ends in * stands for all that begin so.
static const char *const ALLOWED[] = {
    "COLORFGBG", "COLORTERM", "COLUMNS", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "HOME", "LANG", "LANGUAGE", "LC_*", "LINES", "LOGNAME",
    "NO_COLOR", "PATH", "PWD", "SHELL", "TERM", "TMPDIR", "USER", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_*",
};

static int is_allowed(const char *entry) {
  // A name of a time zone is passed; a path, which the C library would open, is not.
  if (strncmp(entry, "TZ=", 3) == 0) return entry[3] != '/' && entry[3] != ':' && strstr(entry, "..") == NULL;
  size_t length = strcspn(entry, "=");
  if (entry[length] != '=') return 0;
  for (size_t index = 0; index < sizeof ALLOWED / sizeof *ALLOWED; index++) {
    size_t size = strlen(ALLOWED[index]);
    int is_prefix = ALLOWED[index][size - 1] == '*';
    if (is_prefix ? length >= size && strncmp(entry, ALLOWED[index], size - 1) == 0 : length == size && strncmp(entry, ALLOWED[index], size) == 0)
      return 1;
  }
  return 0;
}

int main(int count, char **arguments, char **environment) {
  if (count < 1) return 64;
  size_t most = 0;
  while (environment[most] != NULL) most++;
  char **passed = calloc(most + 3, sizeof *passed);
  if (passed == NULL) return 71;
  size_t length = 0;
  for (size_t index = 0; index < most; index++) {
    if (is_allowed(environment[index])) passed[length++] = environment[index];
  }
  // Without it the Swift runtime starts a program that the environment names when the command crashes.
  passed[length++] = "SWIFT_BACKTRACE=enable=no";
  passed[length++] = "WIFI_HARNESS_PRIVILEGED=1";

  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2];
  memset(sets, 0, sizeof sets);
  // Only this one, whatever else the caller has.
  sets[CAP_TO_INDEX(CAP_NET_ADMIN)].effective = CAP_TO_MASK(CAP_NET_ADMIN);
  sets[CAP_TO_INDEX(CAP_NET_ADMIN)].permitted = CAP_TO_MASK(CAP_NET_ADMIN);
  sets[CAP_TO_INDEX(CAP_NET_ADMIN)].inheritable = CAP_TO_MASK(CAP_NET_ADMIN);
  // Where this fails, as on a file system without capabilities, the command says itself what it may not do.
  if (syscall(SYS_capset, &header, sets) == 0) prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_ADMIN, 0, 0);
  execve(COMMAND, arguments, passed);
  fprintf(stderr, "wifi-harness: cannot start %s: %s. Install the package wifi-harness again.\n", COMMAND, strerror(errno));
  return 70;
}
