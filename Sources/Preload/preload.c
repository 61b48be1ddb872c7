// Lets a program use the simulated kernel of `wifi-harness run … -- COMMAND`: functions of the C library, defined
// here before it.
//
// Netlink sockets become connections to the server that runs in `wifi-harness`; files of the kernel about network
// interfaces are those that it wrote; clocks and waits follow its time, where that is not the real one. Everything else
// passes.
//
// Nothing is decided here: what a request means and what time it is, the server says (protocol.h).
#define _GNU_SOURCE
#include "protocol.h"

#include <aio.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <mqueue.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/// The dlsym of the C library: this library has one of its own.
static __typeof__(&dlsym) library_dlsym(void) {
  static _Atomic(void *) cached;
  void *found = atomic_load(&cached);
  // The version of the function is that of the C library that first had it in one file, or first ran on the
  // architecture.
  static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
  for (size_t index = 0; !found && index < sizeof versions / sizeof *versions; index++) found = dlvsym(RTLD_NEXT, "dlsym", versions[index]);
  atomic_store(&cached, found);
  return (__typeof__(&dlsym))found;
}

/// The function of the C library that the one of this name stands before.
#define NEXT(name)                                                \
  static _Atomic(void *) cached;                                  \
  void *found = atomic_load(&cached);                             \
  if (!found) atomic_store(&cached, found = library_dlsym()(RTLD_NEXT, #name)); \
  __typeof__(&name) next = (__typeof__(&name))found

/// Ends a function as the one of the C library does.
#define PASS_ON(name, arguments) \
  do {                           \
    NEXT(name);                  \
    return next arguments;       \
  } while (0)

static int fail(int error) {
  errno = error;
  return -1;
}

// MARK: The server

// Short enough for a name in it to be the address of a socket.
static char folder[sizeof((struct sockaddr_un *)0)->sun_path - sizeof "/" PROTOCOL_SOCKET];
static const struct time_page *page;
// The process that this memory is of: after vfork another one uses it for a while.
static pid_t process;

static enum pace pace(void) { return page ? (enum pace)page->pace : PACE_REAL; }

// What a program needs in its environment to be helped, for those that are started with another one.
static char variable_entry[sizeof PROTOCOL_VARIABLE + sizeof folder];
static char *preload_entry;

enum { most_descriptors = 4096 };

enum descriptor_kind { NOT_OURS = 0, NETLINK, TIMER, CHANNEL, PACKETS };

// What the library knows of a file descriptor of the program.
static struct descriptor {
  _Atomic uint8_t kind;
  bool packet_information;  // NETLINK_PKTINFO
  bool credentials;         // SO_PASSCRED
  uint16_t protocol;
  uint8_t type;             // SOCK_RAW or SOCK_DGRAM
  uint32_t number;          // of the socket, at the server
  uint32_t room;            // the most bytes that were made room for
  int64_t receive_timeout;  // SO_RCVTIMEO in ns; 0 for none
} descriptors[most_descriptors];

// How often each socket was received from, by its number at the server. Processes that fork share it, as they share the
// socket.
static _Atomic uint32_t own_receipts[most_descriptors];
static _Atomic uint32_t *receipts = own_receipts;

static _Atomic uint32_t *receipts_of(const struct descriptor *entry) { return &receipts[entry->number % most_descriptors]; }

static struct descriptor *ours(int descriptor, enum descriptor_kind kind) {
  if (descriptor < 0 || descriptor >= most_descriptors) return NULL;
  struct descriptor *found = &descriptors[descriptor];
  return atomic_load_explicit(&found->kind, memory_order_acquire) == kind ? found : NULL;
}

static __thread int channel = -1;
static __thread uint32_t last_call;
static pthread_key_t channel_key;

static int connect_to_server(int type) {
  if (!folder[0]) return fail(ECONNREFUSED);
  NEXT(socket);
  int descriptor = next(AF_UNIX, SOCK_SEQPACKET | type, 0);
  if (descriptor < 0) return -1;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s/" PROTOCOL_SOCKET, folder);
  if (syscall(SYS_connect, descriptor, &address, sizeof address) == 0) return descriptor;
  int error = errno;
  syscall(SYS_close, descriptor);
  return fail(error);
}

/// Sends a call; `parts` are what follows its header. Returns its number, or 0.
static uint32_t send_call(int connection, enum call_kind kind, const void *head, size_t head_size, const struct iovec *parts, size_t count) {
  if (!++last_call) ++last_call;
  struct call_header header = {.version = PROTOCOL_VERSION, .kind = (uint8_t)kind, .number = last_call};
  struct iovec vectors[2 + 16] = {{&header, sizeof header}, {(void *)head, head_size}};
  if (count > 16) {
    errno = EMSGSIZE;
    return 0;
  }
  if (count) memcpy(vectors + 2, parts, count * sizeof *parts);
  struct msghdr message = {.msg_iov = vectors, .msg_iovlen = 2 + count};
  // A call of one piece does not wait for the filter, as it has no address.
  char piece[4096];
  size_t size = 0;
  for (size_t index = 0; index < 2 + count; index++) {
    if (size <= sizeof piece && vectors[index].iov_len <= sizeof piece - size) memcpy(piece + size, vectors[index].iov_base, vectors[index].iov_len);
    size += vectors[index].iov_len;
  }
  while ((size <= sizeof piece ? syscall(SYS_sendto, connection, piece, size, MSG_NOSIGNAL, NULL, 0)
                               : syscall(SYS_sendmsg, connection, &message, MSG_NOSIGNAL)) < 0)
    if (errno != EINTR) return 0;
  return header.number;
}

/// Waits for the answer to a call, skipping those to calls that no thread waits for any more. Returns the size of
/// its payload.
static ssize_t receive_answer(int connection, uint32_t number, void *result, size_t size) {
  while (true) {
    struct answer_header header;
    struct iovec vectors[2] = {{&header, sizeof header}, {result, size}};
    struct msghdr message = {.msg_iov = vectors, .msg_iovlen = 2};
    ssize_t count = syscall(SYS_recvmsg, connection, &message, 0);
    if (count < 0 && errno == EINTR) continue;
    // The server is gone.
    if (count < (ssize_t)sizeof header) return fail(ECONNREFUSED);
    if (header.number != number) continue;
    return header.error ? fail(header.error) : count - (ssize_t)sizeof header;
  }
}

static bool open_channel(void) {
  if (channel >= 0) return true;
  int connection = connect_to_server(SOCK_CLOEXEC);
  if (connection < 0) return false;
  int high = (int)syscall(SYS_fcntl, connection, F_DUPFD_CLOEXEC, PROTOCOL_FIRST_DESCRIPTOR);
  if (high >= 0) {
    syscall(SYS_close, connection);
    connection = high;
  }
  channel = connection;
  if (connection < most_descriptors) atomic_store(&descriptors[connection].kind, CHANNEL);
  pthread_setspecific(channel_key, (void *)(intptr_t)(connection + 1));
  uint32_t who[2] = {(uint32_t)getpid(), (uint32_t)syscall(SYS_gettid)};
  uint32_t number = send_call(channel, CALL_HELLO, who, sizeof who, NULL, 0);
  return number && receive_answer(channel, number, NULL, 0) >= 0;
}

static void close_channel(void *value) {
  int connection = (int)(intptr_t)value - 1;
  if (connection < most_descriptors) atomic_store(&descriptors[connection].kind, NOT_OURS);
  syscall(SYS_close, connection);
  if (channel == connection) channel = -1;
}

/// Asks the server. Signals wait meanwhile: their handlers may ask, too.
static ssize_t call_parts(
    enum call_kind kind, const void *head, size_t head_size, const struct iovec *parts, size_t count, void *result, size_t size) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  ssize_t answer = -1;
  if (open_channel()) {
    uint32_t number = send_call(channel, kind, head, head_size, parts, count);
    if (number) answer = receive_answer(channel, number, result, size);
  }
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return answer;
}

static ssize_t call(enum call_kind kind, const void *head, size_t head_size, void *result, size_t size) {
  return call_parts(kind, head, head_size, NULL, 0, result, size);
}

static void after_fork(void) {
  process = getpid();
  // The connection is the parent's.
  if (channel >= 0) {
    if (channel < most_descriptors) atomic_store(&descriptors[channel].kind, NOT_OURS);
    syscall(SYS_close, channel);
  }
  channel = -1;
  // Where processes take turns, this one begins when it has its turn.
  if (pace() == PACE_VIRTUAL) {
    int error = errno;
    open_channel();
    errno = error;
  }
}

static void begin(void) {
  const char *value = getenv(PROTOCOL_VARIABLE);
  if (!value || strlen(value) >= sizeof folder) return;
  process = getpid();
  pthread_key_create(&channel_key, close_channel);
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/" PROTOCOL_TIME, value);
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    // The kernel that this program was to ask is gone; the one of the machine is not what it was started for.
    const char *sentence = errno == EACCES ? "wifi-harness: the user of this program may not use the simulation that it belongs to.\n"
                                           : "wifi-harness: the simulation that this program belongs to has ended.\n";
    syscall(SYS_write, 2, sentence, strlen(sentence));
    _exit(69);
  }
  const struct time_page *mapped = mmap(NULL, sizeof *mapped, PROT_READ, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED && mapped->version == PROTOCOL_VERSION) page = mapped;
  syscall(SYS_close, file);
  if (!page) return;
  void *shared = mmap(NULL, sizeof own_receipts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared != MAP_FAILED) receipts = shared;
  strcpy(folder, value);
  snprintf(variable_entry, sizeof variable_entry, "%s=%s", PROTOCOL_VARIABLE, value);
  const char *preload = getenv("LD_PRELOAD");
  if (preload && asprintf(&preload_entry, "LD_PRELOAD=%s", preload) < 0) preload_entry = NULL;
  pthread_atfork(NULL, NULL, after_fork);
  if (pace() == PACE_VIRTUAL) open_channel();
}

// The first function that is asked may run before the constructors of this library do.
static pthread_once_t begun = PTHREAD_ONCE_INIT;

