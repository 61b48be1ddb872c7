#ifndef CWALK_H
#define CWALK_H

#include <stddef.h>
#include <stdint.h>

/// Goes through the elements from `position` to `end` of `bytes` as `ElementWalk` does, fragments included, and mixes what it finds.
uint64_t cwalk_elements(const uint8_t *bytes, size_t position, size_t end);

#endif
