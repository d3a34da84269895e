// Commands of Copse in a process of their own, with what they print. The process is a copy of this one, so it has the
// reports that are kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace copse::cli {

// Output of a command: its beginning and its end, where there was too much to keep.
class Printed {
 public:
  static constexpr std::size_t kMostBeginning = std::size_t{2} << 20, kMostEnd = 4'096;

  void add(std::string_view bytes);
  const std::string& beginning() const noexcept { return beginning_; }
  std::uint64_t bytes() const noexcept { return bytes_; }
  // Returns the last bytes, at most `most` (up to kMostEnd), from the beginning of a line on where there is one.
  std::string end(std::size_t most) const;

 private:
  std::string beginning_, end_;
  std::uint64_t bytes_ = 0;
};

struct Captured {
  int status = 0;  // 128 + n after signal n
  Printed out, messages;
  bool time_was_up = false;
};

struct CaptureOptions {
  std::string_view input;  // standard input
  std::uint64_t seconds =
      0;  // after which the command gets SIGTERM, and what it started SIGKILL later; 0 means never
  bool set_width = true;  // of lines; not for a program, which has its own environment
};

// Runs `words`, without `copse`. SIGTERM to this process ends the command in the same way as its time.
// REQUIRES: end_commands_by_signal() was called.
Result<Captured> run_captured(const std::vector<std::string>& words, const CaptureOptions& options);

// Called by: the process of a tool, once, when it begins.
void end_commands_by_signal() noexcept;
// Returns true once such a signal has come.
bool was_told_to_end() noexcept;

}  // namespace copse::cli