__attribute__((constructor)) static void start(void) { pthread_once(&begun, begin); }

// MARK: Time

static const int64_t second = 1000000000;
static const int64_t forever = -1;

static int64_t nanoseconds(const struct timespec *time) {
  // Further than the counter reaches is as good as never.
  if (time->tv_sec > INT64_MAX / second - 1) return INT64_MAX;
  return time->tv_sec * second + time->tv_nsec;
}

static struct timespec timespec_of(int64_t time) { return (struct timespec){.tv_sec = time / second, .tv_nsec = time % second}; }

static int64_t nanoseconds_of(const struct timeval *time) { return time->tv_sec * second + (int64_t)time->tv_usec * 1000; }

static struct timeval timeval_of(int64_t time) { return (struct timeval){.tv_sec = time / second, .tv_usec = time % second / 1000}; }

static int64_t real_time(clockid_t clock) {
  struct timespec time;
  NEXT(clock_gettime);
  next(clock, &time);
  return nanoseconds(&time);
}

/// The time since boot of the simulated kernel, in ns.
static int64_t boot_time(void) {
  int64_t now = __atomic_load_n(&page->now, __ATOMIC_ACQUIRE);
  return pace() == PACE_SCALED ? now + (real_time(CLOCK_BOOTTIME) - page->origin) * page->speed : now;
}

/// What the time since boot 0 is on a clock, or false for clocks that stay real: those of processors.
static bool clock_offset(clockid_t clock, int64_t *offset) {
  pthread_once(&begun, begin);
  if (pace() == PACE_REAL) return false;
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI: *offset = page->wall; return true;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM: *offset = 0; return true;
    default: return false;
  }
}

/// A time of a clock as one since boot. One before that is past, not forever.
static int64_t since_boot(const struct timespec *time, int64_t offset) {
  int64_t result = nanoseconds(time) - offset;
  return result < 0 ? 0 : result;
}

static int64_t after(int64_t duration) {
  int64_t now = boot_time();
  return duration > INT64_MAX - now ? INT64_MAX : now + duration;
}

// A program that waits by reading the clock would wait forever: nothing else moves the virtual time.
static __thread unsigned clock_reads;
static const unsigned most_clock_reads = 10000;
static __thread unsigned spins;
static const unsigned most_spins = 64;

static int wait_until(int64_t deadline, struct pollfd *descriptors, nfds_t count, const sigset_t *mask);

static int64_t read_clock(void) {
  if (pace() == PACE_VIRTUAL && ++clock_reads >= most_clock_reads) {
    clock_reads = 0;
    wait_until(after(1000000), NULL, 0, NULL);
  }
  return boot_time();
}

/// Waits for a time since boot, a signal, or one of the descriptors; as ppoll does.
static int wait_until(int64_t deadline, struct pollfd *waited, nfds_t count, const sigset_t *mask) {
  clock_reads = spins = 0;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int result = -1, error = 0;
  struct pollfd both[count + 1];
  if (count) memcpy(both, waited, count * sizeof *both);
  uint32_t number = 0;
  if (open_channel()) number = send_call(channel, count ? CALL_WAIT : CALL_SLEEP, &deadline, sizeof deadline, NULL, 0);
  if (!number) {
    error = errno;
  } else {
    both[count] = (struct pollfd){.fd = channel, .events = POLLIN};
    NEXT(ppoll);
    int ready = next(both, count + 1, NULL, mask ? mask : &before);
    error = errno;
    if (ready >= 0 && both[count].revents) {
      ssize_t answer = receive_answer(channel, number, NULL, 0);
      if (answer < 0) error = errno;
      ready = answer < 0 ? -1 : 0;
    } else {
      // Signal or descriptor: the wait is over, and this thread continues when it has its turn.
      uint32_t cancel = send_call(channel, CALL_CANCEL, NULL, 0, NULL, 0);
      if (cancel) receive_answer(channel, cancel, NULL, 0);
    }
    result = ready < 0 ? -1 : 0;
    if (result == 0 && count) {
      struct timespec now = {0};
      result = next(waited, count, &now, NULL);
      error = errno;
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return result;
}

/// A program that looks again and again without waiting: now and then a millisecond passes.
static void spun(void) {
  if (pace() != PACE_VIRTUAL || ++spins < most_spins) return;
  int error = errno;
  wait_until(after(1000000), NULL, 0, NULL);
  errno = error;
}

EXPORT int sched_yield(void) {
  pthread_once(&begun, begin);
  spun();
  PASS_ON(sched_yield, ());
}

/// Lets others that were woken by the same thing go on one after the other.
static void take_turn(void) {
  if (pace() != PACE_VIRTUAL || getpid() != process) return;
  int error = errno;
  call(CALL_CANCEL, NULL, 0, NULL, 0);
  errno = error;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time) {
  int64_t offset;
  if (!clock_offset(clock, &offset)) PASS_ON(clock_gettime, (clock, time));
  *time = timespec_of(read_clock() + offset);
  return 0;
}

EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  int64_t offset;
  if (!clock_offset(CLOCK_REALTIME, &offset)) PASS_ON(gettimeofday, (time, zone));
  *time = timeval_of(read_clock() + offset);
  return 0;
}

EXPORT time_t time(time_t *result) {
  int64_t offset;
  if (!clock_offset(CLOCK_REALTIME, &offset)) PASS_ON(time, (result));
  time_t now = (read_clock() + offset) / second;
  if (result) *result = now;
  return now;
}

EXPORT int timespec_get(struct timespec *time, int base) {
  int64_t offset;
  if (base != TIME_UTC || !clock_offset(CLOCK_REALTIME, &offset)) PASS_ON(timespec_get, (time, base));
  *time = timespec_of(read_clock() + offset);
  return base;
}

EXPORT int sysinfo(struct sysinfo *information) {
  pthread_once(&begun, begin);
  NEXT(sysinfo);
  int result = next(information);
  if (result == 0 && pace() != PACE_REAL) information->uptime = (long)(boot_time() / second);
  return result;
}

// A simulated program may not set the clocks of the machine, whatever its privileges.
static bool may_not_set(void) {
  pthread_once(&begun, begin);
  if (folder[0]) errno = EPERM;
  return folder[0] != 0;
}

#define SETS_CLOCK(name, parameters, arguments, sets)   \
  EXPORT int name parameters {                          \
    NEXT(name);                                         \
    return (sets) && may_not_set() ? -1 : next arguments; \
  }
SETS_CLOCK(clock_settime, (clockid_t clock, const struct timespec *time), (clock, time), true)
SETS_CLOCK(settimeofday, (const struct timeval *time, const struct timezone *zone), (time, zone), true)
SETS_CLOCK(adjtime, (const struct timeval *delta, struct timeval *old), (delta, old), delta)
SETS_CLOCK(adjtimex, (struct timex *values), (values), values->modes)
SETS_CLOCK(clock_adjtime, (clockid_t clock, struct timex *values), (clock, values), values->modes)

EXPORT int ntp_adjtime(struct timex *values) { return adjtimex(values); }

/// Waits without descriptors; says what was left of the time where a signal ends it.
static int sleep_until(int64_t deadline, struct timespec *left) {
  if (wait_until(deadline, NULL, 0, NULL) == 0) return 0;
  int64_t rest = deadline - boot_time();
  if (left) *left = timespec_of(rest > 0 ? rest : 0);
  return errno;
}

static bool is_duration(const struct timespec *time) { return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < second; }

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  int64_t offset;
  if (!clock_offset(clock, &offset)) PASS_ON(clock_nanosleep, (clock, flags, time, left));
  if (!is_duration(time)) return EINVAL;
  if (flags & TIMER_ABSTIME) return sleep_until(since_boot(time, offset), NULL);
  return sleep_until(after(nanoseconds(time)), left);
}

EXPORT int nanosleep(const struct timespec *time, struct timespec *left) {
  int error = clock_nanosleep(CLOCK_MONOTONIC, 0, time, left);
  return error ? fail(error) : 0;
}

EXPORT int usleep(useconds_t microseconds) {
  struct timespec time = timespec_of((int64_t)microseconds * 1000);
  return nanosleep(&time, NULL);
}

EXPORT unsigned sleep(unsigned seconds) {
  struct timespec time = {.tv_sec = seconds}, left = {0};
  if (nanosleep(&time, &left) == 0) return 0;
  return (unsigned)left.tv_sec + (left.tv_nsec >= second / 2);
}

