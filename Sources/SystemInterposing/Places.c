// Where something is done: read from the tables of the program when something is to be reported. Symbols name
// functions, the line table says which line it was, also where a function was inlined and its name is gone. A stripped
// program has neither.
#if defined(__linux__)
#define _GNU_SOURCE
#include "Places.h"

#include "CDeterminism.h"
#include "LineTable.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

DETERMINISM_CODE

struct program {
  const char *start;
  size_t size;
  const ElfW(Sym) *symbols;
  size_t count;
  const char *names;
  uintptr_t base;
  /// Where its code is in memory.
  uintptr_t code, code_end;
  struct line_sections lines;
};

static int find_code(struct dl_phdr_info *info, size_t size, void *found) {
  (void)size;
  struct program *program = found;
  program->base = info->dlpi_addr;
  for (size_t index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    program->code = program->base + segment->p_vaddr;
    program->code_end = program->code + segment->p_memsz;
  }
  // The first is the program itself.
  return 1;
}

static bool read_program(struct program *program) {
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status;
  bool is_read = fstat(file, &status) == 0 && status.st_size > (off_t)sizeof(ElfW(Ehdr));
  if (is_read) {
    program->size = (size_t)status.st_size;
    program->start = mmap(NULL, program->size, PROT_READ, MAP_PRIVATE, file, 0);
    is_read = program->start != MAP_FAILED;
  }
  close(file);
  if (!is_read) return false;
  const ElfW(Ehdr) *header = (const void *)program->start;
  if (header->e_shoff + (size_t)header->e_shnum * sizeof(ElfW(Shdr)) > program->size) return false;
  const ElfW(Shdr) *sections = (const void *)(program->start + header->e_shoff);
  const ElfW(Shdr) *titles = header->e_shstrndx < header->e_shnum ? &sections[header->e_shstrndx] : NULL;
  for (size_t index = 0; index < header->e_shnum; index++) {
    const ElfW(Shdr) *section = &sections[index];
    if (section->sh_type == SHT_NOBITS || section->sh_offset + section->sh_size > program->size) continue;
    if (section->sh_type == SHT_SYMTAB && section->sh_link < header->e_shnum) {
      const ElfW(Shdr) *names = &sections[section->sh_link];
      if (names->sh_offset + names->sh_size > program->size) continue;
      program->symbols = (const void *)(program->start + section->sh_offset);
      program->count = section->sh_size / sizeof(ElfW(Sym));
      program->names = program->start + names->sh_offset;
    } else if (titles && titles->sh_offset + section->sh_name < program->size && !(section->sh_flags & SHF_COMPRESSED)) {
      const char *title = program->start + titles->sh_offset + section->sh_name;
      const uint8_t *bytes = (const uint8_t *)program->start + section->sh_offset;
      struct line_sections *lines = &program->lines;
      if (strcmp(title, ".debug_line") == 0) {
        lines->lines = bytes;
        lines->lines_size = section->sh_size;
      } else if (strcmp(title, ".debug_line_str") == 0) {
        lines->line_texts = bytes;
        lines->line_texts_size = section->sh_size;
      } else if (strcmp(title, ".debug_str") == 0) {
        lines->texts = bytes;
        lines->texts_size = section->sh_size;
      }
    }
  }
  dl_iterate_phdr(find_code, program);
  return program->symbols != NULL;
}

enum { most_frames = 48 };

static struct program program;
static bool has_program;

static void read_program_once(void) { has_program = read_program(&program); }

static bool can_name(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_program_once);
  return has_program;
}

extern __attribute__((weak)) char *swift_demangle(
    const char *mangled, size_t length, char *output, size_t *size, uint32_t flags);

static bool begins_with_any(const char *name, const char *const *beginnings) {
  for (; *beginnings; beginnings++) {
    if (strncmp(name, *beginnings, strlen(*beginnings)) == 0) return true;
  }
  return false;
}

