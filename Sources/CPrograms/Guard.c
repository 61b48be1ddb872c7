// Closes a simulation: what a program asks of the machine's interfaces past the preload library stops here
// (docs/decisions/0024).
//
// A seccomp filter lets pass what cannot reach an interface of the machine. Calls with a path, and calls that only the
// preload library may answer, wait until `wifi-harness` has looked at them (seccomp_unotify(2)); what it decides is in
// Sources/HarnessCLI/Programs/ProgramGuard.swift.
#if defined(__linux__)
#define _GNU_SOURCE
#include "CPrograms.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

// Of newer kernels than the headers may be. Linux ignores what it does not know only here: the filter is tried without
// it, too.
#define WAIT_KILLABLE (1UL << 5)
#define SYNC_WAKE_UP 1UL
#define SET_FLAGS _IOW('!', 4, uint64_t)

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// MARK: Which calls wait

// Without a path, with one argument that matters, with a path alone, with one that is of a folder, and a signal.
#define SHAPE(number, kind, directory_at, path_at, flags_at, out_at) \
  {number, {kind, .directory = directory_at, .path = path_at, .flags = flags_at, .out = out_at, .size = -1}}
#define BARE(number, kind) SHAPE(number, kind, -1, -1, -1, -1)
#define ABOUT(number, kind, out) SHAPE(number, kind, -1, -1, -1, out)
#define PATH(number, kind) SHAPE(number, kind, -1, 0, -1, -1)
#define IN_FOLDER(number, kind, flags) SHAPE(number, kind, 0, 1, flags, -1)
#define SIGNAL(number, flags, out) SHAPE(number, PROGRAMS_SIGNAL, -1, -1, flags, out)

