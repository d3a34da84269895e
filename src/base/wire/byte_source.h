// Source of a file's bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace copse::wire {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills `into` and returns the number of bytes, which is smaller only at the end. Errors carry
  // the name.
  virtual Result<std::size_t> read(std::span<std::uint8_t> into) = 0;
  virtual Status rewind() = 0;
  // Name in messages.
  virtual const std::string& name() const = 0;
};

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path);
// Returns a source that reads standard input from its present position; the name is "standard
// input".
Result<std::unique_ptr<ByteSource>> open_standard_input();
std::unique_ptr<ByteSource> bytes_in_memory(std::string name, std::vector<std::uint8_t> bytes);

}  // namespace copse::wire