/// Whether a function is of what simulates, and not of what is simulated.
static bool is_ours(const char *name, uint64_t place) {
  static const char *const ours[] = {
    "$s11Determinism", "$s18DeterminismTesting", "$s12RuntimeHooks", "swift_", "$ss", "$sS", "dispatch_", NULL,
  };
  extern char __start_determinism_code, __stop_determinism_code;
  uintptr_t address = program.base + place;
  if (address >= (uintptr_t)&__start_determinism_code && address < (uintptr_t)&__stop_determinism_code) return true;
  return begins_with_any(name, ours);
}

/// Whether a symbol is of a library of the system, of which the program has a copy, as it is inlined or generic,
/// or one of ours in its place.
static bool is_of_system(const char *name) {
  static const char *const libraries[] = {
    "$s10Foundation", "$s20FoundationEssentials", "$s8Dispatch", "$s15Synchronization", "$s6XCTest", NULL,
  };
  return begins_with_any(name, libraries);
}

static void cut(char *name, const char *end) { memmove(name, end, strlen(end) + 1); }

/// Removes from a name what the compiler made of the function, and what distinguishes private ones of two files:
/// `(1) await resume partial function for Model.(follow in _842D…)()` is `Model.follow()`.
static void simplify(char *name) {
  static const char *const parts[] = {" partial function for ", " specialization <"};
  const char *end;
  if (name[0] == '(' && (end = strstr(name, parts[0]))) cut(name, end + strlen(parts[0]));
  // Such as `function signature specialization <Arg[0] = Dead> of …` and `generic specialization <Int> of …`.
  if ((end = strstr(name, parts[1])) && end - name < 20 && (end = strstr(end, "> of "))) cut(name, end + strlen("> of "));
  for (char *begin = name; (begin = strstr(begin, " in _"));) {
    char *hash = begin + strlen(" in _");
    size_t digits = strspn(hash, "0123456789ABCDEF");
    char *open = begin;
    while (open > name && *open != '(') open--;
    if (digits < 16 || hash[digits] != ')' || *open != '(') {
      begin = hash;
      continue;
    }
    cut(begin, hash + digits + 1);
    cut(open, open + 1);
  }
}

/// Cuts off what is behind the parameters of a function, and the type of a property.
static void cut_types(char *name) {
  static const char *const extension = "(extension in ";
  char *begin = name;
  if (strncmp(name, extension, strlen(extension)) == 0 && (begin = strchr(name, ')'))) begin++;
  int depth = 0;
  for (char *end = begin ? strchr(begin, '(') : NULL; end && *end; end++) {
    depth += (*end == '(') - (*end == ')');
    if (depth == 0) {
      end[1] = 0;
      break;
    }
  }
  char *type = strstr(name, " : ");
  if (type) *type = 0;
}

/// Removes what does not help a reader to distinguish functions:
/// `closure #1 () async -> () in Model.follow() async -> ()` is `a closure in Model.follow()`, and
/// `poll #1 () -> () in Model.follow() async -> ()` is `poll() in Model.follow()`.
static void shorten(char *name, size_t size) {
  static const char *const implicit = "implicit ", *const closure = "closure", *const in = " in ";
  if (strncmp(name, implicit, strlen(implicit)) == 0) cut(name, name + strlen(implicit));
  char *number = strstr(name, " #"), *parameters = strchr(name, '(');
  char inner[512] = "";
  if (number && (!parameters || number < parameters) && strstr(number, in)) {
    *number = 0;
    bool is_closure = strcmp(name, closure) == 0;
    snprintf(inner, sizeof inner, is_closure ? "a %s in " : "%s() in ", name);
    cut(name, number + 1);
    // Behind the types, in which there is no such word, are the functions around it, the outermost last.
    for (char *next; (next = strstr(name, in));) cut(name, next + strlen(in));
  }
  cut_types(name);
  size_t length = strlen(name), before = strlen(inner);
  if (length + before + 1 > size) return;
  memmove(name + before, name, length + 1);
  memcpy(name, inner, before);
}

