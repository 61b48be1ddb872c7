#ifdef __linux__
#define _GNU_SOURCE
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "CCapabilities.h"

#ifdef __linux__
// Whether a capability is left that programs would inherit whatever their files say.
static int has_ambient(void) {
  for (unsigned long capability = 0; capability < 64; capability++) {
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, capability, 0, 0) == 1) return 1;
  }
  return 0;
}

// Ahead of every constructor without a priority, among them that of the Swift runtime, which prepares to start a
// program when this one crashes. From here on it does not matter what starts a program, or why: it gets nothing.
__attribute__((constructor(101))) static void keep_to_process(void) {
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2];
  if (syscall(SYS_capget, &header, sets) == 0 && (sets[0].inheritable | sets[1].inheritable) != 0) {
    sets[0].inheritable = sets[1].inheritable = 0;
    syscall(SYS_capset, &header, sets);
  }
  if (!has_ambient()) return;
  static const char sentence[] = "wifi-harness: the kernel does not clear the ambient capabilities of this process, so that every program it starts "
                                 "would have them. Start it without them.\n";
  ssize_t written = write(2, sentence, sizeof sentence - 1);
  (void)written;
  _exit(77);
}
#endif
