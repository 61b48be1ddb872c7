#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

static struct termios before, within;
static volatile sig_atomic_t is_taken, has_modes, has_within;
static char enter_text[256], leave_text[256];
static size_t enter_length, leave_length;
static int wake_pipe[2] = {-1, -1};
// The terminal once more, where a write does not wait: that is a property of what was opened, which others may have,
// too.
static int leave_descriptor = -1;
// The thread that writes a picture now, by its number in the kernel; 0 where none does.
static volatile sig_atomic_t writing_thread;

// What ends a process that does not handle it (signal(7)): faults of the process first, then what a process or a timer
// sends.
static const int fatal[] = {
    SIGSEGV,   SIGBUS,  SIGILL,  SIGFPE,  SIGTRAP, SIGSYS,  SIGABRT, SIGTERM, SIGINT,
    SIGHUP,    SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGXFSZ, SIGPROF, SIGVTALRM,
#ifdef SIGPOLL
    SIGPOLL,
#endif
#ifdef SIGPWR
    SIGPWR,
#endif
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
};
enum { fault_count = 6, fatal_count = sizeof fatal / sizeof *fatal };
static struct sigaction earlier[fatal_count];

static void write_all(const char *text, size_t length) {
  while (length > 0) {
    ssize_t count = write(STDOUT_FILENO, text, length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text += count;
    length -= (size_t)count;
  }
}

// Writes what gives the terminal back. A terminal that takes nothing, as one whose output is stopped, does not block
// for long: what waits in it is dropped after a third of a second, and after a second nothing more is tried.
static void write_leave(void) {
  if (leave_descriptor < 0) {
    write_all(leave_text, leave_length);
    return;
  }
  const char *text = leave_text;
  size_t length = leave_length;
  for (int tries = 0; tries < 50 && length > 0; tries++) {
    ssize_t count = write(leave_descriptor, text, length);
    if (count > 0) {
      text += count;
      length -= (size_t)count;
      continue;
    }
    if (count < 0 && errno != EINTR && errno != EAGAIN) return;
    if (tries > 15) tcflush(leave_descriptor, TCOFLUSH);
    struct pollfd polled = {leave_descriptor, POLLOUT, 0};
    // Another thread may be writing, which shows as room that there is not.
    if (poll(&polled, 1, 20) > 0) poll(NULL, 0, 5);
  }
}

static void give_back(void) {
  if (!is_taken) return;
  is_taken = 0;
  if (has_modes) tcsetattr(STDIN_FILENO, TCSANOW, &before);
  write_leave();
}

static void take_again(void) {
  if (has_within) tcsetattr(STDIN_FILENO, TCSANOW, &within);
  write_all(enter_text, enter_length);
  is_taken = 1;
}

static void wake(void) {
  int number = errno;
  ssize_t ignored = write(wake_pipe[1], "w", 1);
  (void)ignored;
  errno = number;
}

// A signal that ends the process: the terminal first. A fault happens again when this returns, and then the earlier
// handler, such as the backtracer of Swift, sees it as it is; a signal that was sent ends the process.
static void end_of_process(int number, siginfo_t *information, void *context) {
  (void)context;
#ifdef __linux__
  // A thread that waits for a terminal which takes nothing keeps others from writing to it; there the signal interrupts
  // that.
  pid_t writer = (pid_t)writing_thread;
  int is_sent = information->si_code <= 0;
  if (is_sent && writer != 0 && writer != syscall(SYS_gettid) && syscall(SYS_tgkill, getpid(), writer, number) == 0) return;
#endif
  give_back();
  if (information->si_code > 0) {
    for (int index = 0; index < fault_count; index++) {
      if (fatal[index] != number) continue;
      sigaction(number, &earlier[index], NULL);
      return;
    }
  }
  signal(number, SIG_DFL);
  raise(number);
}

static void size_changed(int number) {
  (void)number;
  wake();
}

static void stop_asked(int number) {
  (void)number;
  cterminal_stop();
}

void cterminal_stop(void) {
  int saved = errno;
  int was_taken = is_taken;
  // Whether what is typed is shown may have changed since.
  if (was_taken && has_within) has_within = tcgetattr(STDIN_FILENO, &within) == 0;
  give_back();
  raise(SIGSTOP);
  if (was_taken) take_again();
  wake();
  errno = saved;
}

static void catch_fatal(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = end_of_process;
  action.sa_flags = SA_SIGINFO;
  for (int index = 0; index < fatal_count; index++) {
    // What the process ignores, as under nohup(1), it continues to ignore.
    if (earlier[index].sa_handler != SIG_IGN) sigaction(fatal[index], &action, NULL);
  }
}

static void copy(char *to, size_t *length, size_t size, const char *from) {
  size_t count = strlen(from);
  if (count > size) count = size;
  memcpy(to, from, count);
  *length = count;
}

int cterminal_begin(const char *enter, const char *leave) {
  has_modes = tcgetattr(STDIN_FILENO, &before) == 0;
  copy(enter_text, &enter_length, sizeof enter_text, enter);
  copy(leave_text, &leave_length, sizeof leave_text, leave);
  if (wake_pipe[0] < 0) {
    if (pipe(wake_pipe) != 0) return -1;
    for (int end = 0; end < 2; end++) {
      fcntl(wake_pipe[end], F_SETFL, O_NONBLOCK);
      fcntl(wake_pipe[end], F_SETFD, FD_CLOEXEC);
    }
  }
  for (int index = 0; index < fatal_count; index++) sigaction(fatal[index], NULL, &earlier[index]);
  if (leave_descriptor < 0 && isatty(STDOUT_FILENO)) {
    const char *name = ttyname(STDOUT_FILENO);
    if (name) leave_descriptor = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  }
  // What ends the process from here on gives the terminal back, also where it ends itself in the middle, such as when
  // the reader of its output is gone.
  is_taken = 1;
  static int is_registered;
  if (!is_registered) is_registered = atexit(cterminal_end) == 0;
  catch_fatal();
  write_all(enter_text, enter_length);
  return wake_pipe[0];
}

void cterminal_describe(const char *enter, const char *leave) {
  copy(enter_text, &enter_length, sizeof enter_text, enter);
  copy(leave_text, &leave_length, sizeof leave_text, leave);
}

void cterminal_handle_signals(void) {
  has_within = tcgetattr(STDIN_FILENO, &within) == 0;
  // ncurses may have taken some.
  catch_fatal();
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = size_changed;
  sigaction(SIGWINCH, &action, NULL);
  action.sa_handler = stop_asked;
  sigaction(SIGTSTP, &action, NULL);
}

void cterminal_end(void) { give_back(); }

void cterminal_writes(int begins) {
#ifdef __linux__
  // Threads of Dispatch block signals.
  static sigset_t mask_before;
  if (begins) {
    sigset_t sent;
    sigemptyset(&sent);
    for (int index = fault_count; index < fatal_count; index++) sigaddset(&sent, fatal[index]);
    writing_thread = (sig_atomic_t)syscall(SYS_gettid);
    pthread_sigmask(SIG_UNBLOCK, &sent, &mask_before);
  } else {
    pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
    writing_thread = 0;
  }
#else
  (void)begins;
#endif
}