// How each call with a path names it. -1 for an argument that it does not have.
static const struct {
  int number;
  struct programs_shape shape;
} shapes[] = {
    IN_FOLDER(SYS_openat, PROGRAMS_OPEN, 2),
    {SYS_openat2, {PROGRAMS_OPEN2, .directory = 0, .path = 1, .flags = -1, .out = 2, .size = -1}},
    {SYS_newfstatat, {PROGRAMS_STATUS, .directory = 0, .path = 1, .flags = 3, .out = 2, .size = -1}},
    {SYS_statx, {PROGRAMS_STATUS, .directory = 0, .path = 1, .flags = 2, .out = 4, .size = -1}},
    {SYS_readlinkat, {PROGRAMS_LINK, .directory = 0, .path = 1, .flags = -1, .out = 2, .size = 3}},
    IN_FOLDER(SYS_faccessat, PROGRAMS_ACCESS, -1), IN_FOLDER(SYS_faccessat2, PROGRAMS_ACCESS, 3),
    PATH(SYS_getxattr, PROGRAMS_ATTRIBUTES), PATH(SYS_lgetxattr, PROGRAMS_ATTRIBUTES),
    PATH(SYS_setxattr, PROGRAMS_CHANGE), PATH(SYS_lsetxattr, PROGRAMS_CHANGE), PATH(SYS_removexattr, PROGRAMS_CHANGE),
    PATH(SYS_lremovexattr, PROGRAMS_CHANGE),
    PATH(SYS_listxattr, PROGRAMS_ATTRIBUTE_NAMES), PATH(SYS_llistxattr, PROGRAMS_ATTRIBUTE_NAMES),
    PATH(SYS_umount2, PROGRAMS_MOUNTS),
    // Newer than the headers may be: move_mount, mount_setattr, open_tree_attr.
    {429, {PROGRAMS_MOUNTS, .directory = 2, .path = 3, .flags = -1, .out = -1, .size = -1}},
    IN_FOLDER(442, PROGRAMS_MOUNTS, -1), IN_FOLDER(467, PROGRAMS_MOUNTS, -1),
    PATH(SYS_pivot_root, PROGRAMS_MOUNTS),
    // Newer than the headers may be: fchmodat2, setxattrat, getxattrat, listxattrat, removexattrat.
    IN_FOLDER(452, PROGRAMS_CHANGE, 3), IN_FOLDER(463, PROGRAMS_CHANGE, 2),
    IN_FOLDER(464, PROGRAMS_ATTRIBUTES, 2),
    IN_FOLDER(465, PROGRAMS_ATTRIBUTE_NAMES, 2),
    IN_FOLDER(466, PROGRAMS_CHANGE, 2),
    PATH(SYS_chdir, PROGRAMS_ENTER),
    {SYS_inotify_add_watch, {PROGRAMS_ENTER, .directory = -1, .path = 1, .flags = -1, .out = -1, .size = -1}},
    PATH(SYS_truncate, PROGRAMS_CHANGE),
    IN_FOLDER(SYS_fchmodat, PROGRAMS_CHANGE, -1), IN_FOLDER(SYS_fchownat, PROGRAMS_CHANGE, 4),
    IN_FOLDER(SYS_utimensat, PROGRAMS_CHANGE, 3),
    // What takes a name away has a second path as `out`, in the folder `size`, where it gives one.
    IN_FOLDER(SYS_unlinkat, PROGRAMS_REMOVE, -1),
    {SYS_renameat2, {PROGRAMS_REMOVE, .directory = 0, .path = 1, .flags = -1, .out = 3, .size = 2}},
    {SYS_linkat, {PROGRAMS_REMOVE, .directory = 0, .path = 1, .flags = -1, .out = 3, .size = 2}},
    {SYS_mount, {PROGRAMS_MOUNT, .directory = -1, .path = 0, .flags = 3, .out = 2, .size = -1}},
    IN_FOLDER(SYS_open_tree, PROGRAMS_ENTER, -1),
    ABOUT(SYS_fsopen, PROGRAMS_MOUNT, 0),
#if defined(__x86_64__)
    {SYS_open, {PROGRAMS_OPEN, .directory = -1, .path = 0, .flags = 1, .out = -1, .size = -1}},
    PATH(SYS_creat, PROGRAMS_CHANGE),
    {SYS_stat, {PROGRAMS_STATUS, .directory = -1, .path = 0, .flags = -1, .out = 1, .size = -1}},
    {SYS_lstat, {PROGRAMS_STATUS, .directory = -1, .path = 0, .flags = -1, .out = 1, .size = -1}},
    {SYS_readlink, {PROGRAMS_LINK, .directory = -1, .path = 0, .flags = -1, .out = 1, .size = 2}},
    PATH(SYS_access, PROGRAMS_ACCESS),
    PATH(SYS_chmod, PROGRAMS_CHANGE), PATH(SYS_chown, PROGRAMS_CHANGE), PATH(SYS_lchown, PROGRAMS_CHANGE),
    PATH(SYS_utime, PROGRAMS_CHANGE), PATH(SYS_utimes, PROGRAMS_CHANGE),
    PATH(SYS_unlink, PROGRAMS_REMOVE),
    {SYS_rename, {PROGRAMS_REMOVE, .directory = -1, .path = 0, .flags = -1, .out = 1, .size = -1}},
    {SYS_link, {PROGRAMS_REMOVE, .directory = -1, .path = 0, .flags = -1, .out = 1, .size = -1}},
#endif
#if defined(SYS_renameat)
    {SYS_renameat, {PROGRAMS_REMOVE, .directory = 0, .path = 1, .flags = -1, .out = 3, .size = 2}},
#endif
    // Calls that reach the machine's kernel without a path. Of some, the filter looks at arguments, too.
    BARE(SYS_socket, PROGRAMS_SOCKET),
    BARE(SYS_ioctl, PROGRAMS_IOCTL),
    {SYS_setsockopt, {PROGRAMS_SOCKET_OPTION, .directory = -1, .path = -1, .flags = -1, .out = 3, .size = 4}},
    BARE(SYS_getsockopt, PROGRAMS_SOCKET_OPTION),
    {SYS_sendto, {PROGRAMS_CONNECT, .directory = -1, .path = -1, .flags = -1, .out = 4, .size = 5}},
    ABOUT(SYS_sendmsg, PROGRAMS_MESSAGES, 1),
    {SYS_sendmmsg, {PROGRAMS_MESSAGES, .directory = -1, .path = -1, .flags = -1, .out = 1, .size = 2}},
    {SYS_connect, {PROGRAMS_CONNECT, .directory = -1, .path = -1, .flags = -1, .out = 1, .size = 2}},
    BARE(SYS_io_uring_setup, PROGRAMS_IO_URING),
    ABOUT(SYS_ptrace, PROGRAMS_PROCESS, 1), ABOUT(SYS_process_vm_readv, PROGRAMS_PROCESS, 0),
    ABOUT(SYS_process_vm_writev, PROGRAMS_PROCESS, 0),
    SIGNAL(SYS_kill, 1, 0), SIGNAL(SYS_tkill, 1, 0), SIGNAL(SYS_tgkill, 2, 0),
    SIGNAL(SYS_rt_sigqueueinfo, 1, 0), SIGNAL(SYS_rt_tgsigqueueinfo, 2, 0),
    {SYS_pidfd_send_signal, {PROGRAMS_SIGNAL, .directory = 0, .path = -1, .flags = 1, .out = -1, .size = -1}},
    ABOUT(SYS_prlimit64, PROGRAMS_PROCESS, 0), ABOUT(SYS_sched_setaffinity, PROGRAMS_PROCESS, 0),
    ABOUT(SYS_sched_setscheduler, PROGRAMS_PROCESS, 0), ABOUT(SYS_sched_setparam, PROGRAMS_PROCESS, 0),
    ABOUT(SYS_sched_setattr, PROGRAMS_PROCESS, 0), ABOUT(SYS_setpriority, PROGRAMS_PROCESS, 1),
    ABOUT(SYS_ioprio_set, PROGRAMS_PROCESS, 1), ABOUT(SYS_migrate_pages, PROGRAMS_PROCESS, 0),
    {SYS_fcntl, {PROGRAMS_SIGNAL, .directory = -1, .path = -1, .flags = -1, .out = 2, .size = 1}},
    BARE(SYS_bpf, PROGRAMS_MACHINE), BARE(SYS_init_module, PROGRAMS_MACHINE),
    BARE(SYS_finit_module, PROGRAMS_MACHINE), BARE(SYS_delete_module, PROGRAMS_MACHINE),
    BARE(SYS_kexec_load, PROGRAMS_MACHINE), BARE(SYS_reboot, PROGRAMS_MACHINE),
    BARE(SYS_setdomainname, PROGRAMS_MACHINE), BARE(SYS_pidfd_getfd, PROGRAMS_MACHINE),
    BARE(SYS_sethostname, PROGRAMS_MACHINE), BARE(SYS_clock_settime, PROGRAMS_MACHINE),
    BARE(SYS_settimeofday, PROGRAMS_MACHINE),
    ABOUT(SYS_adjtimex, PROGRAMS_CLOCK, 0), ABOUT(SYS_clock_adjtime, PROGRAMS_CLOCK, 1),
};
enum { shape_count = sizeof shapes / sizeof *shapes };

