// Ways out of a simulation, each a function: ways-out NAME. What it prints is judged by make check NAME=ways-out.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <glob.h>
#include <grp.h>
#include <linux/bpf.h>
#include <linux/if_tun.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netdb.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void result(long value) {
  if (value < 0) printf("error %s\n", strerrorname_np(errno));
  else printf("done\n");
}

// Prints a file that a descriptor is of.
static void show(int file) {
  char text[4096];
  if (file < 0) return result(-1);
  ssize_t count = read(file, text, sizeof text);
  if (count < 0) return result(-1);
  fwrite(text, 1, (size_t)count, stdout);
}

static int raw_socket(int family, int type, int protocol) { return (int)syscall(SYS_socket, family, type, protocol); }

// Lists the links that a netlink socket knows of, with these functions.
static void list_links(__typeof__(&socket) open_socket, __typeof__(&send) send_bytes, __typeof__(&recv) receive_bytes) {
  int netlink = open_socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  if (netlink < 0) return result(-1);
  struct {
    struct nlmsghdr header;
    struct ifinfomsg link;
  } request = {{sizeof request, RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP, 1, 0}, {0}};
  send_bytes(netlink, &request, sizeof request, 0);
  char bytes[32768];
  for (bool ends = false; !ends;) {
    ssize_t size = receive_bytes(netlink, bytes, sizeof bytes, 0);
    if (size <= 0) return result(-1);
    int left = (int)size;
    for (struct nlmsghdr *header = (void *)bytes; NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
      if (header->nlmsg_type == NLMSG_DONE) ends = true;
      if (header->nlmsg_type != RTM_NEWLINK) continue;
      int rest = (int)IFLA_PAYLOAD(header);
      for (struct rtattr *part = IFLA_RTA((struct ifinfomsg *)NLMSG_DATA(header)); RTA_OK(part, rest); part = RTA_NEXT(part, rest))
        if (part->rta_type == IFLA_IFNAME) printf("link %s\n", (char *)RTA_DATA(part));
    }
  }
}

static void raw_generic(void) { result(raw_socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC)); }
static void raw_route(void) { result(raw_socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE)); }
static void raw_uevent(void) { result(raw_socket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT)); }
static void raw_packet(void) { result(raw_socket(AF_PACKET, SOCK_RAW, 0)); }
static void netfilter(void) { result(socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER)); }
static void old_packet(void) { result(socket(AF_INET, SOCK_PACKET, 0)); }
static void bluetooth(void) { result(socket(AF_BLUETOOTH, SOCK_RAW, 1)); }
static void io_uring(void) {
  char parameters[256] = {0};
  result(syscall(SYS_io_uring_setup, 4, parameters));
}

#ifndef STATIC
static void looked_up(void) {
  void *library = dlopen("libc.so.6", RTLD_NOW);
  list_links(dlsym(library, "socket"), dlsym(library, "send"), dlsym(library, "recv"));
}
#endif

static void addresses(void) {
  struct addrinfo *list = NULL, hints = {.ai_flags = AI_ADDRCONFIG};
  printf("status %d\n", getaddrinfo("localhost", "80", &hints, &list));
}

// A call of the 32-bit system: socket is number 359 there.
static void foreign_call(void) {
#if defined(__x86_64__)
  long value = 359;
  __asm__ volatile("int $0x80" : "+a"(value) : "b"(AF_NETLINK), "c"(SOCK_RAW), "d"(NETLINK_ROUTE) : "memory");
  printf("socket %ld\n", value);
#endif
}

static void raw_ioctl(unsigned long request, void *argument) { result(syscall(SYS_ioctl, socket(AF_INET, SOCK_DGRAM, 0), request, argument)); }

static struct ifreq named(const char *name) {
  struct ifreq request = {0};
  snprintf(request.ifr_name, IFNAMSIZ, "%s", name);
  return request;
}