EXPORT int thrd_sleep(const struct timespec *time, struct timespec *left) {
  int error = clock_nanosleep(CLOCK_REALTIME, 0, time, left);
  return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

EXPORT int ppoll(struct pollfd *waited, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  pthread_once(&begun, begin);
  NEXT(ppoll);
  if (pace() == PACE_REAL || count > 4096) return next(waited, count, timeout, mask);
  if (timeout && !is_duration(timeout)) return fail(EINVAL);
  struct timespec now = {0};
  int ready = next(waited, count, &now, mask);
  if (ready == 0 && timeout && nanoseconds(timeout) == 0) spun();
  if (ready || (timeout && nanoseconds(timeout) == 0)) return ready;
  return wait_until(timeout ? after(nanoseconds(timeout)) : forever, waited, count, mask);
}

EXPORT int poll(struct pollfd *waited, nfds_t count, int milliseconds) {
  if (pace() == PACE_REAL) PASS_ON(poll, (waited, count, milliseconds));
  struct timespec timeout = timespec_of((int64_t)milliseconds * 1000000);
  return ppoll(waited, count, milliseconds < 0 ? NULL : &timeout, NULL);
}

/// What a call is where the compiler has it look whether its buffer is large enough.
#define CHECKED(type, name, parameters, is_too_small, checked) \
  EXPORT type name parameters {                                \
    if (is_too_small) abort();                                 \
    return checked;                                            \
  }
CHECKED(
    int, __poll_chk, (struct pollfd *waited, nfds_t count, int milliseconds, size_t size), size / sizeof *waited < count,
    poll(waited, count, milliseconds))
CHECKED(
    int, __ppoll_chk, (struct pollfd *waited, nfds_t count, const struct timespec *timeout, const sigset_t *mask, size_t size),
    size / sizeof *waited < count, ppoll(waited, count, timeout, mask))

EXPORT int pselect(
    int count, fd_set *restrict reading, fd_set *restrict writing, fd_set *restrict failing, const struct timespec *restrict timeout,
    const sigset_t *restrict mask) {
  pthread_once(&begun, begin);
  NEXT(pselect);
  if (pace() == PACE_REAL || count < 0 || count > FD_SETSIZE) return next(count, reading, writing, failing, timeout, mask);
  struct pollfd waited[count + 1];
  nfds_t places = 0;
  for (int descriptor = 0; descriptor < count; descriptor++) {
    short events = 0;
    if (reading && FD_ISSET(descriptor, reading)) events |= POLLIN;
    if (writing && FD_ISSET(descriptor, writing)) events |= POLLOUT;
    if (failing && FD_ISSET(descriptor, failing)) events |= POLLPRI;
    if (events) waited[places++] = (struct pollfd){.fd = descriptor, .events = events};
  }
  int ready = ppoll(waited, places, timeout, mask);
  if (ready < 0) return -1;
  if (reading) FD_ZERO(reading);
  if (writing) FD_ZERO(writing);
  if (failing) FD_ZERO(failing);
  int bits = 0;
  for (nfds_t index = 0; index < places; index++) {
    if (waited[index].revents & POLLNVAL) return fail(EBADF);
    // As the kernel has it (POLLIN_SET, POLLOUT_SET, POLLEX_SET).
    if ((waited[index].events & POLLIN) && (waited[index].revents & (POLLIN | POLLHUP | POLLERR))) FD_SET(waited[index].fd, reading), bits++;
    if ((waited[index].events & POLLOUT) && (waited[index].revents & (POLLOUT | POLLERR))) FD_SET(waited[index].fd, writing), bits++;
    if ((waited[index].events & POLLPRI) && (waited[index].revents & POLLPRI)) FD_SET(waited[index].fd, failing), bits++;
  }
  return bits;
}

EXPORT int select(int count, fd_set *restrict reading, fd_set *restrict writing, fd_set *restrict failing, struct timeval *restrict timeout) {
  if (pace() == PACE_REAL) PASS_ON(select, (count, reading, writing, failing, timeout));
  int64_t start = boot_time(), length = 0;
  struct timespec time;
  if (timeout) {
    length = nanoseconds_of(timeout);
    time = timespec_of(length);
  }
  int result = pselect(count, reading, writing, failing, timeout ? &time : NULL, NULL);
  if (timeout) {
    // Linux says what was left.
    int64_t left = length - (boot_time() - start);
    *timeout = timeval_of(left < 0 ? 0 : left);
  }
  return result;
}

EXPORT int epoll_pwait(int set, struct epoll_event *events, int most, int milliseconds, const sigset_t *mask) {
  pthread_once(&begun, begin);
  NEXT(epoll_pwait);
  if (pace() == PACE_REAL) return next(set, events, most, milliseconds, mask);
  int64_t deadline = milliseconds < 0 ? forever : after((int64_t)milliseconds * 1000000);
  while (true) {
    int ready = next(set, events, most, 0, mask);
    if (ready == 0 && milliseconds == 0 && deadline <= boot_time()) spun();
    if (ready || milliseconds == 0) return ready;
    struct pollfd waited = {.fd = set, .events = POLLIN};
    int woken = wait_until(deadline, &waited, 1, mask);
    if (woken < 0) return -1;
    if (woken == 0) milliseconds = 0;
  }
}

EXPORT int epoll_pwait2(int set, struct epoll_event *events, int most, const struct timespec *timeout, const sigset_t *mask) {
  pthread_once(&begun, begin);
  NEXT(epoll_pwait2);
  if (pace() == PACE_REAL) return next(set, events, most, timeout, mask);
  if (timeout && !is_duration(timeout)) return fail(EINVAL);
  int64_t deadline = timeout ? after(nanoseconds(timeout)) : forever;
  while (true) {
    int ready = epoll_pwait(set, events, most, 0, mask);
    if (ready || (timeout && boot_time() >= deadline)) return ready;
    struct pollfd waited = {.fd = set, .events = POLLIN};
    if (wait_until(deadline, &waited, 1, mask) < 0) return -1;
  }
}

EXPORT int sigtimedwait(const sigset_t *restrict signals, siginfo_t *restrict information, const struct timespec *restrict timeout) {
  pthread_once(&begun, begin);
  NEXT(sigtimedwait);
  if (pace() == PACE_REAL || !timeout || !is_duration(timeout)) return next(signals, information, timeout);
  int64_t deadline = after(nanoseconds(timeout));
  int pending = signalfd(-1, signals, SFD_CLOEXEC);
  if (pending < 0) return -1;
  int result;
  while (true) {
    struct timespec now = {0};
    result = next(signals, information, &now);
    if (result >= 0 || errno != EAGAIN || boot_time() >= deadline) break;
    struct pollfd waited = {.fd = pending, .events = POLLIN};
    if (wait_until(deadline, &waited, 1, NULL) < 0) break;
  }
  int error = errno;
  syscall(SYS_close, pending);
  errno = error;
  return result;
}

EXPORT int epoll_wait(int set, struct epoll_event *events, int most, int milliseconds) {
  if (pace() == PACE_REAL) PASS_ON(epoll_wait, (set, events, most, milliseconds));
  return epoll_pwait(set, events, most, milliseconds, NULL);
}

// MARK: Limits of locks

/// The real time on CLOCK_MONOTONIC until which a lock is waited for: as long from now as the program wants. False at
/// the real pace.
///
/// Locks are given by threads that run, so what is waited for here is no event of the simulation, and its time stands
/// still meanwhile.
static bool real_deadline(clockid_t clock, const struct timespec *time, struct timespec *result) {
  int64_t offset;
  if (!time || !is_duration(time) || !clock_offset(clock, &offset)) return false;
  int64_t left = nanoseconds(time) - offset - boot_time();
  if (left < 0) left = 0;
  if (pace() == PACE_SCALED && page->speed > 0) left /= page->speed;
  int64_t now = real_time(CLOCK_MONOTONIC);
  *result = timespec_of(left > INT64_MAX - now ? INT64_MAX : now + left);
  return true;
}

/// Lets the limit of a lock be over for the simulation, too, when it is in real time; passes on what the lock gave.
static int limit_is_over(clockid_t clock, const struct timespec *time, int result) {
  int64_t offset = 0;
  int error = errno;
  clock_offset(clock, &offset);
  if (result == ETIMEDOUT || (result == -1 && error == ETIMEDOUT)) wait_until(since_boot(time, offset), NULL, 0, NULL);
  errno = error;
  return result;
}

/// The clock that a condition variable was made for is unknown; a time of the wall is further from 0 than one since
/// boot.
static clockid_t clock_of(const struct timespec *time) { return time && time->tv_sec > 1000000000 ? CLOCK_REALTIME : CLOCK_MONOTONIC; }

#define PLAIN(...) __VA_ARGS__

/// A wait of these parameters, and until the time of a clock.
#define LIMITED_BY_CLOCK(name, parameters, arguments)                                             \
  EXPORT int name(PLAIN parameters, clockid_t clock, const struct timespec *restrict time) {      \
    NEXT(name);                                                                                   \
    struct timespec real;                                                                         \
    if (!real_deadline(clock, time, &real)) return next(PLAIN arguments, clock, time);            \
    return limit_is_over(clock, time, next(PLAIN arguments, CLOCK_MONOTONIC, &real));             \
  }
LIMITED_BY_CLOCK(
    pthread_cond_clockwait, (pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex), (condition, mutex))

EXPORT int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
  struct timespec real;
  if (real_deadline(clock_of(time), time, &real)) {
    NEXT(pthread_cond_clockwait);
    return limit_is_over(clock_of(time), time, next(condition, mutex, CLOCK_MONOTONIC, &real));
  }
  // The C library has two; without a version it gives the one of LinuxThreads.
  static _Atomic(void *) cached;
  void *found = atomic_load(&cached);
  if (!found) {
    found = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    if (!found) found = library_dlsym()(RTLD_NEXT, "pthread_cond_timedwait");
    atomic_store(&cached, found);
  }
  return ((__typeof__(&pthread_cond_timedwait))found)(condition, mutex, time);
}