/// Finds the symbols of functions, and where those begin; what has none begins behind everything.
static void find_symbols(const uint64_t *addresses, int count, const ElfW(Sym) **symbols, uint64_t *starts) {
  for (int at = 0; at < count; at++) {
    symbols[at] = NULL;
    starts[at] = UINT64_MAX;
  }
  for (size_t index = 0; index < program.count; index++) {
    const ElfW(Sym) *symbol = &program.symbols[index];
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC) continue;
    for (int at = 0; at < count; at++) {
      if (symbols[at] || addresses[at] < symbol->st_value || addresses[at] - symbol->st_value >= symbol->st_size) continue;
      symbols[at] = symbol;
      starts[at] = symbol->st_value;
    }
  }
}

/// Whether a line is of the program, and not of the simulation or compiler-generated.
static bool is_of_program(const struct source_line *line) {
  static const char *const others[] = {
    "Sources/Determinism/", "Sources/DeterminismTesting/", "Sources/RuntimeHooks/", "Sources/SystemInterposing/",
    "Sources/CDeterminism/", "Sources/CRuntimeHooks/", "<compiler-generated>",
  };
  // The buffer of a macro, such as of `#expect`, has lines of its own, which are in no file.
  if (!line->file || strstr(line->file, "@__swiftmacro")) return false;
  char path[2048];
  snprintf(path, sizeof path, "%s/%s", line->folder, line->file);
  for (size_t index = 0; index < sizeof others / sizeof *others; index++) {
    if (strstr(path, others[index])) return false;
  }
  return true;
}

static void write_name(const char *mangled, char *name, size_t size) {
  char *words = swift_demangle ? swift_demangle(mangled, strlen(mangled), NULL, NULL, 0) : NULL;
  snprintf(name, size, "%s", words ? words : mangled);
  free(words);
  simplify(name);
  if (words) shorten(name, size);
}

static void write_line(const struct source_line *line, char *text, size_t size) {
  const char *slash = strrchr(line->file, '/');
  snprintf(text, size, "%s:%u", slash ? slash + 1 : line->file, line->line);
}

/// Writes the innermost place of the program behind `caller`; false where there is none.
static bool find_place(void *const *frames, int count, const void *caller, struct place *place) {
  int frame = 0;
  while (frame < count && frames[frame] != caller) frame++;
  // Without frame pointers in what is here, the chain begins behind the caller.
  bool begins_behind = frame == count;
  if (begins_behind) frame = 0;
  uint64_t addresses[most_frames], starts[most_frames];
  const ElfW(Sym) *symbols[most_frames];
  struct source_line lines[most_frames];
  for (int index = 0; index < count; index++) addresses[index] = (uintptr_t)frames[index] - 1 - program.base;
  find_symbols(addresses, count, symbols, starts);
  find_lines(&program.lines, addresses + frame, starts + frame, count - frame, lines + frame);
  for (; frame < count; frame++) {
    const ElfW(Sym) *symbol = symbols[frame];
    const char *name = symbol ? program.names + symbol->st_name : NULL;
    const struct source_line *line = &lines[frame];
    bool has_line = is_of_program(line);
    // Of an inlined function the name is gone, and the code may stand in a function of ours, but the line is its own.
    // An extension of what is the system's is the program's where its line is.
    if (name && is_of_system(name) && !has_line) continue;
    bool has_name = name && !is_ours(name, addresses[frame]) && !(begins_behind && strncmp(name, "$s", 2) != 0);
    if (!has_name && !(has_line && name && is_ours(name, addresses[frame]))) continue;
    if (has_name) write_name(name, place->function, sizeof place->function);
    if (has_line) write_line(line, place->line, sizeof place->line);
    return true;
  }
  return false;
}