static void raw_table(void) {
  char entries[4096];
  struct ifconf table = {.ifc_len = sizeof entries, .ifc_buf = entries};
  raw_ioctl(SIOCGIFCONF, &table);
}
static void raw_up(void) {
  struct ifreq request = named("real0");
  request.ifr_flags = IFF_UP;
  raw_ioctl(SIOCSIFFLAGS, &request);
}
static void raw_wireless(void) {
  struct ifreq request = named("real0");
  raw_ioctl(0x8B01, &request);
}
static void bridge(void) { result(ioctl(socket(AF_INET, SOCK_DGRAM, 0), 0x89A0, "simbr0")); }
static void tunnel(void) {
  struct ifreq request = named("simtun0");
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  result(ioctl(open("/dev/net/tun", O_RDWR), TUNSETIFF, &request));
}

static void bind_to_device(void) { result(setsockopt(socket(AF_INET, SOCK_DGRAM, 0), SOL_SOCKET, SO_BINDTODEVICE, "real0", 6)); }
static void bind_to_loopback(void) { result(setsockopt(socket(AF_INET, SOCK_DGRAM, 0), SOL_SOCKET, SO_BINDTODEVICE, "lo", 3)); }
static void packet_filter(void) {
  char table[256] = "filter";
  result(setsockopt(socket(AF_INET, SOCK_RAW, IPPROTO_RAW), 0, 64, table, sizeof table));
}

