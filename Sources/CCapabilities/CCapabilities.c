#ifdef __linux__
#define _GNU_SOURCE
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "CCapabilities.h"

int capabilities_keep_to_process(void) {
#ifdef __linux__
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) return -1;
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2];
  if (syscall(SYS_capget, &header, sets) != 0) return -1;
  sets[0].inheritable = sets[1].inheritable = 0;
  return syscall(SYS_capset, &header, sets) == 0 ? 0 : -1;
#else
  return 0;
#endif
}
