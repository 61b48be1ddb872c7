// The private part of Determinism: hooks of the Swift concurrency runtime (6.0 to 6.3), in this file alone, and linked
// into programs that test, never into the command. What a runtime lacks is left out: the hooks are weak symbols.
//
// Answered by thread. On a thread that runs the jobs of a simulation its executor is the main actor's, and what is for
// the global pool goes to it; on all other threads everything is as it was.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CRuntimeHooks.h"

#include "CDeterminism.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#if defined(__linux__)
#include <link.h>
#include <sys/uio.h>
#include <unistd.h>
#endif

DETERMINISM_CODE

#define SWIFT_CC __attribute__((swiftcall))

typedef SWIFT_CC determinism_executor_ref (*get_main_original)(void);
typedef SWIFT_CC bool (*is_main_original)(determinism_executor_ref);
typedef SWIFT_CC void (*enqueue_original)(void *job);

typedef SWIFT_CC determinism_executor_ref (*get_main_hook)(get_main_original);
typedef SWIFT_CC bool (*is_main_hook)(determinism_executor_ref, is_main_original);
typedef SWIFT_CC void (*enqueue_hook)(void *job, enqueue_original);

typedef SWIFT_CC void (*check_isolated_original)(determinism_executor_ref);
typedef SWIFT_CC int8_t (*is_isolating_original)(determinism_executor_ref);
typedef SWIFT_CC void (*check_isolated_hook)(determinism_executor_ref, check_isolated_original);
typedef SWIFT_CC int8_t (*is_isolating_hook)(determinism_executor_ref, is_isolating_original);

extern __attribute__((weak)) get_main_hook swift_task_getMainExecutor_hook;
extern __attribute__((weak)) is_main_hook swift_task_isMainExecutor_hook;
extern __attribute__((weak)) enqueue_hook swift_task_enqueueMainExecutor_hook;
extern __attribute__((weak)) enqueue_hook swift_task_enqueueGlobal_hook;
extern __attribute__((weak)) check_isolated_hook swift_task_checkIsolated_hook;
extern __attribute__((weak)) is_isolating_hook swift_task_isIsolatingCurrentContext_hook;

extern __attribute__((weak)) SWIFT_CC uint64_t swift_task_getJobTaskId(const void *job);

// The number of a job's task, which no other task of the process ever has; 0 where there is none.
static uint64_t task_of(const void *job) { return &swift_task_getJobTaskId ? swift_task_getJobTaskId(job) : 0; }

// The hooks that stood where ours do now, which are asked wherever ours have no answer.
static get_main_hook other_get_main;
static is_main_hook other_is_main;
static enqueue_hook other_enqueue_main;
static enqueue_hook other_enqueue_global;

// One that was put in front of ours asks ours in turn.
static __thread bool asks_other;

#define OR_OTHER(type, other, call_other, call_original) \
  if (!(other) || asks_other) return call_original;      \
  asks_other = true;                                     \
  type result = call_other;                              \
  asks_other = false;                                    \
  return result

static SWIFT_CC determinism_executor_ref get_main(get_main_original original) {
  determinism_thread *thread = determinism_this_thread();
  if (thread->features & DETERMINISM_MAIN_ACTOR) return thread->main;
  OR_OTHER(determinism_executor_ref, other_get_main, other_get_main(original), original());
}

static SWIFT_CC bool is_main(determinism_executor_ref ref, is_main_original original) {
  determinism_thread *thread = determinism_this_thread();
  if (thread->features & DETERMINISM_MAIN_ACTOR) return ref.identity == thread->main.identity;
  OR_OTHER(bool, other_is_main, other_is_main(ref, original), original(ref));
}

// Whether an actor without an executor of its own may be asked here by `assumeIsolated`: no task is on it.
static bool may_ask(determinism_executor_ref ref) { return !ref.implementation && determinism_this_thread()->rests; }

static check_isolated_hook other_check_isolated;
static is_isolating_hook other_is_isolating;

static SWIFT_CC void check_isolated(determinism_executor_ref ref, check_isolated_original original) {
  if (may_ask(ref)) return;
  if (!other_check_isolated || asks_other) return original(ref);
  asks_other = true;
  other_check_isolated(ref, original);
  asks_other = false;
}

static SWIFT_CC int8_t is_isolating(determinism_executor_ref ref, is_isolating_original original) {
  if (may_ask(ref)) return 1;
  OR_OTHER(int8_t, other_is_isolating, other_is_isolating(ref, original), original(ref));
}