struct programs_shape programs_shape(int number) {
  for (int index = 0; index < shape_count; index++)
    if (shapes[index].number == number) return shapes[index].shape;
  return (struct programs_shape){PROGRAMS_UNKNOWN, -1, -1, -1, -1, -1};
}

bool programs_is_of_link(int number) {
#if defined(__x86_64__)
  if (number == SYS_lstat || number == SYS_lchown) return true;
#endif
  return number == SYS_lgetxattr || number == SYS_llistxattr || number == SYS_lsetxattr || number == SYS_lremovexattr;
}

// MARK: The filter

static struct sock_filter filter[500];
static unsigned short filter_size;

// What hands the listener over. No program has anything at this address.
static struct msghdr handover;

static void add(unsigned short code, unsigned char yes, unsigned char no, unsigned value) {
  filter[filter_size++] = (struct sock_filter){code, yes, no, value};
}
static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, 0, 0, (unsigned)offset); }
static void load_argument(int index) { load(offsetof(struct seccomp_data, args) + 8 * (size_t)index); }
static void end(unsigned action) { add(BPF_RET | BPF_K, 0, 0, action); }
static void pass_if_equal(unsigned value) { add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value), end(SECCOMP_RET_ALLOW); }
static void ask_if_equal(unsigned value) { add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value), end(SECCOMP_RET_USER_NOTIF); }
static void ask_from(unsigned value) { add(BPF_JMP | BPF_JGE | BPF_K, 0, 1, value), end(SECCOMP_RET_USER_NOTIF); }
static void pass_from(unsigned value) { add(BPF_JMP | BPF_JGE | BPF_K, 0, 1, value), end(SECCOMP_RET_ALLOW); }
static void pass_if_address(int index, const void *address) {
  load_argument(index), add(BPF_JMP | BPF_JEQ | BPF_K, 0, 3, (unsigned)(uintptr_t)address);
  load(offsetof(struct seccomp_data, args) + 8 * (size_t)index + 4), add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (unsigned)((uintptr_t)address >> 32));
  end(SECCOMP_RET_ALLOW);
}
static void pass_below(unsigned value) { add(BPF_JMP | BPF_JGE | BPF_K, 1, 0, value), end(SECCOMP_RET_ALLOW); }

