#include <stdint.h>

// The names of all characters of Unicode (`Unicode.Scalar.Properties.name`) take 0.55 MB, and the command asks for
// none: linked with --wrap, it says that each has no name, and the tables are left out (docs/decisions/0023).

intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity);

intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
  (void)scalar;
  (void)buffer;
  (void)capacity;
  return 0;
}