// Paths.
static void raw_open(void) { show((int)syscall(SYS_openat, AT_FDCWD, "/sys/class/net/wlan0/address", O_RDONLY)); }
static void raw_open_real(void) { show((int)syscall(SYS_openat, AT_FDCWD, "/sys/class/net/real0/address", O_RDONLY)); }
static void raw_openat2(void) {
  struct open_how how = {.flags = O_RDONLY};
  show((int)syscall(SYS_openat2, AT_FDCWD, "/sys/class/net/wlan0/address", &how, sizeof how));
}
static void raw_dots(void) { show((int)syscall(SYS_openat, AT_FDCWD, "/sys/../sys/class/./net/wlan0/address", O_RDONLY)); }
static void raw_table_of_process(void) { show((int)syscall(SYS_openat, AT_FDCWD, "/proc/self/net/dev", O_RDONLY)); }
static void raw_table_of_thread(void) { show((int)syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/net/dev", O_RDONLY)); }
static void raw_table_of_number(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/net/dev", getpid(), getpid());
  show((int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY));
}
static void table_of_init(void) { show(open("/proc/1/net/dev", O_RDONLY)); }
static void by_root(void) { show(open("/proc/self/root/sys/class/net/wlan0/address", O_RDONLY)); }
static void by_link(void) {
  unlink("to-classes");
  if (symlink("/sys/class", "to-classes") < 0) return result(-1);
  show(open("to-classes/net/wlan0/address", O_RDONLY));
}
static void by_link_real(void) {
  unlink("to-net");
  if (symlink("/sys/class/net", "to-net") < 0) return result(-1);
  show((int)syscall(SYS_openat, AT_FDCWD, "to-net/real0/address", O_RDONLY));
}
static void by_folder(void) {
  if (syscall(SYS_chdir, "/sys/class") < 0) return result(-1);
  show(open("net/wlan0/address", O_RDONLY));
}
static void by_entered_folder(void) {
  if (chdir("/sys/class/net/wlan0") < 0) return result(-1);
  show(open("address", O_RDONLY));
}
static void raw_enter(void) { result(syscall(SYS_chdir, "/sys/class/net/wlan0")); }
static void by_descriptor(void) {
  int folder = open("/sys/class", O_RDONLY | O_DIRECTORY);
  show(openat(folder, "net/wlan0/address", O_RDONLY));
}
static void by_descriptor_link(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d/net/wlan0/address", open("/sys/class", O_RDONLY | O_DIRECTORY));
  show(open(path, O_RDONLY));
}
static void pattern(void) {
  glob_t found;
  if (glob("/sys/class/net/*/address", 0, NULL, &found)) return result(-1);
  for (size_t index = 0; index < found.gl_pathc; index++) printf("%s\n", found.gl_pathv[index]);
}
static void tree(void) {
  char *paths[] = {"/sys/class/net", NULL};
  FTS *walk = fts_open(paths, FTS_PHYSICAL, NULL);
  for (FTSENT *entry; (entry = fts_read(walk));)
    if (entry->fts_level == 1) printf("%s\n", entry->fts_path);
}
static void raw_status(void) {
  struct stat status;
  result(syscall(SYS_newfstatat, AT_FDCWD, "/sys/class/net/wlan0/address", &status, 0));
}
static void raw_status_real(void) {
  struct stat status;
  result(syscall(SYS_newfstatat, AT_FDCWD, "/sys/class/net/real0", &status, 0));
}
static void raw_link(void) {
  char target[256] = {0};
  result(syscall(SYS_readlinkat, AT_FDCWD, "/sys/class/net/wlan0/phy80211", target, sizeof target - 1));
  printf("%s\n", target);
}
static void raw_link_real(void) {
  char target[256] = {0};
  result(syscall(SYS_readlinkat, AT_FDCWD, "/sys/class/net/real0", target, sizeof target - 1));
  printf("%s\n", target);
}
static void read_packet_filter(void) {
  char information[84] = "filter";
  socklen_t size = sizeof information;
  result(getsockopt(socket(AF_INET, SOCK_RAW, IPPROTO_RAW), IPPROTO_IP, 64, information, &size));
}
static void mount_attributes(void) {
  uint64_t attributes[4] = {1};  // MOUNT_ATTR_RDONLY
  result(syscall(442, AT_FDCWD, "/sys", 0, attributes, sizeof attributes));
}
static void in_own_root(void) {
  struct open_how how = {.flags = O_RDONLY, .resolve = RESOLVE_IN_ROOT};
  show((int)syscall(SYS_openat2, open("/sys", O_RDONLY | O_DIRECTORY), "/class/net/real0/address", &how, sizeof how));
}
static void change_mode_newly(void) { result(syscall(452, AT_FDCWD, "/sys/devices/virtual/net/real0/mtu", 0, 0)); }
static void set_attribute(void) { result(syscall(SYS_setxattr, "/sys/devices/virtual/net/real0/mtu", "security.ways", "x", 1, 0)); }
static void unmount(void) { result(umount2("/sys", MNT_DETACH)); }
static void foreign_descriptor(void) { result(syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, getppid(), 0), 0, 0)); }
static void inherited(void) {
  char text[64];
  ssize_t count = read(9, text, sizeof text);
  if (count > 0) fwrite(text, 1, (size_t)count, stdout);
  else printf("none\n");
}
static void undumpable(void) {
  if (setgroups(0, NULL) || setegid(65534)) return result(-1);
  prctl(PR_SET_DUMPABLE, 0);
  show(open("/sys/class/net/wlan0/address", O_RDONLY));
}
static void device(void) { show(open("/sys/devices/virtual/net/real0/address", O_RDONLY)); }
static void neighbors(void) { show(open("/proc/net/arp", O_RDONLY)); }
static void udev(void) { show(open("/run/udev/data/n2", O_RDONLY)); }
static void write_real(const char *path, const char *text) {
  int file = open(path, O_WRONLY);
  result(file < 0 ? -1 : write(file, text, strlen(text)));
}
static void write_setting(void) { write_real("/proc/sys/net/ipv4/conf/real0/forwarding", "1"); }
static void write_own_setting(void) {
  write_real("/proc/sys/net/ipv4/conf/wlan0/forwarding", "1");
  show(open("/proc/sys/net/ipv4/conf/wlan0/forwarding", O_RDONLY));
}
static void write_forwarding(void) { write_real("/proc/sys/net/ipv4/ip_forward", "1"); }
static void write_raw_setting(void) {
  int file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/sys/net/ipv6/conf/real0/disable_ipv6", O_WRONLY);
  result(file < 0 ? -1 : write(file, "1", 1));
}
static void write_size(void) { write_real("/sys/class/net/real0/mtu", "1400"); }
static void write_device(void) { write_real("/sys/devices/virtual/net/real0/mtu", "1400"); }
static void change_mode(void) { result(chmod("/sys/class/net/real0/mtu", 0)); }
static void change_mode_of_device(void) { result(syscall(SYS_fchmodat, AT_FDCWD, "/sys/devices/virtual/net/real0/mtu", 0)); }
static void watch(void) { result(syscall(SYS_inotify_add_watch, syscall(SYS_inotify_init1, 0), "/sys/class/net", 2)); }