/// What follows until `closes` is for one value alone.
static unsigned short opens(unsigned value) {
  add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, value);
  return filter_size - 1;
}
static void closes(unsigned short opened) { filter[opened].jf = (unsigned char)(filter_size - opened - 1); }

static void build_filter(void) {
  filter_size = 0;
  load(offsetof(struct seccomp_data, arch));
  // Numbers of another architecture mean other calls.
  add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OWN_ARCHITECTURE), end(SECCOMP_RET_USER_NOTIF);
  load(offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
  ask_from(0x40000000);  // x32
#endif
  unsigned short block = opens(SYS_socket);
  load_argument(1), add(BPF_ALU | BPF_AND | BPF_K, 0, 0, 0xF), ask_if_equal(SOCK_PACKET);
  load_argument(0), pass_if_equal(AF_UNIX), pass_if_equal(AF_INET), pass_if_equal(AF_INET6), pass_if_equal(AF_ALG);
  end(SECCOMP_RET_USER_NOTIF), closes(block);
  block = opens(SYS_ioctl);
  // What types into a terminal; TUNSETIFF and TUNSETPERSIST; of sockets, all from SIOCADDRT's row on to the end of the
  // wireless extensions but SIOCOUTQNSD.
  load_argument(1), ask_if_equal(TIOCSTI), ask_if_equal(TIOCLINUX), ask_if_equal(0x400454CA), ask_if_equal(0x400454CB), pass_if_equal(0x894B), pass_below(0x8908);
  pass_from(0x8C00), end(SECCOMP_RET_USER_NOTIF), closes(block);
  block = opens(SYS_setsockopt);
  load_argument(1);
  unsigned short level = opens(SOL_SOCKET);
  load_argument(2), ask_if_equal(SO_BINDTODEVICE), ask_if_equal(SO_BINDTOIFINDEX), end(SECCOMP_RET_ALLOW), closes(level);
  // Tables of packet filters begin at 64 (IPT_BASE_CTL, IP6T_BASE_CTL), routes of multicast at 200 (MRT_BASE).
  level = opens(0);
  load_argument(2), ask_from(64), end(SECCOMP_RET_ALLOW), closes(level);
  level = opens(41);
  load_argument(2), ask_if_equal(64), ask_if_equal(65), ask_from(200), closes(level);
  end(SECCOMP_RET_ALLOW), closes(block);
  block = opens(SYS_sendto);
  pass_if_address(4, NULL), end(SECCOMP_RET_USER_NOTIF), closes(block);
  // Tables of packet filters (IPT_SO_GET_INFO and on, IP6T_SO_GET_INFO to IP6T_SO_GET_REVISION_TARGET).
  block = opens(SYS_getsockopt);
  load_argument(1);
  level = opens(0);
  load_argument(2), ask_from(64), end(SECCOMP_RET_ALLOW), closes(level);
  level = opens(41);
  load_argument(2), ask_if_equal(64), ask_if_equal(65), ask_if_equal(68), ask_if_equal(69), closes(level);
  end(SECCOMP_RET_ALLOW), closes(block);
  block = opens(SYS_sendmsg);
  pass_if_address(1, &handover), end(SECCOMP_RET_USER_NOTIF), closes(block);
  // PTRACE_ATTACH and PTRACE_SEIZE; other requests are about a process that is traced already.
  block = opens(SYS_ptrace);
  load_argument(0), ask_if_equal(16), ask_if_equal(0x4206), end(SECCOMP_RET_ALLOW), closes(block);
  block = opens(SYS_fcntl);
  load_argument(1), ask_if_equal(F_SETOWN), ask_if_equal(F_SETOWN_EX), end(SECCOMP_RET_ALLOW), closes(block);
  for (int index = 0; index < shape_count; index++) {
    int kind = shapes[index].shape.kind;
    if (kind == PROGRAMS_SOCKET || kind == PROGRAMS_IOCTL || kind == PROGRAMS_SOCKET_OPTION) continue;
    int number = shapes[index].number;
    if (number == SYS_sendto || number == SYS_sendmsg || number == SYS_ptrace || number == SYS_fcntl) continue;
    if (kind == PROGRAMS_PROCESS) {
      // The caller itself is 0.
      block = opens((unsigned)number);
      load_argument(shapes[index].shape.out), pass_if_equal(0), end(SECCOMP_RET_USER_NOTIF), closes(block);
      continue;
    }
    ask_if_equal((unsigned)number);
  }
  end(SECCOMP_RET_ALLOW);
}

// MARK: The start of the program