bool runtime_hooks_take(void *job) {
  determinism_thread *thread = determinism_this_thread();
  // A wait for the table of runs is no escape of the job that runs, nor is what is let through.
  bool runs_job = thread->runs_job;
  thread->runs_job = false;
  uint64_t task = task_of(job);
  bool is_taken = thread->features & DETERMINISM_GLOBAL_POOL && determinism_registered()->enqueue_global(thread->executor, job, task);
  if (!is_taken && determinism_is_running()) is_taken = determinism_registered()->adopt(job, task);
  thread->runs_job = runs_job;
  return is_taken;
}

static void let_through(void *job, enqueue_hook other, enqueue_original original) {
  determinism_thread *thread = determinism_this_thread();
  bool runs_job = thread->runs_job;
  thread->runs_job = false;
  if (!other || asks_other) {
    original(job);
  } else {
    asks_other = true;
    other(job, original);
    asks_other = false;
  }
  thread->runs_job = runs_job;
}

// Called by `MainActor.enqueue`, where the hook of `withMainSerialExecutor` sends what is for the global pool.
static SWIFT_CC void enqueue_main(void *job, enqueue_original original) {
  if (!runtime_hooks_take(job)) let_through(job, other_enqueue_main, original);
}

// Only where the runtime does not ask the default executor below.
static SWIFT_CC void enqueue_global(void *job, enqueue_original original) {
  if (!runtime_hooks_take(job)) let_through(job, other_enqueue_global, original);
}

// In Swift: the default executor, which gets what is for the global pool, and what asks to wait. False where it is not
// asked.
extern __attribute__((weak)) bool runtime_hooks_set_default_executor(void);

static bool has_default_executor;

// Puts ours in the place of another, which may have been there first.
#define PUT(hook, ours, other)       \
  if (&(hook) && (hook) != (ours)) { \
    *culprit = (void *)(hook);       \
    (other) = (hook);                \
    (hook) = (ours);                 \
    is_changed = true;               \
  }

static uint64_t put_hooks(void **culprit) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static uint64_t changes;
  static void *last;
  bool is_changed = false;
  pthread_mutex_lock(&lock);
  *culprit = last;
  PUT(swift_task_getMainExecutor_hook, get_main, other_get_main)
  PUT(swift_task_isMainExecutor_hook, is_main, other_is_main)
  PUT(swift_task_enqueueMainExecutor_hook, enqueue_main, other_enqueue_main)
  PUT(swift_task_checkIsolated_hook, check_isolated, other_check_isolated)
  PUT(swift_task_isIsolatingCurrentContext_hook, is_isolating, other_is_isolating)
  if (!has_default_executor) PUT(swift_task_enqueueGlobal_hook, enqueue_global, other_enqueue_global)
  last = *culprit;
  uint64_t result = changes += is_changed;
  pthread_mutex_unlock(&lock);
  return result;
}

__attribute__((constructor)) static void install(void) {
  has_default_executor = runtime_hooks_set_default_executor && runtime_hooks_set_default_executor();
  void *culprit;
  put_hooks(&culprit);
  if (&swift_task_getMainExecutor_hook && &swift_task_isMainExecutor_hook) determinism_add_features(DETERMINISM_MAIN_ACTOR);
  if (has_default_executor || &swift_task_enqueueGlobal_hook) determinism_add_features(DETERMINISM_GLOBAL_POOL);
  determinism_register_hooks(put_hooks);
}

// MARK: Tasks that do not run
//
// A task that waits for something of its own is in no queue, so it cannot be found there. The runtime has no function
// to ask whether a task has ended; it stands in its status, whose place is looked for with tasks of which it is known.

extern __attribute__((weak)) void *swift_retain(void *object);
extern __attribute__((weak)) void swift_release(void *object);
extern __attribute__((weak)) SWIFT_CC void swift_task_cancel(void *task);

// The head of a job, and of a task which waits (`Job` and `AsyncTask` in ABI/Task.h): the object, two words of the
// scheduler, flags, number, two words, the function to go on with, and its context.
enum { flags_offset = 32, resume_offset = 56, context_offset = 64, least_status_offset = 72, most_status_offset = 160 };
enum { kind_mask = 0xFF, kind_actor = 0xC1, is_child = 1 << 24, is_cancelled = 0x100 };

static unsigned status_offset, complete_bit;

static uint32_t word_at(const void *task, unsigned offset) {
  return atomic_load_explicit((const _Atomic(uint32_t) *)((const char *)task + offset), memory_order_relaxed);
}

