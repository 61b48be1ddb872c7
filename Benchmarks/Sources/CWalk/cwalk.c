#include "cwalk.h"

uint64_t cwalk_elements(const uint8_t *bytes, size_t position, size_t end) {
  uint64_t mixed = 0;
  while (end - position >= 2) {
    uint8_t id = bytes[position];
    size_t length = bytes[position + 1];
    size_t offset = position;
    size_t fragments = 0;
    if (length > end - position - 2)
      break;
    position += 2 + length;
    if (length == 255) {
      size_t start = position;
      while (end - position >= 2 && bytes[position] == 242) {
        size_t next = bytes[position + 1];
        if (next == 0 || next > end - position - 2)
          break;
        position += 2 + next;
        if (next < 255)
          break;
      }
      fragments = position - start;
    }
    mixed += id ^ length ^ offset ^ fragments;
  }
  return mixed;
}
