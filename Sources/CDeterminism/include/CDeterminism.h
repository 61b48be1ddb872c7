#ifndef CDETERMINISM_H
#define CDETERMINISM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What Swift cannot say: a thread-local variable that is read again at each call. (glibc declares `pthread_self` const,
// so the optimizer keeps its value across suspension points, after which a task may run on another thread.)

/// Behind the includes of a file: its functions lie in a section of their own, which distinguishes them from the
/// program's.
#ifdef __ELF__
#define DETERMINISM_CODE _Pragma("clang section text = \"determinism_code\"")
#else
#define DETERMINISM_CODE
#endif

/// Declares `original`, the function that one of ours stands before; for files with <dlfcn.h> and <stdatomic.h>.
#define DETERMINISM_NEXT(name, symbol)  \
  static _Atomic(void *) cached;        \
  void *found = atomic_load(&cached);   \
  if (!found) {                         \
    found = dlsym(RTLD_NEXT, symbol);   \
    atomic_store(&cached, found);       \
  }                                     \
  __typeof__(&name) original = (__typeof__(&name))found

/// A `SerialExecutorRef` of the Swift runtime: two words, laid out as `UnownedSerialExecutor`.
typedef struct {
  void *_Nullable identity;
  void *_Nullable implementation;
} determinism_executor_ref;

/// How many bytes a run has for what the libraries keep for a process.
enum { DETERMINISM_KEPT_SIZE = 256 };

/// What runs on a thread.
typedef struct {
  /// The executor whose jobs this thread runs, or `NULL`.
  void *_Nullable executor;
  /// The same as a reference of the runtime.
  determinism_executor_ref main;
  /// What is the executor's on this thread, of `determinism_feature`.
  unsigned features;
  /// Whether a job of the executor runs: what is interposed is virtual then.
  bool runs_job;
  /// Whether the executor is asked about its run while everything rests, and no actor of it has work.
  bool rests;
  /// How often the job that runs has read a clock or let other threads run, and the real time in nanoseconds since
  /// which it blocks, or 0.
  unsigned clock_reads, yields;
  int64_t blocks_since;
  /// Whether the executor keeps where the tasks are made that its jobs make.
  bool keeps_origins;
  /// What the job calls that runs in place where it need not wait, such as `dispatch_sync`, or `NULL`.
  const char *_Nullable in_place;
  /// What is written where a job ends the program by a trap or another signal: which run it is; or `NULL`.
  const char *_Nullable last_words;
  /// Where the run has what the libraries keep for a process, zero at first: an object, which is released at its end,
  /// and the state of the generators of C.
  void *_Nullable kept;
} determinism_thread;

/// What runs on this thread. Never inlined, and never assumed to be what it was.
determinism_thread *_Nonnull determinism_this_thread(void);

/// The executor whose jobs this thread runs, or `NULL`.
void *_Nullable determinism_current_executor(void);

/// What an executor answers; registered once by the Swift side.
typedef struct {
  /// A job for the global pool, made on a thread of an executor; `task` is the number of its task, or 0. False where
  /// the job is not the executor's: its task was made before the run.
  bool (*_Nullable enqueue_global)(void *_Nonnull executor, void *_Nonnull job, uint64_t task);
  /// A job for the global pool, made on a thread of no executor: whether an executor takes it, because it is its
  /// task's.
  bool (*_Nullable adopt)(void *_Nonnull job, uint64_t task);
  /// Whether a job that runs just now is a task, or may run it, as it is the work of an actor.
  bool (*_Nullable may_run)(const void *_Nonnull task);
  /// A stream was made on a thread of an executor, which keeps its values in this object.
  void (*_Nullable made_stream)(void *_Nonnull executor, const void *_Nonnull storage);
  /// Something is put into a stream, by the function that returns to `caller`.
  void (*_Nullable gives)(const void *_Nonnull storage, void *_Nullable caller);
  /// A task was made by a job whose executor keeps origins; by which function and on which line, where that is known.
  void (*_Nullable made_task)(
      void *_Nonnull executor, const void *_Nonnull task, const char *_Nullable function, const char *_Nullable place);
  /// The virtual time since the start, in nanoseconds.
  int64_t (*_Nullable now)(void *_Nonnull executor);
  /// Random bytes, drawn from the seed.
  void (*_Nullable random)(void *_Nonnull executor, void *_Nonnull bytes, size_t count);
  /// Something was done that leaves the executor; by which function and on which line, where that is known.
  void (*_Nullable escape)(
      void *_Nonnull executor, const char *_Nonnull action, const char *_Nullable function, const char *_Nullable place);
  /// One job will come back from outside which is none that left, when something of the test library has ended: until
  /// then no virtual time passes.
  void (*_Nullable expect)(void *_Nonnull executor);
  /// Whether the run of the executor is to end now, as its real time is over or its caller was cancelled.
  bool (*_Nullable is_to_end)(void *_Nonnull executor);
  /// Whether the run of the executor was given up: what comes back to its thread late must go no further.
  bool (*_Nullable is_given_up)(void *_Nonnull executor);
} determinism_callbacks;

/// Registers the callbacks, before the first simulation.
void determinism_register(determinism_callbacks callbacks);
/// The callbacks; all `NULL` before the first simulation.
const determinism_callbacks *_Nonnull determinism_registered(void);