bool runtime_hooks_is_root(const void *job) { return (word_at(job, flags_offset) & (kind_mask | is_child)) == 0; }
static bool is_task(const void *job) { return (word_at(job, flags_offset) & kind_mask) == 0; }
// The work of an actor is a job of its own, behind whose head the actor stands (`ProcessOutOfLineJob` in Actor.cpp).
static void *actor(const void *job) {
  return (word_at(job, flags_offset) & kind_mask) == kind_actor ? *(void *const *)((const char *)job + context_offset) : NULL;
}
// Where the code of the runtime is, when it is a library of its own.
static uintptr_t runtime_begin, runtime_end;

#if defined(__linux__)
static int find_runtime(struct dl_phdr_info *information, size_t size, void *address) {
  (void)size;
  for (int index = 0; index < information->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &information->dlpi_phdr[index];
    uintptr_t begin = information->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
    if (part->p_type != PT_LOAD || (uintptr_t)address < begin || (uintptr_t)address >= end) continue;
    // The first that is listed is the program, which has the runtime in it.
    if (*information->dlpi_name) runtime_begin = begin, runtime_end = end;
    return 1;
  }
  return 0;
}

#endif

static bool is_hop(const void *task) {
  uintptr_t resume = *(const uintptr_t *)((const char *)task + resume_offset);
  return runtime_end && (resume < runtime_begin || resume >= runtime_end);
}
static bool is_complete(const void *task) { return word_at(task, status_offset) & complete_bit; }
static bool was_cancelled(const void *task) { return word_at(task, status_offset) & is_cancelled; }
static void retain(void *task) { swift_retain(task); }
static void release(void *task) { swift_release(task); }
static void cancel(void *task) { swift_task_cancel(task); }

// A context begins with that of the caller, and with what is to go on there.
struct context {
  const struct context *parent;
  void *resume_parent;
};

static int frames(const void *task, void **addresses, int limit) {
  int count = 0;
  const struct context *context = *(const struct context *const *)((const char *)task + context_offset);
  void *function = *(void *const *)((const char *)task + resume_offset);
  while (count < limit && function) {
    addresses[count++] = function;
    if (!context) break;
    function = context->resume_parent;
    context = context->parent;
  }
  return count;
}

// Names
//
// What else belongs to a task is a chain of records, which begins behind the flags of its status (`ActiveTaskStatus` in
// TaskPrivate.h): each has a word of flags, of which the lowest byte is its kind, and the next record. That of the name
// has the name behind these.
struct record {
  uintptr_t flags;
  const struct record *next;
  const char *name;
};
enum { record_offset = 8, most_records = 64 };

static unsigned name_kind = kind_mask + 1;

/// Copies memory that may be gone; false where it is.
static bool copy(void *to, const void *from, size_t size) {
#if defined(__linux__)
  struct iovec local = {to, size}, remote = {(void *)from, size};
  int before = errno;
  bool is_copied = process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
  errno = before;
  return is_copied;
#else
  return false;
#endif
}

/// Copies text up to its end, at most so much of it.
static bool copy_text(char *to, const char *from, size_t size) {
  for (size_t done = 0; done + 1 < size; done++) {
    if (!copy(to + done, from + done, 1)) return false;
    if (!to[done]) return done > 0;
  }
  to[size - 1] = 0;
  return true;
}

static bool find_record(const void *task, bool (*is_it)(const struct record *, const void *), const void *sought, struct record *found) {
  const struct record *next;
  if (!status_offset || !copy(&next, (const char *)task + status_offset + record_offset, sizeof next)) return false;
  for (int count = 0; next && count < most_records; count++) {
    if ((uintptr_t)next % sizeof(void *) != 0 || !copy(found, next, sizeof *found)) return false;
    if (is_it(found, sought)) return true;
    next = found->next;
  }
  return false;
}

static bool has_text(const struct record *record, const void *sought) {
  char text[64];
  return record->name && copy_text(text, record->name, sizeof text) && strcmp(text, sought) == 0;
}

static bool is_name(const struct record *record, const void *sought) {
  (void)sought;
  return (record->flags & kind_mask) == name_kind;
}

static bool name(const void *task, bool runs, char *text, size_t size) {
  struct record found;
  // One that runs may be gone at any moment, so it may not be one any more.
  uint32_t flags;
  if (name_kind > kind_mask || (runs && (!copy(&flags, (const char *)task + flags_offset, sizeof flags) || flags & kind_mask))) return false;
  return find_record(task, is_name, NULL, &found) && found.name && copy_text(text, found.name, size);
}

void runtime_hooks_learn_names(const void *waiting, const char *text) {
  struct record found;
  if (find_record(waiting, has_text, text, &found)) name_kind = found.flags & kind_mask;
}