EXPORT int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict time) {
  struct timespec real;
  if (!real_deadline(CLOCK_REALTIME, time, &real)) PASS_ON(cnd_timedwait, (condition, mutex, time));
  NEXT(pthread_cond_clockwait);
  int error = limit_is_over(CLOCK_REALTIME, time, next((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, CLOCK_MONOTONIC, &real));
  return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

EXPORT int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict time) {
  struct timespec real;
  if (!real_deadline(CLOCK_REALTIME, time, &real)) PASS_ON(mtx_timedlock, (mutex, time));
  NEXT(pthread_mutex_clocklock);
  int error = limit_is_over(CLOCK_REALTIME, time, next((pthread_mutex_t *)mutex, CLOCK_MONOTONIC, &real));
  return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

/// The same, and the wait until a time of the wall clock.
#define LIMITED(timed, clocked, parameters, arguments)                                            \
  LIMITED_BY_CLOCK(clocked, parameters, arguments)                                                \
  EXPORT int timed(PLAIN parameters, const struct timespec *restrict time) {                      \
    struct timespec real;                                                                         \
    if (real_deadline(CLOCK_REALTIME, time, &real)) {                                             \
      NEXT(clocked);                                                                              \
      return limit_is_over(CLOCK_REALTIME, time, next(PLAIN arguments, CLOCK_MONOTONIC, &real));  \
    }                                                                                             \
    NEXT(timed);                                                                                  \
    return next(PLAIN arguments, time);                                                           \
  }
LIMITED(sem_timedwait, sem_clockwait, (sem_t *restrict lock), (lock))
LIMITED(pthread_mutex_timedlock, pthread_mutex_clocklock, (pthread_mutex_t *restrict lock), (lock))
LIMITED(pthread_rwlock_timedrdlock, pthread_rwlock_clockrdlock, (pthread_rwlock_t *restrict lock), (lock))
LIMITED(pthread_rwlock_timedwrlock, pthread_rwlock_clockwrlock, (pthread_rwlock_t *restrict lock), (lock))
LIMITED(pthread_timedjoin_np, pthread_clockjoin_np, (pthread_t thread, void **value), (thread, value))

/// What waits for so long, and says EAGAIN when that is over: in real time, and then for the simulation, too.
#define WAITS_FOR(name, parameters, until)                                                        \
  EXPORT int name parameters {                                                                    \
    pthread_once(&begun, begin);                                                                  \
    NEXT(name);                                                                                   \
    const struct timespec *limit = time;                                                          \
    if (pace() == PACE_REAL || !time || !is_duration(time)) return until;                         \
    int64_t deadline = after(nanoseconds(time)), length = nanoseconds(time);                      \
    if (pace() == PACE_SCALED && page->speed > 0) length /= page->speed;                          \
    int64_t start = real_time(CLOCK_MONOTONIC);                                                   \
    struct timespec real = timespec_of(length);                                                   \
    limit = &real;                                                                                \
    int result = until, error = errno;                                                            \
    /* Another reason for EAGAIN has its answer at once. */                                       \
    bool is_over = result < 0 && error == EAGAIN && real_time(CLOCK_MONOTONIC) - start >= length; \
    if (is_over) wait_until(deadline, NULL, 0, NULL);                                             \
    errno = error;                                                                                \
    return result;                                                                                \
  }
WAITS_FOR(
    semtimedop, (int set, struct sembuf *operations, size_t count, const struct timespec *time), next(set, operations, count, limit))
WAITS_FOR(
    aio_suspend, (const struct aiocb *const list[], int count, const struct timespec *restrict time), next(list, count, limit))
WAITS_FOR(
    aio_suspend64, (const struct aiocb64 *const list[], int count, const struct timespec *restrict time), next(list, count, limit))

// MARK: Queues of messages
//
// On Linux one is a file descriptor, and is waited for as one.

/// Waits until a queue may have changed; false where the time is over, or where a signal ended the wait.
static bool waits_for_queue(mqd_t queue, short events, const struct timespec *time) {
  int64_t deadline = time ? since_boot(time, page->wall) : forever;
  if (errno != ETIMEDOUT || (time && boot_time() >= deadline)) return false;
  struct pollfd waited = {.fd = queue, .events = events};
  int ready = wait_until(deadline, &waited, 1, NULL);
  if (ready == 0) errno = ETIMEDOUT;
  return ready > 0 || (ready == 0 && !time);
}

/// A call about a queue, by `until`, which tries it with a limit that is over.
#define WAITS_FOR_QUEUE(type, name, timed, parameters, given, events, directly, until)      \
  EXPORT type name parameters {                                                             \
    pthread_once(&begun, begin);                                                            \
    const struct timespec *limit = given;                                                   \
    if (pace() == PACE_REAL || (limit && !is_duration(limit))) {                            \
      NEXT(name);                                                                           \
      return directly;                                                                      \
    }                                                                                       \
    NEXT(timed);                                                                            \
    const struct timespec over = {0};                                                       \
    while (true) {                                                                          \
      type result = until;                                                                  \
      if (result >= 0 || !waits_for_queue(queue, events, limit)) return result;             \
    }                                                                                       \
  }
WAITS_FOR_QUEUE(
    ssize_t, mq_timedreceive, mq_timedreceive,
    (mqd_t queue, char *restrict text, size_t size, unsigned *restrict priority, const struct timespec *restrict time), time, POLLIN,
    next(queue, text, size, priority, time), next(queue, text, size, priority, &over))
WAITS_FOR_QUEUE(
    ssize_t, mq_receive, mq_timedreceive, (mqd_t queue, char *text, size_t size, unsigned *priority), NULL, POLLIN,
    next(queue, text, size, priority), next(queue, text, size, priority, &over))
WAITS_FOR_QUEUE(
    int, mq_timedsend, mq_timedsend,
    (mqd_t queue, const char *text, size_t size, unsigned priority, const struct timespec *time), time, POLLOUT,
    next(queue, text, size, priority, time), next(queue, text, size, priority, &over))
WAITS_FOR_QUEUE(
    int, mq_send, mq_timedsend, (mqd_t queue, const char *text, size_t size, unsigned priority), NULL, POLLOUT,
    next(queue, text, size, priority), next(queue, text, size, priority, &over))

// MARK: Timers

/// Timers that send signals are not followed; one of the machine would never end, or much too late.
EXPORT int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer) {
  NEXT(timer_create);
  int64_t offset;
  if (!clock_offset(clock, &offset)) return next(clock, event, timer);
  return fail(ENOTSUP);
}

static bool alarm_call(int64_t value, int64_t interval, int64_t before[2]) {
  int64_t head[2] = {value, interval};
  return call(CALL_ALARM, head, sizeof head, before, 2 * sizeof *before) >= 0;
}

EXPORT unsigned alarm(unsigned seconds) {
  pthread_once(&begun, begin);
  int64_t before[2] = {0};
  if (pace() == PACE_REAL || !alarm_call(seconds * second, 0, before)) PASS_ON(alarm, (seconds));
  // To the nearest second, and never 0 where one was set (alarm_setitimer).
  unsigned left = (unsigned)((before[0] + second / 2) / second);
  return before[0] && !left ? 1 : left;
}

static struct itimerval itimerval_of(const int64_t value[2]) {
  return (struct itimerval){.it_value = timeval_of(value[0]), .it_interval = timeval_of(value[1])};
}

EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict value, struct itimerval *restrict old) {
  pthread_once(&begun, begin);
  NEXT(setitimer);
  if (pace() == PACE_REAL || which != ITIMER_REAL) return next(which, value, old);
  int64_t before[2] = {0};
  if (!alarm_call(nanoseconds_of(&value->it_value), nanoseconds_of(&value->it_interval), before)) return -1;
  if (old) *old = itimerval_of(before);
  return 0;
}

EXPORT int getitimer(__itimer_which_t which, struct itimerval *value) {
  pthread_once(&begun, begin);
  NEXT(getitimer);
  if (pace() == PACE_REAL || which != ITIMER_REAL) return next(which, value);
  // Asked by setting it: what was set is set again.
  int64_t left[2] = {0}, none[2];
  if (!alarm_call(0, 0, left) || (left[0] && !alarm_call(left[0], left[1], none))) return -1;
  *value = itimerval_of(left);
  return 0;
}

EXPORT useconds_t ualarm(useconds_t value, useconds_t interval) {
  struct itimerval time = itimerval_of((int64_t[]){value * INT64_C(1000), interval * INT64_C(1000)}), before;
  if (setitimer(ITIMER_REAL, &time, &before) < 0) return (useconds_t)-1;
  return (useconds_t)(before.it_value.tv_sec * 1000000 + before.it_value.tv_usec);
}

/// Opens a connection whose first call is `kind`; the program holds it as the file descriptor of what was opened.
static int open_descriptor(enum call_kind kind, enum descriptor_kind what, int flags, const void *head, size_t head_size) {
  int connection = connect_to_server(flags & ~SOCK_NONBLOCK);
  if (connection < 0) return -1;
  uint32_t answer = 0;
  // While nothing was opened yet, the connection answers as a channel does.
  uint32_t number = send_call(connection, kind, head, head_size, NULL, 0);
  bool is_open = number && receive_answer(connection, number, &answer, sizeof answer) == sizeof answer;
  if (is_open && connection >= most_descriptors) {
    is_open = false;
    errno = EMFILE;
  }
  if (!is_open) {
    int error = errno;
    syscall(SYS_close, connection);
    return fail(error);
  }
  if (flags & SOCK_NONBLOCK) syscall(SYS_fcntl, connection, F_SETFL, O_RDWR | O_NONBLOCK);
  struct descriptor *entry = &descriptors[connection];
  *entry = (struct descriptor){.number = answer};
  atomic_store_explicit(&entry->kind, what, memory_order_release);
  return connection;
}

EXPORT int timerfd_create(__clockid_t clock, int flags) {
  pthread_once(&begun, begin);
  int64_t offset;
  if (!clock_offset(clock, &offset)) PASS_ON(timerfd_create, (clock, flags));
  int types = (flags & TFD_NONBLOCK ? SOCK_NONBLOCK : 0) | (flags & TFD_CLOEXEC ? SOCK_CLOEXEC : 0);
  int timer = open_descriptor(CALL_TIMER_OPEN, TIMER, types, NULL, 0);
  if (timer >= 0) descriptors[timer].protocol = (uint16_t)clock;
  return timer;
}

static struct itimerspec itimerspec_of(const int64_t value[2]) {
  return (struct itimerspec){.it_value = timespec_of(value[0]), .it_interval = timespec_of(value[1])};
}

EXPORT int timerfd_gettime(int timer, struct itimerspec *value) {
  struct descriptor *entry = ours(timer, TIMER);
  if (!entry) PASS_ON(timerfd_gettime, (timer, value));
  int64_t left[2] = {0};
  if (call(CALL_TIMER_GET, &entry->number, sizeof entry->number, left, sizeof left) < 0) return -1;
  *value = itimerspec_of(left);
  return 0;
}

EXPORT int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *old) {
  struct descriptor *entry = ours(timer, TIMER);
  if (!entry) PASS_ON(timerfd_settime, (timer, flags, value, old));
  if (!is_duration(&value->it_value) || !is_duration(&value->it_interval)) return fail(EINVAL);
  if (old && timerfd_gettime(timer, old) < 0) return -1;
  int64_t offset = 0, time = nanoseconds(&value->it_value);
  clock_offset(entry->protocol, &offset);
  if (time) time = flags & TFD_TIMER_ABSTIME ? time - offset : after(time);
  // A time long past is due, not off.
  if (time <= 0 && nanoseconds(&value->it_value)) time = 1;
  struct __attribute__((packed)) {
    uint32_t number;
    int64_t time, interval;
  } head = {entry->number, time, nanoseconds(&value->it_interval)};
  // What it counted until now is forgotten.
  char rest[64];
  while (syscall(SYS_recvfrom, timer, rest, sizeof rest, MSG_DONTWAIT, NULL, NULL) > 0) continue;
  return call(CALL_TIMER_SET, &head, sizeof head, NULL, 0) < 0 ? -1 : 0;
}

