#if defined(__linux__)
#define _GNU_SOURCE
#include "CPrograms.h"

// The page is the preload library's, too.
#include "../Preload/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/xattr.h>
#include <unistd.h>

static int written = -1;

static const int handled[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT, SIGCHLD};
enum { handled_count = sizeof handled / sizeof *handled };

static void handle(int number, siginfo_t *information, void *context) {
  (void)context;
  int error = errno;
  unsigned char bytes[2] = {(unsigned char)number, information->si_code == SI_KERNEL};
  // A pipe that is full has enough to say already.
  if (write(written, bytes, sizeof bytes) < 0) errno = error;
  errno = error;
}

int programs_signals(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return -1;
  written = ends[1];
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigset_t signals;
  sigemptyset(&signals);
  for (int index = 0; index < handled_count; index++) {
    struct sigaction before;
    sigaction(handled[index], NULL, &before);
    // What is ignored, as by nohup, stays so, here and in the program.
    if (before.sa_handler != SIG_IGN || handled[index] == SIGCHLD) sigaction(handled[index], &action, NULL);
    sigaddset(&signals, handled[index]);
  }
  // The parent may have blocked them.
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
  return ends[0];
}

void programs_end_with_signal(int number) {
  // The program has dumped its core already.
  struct rlimit none = {0};
  setrlimit(RLIMIT_CORE, &none);
  signal(number, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL);
  kill(getpid(), number);
}

int programs_poll(struct pollfd *descriptors, unsigned count, int64_t nanoseconds) {
  struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  return ppoll(descriptors, count, nanoseconds < 0 ? NULL : &time, NULL);
}

int programs_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

bool programs_gives_capabilities(const char *path) { return getxattr(path, "security.capability", NULL, 0) > 0; }

void programs_adopt(void) { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void *programs_time_page(const char *path, uint32_t pace, int64_t now, int64_t origin, int64_t speed, int64_t wall) {
  int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return NULL;
  void *page = MAP_FAILED;
  if (ftruncate(file, sizeof(struct time_page)) == 0) page = mmap(NULL, sizeof(struct time_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  int error = errno;
  close(file);
  errno = error;
  if (page == MAP_FAILED) return NULL;
  *(struct time_page *)page =
      (struct time_page){.version = PROTOCOL_VERSION, .pace = pace, .now = now, .origin = origin, .speed = speed, .wall = wall};
  return page;
}

void programs_set_time(void *page, int64_t now) { __atomic_store_n(&((struct time_page *)page)->now, now, __ATOMIC_RELEASE); }
#endif