// MARK: Continuations
//
// A continuation that is resumed before its task waits makes no job: no executor sees that another thread did so, which
// is a race. So what resumes one of a task that a simulation runs just now, on another thread, lets it wait first.

// Where a checked continuation has its task, behind the head of its object, and where the context of a continuation
// says whether the task waits (`ContinuationAsyncContext` in ABI/Task.h).
enum { checked_task_offset = 16, await_offset = 24, await_pending = 0, await_waits = 1 };

static bool knows_continuations;

static size_t await_state(const void *task) {
  const char *context = *(const char *const *)((const char *)task + context_offset);
  return atomic_load_explicit((const _Atomic(size_t) *)(context + await_offset), memory_order_acquire);
}

static const void *task_of_checked(const void *continuation) {
  return atomic_load_explicit((void *const _Atomic *)((const char *)continuation + checked_task_offset), memory_order_relaxed);
}

void runtime_hooks_learn_continuation(const void *continuation, const void *task) {
  knows_continuations = task_of_checked(continuation) == task && await_state(task) == await_pending;
}

#if defined(__linux__)
extern __attribute__((weak)) SWIFT_CC void *swift_task_getCurrent(void);

/// Whether a simulation runs the task of a continuation on another thread, and it does not wait yet.
static bool is_about_to_wait(const void *task) {
  return await_state(task) == await_pending && determinism_registered()->may_run(task);
}

/// Returns when the task of a continuation waits for it, or when it does not for a second.
static void let_wait(const void *task) {
  enum { turns = 100, most_naps = 20000 };
  if (!task || !knows_continuations || !determinism_is_running() || determinism_current_executor()) return;
  // What a task resumes itself is not waited for.
  if (!&swift_task_getCurrent || swift_task_getCurrent() == task) return;
  for (int count = 0; count < turns + most_naps && is_about_to_wait(task); count++) {
    if (count < turns) {
      sched_yield();
    } else {
      nanosleep(&(struct timespec){0, 50000}, NULL);
    }
  }
}

// Functions of the runtime, in whose place these stand in programs that have it as a library. What they return, they
// write.
#define IN_PLACE_OF(name, symbol, parameters, arguments, before, after)                       \
  __attribute__((visibility("default"), weak)) SWIFT_CC void name parameters __asm__(symbol); \
  SWIFT_CC void name parameters {                                                             \
    DETERMINISM_NEXT(name, symbol);                                                           \
    before;                                                                                   \
    original arguments;                                                                       \
    after;                                                                                    \
  }

// Called by what the compiler makes of `UnsafeContinuation`.
#define RESUMES(name, symbol, parameters, arguments, task) IN_PLACE_OF(name, symbol, parameters, arguments, let_wait(task), )
RESUMES(resume, "swift_continuation_resume", (void *task), (task), task)
RESUMES(resume_throwing, "swift_continuation_throwingResume", (void *task), (task), task)
RESUMES(resume_with_error, "swift_continuation_throwingResumeWithError", (void *task, void *error), (task, error), task)
// `CheckedContinuation.resume(returning:)` and `resume(throwing:)`; itself is where its only property is.
#define SWIFT_SELF __attribute__((swift_context)) void *self
RESUMES(
    resume_returning, "$sScC6resume9returningyxn_tF", (void *value, void *type, SWIFT_SELF), (value, type, self),
    task_of_checked(*(void **)self))
RESUMES(
    resume_with_checked_error, "$sScC6resume8throwingyq_n_tF", (void *error, void *type, SWIFT_SELF), (error, type, self),
    task_of_checked(*(void **)self))

// MARK: Streams
//
// What is in a stream already when a task of a run looks is taken without a wait, so that nothing comes back. A run
// knows the streams that it made, by what they keep their values in, and so what other threads put into them.

// Where a stream has it, behind the head of its only property; a continuation is it.
enum { storage_offset = 16 };

static void made_stream(const void *stream) {
  determinism_thread *thread = determinism_this_thread();
  const void *storage = *(const void *const *)(*(const char *const *)stream + storage_offset);
  if (!thread->executor || !storage) return;
  bool runs_job = thread->runs_job;
  thread->runs_job = false;
  determinism_registered()->made_stream(thread->executor, storage);
  thread->runs_job = runs_job;
}

static void gives(const void *continuation, void *caller) {
  if (!determinism_is_running()) return;
  determinism_thread *thread = determinism_this_thread();
  bool runs_job = thread->runs_job;
  thread->runs_job = false;
  determinism_registered()->gives(*(const void *const *)continuation, caller);
  thread->runs_job = runs_job;
}