// MARK: Netlink sockets

static bool is_simulated(int domain, int protocol) { return domain == AF_NETLINK && (protocol == NETLINK_GENERIC || protocol == NETLINK_ROUTE); }

/// Opens what stands in for a socket over which nothing comes: what is sent is gone, as where there is no link.
static int open_silent(int type) {
  NEXT(socket);
  int descriptor = next(AF_UNIX, SOCK_DGRAM | (type & (SOCK_NONBLOCK | SOCK_CLOEXEC)), 0);
  if (descriptor < 0 || descriptor >= most_descriptors) return descriptor;
  descriptors[descriptor] = (struct descriptor){.type = (uint8_t)(type & 0xF)};
  atomic_store_explicit(&descriptors[descriptor].kind, PACKETS, memory_order_release);
  return descriptor;
}

EXPORT int socket(int domain, int type, int protocol) {
  pthread_once(&begun, begin);
  // Packets, and events of devices: no simulated interface has any, and those of the machine are for no simulation.
  if (folder[0] && (domain == AF_PACKET || (domain == AF_NETLINK && protocol == NETLINK_KOBJECT_UEVENT))) return open_silent(type);
  if (!folder[0] || !is_simulated(domain, protocol)) PASS_ON(socket, (domain, type, protocol));
  uint32_t head = (uint32_t)protocol;
  int descriptor = open_descriptor(CALL_OPEN, NETLINK, type & (SOCK_NONBLOCK | SOCK_CLOEXEC), &head, sizeof head);
  if (descriptor >= 0) {
    descriptors[descriptor].protocol = (uint16_t)protocol;
    descriptors[descriptor].type = (uint8_t)(type & 0xF);
  }
  return descriptor;
}

EXPORT int bind(int descriptor, const struct sockaddr *address, socklen_t size) {
  if (ours(descriptor, PACKETS)) return 0;
  struct descriptor *entry = ours(descriptor, NETLINK);
  if (!entry) PASS_ON(bind, (descriptor, address, size));
  if (size < sizeof(struct sockaddr_nl) || address->sa_family != AF_NETLINK) return fail(EINVAL);
  const struct sockaddr_nl *netlink = (const struct sockaddr_nl *)address;
  uint32_t head[3] = {entry->number, netlink->nl_pid, netlink->nl_groups};
  return call(CALL_BIND, head, sizeof head, NULL, 0) < 0 ? -1 : 0;
}

EXPORT int connect(int descriptor, const struct sockaddr *address, socklen_t size) {
  struct descriptor *entry = ours(descriptor, NETLINK);
  if (!entry) PASS_ON(connect, (descriptor, address, size));
  // There is no peer but the kernel.
  if (size < sizeof(struct sockaddr_nl) || address->sa_family != AF_NETLINK || ((const struct sockaddr_nl *)address)->nl_pid != 0) {
    return fail(ECONNREFUSED);
  }
  // A socket without a port gets one.
  uint32_t name[2] = {0};
  if (call(CALL_NAME, &entry->number, sizeof entry->number, name, sizeof name) < 0) return -1;
  uint32_t head[3] = {entry->number, 0, name[1]};
  if (!name[0] && call(CALL_BIND, head, sizeof head, NULL, 0) < 0) return -1;
  return 0;
}

static void give_address(const struct sockaddr_nl *address, struct sockaddr *result, socklen_t *size) {
  memcpy(result, address, *size < sizeof *address ? *size : sizeof *address);
  *size = sizeof *address;
}

EXPORT int shutdown(int descriptor, int how) {
  NEXT(shutdown);
  if (!ours(descriptor, NETLINK)) return next(descriptor, how);
  return fail(EOPNOTSUPP);
}

EXPORT int getsockname(int descriptor, struct sockaddr *restrict address, socklen_t *restrict size) {
  struct descriptor *entry = ours(descriptor, NETLINK);
  if (!entry) PASS_ON(getsockname, (descriptor, address, size));
  uint32_t name[2] = {0};
  if (call(CALL_NAME, &entry->number, sizeof entry->number, name, sizeof name) < 0) return -1;
  struct sockaddr_nl netlink = {.nl_family = AF_NETLINK, .nl_pid = name[0], .nl_groups = name[1]};
  give_address(&netlink, address, size);
  return 0;
}

EXPORT int getpeername(int descriptor, struct sockaddr *restrict address, socklen_t *restrict size) {
  if (!ours(descriptor, NETLINK)) PASS_ON(getpeername, (descriptor, address, size));
  struct sockaddr_nl netlink = {.nl_family = AF_NETLINK};
  give_address(&netlink, address, size);
  return 0;
}

/// A descriptor over which the library sends for the program.
static struct descriptor *sends(int descriptor) {
  struct descriptor *entry = ours(descriptor, NETLINK);
  return entry ? entry : ours(descriptor, PACKETS);
}

EXPORT int setsockopt(int descriptor, int level, int option, const void *value, socklen_t size) {
  NEXT(setsockopt);
  struct descriptor *entry = sends(descriptor);
  if (!entry) return next(descriptor, level, option, value, size);
  if (atomic_load(&entry->kind) == PACKETS && (level != SOL_SOCKET || option != SO_RCVTIMEO)) return 0;
  if (level == SOL_SOCKET) {
    switch (option) {
      case SO_PASSCRED: entry->credentials = size >= sizeof(int) && *(const int *)value; return 0;
      // Filters read the datagram as the kernel sends it, without our header; what they would leave out, the program
      // leaves out, too.
      case SO_ATTACH_FILTER:
      case SO_DETACH_FILTER: return 0;
      case SO_RCVBUFFORCE: return next(descriptor, level, SO_RCVBUF, value, size);
      case SO_SNDBUFFORCE: return next(descriptor, level, SO_SNDBUF, value, size);
      case SO_RCVTIMEO:
        if (pace() == PACE_REAL || size < sizeof(struct timeval)) break;
        entry->receive_timeout = nanoseconds_of(value);
        return 0;
      default: break;
    }
    return next(descriptor, level, option, value, size);
  }
  if (level != SOL_NETLINK) return fail(ENOPROTOOPT);
  uint32_t number = size < sizeof(int) ? 0 : *(const uint32_t *)value;
  if (option == NETLINK_ADD_MEMBERSHIP || option == NETLINK_DROP_MEMBERSHIP) {
    uint32_t head[3] = {entry->number, number, option == NETLINK_ADD_MEMBERSHIP};
    return call(CALL_MEMBERSHIP, head, sizeof head, NULL, 0) < 0 ? -1 : 0;
  }
  if (option == NETLINK_PKTINFO) entry->packet_information = number != 0;
  uint32_t head[3] = {entry->number, (uint32_t)option, number};
  return call(CALL_OPTION, head, sizeof head, NULL, 0) < 0 ? -1 : 0;
}

EXPORT int getsockopt(int descriptor, int level, int option, void *restrict value, socklen_t *restrict size) {
  struct descriptor *entry = ours(descriptor, NETLINK);
  NEXT(getsockopt);
  if (!entry) return next(descriptor, level, option, value, size);
  int answer;
  if (level == SOL_SOCKET && option == SO_DOMAIN) {
    answer = AF_NETLINK;
  } else if (level == SOL_SOCKET && option == SO_TYPE) {
    answer = entry->type;
  } else if (level == SOL_SOCKET && option == SO_PROTOCOL) {
    answer = entry->protocol;
  } else if (level == SOL_NETLINK) {
    uint32_t head[2] = {entry->number, (uint32_t)option}, words[2];
    ssize_t count = call(CALL_OPTION_VALUE, head, sizeof head, words, sizeof words);
    if (count < 0) return -1;
    if (option == NETLINK_LIST_MEMBERSHIPS) {
      // As many words as there is room for; the size is that of all.
      size_t room = *size & ~(socklen_t)3;
      memcpy(value, words, room < (size_t)count ? room : (size_t)count);
      *size = (socklen_t)count;
      return 0;
    }
    answer = (int)words[0];
  } else if (level == SOL_SOCKET) {
    return next(descriptor, level, option, value, size);
  } else {
    return fail(ENOPROTOOPT);
  }
  if (*size < sizeof answer) return fail(EINVAL);
  memcpy(value, &answer, sizeof answer);
  *size = sizeof answer;
  return 0;
}

static ssize_t send_datagram(const struct descriptor *entry, const struct iovec *parts, size_t count) {
  size_t size = 0;
  for (size_t index = 0; index < count; index++) size += parts[index].iov_len;
  if (atomic_load(&entry->kind) == PACKETS) return (ssize_t)size;
  uint32_t head[2] = {entry->number, atomic_load(receipts_of(entry))};
  if (call_parts(CALL_SEND, head, sizeof head, parts, count, NULL, 0) < 0) return -1;
  return (ssize_t)size;
}

/// The simulation is over, and with it the machine that this program runs on: it ends, or where it stays anyway,
/// it does not spin.
static void server_is_gone(void) {
  int connection = connect_to_server(SOCK_CLOEXEC);
  if (connection >= 0) {
    // Only this socket is closed.
    syscall(SYS_close, connection);
    return;
  }
  kill(getpid(), SIGTERM);
  struct timespec pause = {.tv_sec = 1};
  syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, NULL);
}

// As the kernel has it: no list comes in larger datagrams.
enum { most_room = 32768 };