// The device of rfkill.
static void block_all(int file) {
  unsigned char event[8] = {0}, change[8] = {0, 0, 0, 0, 1, 3, 1, 0};
  if (file < 0) return result(-1);
  if (read(file, event, 8) != 8 || write(file, change, 8) != 8 || read(file, event, 8) != 8) return result(-1);
  printf("blocked %d\n", event[6]);
}
static void block(void) { block_all(open("/dev/rfkill", O_RDWR)); }
static void raw_block(void) { block_all((int)syscall(SYS_openat, AT_FDCWD, "/dev/rfkill", O_RDWR)); }
static void block_by_link(void) {
  unlink("switch");
  if (symlink("/dev/rfkill", "switch") < 0) return result(-1);
  block_all(open("switch", O_RDWR));
}
static void block_by_node(void) {
  unlink("node");
  if (mknod("node", S_IFCHR | 0600, makedev(10, 242)) < 0) return result(-1);
  block_all(open("node", O_RDWR));
}

// File systems.
static void mount_classes(void) { mkdir("mounted", 0700), result(mount("none", "mounted", "sysfs", 0, NULL)); }
static void mount_again(void) { mkdir("mounted", 0700), result(mount("/sys/class/net", "mounted", NULL, MS_BIND, NULL)); }
static void mount_anew(void) { result(syscall(SYS_fsopen, "sysfs", 0)); }

// Programs.
static const char *program(void) { return getenv("PROGRAM") ? getenv("PROGRAM") : "/usr/sbin/ip"; }
static void execute_emptied(void) {
  char *empty[] = {NULL};
  execle(program(), "ip", "-o", "link", (char *)NULL, empty);
  result(-1);
}
static void execute_descriptor(void) {
  char *arguments[] = {"ip", "-o", "link", NULL}, *empty[] = {NULL};
  fexecve(open(program(), O_RDONLY | O_CLOEXEC), arguments, empty);
  result(-1);
}
static void raw_execute(void) {
  char *arguments[] = {"ip", "-o", "link", NULL}, *empty[] = {NULL};
  syscall(SYS_execve, program(), arguments, empty);
  result(-1);
}
static void shell_emptied(void) {
  clearenv();
  result(system("/usr/sbin/ip -o link"));
}
static void pipe_emptied(void) {
  clearenv();
  FILE *pipe = popen("/usr/sbin/ip -o link", "r");
  char line[256];
  while (pipe && fgets(line, sizeof line, pipe)) fputs(line, stdout);
}
static void execute_foreign(void) {
  execl("foreign", "foreign", (char *)NULL);
  result(-1);
}
static void execute_other_user(void) {
  if (setgid(65534) || setuid(65534)) return result(-1);
  execl("set-user-id", "ip", "-o", "link", (char *)NULL);
  result(-1);
}
static void execute_capable(void) {
  if (setgid(65534) || setuid(65534)) return result(-1);
  execl("capable", "ip", "-o", "link", (char *)NULL);
  result(-1);
}