static bool find_waiting(void *const *addresses, int count, char *name, size_t size) {
  uint64_t places[most_frames], starts[most_frames];
  const ElfW(Sym) *symbols[most_frames];
  struct source_line lines[most_frames];
  for (int index = 0; index < count; index++) places[index] = (uintptr_t)addresses[index] - program.base;
  find_symbols(places, count, symbols, starts);
  find_lines(&program.lines, places, starts, count, lines);
  for (int index = 0; index < count; index++) {
    const ElfW(Sym) *symbol = symbols[index];
    if (!symbol) continue;
    bool has_name = !is_ours(program.names + symbol->st_name, places[index]), has_line = is_of_program(&lines[index]);
    if (!has_name && !has_line) continue;
    char line[256];
    if (has_line) write_line(&lines[index], line, sizeof line);
    if (has_name) write_name(program.names + symbol->st_name, name, size);
    // What the compiler makes around a closure says its types alone.
    if (has_name && strstr(name, "reabstraction thunk ")) continue;
    size_t length = has_name ? strlen(name) : 0;
    if (has_line) snprintf(name + length, size - length, has_name ? " (%s)" : "%s", line);
    return true;
  }
  return false;
}

/// Whether a word of the stack is an address of the program behind a call.
static bool is_return_address(uintptr_t word) {
#if defined(__x86_64__)
  if (word < program.code + 8 || word > program.code_end) return false;
  const unsigned char *code = (const unsigned char *)word;
  // A near call, or one by a register or through memory.
  return code[-5] == 0xE8 || (code[-2] == 0xFF && (code[-1] & 0xF8) == 0xD0) || (code[-3] == 0xFF && (code[-2] & 0xF8) == 0x50)
    || (code[-6] == 0xFF && (code[-5] & 0xF8) == 0x90);
#else
  (void)word;
  return false;
#endif
}

/// The return addresses on the chain of frame pointers, as far as it stays on this thread's stack.
///
/// A function of a library that keeps no frame pointer is skipped by the chain, and the return address to who
/// called it is somewhere between the frames around it: behind `caller`, what looks like one counts.
static int follow_frames(void **frames, int limit, const void *caller) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void *stack = NULL;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &stack, &size);
  pthread_attr_destroy(&attributes);
  uintptr_t end = (uintptr_t)stack + size;
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  int count = 0;
  while (count < limit && frame % sizeof(void *) == 0 && frame + 2 * sizeof(void *) <= end) {
    // In the frame of an asynchronous function of Swift a high bit of it is set.
    uintptr_t next = ((const uintptr_t *)frame)[0] & ~((uintptr_t)1 << 60);
    frames[count++] = (void *)((const uintptr_t *)frame)[1];
    if (next <= frame) break;
    if (frames[count - 1] == caller && next <= end && next - frame < 4096) {
      for (uintptr_t place = frame + 2 * sizeof(void *); place < next && count < limit; place += sizeof(void *)) {
        uintptr_t word = *(const uintptr_t *)place;
        if (is_return_address(word)) frames[count++] = (void *)word;
      }
    }
    frame = next;
  }
  return count;
}

// What is reported again and again, from one place, is found once.
static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;
static struct known {
  uint64_t stack;
  const struct place *place;
} known[256];

static uint64_t hash_of(void *const *frames, int count) {
  uint64_t hash = 0xCBF29CE484222325;
  for (int index = 0; index < count; index++) hash = (hash ^ (uintptr_t)frames[index]) * 0x100000001B3;
  return hash ? hash : 1;
}

/// Where a stack is known. The low bits of its hash are of the low bits of addresses alone, which functions begin with
/// alike.
static struct known *entry_of(uint64_t stack) { return &known[stack * 0x9E3779B97F4A7C15 >> 56]; }
_Static_assert(sizeof known / sizeof *known == 256, "the slot is a byte");

static bool recall(uint64_t stack, struct place *place) {
  struct known *entry = entry_of(stack);
  pthread_mutex_lock(&known_lock);
  bool is_known = entry->stack == stack;
  if (is_known) *place = *entry->place;
  pthread_mutex_unlock(&known_lock);
  return is_known;
}

static void remember(uint64_t stack, const struct place *place) {
  struct place *kept = malloc(sizeof *kept);
  if (!kept) return;
  *kept = *place;
  struct known *entry = entry_of(stack);
  pthread_mutex_lock(&known_lock);
  free((void *)entry->place);
  *entry = (struct known){stack, kept};
  pthread_mutex_unlock(&known_lock);
}