/// Adds a control message to those of a datagram, where there is room for it: where a small one has none, a larger
/// one behind it has none either.
static void add_control(struct msghdr *message, size_t room, int level, int type, const void *data, size_t size) {
  if (message->msg_controllen + CMSG_SPACE(size) > room) {
    message->msg_flags |= MSG_CTRUNC;
    return;
  }
  struct cmsghdr *control = (struct cmsghdr *)((char *)message->msg_control + message->msg_controllen);
  *control = (struct cmsghdr){.cmsg_len = CMSG_LEN(size), .cmsg_level = level, .cmsg_type = type};
  memcpy(CMSG_DATA(control), data, size);
  message->msg_controllen += CMSG_SPACE(size);
}

/// Receives a datagram without the header of the library.
static ssize_t receive_datagram(int descriptor, struct descriptor *entry, struct msghdr *message, int flags) {
  struct datagram_header header;
  struct iovec vectors[1 + 64];
  if (message->msg_iovlen > 64) return fail(EMSGSIZE);
  vectors[0] = (struct iovec){&header, sizeof header};
  memcpy(vectors + 1, message->msg_iov, message->msg_iovlen * sizeof *vectors);
  bool blocks = pace() != PACE_REAL && !(flags & MSG_DONTWAIT) && !(syscall(SYS_fcntl, descriptor, F_GETFL) & O_NONBLOCK);
  ssize_t count;
  struct msghdr inner;
  size_t wanted = 0;
  for (size_t index = 0; index < message->msg_iovlen; index++) wanted += message->msg_iov[index].iov_len;
  if (wanted > entry->room && entry->room < most_room) {
    // From the next list on the kernel fills so much.
    entry->room = wanted > most_room ? most_room : (uint32_t)wanted;
    uint32_t head[3] = {entry->number, OPTION_ROOM, entry->room};
    call(CALL_OPTION, head, sizeof head, NULL, 0);
  }
  while (true) {
    inner = (struct msghdr){.msg_iov = vectors, .msg_iovlen = 1 + message->msg_iovlen};
    count = syscall(SYS_recvmsg, descriptor, &inner, blocks ? flags | MSG_DONTWAIT : flags);
    if (count >= 0 || !blocks || errno != EAGAIN) break;
    struct pollfd waited = {.fd = descriptor, .events = POLLIN};
    int ready = wait_until(entry->receive_timeout ? after(entry->receive_timeout) : forever, &waited, 1, NULL);
    if (ready < 0) return -1;
    if (ready == 0) return fail(EAGAIN);
  }
  if (count < 0) {
    if (errno == EAGAIN && !blocks) spun();
    return -1;
  }
  if (count < (ssize_t)sizeof header) {
    server_is_gone();
    return fail(ENODEV);
  }
  if (header.error) {
    if (flags & MSG_PEEK) syscall(SYS_recvfrom, descriptor, &header, sizeof header, MSG_DONTWAIT, NULL, NULL);
    return fail(header.error);
  }
  atomic_fetch_add(receipts_of(entry), 1);
  if (message->msg_name) {
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK, .nl_groups = header.group && header.group <= 32 ? 1u << (header.group - 1) : 0};
    give_address(&kernel, message->msg_name, &message->msg_namelen);
  }
  message->msg_flags = inner.msg_flags & ~MSG_CTRUNC;
  size_t room = message->msg_control ? message->msg_controllen : 0;
  message->msg_controllen = 0;
  struct nl_pktinfo information = {.group = header.group};
  struct ucred credentials = {0};
  if (entry->packet_information) add_control(message, room, SOL_NETLINK, NETLINK_PKTINFO, &information, sizeof information);
  if (entry->credentials) add_control(message, room, SOL_SOCKET, SCM_CREDENTIALS, &credentials, sizeof credentials);
  return count - (ssize_t)sizeof header;
}

/// Whether a descriptor is one over which nothing comes, and its time to wait for something is over now.
static bool has_waited(int descriptor, int flags) {
  struct descriptor *entry = ours(descriptor, PACKETS);
  if (!entry || !entry->receive_timeout || pace() == PACE_REAL || (flags & MSG_DONTWAIT)) return false;
  if (syscall(SYS_fcntl, descriptor, F_GETFL) & O_NONBLOCK) return false;
  struct pollfd waited = {.fd = descriptor, .events = POLLIN};
  int ready = wait_until(after(entry->receive_timeout), &waited, 1, NULL);
  if (ready == 0) errno = EAGAIN;
  return ready <= 0;
}

EXPORT ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
  struct descriptor *entry = ours(descriptor, NETLINK);
  if (entry) return receive_datagram(descriptor, entry, message, flags);
  if (has_waited(descriptor, flags)) return -1;
  PASS_ON(recvmsg, (descriptor, message, flags));
}

EXPORT ssize_t recvfrom(
    int descriptor, void *restrict bytes, size_t size, int flags, struct sockaddr *restrict address, socklen_t *restrict address_size) {
  struct descriptor *entry = ours(descriptor, NETLINK);
  if (!entry) {
    if (has_waited(descriptor, flags)) return -1;
    NEXT(recvfrom);
    return next(descriptor, bytes, size, flags, address, address_size);
  }
  struct iovec part = {bytes, size};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_name = address, .msg_namelen = address && address_size ? *address_size : 0};
  ssize_t count = receive_datagram(descriptor, entry, &message, flags);
  if (count >= 0 && address && address_size) *address_size = message.msg_namelen;
  return count;
}

EXPORT int recvmmsg(int descriptor, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout) {
  struct descriptor *entry = ours(descriptor, NETLINK);
  if (!entry) {
    if (count > 0 && has_waited(descriptor, flags)) return -1;
    PASS_ON(recvmmsg, (descriptor, messages, count, flags, timeout));
  }
  int64_t deadline = timeout && pace() != PACE_REAL ? after(nanoseconds(timeout)) : forever;
  int single = flags & ~MSG_WAITFORONE;
  unsigned received = 0;
  while (received < count) {
    ssize_t size = receive_datagram(descriptor, entry, &messages[received].msg_hdr, single);
    if (size < 0) break;
    messages[received++].msg_len = (unsigned)size;
    if (flags & MSG_WAITFORONE) single |= MSG_DONTWAIT;
    // As in the kernel, the limit is looked at after a datagram alone.
    if (deadline != forever && boot_time() >= deadline) break;
  }
  return received ? (int)received : count ? -1 : 0;
}

EXPORT ssize_t recv(int descriptor, void *bytes, size_t size, int flags) {
  if (ours(descriptor, NETLINK)) return recvfrom(descriptor, bytes, size, flags, NULL, NULL);
  if (has_waited(descriptor, flags)) return -1;
  PASS_ON(recv, (descriptor, bytes, size, flags));
}

CHECKED(
    ssize_t, __recv_chk, (int descriptor, void *bytes, size_t size, size_t room, int flags), size > room,
    recv(descriptor, bytes, size, flags))
CHECKED(
    ssize_t, __recvfrom_chk,
    (int descriptor, void *restrict bytes, size_t size, size_t room, int flags, struct sockaddr *restrict address,
     socklen_t *restrict address_size),
    size > room, recvfrom(descriptor, bytes, size, flags, address, address_size))

/// Reads how often a timer expired, all of it at once.
static ssize_t read_timer(int descriptor, void *bytes, size_t size) {
  if (size < sizeof(uint64_t)) return fail(EINVAL);
  bool blocks = !(syscall(SYS_fcntl, descriptor, F_GETFL) & O_NONBLOCK);
  uint64_t expirations = 0;
  while (true) {
    struct {
      struct datagram_header header;
      uint64_t expirations;
    } packet;
    ssize_t count = syscall(SYS_recvfrom, descriptor, &packet, sizeof packet, MSG_DONTWAIT, NULL, NULL);
    if (count == sizeof packet) {
      expirations += packet.expirations;
      continue;
    }
    if (expirations) break;
    if (count >= 0) return fail(ECANCELED);
    if (errno != EAGAIN || !blocks) return -1;
    struct pollfd waited = {.fd = descriptor, .events = POLLIN};
    if (wait_until(forever, &waited, 1, NULL) < 0) return -1;
  }
  memcpy(bytes, &expirations, sizeof expirations);
  return sizeof expirations;
}

EXPORT ssize_t read(int descriptor, void *bytes, size_t size) {
  if (ours(descriptor, NETLINK)) return recvfrom(descriptor, bytes, size, 0, NULL, NULL);
  if (ours(descriptor, TIMER)) return read_timer(descriptor, bytes, size);
  if (has_waited(descriptor, 0)) return -1;
  PASS_ON(read, (descriptor, bytes, size));
}

CHECKED(ssize_t, __read_chk, (int descriptor, void *bytes, size_t size, size_t room), size > room, read(descriptor, bytes, size))

EXPORT ssize_t readv(int descriptor, const struct iovec *parts, int count) {
  struct descriptor *entry = ours(descriptor, NETLINK);
  if (entry && count > 0) {
    struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = (size_t)count};
    return receive_datagram(descriptor, entry, &message, 0);
  }
  if (ours(descriptor, TIMER) && count > 0) return read_timer(descriptor, parts[0].iov_base, parts[0].iov_len);
  if (count > 0 && has_waited(descriptor, 0)) return -1;
  PASS_ON(readv, (descriptor, parts, count));
}

EXPORT ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
  struct descriptor *entry = sends(descriptor);
  if (entry) return send_datagram(entry, message->msg_iov, message->msg_iovlen);
  PASS_ON(sendmsg, (descriptor, message, flags));
}

EXPORT int sendmmsg(int descriptor, struct mmsghdr *messages, unsigned count, int flags) {
  struct descriptor *entry = sends(descriptor);
  if (!entry) PASS_ON(sendmmsg, (descriptor, messages, count, flags));
  unsigned sent = 0;
  while (sent < count) {
    ssize_t size = send_datagram(entry, messages[sent].msg_hdr.msg_iov, messages[sent].msg_hdr.msg_iovlen);
    if (size < 0) break;
    messages[sent++].msg_len = (unsigned)size;
  }
  return sent ? (int)sent : count ? -1 : 0;
}

EXPORT ssize_t sendto(int descriptor, const void *bytes, size_t size, int flags, const struct sockaddr *address, socklen_t address_size) {
  struct descriptor *entry = sends(descriptor);
  if (!entry) PASS_ON(sendto, (descriptor, bytes, size, flags, address, address_size));
  struct iovec part = {(void *)bytes, size};
  return send_datagram(entry, &part, 1);
}

