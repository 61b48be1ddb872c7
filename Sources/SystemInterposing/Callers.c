// Who makes a call: the program, or a library whose calls are not the test's.
#if defined(__linux__)
#define _GNU_SOURCE
#include "Callers.h"

#include "CDeterminism.h"
#include "Places.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

DETERMINISM_CODE

/// Who makes a call, as far as it matters here.
enum caller { caller_library, caller_program, caller_icu, caller_cpp, caller_dispatch, caller_testing };

static enum caller look_up_caller(const void *address) {
  static const struct {
    const char *library, *symbol;
    enum caller caller;
  } callers[] = {
    {"lib_FoundationICU", "_ZN6icu_", caller_icu}, {"libicu", "_ZN3icu", caller_icu}, {"libstdc++", "_ZNSt", caller_cpp},
    {"libstdc++", "__cxa_", caller_cpp}, {"libdispatch", "_dispatch_", caller_dispatch},
    // As its functions are called here, too, where the linker finds them first.
    {"libdispatch", "dispatch_", caller_dispatch},
    {"libswiftDispatch", "$s8Dispatch", caller_dispatch}, {"libswift", "swift_", caller_library},
    {"libswift", "_swift", caller_library}, {"libTesting", "$s7Testing", caller_testing},
    {"libXCTest", "$s6XCTest", caller_testing},
  };
  Dl_info info;
  if (!dladdr(address, &info) || !info.dli_fname) return caller_library;
  const char *slash = strrchr(info.dli_fname, '/'), *library = slash ? slash + 1 : info.dli_fname;
  // With a static Foundation all of it is in the program.
  const char *name = find_symbol(address, info.dli_fbase);
  for (size_t index = 0; index < sizeof callers / sizeof *callers; index++) {
    const char *text = name ? name : library, *begin = name ? callers[index].symbol : callers[index].library;
    if (strncmp(text, begin, strlen(begin)) == 0) return callers[index].caller;
  }
  return name ? caller_program : caller_library;
}

/// Who is at an address, which is looked up once: to find a symbol takes longer than most calls.
static enum caller find_caller(const void *address) {
  // An address with who is there in its upper byte, which is zero in an address of a program.
  static _Atomic uint64_t known[256];
  uint64_t place = (uintptr_t)address;
  _Atomic uint64_t *entry = &known[place * 0x9E3779B97F4A7C15 >> 56];
  uint64_t found = atomic_load_explicit(entry, memory_order_relaxed);
  if (found && (found & UINT64_MAX >> 8) == place) return (enum caller)(found >> 56);
  enum caller caller = look_up_caller(address);
  if (place >> 56 == 0) atomic_store_explicit(entry, place | (uint64_t)caller << 56, memory_order_relaxed);
  return caller;
}

/// Who is behind the frames of some kind, the innermost of which is that of `caller`.
static enum caller find_behind(enum caller kind, const void *caller) {
  // A queue that is left, and whose next task goes to another thread, is five frames deep in Dispatch.
  void *frames[24];
  int count = backtrace(frames, sizeof frames / sizeof *frames), frame = 0;
  while (frame < count && frames[frame] != caller) frame++;
  enum caller found = kind;
  for (; frame < count && found == kind; frame++) found = find_caller(frames[frame]);
  return found;
}

bool is_called_by_testing(const void *caller) {
  enum caller found = find_caller(caller);
  return (found == caller_dispatch ? find_behind(caller_dispatch, caller) : found) == caller_testing;
}

bool is_called_by_program(const void *caller) { return find_caller(caller) == caller_program; }

bool is_called_to_start_programs(const void *caller) {
  Dl_info info;
  if (!dladdr(caller, &info) || !info.dli_fname || !strstr(info.dli_fname, "/libFoundation.")) return false;
  void *frames[48];
  int count = backtrace(frames, sizeof frames / sizeof *frames);
  for (int frame = 0; frame < count; frame++) {
    if (dladdr(frames[frame], &info) && info.dli_sname && strcmp(info.dli_sname, "$s10Foundation7ProcessC3runyyKF") == 0) return true;
  }
  return false;
}

bool is_called_by_icu(const void *caller) { return find_behind(caller_cpp, caller) == caller_icu; }
#endif