/// The same as `find_place`, once for each stack.
static bool find_place_once(void *const *frames, int count, const void *caller, struct place *place) {
  uint64_t stack = hash_of(frames, count);
  if (!recall(stack, place)) {
    determinism_add_naming(1);
    find_place(frames, count, caller, place);
    determinism_add_naming(-1);
    remember(stack, place);
  }
  return *place->function || *place->line;
}

/// Takes out the frames of libraries but for the caller: what is left over on a stack is another in each run.
static int keep_frames_of_program(void **frames, int count, const void *caller) {
  int kept = 0;
  for (int index = 0; index < count; index++) {
    uintptr_t word = (uintptr_t)frames[index];
    bool is_of_program = word > program.code && word <= program.code_end;
    if (is_of_program || frames[index] == caller) frames[kept++] = frames[index];
  }
  return kept;
}

void find_place_of_caller(const void *caller, struct place *place) {
  *place = (struct place){"", ""};
  if (!can_name()) return;
  void *frames[most_frames];
  if (find_place_once(frames, backtrace(frames, most_frames), caller, place)) return;
  // A library on the way may say too little about its frames, as the overlay of Dispatch does.
  int count = follow_frames(frames, most_frames, caller);
  find_place_once(frames, keep_frames_of_program(frames, count, caller), caller, place);
}

bool find_name_of_waiting(void *const *addresses, int count, char *name, size_t size) {
  if (!can_name()) return false;
  if (count > most_frames) count = most_frames;
  // The addresses of functions are never those behind calls.
  uint64_t stack = hash_of(addresses, count);
  struct place place = {"", ""};
  if (!recall(stack, &place)) {
    determinism_add_naming(1);
    if (!find_waiting(addresses, count, place.function, sizeof place.function)) place.function[0] = 0;
    determinism_add_naming(-1);
    remember(stack, &place);
  }
  snprintf(name, size, "%s", place.function);
  return *name;
}

// A thread is asked where it is by a signal that does nothing where it is not handled.
enum { asking_signal = SIGURG };

static struct {
  void *frames[most_frames];
  int count;
  const void *place;
  sem_t is_answered;
} answer;

static void answer_where(int signal, siginfo_t *information, void *context) {
  (void)signal, (void)information;
  int error = errno;
#if defined(__x86_64__)
  answer.place = (const void *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  answer.place = (const void *)((const ucontext_t *)context)->uc_mcontext.pc;
#endif
  answer.count = backtrace(answer.frames, most_frames);
  sem_post(&answer.is_answered);
  errno = error;
}

bool find_place_of_thread(uintptr_t thread, char *text, size_t size) {
  if (!can_name()) return false;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  // The first call loads what it needs, which a handler of a signal must not.
  void *frame;
  backtrace(&frame, 1);
  struct sigaction action = {.sa_sigaction = answer_where, .sa_flags = SA_SIGINFO | SA_RESTART}, before;
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec++;
  bool is_found = sem_init(&answer.is_answered, 0, 0) == 0 && sigaction(asking_signal, &action, &before) == 0;
  if (is_found) {
    is_found = pthread_kill((pthread_t)thread, asking_signal) == 0 && sem_timedwait(&answer.is_answered, &limit) == 0;
    // One that answers too late does so into what is there still.
    if (is_found) sigaction(asking_signal, &before, NULL);
  }
  struct place place = {"", ""};
  determinism_add_naming(1);
  // The address is that of the next instruction, as a return address is.
  if (is_found) is_found = find_place(answer.frames, answer.count, answer.place, &place);
  determinism_add_naming(-1);
  pthread_mutex_unlock(&lock);
  if (is_found) snprintf(text, size, *place.line ? "%s (%s)" : "%s", *place.function ? place.function : "the program", place.line);
  return is_found;
}

const char *find_symbol(const void *address, const void *base) {
  if (!can_name() || (uintptr_t)base != program.base) return NULL;
  uint64_t place = (uintptr_t)address - 1 - program.base, start;
  const ElfW(Sym) *symbol;
  find_symbols(&place, 1, &symbol, &start);
  return symbol ? program.names + symbol->st_name : NULL;
}
#endif