EXPORT ssize_t send(int descriptor, const void *bytes, size_t size, int flags) {
  if (sends(descriptor)) return sendto(descriptor, bytes, size, flags, NULL, 0);
  PASS_ON(send, (descriptor, bytes, size, flags));
}

EXPORT ssize_t write(int descriptor, const void *bytes, size_t size) {
  if (sends(descriptor)) return sendto(descriptor, bytes, size, 0, NULL, 0);
  PASS_ON(write, (descriptor, bytes, size));
}

EXPORT ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  struct descriptor *entry = sends(descriptor);
  if (entry && count > 0) return send_datagram(entry, parts, (size_t)count);
  PASS_ON(writev, (descriptor, parts, count));
}

// MARK: File descriptors

/// Whether a descriptor is a connection of the library, of which a program that closes everything knows nothing.
static bool is_channel(int descriptor) { return ours(descriptor, CHANNEL) != NULL && getpid() == process; }

static void forget(int descriptor) {
  if (descriptor < 0 || descriptor >= most_descriptors || !atomic_load(&descriptors[descriptor].kind)) return;
  // Between vfork and exec the memory is that of the parent, and its descriptors are not those that are closed.
  if (getpid() == process) atomic_store(&descriptors[descriptor].kind, NOT_OURS);
}

static void copy(int from, int to) {
  if (from == to || to < 0 || to >= most_descriptors || getpid() != process) return;
  uint8_t kind = from >= 0 && from < most_descriptors ? atomic_load(&descriptors[from].kind) : NOT_OURS;
  if (kind == NETLINK || kind == TIMER || kind == PACKETS) {
    descriptors[to] = descriptors[from];
  } else {
    kind = NOT_OURS;
  }
  atomic_store(&descriptors[to].kind, kind);
}

EXPORT int close(int descriptor) {
  if (is_channel(descriptor)) return fail(EBADF);
  forget(descriptor);
  PASS_ON(close, (descriptor));
}

EXPORT int close_range(unsigned first, unsigned last, int flags) {
  if (flags || getpid() != process) PASS_ON(close_range, (first, last, flags));
  int result = 0;
  for (unsigned start = first; start <= last;) {
    unsigned end = start;
    while (end <= last && end < most_descriptors && !is_channel((int)end)) forget((int)end++);
    if (end >= most_descriptors) end = last == UINT_MAX ? last : last + 1;
    if (end > start) result |= (int)syscall(SYS_close_range, start, end == UINT_MAX ? end : end - 1, 0);
    if (end >= last) break;
    start = end + 1;
  }
  return result;
}

EXPORT void closefrom(int first) { close_range(first < 0 ? 0 : (unsigned)first, UINT_MAX, 0); }

#define DUPLICATES(name, parameters, arguments)    \
  EXPORT int name parameters {                     \
    NEXT(name);                                    \
    int result = next arguments;                   \
    if (result >= 0) copy(descriptor, result);     \
    return result;                                 \
  }
DUPLICATES(dup, (int descriptor), (descriptor))
DUPLICATES(dup2, (int descriptor, int other), (descriptor, other))
DUPLICATES(dup3, (int descriptor, int other, int flags), (descriptor, other, flags))

static int duplicate(int descriptor, int command, void *argument) {
  int result = (int)syscall(SYS_fcntl, descriptor, command, argument);
  if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) copy(descriptor, result);
  return result;
}

#define CONTROLS(name)                                                                                           \
  EXPORT int name(int descriptor, int command, ...) {                                                            \
    va_list arguments;                                                                                           \
    va_start(arguments, command);                                                                                \
    void *argument = va_arg(arguments, void *);                                                                  \
    va_end(arguments);                                                                                           \
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) return duplicate(descriptor, command, argument);       \
    NEXT(name);                                                                                                  \
    return next(descriptor, command, argument);                                                                  \
  }
CONTROLS(fcntl)
CONTROLS(fcntl64)

// MARK: Requests that are no netlink

/// Whether the server answers a request: those about interfaces (SIOCGIFNAME…) and wireless extensions.
static bool is_interface_request(unsigned long request) {
  // SIOCOUTQNSD is about what a socket of TCP has not sent.
  return (request >= 0x8910 && request <= 0x8950 && request != 0x894B) || (request >= 0x8B00 && request <= 0x8BFF);
}

/// The most that a request may point to: a table of interfaces, results of a scan.
enum { most_data = 16384 };

/// Asks the server what the kernel would answer; `data` is what the request points to. Returns the size of that, or -1.
static ssize_t interface_request(unsigned long request, void *structure, void *data, size_t capacity) {
  struct {
    uint32_t request, capacity;
    uint8_t structure[40];
  } head = {.request = (uint32_t)request, .capacity = (uint32_t)capacity};
  size_t size = request >= 0x8B00 ? 32 : sizeof head.structure;
  memcpy(head.structure, structure, size);
  uint8_t answer[40 + most_data];
  ssize_t count = call(CALL_IOCTL, &head, sizeof head, answer, sizeof answer);
  if (count < 40) {
    if (count >= 0) errno = EINVAL;
    return -1;
  }
  memcpy(structure, answer, size);
  size_t rest = (size_t)count - 40;
  if (rest > capacity) rest = capacity;
  if (data) memcpy(data, answer + 40, rest);
  return (ssize_t)rest;
}

// Wireless extensions whose struct iwreq points to bytes (struct iw_point): pointer, length, flags.
static bool has_point(unsigned long request) {
  switch (request) {
    case 0x8B0B:  // SIOCGIWRANGE
    case 0x8B0D:  // SIOCGIWPRIV
    case 0x8B0F:  // SIOCGIWSTATS
    case 0x8B19:  // SIOCGIWSCAN
    case 0x8B1B:  // SIOCGIWESSID
    case 0x8B1D:  // SIOCGIWNICKN
    case 0x8B2B:  // SIOCGIWENCODE
      return true;
    default: return false;
  }
}

EXPORT int ioctl(int descriptor, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void *structure = va_arg(arguments, void *);
  va_end(arguments);
  if (!is_interface_request(request) || !structure) PASS_ON(ioctl, (descriptor, request, structure));
  pthread_once(&begun, begin);
  if (!folder[0]) PASS_ON(ioctl, (descriptor, request, structure));
  if (request == SIOCGIFCONF) {
    struct ifconf *table = structure;
    size_t room = !table->ifc_buf ? 0 : table->ifc_len < 0 ? 0 : (size_t)table->ifc_len > most_data ? most_data : (size_t)table->ifc_len;
    uint8_t bytes[40] = {!table->ifc_buf};
    ssize_t count = interface_request(request, bytes, table->ifc_buf, room);
    if (count < 0) return -1;
    memcpy(&table->ifc_len, bytes, sizeof table->ifc_len);
    return 0;
  }
  if (request == SIOCETHTOOL) {
    // What it points to begins with the number of a command; only that of the driver's names is answered
    // (ETHTOOL_GDRVINFO).
    struct ifreq *named = structure;
    struct ifreq copied = *named;
    if (!named->ifr_data) {
      errno = EFAULT;
      return -1;
    }
    memcpy(&copied.ifr_ifru, named->ifr_data, sizeof(uint32_t));
    return interface_request(request, &copied, named->ifr_data, 196) < 0 ? -1 : 0;
  }
  if (!has_point(request)) return interface_request(request, structure, NULL, 0) < 0 ? -1 : 0;
  struct {
    char name[IFNAMSIZ];
    struct {
      void *pointer;
      uint16_t length, flags;
    } point;
  } *wireless = structure;
  void *data = wireless->point.pointer;
  size_t room = data ? wireless->point.length : 0;
  ssize_t count = interface_request(request, structure, data, room > most_data ? most_data : room);
  wireless->point.pointer = data;
  return count < 0 ? -1 : 0;
}

EXPORT unsigned if_nametoindex(const char *name) {
  pthread_once(&begun, begin);
  NEXT(if_nametoindex);
  if (!folder[0]) return next(name);
  struct ifreq request = {0};
  if (strlen(name) >= sizeof request.ifr_name) {
    errno = ENODEV;
    return 0;
  }
  memcpy(request.ifr_name, name, strlen(name) + 1);
  return interface_request(SIOCGIFINDEX, &request, NULL, 0) < 0 ? 0 : (unsigned)request.ifr_ifindex;
}

EXPORT char *if_indextoname(unsigned index, char name[IF_NAMESIZE]) {
  pthread_once(&begun, begin);
  NEXT(if_indextoname);
  if (!folder[0]) return next(index, name);
  struct ifreq request = {.ifr_ifindex = (int)index};
  if (interface_request(SIOCGIFNAME, &request, NULL, 0) < 0) {
    if (errno == ENODEV) errno = ENXIO;
    return NULL;
  }
  memcpy(name, request.ifr_name, IF_NAMESIZE);
  return name;
}

// MARK: Files about interfaces

// Calls with a path are served outside, by whatever way they come (Sources/HarnessCLI/Programs/ProgramGuard.swift).
// Only a process itself can make a folder its own.
EXPORT int chdir(const char *path) {
  pthread_once(&begun, begin);
  NEXT(chdir);
  if (!folder[0]) return next(path);
  int directory = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return -1;
  int result = fchdir(directory), error = errno;
  syscall(SYS_close, directory);
  errno = error;
  return result;
}

// MARK: The list of interfaces

// One entry of the list that getifaddrs gives, with all that it points to.
struct listed_interface {
  struct ifaddrs entry;
  char name[IFNAMSIZ];
  union {
    struct sockaddr any;
    struct sockaddr_ll link;
    struct sockaddr_in internet;
  } address, mask, broadcast;
};