static void send_descriptor(int channel, int descriptor) {
  char control[CMSG_SPACE(sizeof descriptor)] = {0};
  struct iovec part = {"", 1};
  handover = (struct msghdr){.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&handover);
  *header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof descriptor), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  sendmsg(channel, &handover, MSG_NOSIGNAL);
}

static int receive_descriptor(int channel) {
  char control[CMSG_SPACE(sizeof(int))] = {0}, byte;
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t count;
  while ((count = recvmsg(channel, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) continue;
  struct cmsghdr *header = count > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  int descriptor = -1;
  if (header) memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

/// Whether a descriptor is of the machine's interfaces: a socket of netlink or packets, a file of sysfs or procfs.
static bool is_of_machine(int descriptor) {
  struct statfs system;
  int family;
  socklen_t size = sizeof family;
  if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0) return family == AF_NETLINK || family == AF_PACKET;
  return fstatfs(descriptor, &system) == 0 && (system.f_type == SYSFS_MAGIC || system.f_type == PROC_SUPER_MAGIC);
}

/// Closes what the program would inherit of the machine's interfaces. In place of a standard stream it has /dev/null.
static void close_inherited(void) {
  for (int descriptor = 0; descriptor < 4096; descriptor++) {
    if (!is_of_machine(descriptor)) continue;
    close(descriptor);
    if (descriptor < 3 && open("/dev/null", O_RDWR) >= 0 && descriptor != STDERR_FILENO)
      dprintf(STDERR_FILENO, "wifi-harness: a standard stream leads to the kernel of the machine: the program has /dev/null in its place.\n");
  }
}

// What of the start failed, over a pipe that exec closes.
struct start_failure {
  int error;
  int is_filter;
};

static void run_program(int channel, int failures, const char *path, char *const *arguments, char *const *environment) {
  struct start_failure failure = {.is_filter = 1};
  struct sock_fprog program = {filter_size, filter};
  int listener = -1;
  close_inherited();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
    listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER | WAIT_KILLABLE, &program);
    if (listener < 0 && errno == EINVAL)
      listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  }
  if (listener >= 0) {
    send_descriptor(channel, listener);
    close(listener);
    failure.is_filter = 0;
    execve(path, arguments, environment);
  }
  failure.error = errno;
  if (write(failures, &failure, sizeof failure) < 0) _exit(126);
  _exit(127);
}

int programs_start(const char *path, char *const *arguments, char *const *environment, int *listener) {
  int channel[2], failures[2];
  *listener = -1;
  build_filter();
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) < 0) return -1;
  if (pipe2(failures, O_CLOEXEC) < 0) {
    int error = errno;
    close(channel[0]);
    close(channel[1]);
    errno = error;
    return -1;
  }
  sigset_t all, before, none;
  sigfillset(&all);
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t process = fork();
  if (process == 0) {
    // A handler becomes the default action at exec by itself; until then none of ours runs here. What is ignored stays
    // so, but for what Swift programs ignore.
    for (int number = 1; number < NSIG; number++) {
      struct sigaction action;
      if (sigaction(number, NULL, &action) == 0 && (action.sa_handler != SIG_IGN || number == SIGPIPE)) signal(number, SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, &none, NULL);
    run_program(channel[1], failures[1], path, arguments, environment);
  }
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(channel[1]);
  close(failures[1]);
  int result = process;
  if (process > 0) {
    *listener = receive_descriptor(channel[0]);
    struct start_failure failure;
    ssize_t count;
    while ((count = read(failures[0], &failure, sizeof failure)) < 0 && errno == EINTR) continue;
    if (count == sizeof failure) {
      while (waitpid(process, NULL, 0) < 0 && errno == EINTR) continue;
      if (*listener >= 0) close(*listener);
      *listener = -1;
      result = failure.is_filter ? -2 : -1;
      error = failure.error;
    } else {
      uint64_t flags = SYNC_WAKE_UP;
      ioctl(*listener, SET_FLAGS, flags);
    }
  }
  close(channel[0]);
  close(failures[0]);
  errno = error;
  return result;
}

// MARK: What waits

bool programs_next_call(int listener, struct programs_call *call) {
  // Newer kernels may say more.
  union {
    struct seccomp_notif notification;
    char room[512];
  } received = {0};
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &received.notification) < 0) return false;
  const struct seccomp_notif *notification = &received.notification;
  *call = (struct programs_call){
      .id = notification->id, .process = (int)notification->pid, .number = notification->data.nr,
      .is_foreign = notification->data.arch != OWN_ARCHITECTURE, .instruction = notification->data.instruction_pointer};