// Daemons of the machine.
static struct sockaddr_un at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  return address;
}
static void bus(void) {
  struct sockaddr_un address = at("/run/dbus/system_bus_socket");
  result(connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address));
}
static void bus_by_link(void) {
  struct sockaddr_un address = at("bus");
  unlink("bus");
  if (symlink("/run/dbus/system_bus_socket", "bus") < 0) return result(-1);
  result(connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address));
}
static void supplicant(void) {
  struct sockaddr_un address = at("/run/wpa_supplicant/real0");
  result(sendto(socket(AF_UNIX, SOCK_DGRAM, 0), "TERMINATE", 9, 0, (struct sockaddr *)&address, sizeof address));
}
// The lower half of where its address lies is 0, as where no address is given.
static void supplicant_at_round_address(void) {
  struct sockaddr_un *address = mmap((void *)(1UL << 32), 4096, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (address != (void *)(1UL << 32)) return result(-1);
  *address = at("/run/wpa_supplicant/real0");
  result(sendto(socket(AF_UNIX, SOCK_DGRAM, 0), "TERMINATE", 9, 0, (struct sockaddr *)address, sizeof *address));
}
static void supplicant_message(void) {
  struct sockaddr_un address = at("/run/wpa_supplicant/real0");
  struct iovec part = {"TERMINATE", 9};
  struct msghdr message = {.msg_name = &address, .msg_namelen = sizeof address, .msg_iov = &part, .msg_iovlen = 1};
  result(sendmsg(socket(AF_UNIX, SOCK_DGRAM, 0), &message, 0));
}
static void supplicant_by_descriptor(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d/real0", open("/run/wpa_supplicant", O_RDONLY | O_DIRECTORY));
  struct sockaddr_un address = at(path);
  result(connect(socket(AF_UNIX, SOCK_DGRAM, 0), (struct sockaddr *)&address, sizeof address));
}
static void own_daemon(void) {
  struct sockaddr_un address = at("/run/of-the-simulation");
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 1) < 0) return result(-1);
  result(connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address));
  unlink(address.sun_path);
}

static void supplicant_by_high_descriptor(void) {
  struct sockaddr_un address = at("/run/wpa_supplicant/real0");
  struct iovec part = {"ATTACH", 6};
  struct msghdr message = {.msg_name = &address, .msg_namelen = sizeof address, .msg_iov = &part, .msg_iovlen = 1};
  result(syscall(SYS_sendmsg, dup2(socket(AF_UNIX, SOCK_DGRAM, 0), 900), &message, 0));
}
static void supplicant_by_name(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0wpa_global"};
  result(connect(socket(AF_UNIX, SOCK_DGRAM, 0), (struct sockaddr *)&address, offsetof(struct sockaddr_un, sun_path) + 11));
}

// Processes.
static void trace(void) { result(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL)); }
static void write_memory(void) {
  struct iovec local = {"x", 1}, remote = {&environ, 1};
  result(process_vm_writev(getppid(), &local, 1, &remote, 1, 0));
}
static void open_memory(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", getppid());
  result(open(path, O_RDWR));
}
static void trace_own(void) {
  pid_t child = fork();
  if (child == 0) pause();
  result(ptrace(PTRACE_SEIZE, child, NULL, NULL));
  kill(child, SIGKILL);
}
static void signal_all(void) { result(kill(-1, SIGTERM)); }
static void signal_by_folder(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%s", getenv("VICTIM"));
  result(syscall(SYS_pidfd_send_signal, open(path, O_RDONLY | O_DIRECTORY), SIGTERM, NULL, 0));
}
static void signal_by_group(void) {
  setpgid(0, getpgid(atoi(getenv("VICTIM"))));
  result(kill(-getpgid(atoi(getenv("VICTIM"))), SIGTERM));
}
static void signal_by_input(void) { result(fcntl(socket(AF_UNIX, SOCK_DGRAM, 0), F_SETOWN, atoi(getenv("VICTIM")))); }
static void signal_own_input(void) { result(fcntl(socket(AF_UNIX, SOCK_DGRAM, 0), F_SETOWN, getpid())); }
static void limit_other(void) {
  struct rlimit limit = {16, 16};
  result(prlimit(atoi(getenv("VICTIM")), RLIMIT_NOFILE, &limit, NULL));
}
static void signal_ended_child(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  usleep(50000);
  result(kill(child, SIGTERM));
}
static void signal_by_descriptor(void) {
  result(syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, atoi(getenv("VICTIM")), 0), SIGTERM, NULL, 0));
}