/// What is asked of a task that does not run, where the layout of tasks of this runtime is known.
typedef struct {
  /// Whether a job is a task without a parent: one that may be kept beyond its parent's end.
  bool (*_Nonnull is_root)(const void *_Nonnull job);
  /// Whether a job is a task at all, and not work of an actor or of the runtime.
  bool (*_Nonnull is_task)(const void *_Nonnull job);
  /// The number of a task, which no other of the process has, or 0.
  uint64_t (*_Nonnull number)(const void *_Nonnull job);
  /// Whether a task that is runnable goes on in the program, and not in a function of the runtime.
  bool (*_Nonnull is_hop)(const void *_Nonnull task);
  /// The actor whose work a job is, or `NULL`; asked before it runs.
  void *_Nullable (*_Nonnull actor)(const void *_Nonnull job);
  /// Writes the name that the task was given; false where it has none, or where names are is not known.
  /// A task that runs on another thread is read with care, so that nothing is touched that is gone.
  bool (*_Nonnull name)(const void *_Nonnull task, bool runs, char *_Nonnull name, size_t size);
  void (*_Nonnull retain)(void *_Nonnull task);
  void (*_Nonnull release)(void *_Nonnull task);
  void (*_Nonnull cancel)(void *_Nonnull task);
  /// Whether it has ended; the task must be retained.
  bool (*_Nonnull is_complete)(const void *_Nonnull task);
  bool (*_Nonnull is_cancelled)(const void *_Nonnull task);
  /// Where it continues, and where its callers do, the innermost first; how many there are. The task must wait.
  int (*_Nonnull frames)(const void *_Nonnull task, void *_Nonnull *_Nonnull addresses, int limit);
} determinism_task_layout;

/// Registered by a library linked beside this that found the layout; `NULL` where there is none.
void determinism_register_tasks(const determinism_task_layout *_Nonnull layout);
const determinism_task_layout *_Nullable determinism_tasks(void);

/// Puts the hooks of the runtime back where another library took their places; how often that was so up to now, and the
/// last function that stood there.
typedef uint64_t (*determinism_hooks)(void *_Nullable *_Nonnull culprit);
/// Registered by what is linked beside this.
void determinism_register_hooks(determinism_hooks _Nonnull hooks);
uint64_t determinism_put_hooks(void *_Nullable *_Nonnull culprit);

/// Writes the name of the innermost of these functions that is of the program; false where there is none.
typedef bool (*determinism_namer)(void *_Nonnull const *_Nonnull addresses, int count, char *_Nonnull name, size_t size);
bool determinism_name(void *_Nonnull const *_Nonnull addresses, int count, char *_Nonnull name, size_t size);

/// Writes the place of the program where a thread is now, such as `Model.load() (Model.swift:12)`; false where that is
/// not found out.
typedef bool (*determinism_locator)(uintptr_t thread, char *_Nonnull place, size_t size);
bool determinism_locate(uintptr_t thread, char *_Nonnull place, size_t size);
/// Registered by what is linked beside this.
void determinism_register_places(determinism_namer _Nonnull namer, determinism_locator _Nonnull locator);

/// The thread of the caller, and the time that the processor spent on one, in nanoseconds, or -1; it must not have
/// ended.
uintptr_t determinism_thread_self(void);
int64_t determinism_thread_nanoseconds(uintptr_t thread);

/// How many threads look for the name of a place just now, which takes a while in a large program that is not
/// optimized.
void determinism_add_naming(int change);
bool determinism_is_naming(void);

/// Writes the last words of a run where a job ends the program, before what else handles the signal. Once.
void determinism_catch_traps(void);

/// How many simulations have begun and not ended. Where there is none, hooks pass everything on.
void determinism_add_running(int change);
bool determinism_is_running(void);

/// What is linked into this program and works, found out at its start.
typedef enum {
  DETERMINISM_MAIN_ACTOR = 1,
  DETERMINISM_GLOBAL_POOL = 2,
  DETERMINISM_CLOCKS = 4,
  DETERMINISM_RANDOMNESS = 8,
  DETERMINISM_ESCAPES = 16,
} determinism_feature;

/// Called by what is linked beside this.
void determinism_add_features(unsigned features);
unsigned determinism_features(void);

/// The monotonic time in nanoseconds, real also where clocks are interposed.
int64_t determinism_real_nanoseconds(void);

/// Runs `body` on a new thread with a stack of 8 MiB; false where there is none.
bool determinism_start_thread(void (*_Nonnull body)(void *_Nullable), void *_Nullable argument);

/// The number of processors that can run threads now, at least 1.
int determinism_processor_count(void);

/// A mutex with a condition, for threads that wait in real time.
typedef struct determinism_gate determinism_gate;
determinism_gate *_Nonnull determinism_gate_make(void);
void determinism_gate_free(determinism_gate *_Nonnull gate);
/// Wakes the waiting thread, or the next that waits.
void determinism_gate_open(determinism_gate *_Nonnull gate);
/// Waits until the gate is opened, and closes it; at most so many nanoseconds, or forever where that is negative.
/// Returns whether it was opened.
bool determinism_gate_wait(determinism_gate *_Nonnull gate, int64_t nanoseconds);

/// How often a closure is retained, by its context.
size_t determinism_retain_count(void *_Nonnull context);
/// Releases the context of a closure once, for a call of it that will never return.
void determinism_release(void *_Nonnull context);

/// Blocks the thread forever: what it would go back to is gone.
__attribute__((noreturn)) void determinism_park_thread(void);

#endif