static struct listed_interface *list_interface(struct listed_interface ***end, const char *name, unsigned flags) {
  struct listed_interface *listed = calloc(1, sizeof *listed);
  if (!listed) return NULL;
  snprintf(listed->name, sizeof listed->name, "%.15s", name);
  listed->entry.ifa_name = listed->name;
  listed->entry.ifa_flags = flags;
  listed->entry.ifa_addr = &listed->address.any;
  listed->entry.ifa_netmask = &listed->mask.any;
  **end = listed;
  *end = (struct listed_interface **)&listed->entry.ifa_next;
  return listed;
}

static void free_list(struct ifaddrs *list) {
  while (list) {
    struct ifaddrs *following = list->ifa_next;
    free(list);
    list = following;
  }
}

/// Lists each interface with its hardware address, and with its internet address where it has one.
static bool list_addresses(const char *name, struct listed_interface ***end) {
  struct ifreq flags = {0};
  snprintf(flags.ifr_name, IFNAMSIZ, "%.15s", name);
  struct ifreq hardware = flags, index = flags, address = flags, mask = flags;
  // One that went in the meantime is not listed.
  if (interface_request(SIOCGIFFLAGS, &flags, NULL, 0) < 0 || interface_request(SIOCGIFHWADDR, &hardware, NULL, 0) < 0 ||
      interface_request(SIOCGIFINDEX, &index, NULL, 0) < 0)
    return true;
  struct listed_interface *listed = list_interface(end, name, (unsigned short)flags.ifr_flags);
  if (!listed) return false;
  listed->address.link = (struct sockaddr_ll){
      .sll_family = AF_PACKET, .sll_ifindex = index.ifr_ifindex, .sll_hatype = hardware.ifr_hwaddr.sa_family, .sll_halen = 6};
  memcpy(listed->address.link.sll_addr, hardware.ifr_hwaddr.sa_data, 6);
  listed->entry.ifa_netmask = NULL;
  if (interface_request(SIOCGIFADDR, &address, NULL, 0) < 0 || interface_request(SIOCGIFNETMASK, &mask, NULL, 0) < 0) return true;
  listed = list_interface(end, name, (unsigned short)flags.ifr_flags);
  if (!listed) return false;
  memcpy(&listed->address.any, &address.ifr_addr, sizeof(struct sockaddr));
  memcpy(&listed->mask.any, &mask.ifr_addr, sizeof(struct sockaddr));
  return true;
}

EXPORT int getifaddrs(struct ifaddrs **list) {
  pthread_once(&begun, begin);
  if (!folder[0]) PASS_ON(getifaddrs, (list));
  struct listed_interface *first = NULL, **end = &first;
  struct dirent **names;
  int count = scandir("/sys/class/net", &names, NULL, alphasort), result = count < 0 ? -1 : 0;
  for (int number = 0; number < count; number++) {
    if (names[number]->d_name[0] != '.' && !list_addresses(names[number]->d_name, &end)) result = -1;
    free(names[number]);
  }
  if (count >= 0) free(names);
  if (result < 0) free_list(&first->entry);
  *list = result < 0 ? NULL : &first->entry;
  return result;
}

EXPORT void freeifaddrs(struct ifaddrs *list) {
  pthread_once(&begun, begin);
  if (folder[0]) return free_list(list);
  NEXT(freeifaddrs);
  next(list);
}

EXPORT struct if_nameindex *if_nameindex(void) {
  pthread_once(&begun, begin);
  if (!folder[0]) PASS_ON(if_nameindex, ());
  struct dirent **names;
  int count = scandir("/sys/class/net", &names, NULL, alphasort);
  if (count < 0) return NULL;
  struct if_nameindex *list = calloc((size_t)count + 1, sizeof *list);
  int used = 0;
  for (int number = 0; number < count; number++) {
    unsigned index = list && names[number]->d_name[0] != '.' ? if_nametoindex(names[number]->d_name) : 0;
    if (index) list[used++] = (struct if_nameindex){.if_index = index, .if_name = strdup(names[number]->d_name)};
    free(names[number]);
  }
  free(names);
  return list;
}

EXPORT void if_freenameindex(struct if_nameindex *list) {
  pthread_once(&begun, begin);
  if (!folder[0]) PASS_ON(if_freenameindex, (list));
  for (struct if_nameindex *entry = list; entry && entry->if_name; entry++) free(entry->if_name);
  free(list);
}

// MARK: Waiting for other processes

// A shell that waits continues when it has its turn, as what it waited for does.
#define WAITS(type, name, parameters, arguments) \
  EXPORT type name parameters {                  \
    NEXT(name);                                  \
    type result = next arguments;                \
    take_turn();                                 \
    return result;                               \
  }
WAITS(pid_t, waitpid, (pid_t child, int *status, int options), (child, status, options))
WAITS(pid_t, wait3, (int *status, int options, struct rusage *usage), (status, options, usage))
WAITS(pid_t, wait4, (pid_t child, int *status, int options, struct rusage *usage), (child, status, options, usage))
WAITS(int, waitid, (idtype_t type, id_t id, siginfo_t *information, int options), (type, id, information, options))

EXPORT pid_t wait(int *status) { return waitpid(-1, status, 0); }

/// A process whose memory may not be read cannot say which path it means, so it stays readable to its own user.
EXPORT int prctl(int option, ...) {
  va_list arguments;
  va_start(arguments, option);
  unsigned long values[4];
  for (int index = 0; index < 4; index++) values[index] = va_arg(arguments, unsigned long);
  va_end(arguments);
  pthread_once(&begun, begin);
  if (folder[0] && option == PR_SET_DUMPABLE) return 0;
  PASS_ON(prctl, (option, values[0], values[1], values[2], values[3]));
}

// MARK: Starting other programs

static size_t count_entries(char *const list[]) {
  size_t count = 0;
  while (list && list[count]) count++;
  return count;
}

/// Copies an environment into `storage`, which has room for two entries more, with what the library needs in it.
static char *const *with_library(char *const environment[], char **storage) {
  if (!folder[0] || !preload_entry) return environment;
  size_t count = 0;
  bool has_variable = false, has_preload = false;
  for (size_t index = 0; environment && environment[index]; index++) {
    char *entry = environment[index];
    has_variable |= strncmp(entry, PROTOCOL_VARIABLE "=", sizeof PROTOCOL_VARIABLE) == 0;
    // One without this library is another's, which is in what the library was started with where it was there then.
    if (strncmp(entry, "LD_PRELOAD=", 11) == 0) {
      if (!strstr(entry, "libwifi-harness-preload")) continue;
      has_preload = true;
    }
    storage[count++] = entry;
  }
  if (!has_variable) storage[count++] = variable_entry;
  if (!has_preload) storage[count++] = preload_entry;
  storage[count] = NULL;
  return storage;
}

/// A function that starts a program with an environment that it is given.
#define STARTS(name, parameters, arguments)           \
  EXPORT int name parameters {                        \
    pthread_once(&begun, begin);                      \
    NEXT(name);                                       \
    char *storage[count_entries(environment) + 3];    \
    return next arguments;                            \
  }
STARTS(
    execve, (const char *path, char *const arguments[], char *const environment[]),
    (path, arguments, with_library(environment, storage)))
STARTS(
    execvpe, (const char *name, char *const arguments[], char *const environment[]),
    (name, arguments, with_library(environment, storage)))
STARTS(
    fexecve, (int file, char *const arguments[], char *const environment[]),
    (file, arguments, with_library(environment, storage)))
STARTS(
    execveat, (int directory, const char *path, char *const arguments[], char *const environment[], int flags),
    (directory, path, arguments, with_library(environment, storage), flags))

EXPORT int execv(const char *path, char *const arguments[]) { return execve(path, arguments, environ); }

EXPORT int execvp(const char *name, char *const arguments[]) { return execvpe(name, arguments, environ); }

// The functions with their arguments one by one; `following` is what comes of those behind them.
#define EXECUTE_LIST(function, following, call)                               \
  EXPORT int function(const char *path, const char *first, ...) {             \
    va_list counted, list;                                                    \
    va_start(counted, first);                                                 \
    size_t count = first != NULL;                                             \
    while (count && va_arg(counted, char *)) count++;                         \
    va_end(counted);                                                          \
    char *arguments[count + 1];                                               \
    va_start(list, first);                                                    \
    arguments[0] = (char *)first;                                             \
    for (size_t index = 1; index <= count; index++) arguments[index] = va_arg(list, char *); \
    following;                                                                \
    va_end(list);                                                             \
    return call;                                                              \
  }
EXECUTE_LIST(execl, (void)0, execve(path, arguments, environ))
EXECUTE_LIST(execlp, (void)0, execvpe(path, arguments, environ))
EXECUTE_LIST(execle, char *const *environment = va_arg(list, char *const *), execve(path, arguments, environment))

#define SPAWN(name)                                                                                                     \
  STARTS(                                                                                                               \
      name,                                                                                                             \
      (pid_t *restrict child, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,            \
       const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const environment[restrict]), \
      (child, path, actions, attributes, arguments, with_library(environment, storage)))
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

// The C library starts these with the environment of the program, which it may have emptied.
#define WITH_ENVIRONMENT(type, name, parameters, arguments)      \
  EXPORT type name parameters {                                  \
    pthread_once(&begun, begin);                                 \
    NEXT(name);                                                  \
    char **before = environ, *storage[count_entries(before) + 3]; \
    environ = (char **)with_library(before, storage);            \
    type result = next arguments;                                \
    environ = before;                                            \
    return result;                                               \
  }
WITH_ENVIRONMENT(int, system, (const char *command), (command))
WITH_ENVIRONMENT(FILE *, popen, (const char *command, const char *mode), (command, mode))

// MARK: Functions that are looked up

/// A program that looks up a function of the C library by a handle gets the one that stands before it.
EXPORT void *dlsym(void *restrict handle, const char *restrict name) {
  __typeof__(&dlsym) next = library_dlsym();
  // What these mean depends on who calls: this is a jump, and the caller is who called this.
  if (handle == RTLD_NEXT || handle == RTLD_DEFAULT) return next(handle, name);
  void *result = next(handle, name);
  if (!result || result != next(RTLD_NEXT, name)) return result;
  void *first = next(RTLD_DEFAULT, name);
  return first ? first : result;
}