// The machine.
static void set_clock(void) {
  struct timespec time = {.tv_sec = 1000000000};
  result(syscall(SYS_clock_settime, CLOCK_REALTIME, &time));
}
static void adjust_clock(void) {
  struct timex change = {.modes = ADJ_STATUS, .status = 0};
  result(syscall(SYS_adjtimex, &change));
}
static void read_clock(void) {
  struct timex change = {0};
  result(syscall(SYS_adjtimex, &change));
}
static void remove_module(void) { result(syscall(SYS_delete_module, "cfg80211", O_NONBLOCK)); }
static void load_filter(void) {
  union bpf_attr attributes = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
  result(syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes));
}
static void set_name(void) { result(sethostname("simulated", 9)); }

static const struct way {
  const char *name;
  void (*function)(void);
} ways[] = {
#define WAY(name) {#name, name},
#ifndef STATIC
    WAY(looked_up)
#endif
    WAY(raw_generic) WAY(raw_route) WAY(raw_uevent) WAY(raw_packet) WAY(netfilter) WAY(old_packet) WAY(bluetooth) WAY(io_uring)
    WAY(addresses) WAY(foreign_call) WAY(raw_table) WAY(raw_up) WAY(raw_wireless) WAY(bridge) WAY(tunnel) WAY(bind_to_device)
    WAY(bind_to_loopback) WAY(packet_filter) WAY(raw_open) WAY(raw_open_real) WAY(raw_openat2) WAY(raw_dots) WAY(raw_table_of_process)
    WAY(raw_table_of_thread) WAY(raw_table_of_number) WAY(table_of_init) WAY(by_root) WAY(by_link) WAY(by_link_real) WAY(by_folder)
    WAY(by_entered_folder) WAY(raw_enter) WAY(by_descriptor) WAY(by_descriptor_link) WAY(pattern) WAY(tree) WAY(raw_status)
    WAY(raw_status_real) WAY(raw_link) WAY(raw_link_real) WAY(device) WAY(neighbors) WAY(udev) WAY(write_setting) WAY(write_own_setting)
    WAY(write_forwarding) WAY(write_raw_setting) WAY(write_size) WAY(write_device) WAY(change_mode) WAY(change_mode_of_device) WAY(watch)
    WAY(block) WAY(raw_block) WAY(block_by_link) WAY(block_by_node) WAY(mount_classes) WAY(mount_again) WAY(mount_anew)
    WAY(execute_emptied) WAY(execute_descriptor) WAY(raw_execute) WAY(shell_emptied) WAY(pipe_emptied) WAY(execute_foreign)
    WAY(execute_other_user) WAY(execute_capable) WAY(bus) WAY(bus_by_link) WAY(supplicant) WAY(supplicant_message) WAY(own_daemon)
    WAY(in_own_root) WAY(change_mode_newly) WAY(set_attribute) WAY(unmount) WAY(foreign_descriptor) WAY(inherited) WAY(undumpable)
    WAY(supplicant_by_descriptor) WAY(set_clock) WAY(adjust_clock) WAY(read_clock) WAY(remove_module) WAY(load_filter) WAY(set_name)
    WAY(supplicant_by_high_descriptor) WAY(supplicant_by_name) WAY(trace) WAY(write_memory) WAY(open_memory) WAY(trace_own) WAY(signal_all)
    WAY(signal_by_folder) WAY(signal_by_group) WAY(signal_by_input) WAY(signal_own_input) WAY(limit_other) WAY(signal_ended_child)
    WAY(signal_by_descriptor) WAY(read_packet_filter) WAY(mount_attributes) WAY(supplicant_at_round_address)
};

int main(int count, char **arguments) {
  setvbuf(stdout, NULL, _IONBF, 0);
  for (size_t index = 0; index < sizeof ways / sizeof *ways; index++)
    if (count == 2 && strcmp(ways[index].name, arguments[1]) == 0) return ways[index].function(), 0;
  fprintf(stderr, "usage: ways-out NAME\n");
  return 64;
}
