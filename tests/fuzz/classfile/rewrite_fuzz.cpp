// libFuzzer target: any bytes.
#include "rewrite_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  copse::classfile::rewrite_input({data, size});
  return 0;
}