#define PARAMETERS \
  (__attribute__((swift_indirect_result)) void *result, void *first, void *second, void *third, void *fourth, void *fifth, SWIFT_SELF)
#define ARGUMENTS (result, first, second, third, fourth, fifth, self)
#define MAKES_STREAM(name, symbol, stream) IN_PLACE_OF(name, symbol, PARAMETERS, ARGUMENTS, , made_stream(stream))
MAKES_STREAM(init_stream, "$sScS_15bufferingPolicy_ScSyxGxm_ScS12ContinuationV09BufferingB0Oyx__GyADyx_GXEtcfC", result)
MAKES_STREAM(
    init_throwing, "$sScs_15bufferingPolicy_Scsyxs5Error_pGxm_Scs12ContinuationV09BufferingB0OyxsAB_p__GyAEyxsAB_p_GXEtcsAB_pRs_rlufC",
    result)
// Two results, of which the first parameters are the places.
MAKES_STREAM(
    make_stream, "$sScS10makeStream2of15bufferingPolicyScSyxG6stream_ScS12ContinuationVyx_G12continuationtxm_AG09BufferingE0Oyx__GtFZ",
    first)
MAKES_STREAM(
    make_throwing,
    "$sScs10makeStream2of8throwing15bufferingPolicyScsyxs5Error_pG6stream_Scs12ContinuationVyxsAE_p_G12continuation"
    "txm_sAE_pmAI09BufferingF0OyxsAE_p__GtsAE_pRs_rlFZ",
    first)

#define GIVES(name, symbol) IN_PLACE_OF(name, symbol, PARAMETERS, ARGUMENTS, gives(self, __builtin_return_address(0)), )
GIVES(yield_value, "$sScS12ContinuationV5yieldyAB11YieldResultOyx__GxnF")
GIVES(yield_result, "$sScS12ContinuationV5yield4withAB11YieldResultOyx__Gs0E0Oyxs5NeverOG_tF")
GIVES(yield_nothing, "$sScS12ContinuationV5yieldAB11YieldResultOyyt__GyytRszlF")
GIVES(finish, "$sScS12ContinuationV6finishyyF")
GIVES(throwing_yield_value, "$sScs12ContinuationV5yieldyAB11YieldResultOyxq___GxnF")
GIVES(throwing_yield_result, "$sScs12ContinuationV5yield4withAB11YieldResultOyxs5Error_p__Gs0E0OyxsAG_pG_tsAG_pRs_rlF")
GIVES(throwing_yield_nothing, "$sScs12ContinuationV5yieldAB11YieldResultOyytq___GyytRszrlF")
GIVES(throwing_finish, "$sScs12ContinuationV6finish8throwingyq_Sgn_tF")
#endif

static const determinism_task_layout layout = {
  .is_root = runtime_hooks_is_root, .is_task = is_task, .number = task_of, .is_hop = is_hop, .actor = actor, .name = name,
  .retain = retain, .release = release, .cancel = cancel, .is_complete = is_complete, .is_cancelled = was_cancelled,
  .frames = frames,
};

void runtime_hooks_learn_tasks(const void *const *waiting, const void *const *complete) {
  if (!&swift_retain || !&swift_release || !&swift_task_cancel || sizeof(void *) != 8) return;
#if defined(__linux__)
  dl_iterate_phdr(find_runtime, (void *)swift_task_cancel);
#endif
  knows_continuations = knows_continuations && await_state(waiting[0]) == await_waits;
  for (int index = 0; index < 2; index++) {
    if (!runtime_hooks_is_root(waiting[index]) || !runtime_hooks_is_root(complete[index])) return;
  }
  int found = 0;
  for (unsigned offset = least_status_offset; offset < most_status_offset; offset += sizeof(uint32_t)) {
    uint32_t waits = word_at(waiting[0], offset), waits_cancelled = word_at(waiting[1], offset);
    uint32_t ended = word_at(complete[0], offset), ended_cancelled = word_at(complete[1], offset);
    if ((waits ^ waits_cancelled) != is_cancelled || (ended ^ ended_cancelled) != is_cancelled) continue;
    if (!(waits_cancelled & ended_cancelled & is_cancelled)) continue;
    uint32_t bit = ended & ~waits;
    // One bit, which is not of the priority.
    if (bit <= is_cancelled || (bit & (bit - 1))) continue;
    status_offset = offset;
    complete_bit = bit;
    found++;
  }
  if (found == 1) determinism_register_tasks(&layout);
}