#if defined(__x86_64__)
  call->is_foreign |= notification->data.nr >= 0x40000000;
#endif
  for (int index = 0; index < 6; index++) call->arguments[index] = notification->data.args[index];
  return true;
}

static void respond(int listener, uint64_t id, int64_t value, int error, unsigned flags) {
  union {
    struct seccomp_notif_resp response;
    char room[512];
  } sent = {.response = {.id = id, .val = value, .error = error, .flags = flags}};
  // A call that a signal ended in the meantime is gone.
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &sent.response);
}

void programs_pass(int listener, uint64_t id) { respond(listener, id, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE); }

void programs_answer(int listener, uint64_t id, int64_t result) {
  if (result < 0) respond(listener, id, 0, (int)result, 0);
  else respond(listener, id, result, 0, 0);
}

void programs_give(int listener, uint64_t id, int descriptor, bool closes_on_exec) {
  struct seccomp_notif_addfd given = {.id = id, .srcfd = (unsigned)descriptor, .newfd_flags = closes_on_exec ? O_CLOEXEC : 0};
  int number = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &given);
  programs_answer(listener, id, number < 0 ? -errno : number);
}

bool programs_holds_signals(void) {
  struct utsname system;
  int major = 0, minor = 0;
  // SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV is of Linux 5.19.
  return uname(&system) == 0 && sscanf(system.release, "%d.%d", &major, &minor) == 2 && major * 100 + minor >= 519;
}

bool programs_is_waiting(int listener, uint64_t id) { return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0; }

ssize_t programs_read_memory(int process, uint64_t address, void *bytes, size_t size) {
  struct iovec local = {bytes, size}, remote = {(void *)(uintptr_t)address, size};
  return process_vm_readv(process, &local, 1, &remote, 1, 0);
}

ssize_t programs_read_text(int process, uint64_t address, char *text, size_t size) {
  size_t length = 0;
  while (length < size) {
    // What is behind the page of the text may not be there.
    size_t part = 4096 - ((address + length) & 4095);
    if (part > size - length) part = size - length;
    ssize_t count = programs_read_memory(process, address + length, text + length, part);
    if (count <= 0) return -1;
    char *end = memchr(text + length, 0, (size_t)count);
    if (end) return end - text;
    length += (size_t)count;
  }
  errno = ENAMETOOLONG;
  return -1;
}

// MARK: What stands in

int programs_open_inside(int root, const char *path, int flags) {
  // Modes are for files that are made, and none is.
  struct open_how how = {.flags = (uint64_t)(flags & ~(O_CREAT | O_EXCL | O_TMPFILE)) | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
  if (flags & O_TMPFILE & ~O_DIRECTORY) return errno = EOPNOTSUPP, -1;
  return (int)syscall(SYS_openat2, root, path, &how, sizeof how);
}

int64_t programs_perform(const struct programs_call *call, int file) {
  char room[65536];
  size_t size = 0;
  long result;
  const uint64_t *arguments = call->arguments;
  struct programs_shape shape = programs_shape(call->number);
  switch (call->number) {
    case SYS_statx:
      result = syscall(SYS_statx, file, "", (arguments[2] & ~(uint64_t)AT_SYMLINK_NOFOLLOW) | AT_EMPTY_PATH, arguments[3], room);
      size = sizeof(struct statx);
      break;
    case SYS_readlinkat:
#if defined(__x86_64__)
    case SYS_readlink:
#endif
      size = (size_t)arguments[shape.size] < sizeof room ? (size_t)arguments[shape.size] : sizeof room;
      result = syscall(SYS_readlinkat, file, "", room, size);
      // Of what is no link, Linux says ENOENT where the path is empty.
      if (result < 0 && errno == ENOENT) errno = EINVAL;
      if (result >= 0) size = (size_t)result;
      break;
    default:
      result = syscall(SYS_newfstatat, file, "", room, AT_EMPTY_PATH);
      size = sizeof(struct stat);
      break;
  }
  if (result < 0) return -errno;
  struct iovec local = {room, size}, remote = {(void *)(uintptr_t)arguments[shape.out], size};
  if (size && process_vm_writev(call->process, &local, 1, &remote, 1, 0) != (ssize_t)size) return -EFAULT;
  return result;
}

uint32_t programs_peer(int connection) {
  struct ucred peer = {0};
  socklen_t size = sizeof peer;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? (uint32_t)peer.pid : 0;
}
#endif
