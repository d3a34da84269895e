// Processor time over the time of a recording: of the program's threads, of compilers, of collectors, and of all other
// threads of the process. Bounded: when all rows are used, pairs of them are added up, and a row is twice as long.
//
// Thread-safe: one mutex.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

#include "report/model/report_model.h"

namespace copse::jvm {

class TimeLine {
 public:
  static constexpr std::size_t kMostRows = 600;
  static constexpr std::chrono::milliseconds kFirstStep{100};
  enum Part : std::size_t { kProgram, kCompilers, kCollectors, kOthers };
  // Processor time so far by part, in ns.
  using Times = std::array<std::uint64_t, 4>;

  // Begins at 0 with times that are not of the line.
  void begin(const Times& so_far) noexcept;
  // Adds what was used since the last call, evenly over the time since then. A part that went back has used nothing.
  // `now`: time since begin(). Throws std::bad_alloc.
  void add(std::chrono::nanoseconds now, const Times& so_far);
  // Length of a row.
  std::chrono::nanoseconds step() const;
  // Returns the rows; none before the first add().
  report::ReportAbout::TimeLine rows() const;

 private:
  using Values = std::vector<std::uint64_t>;

  void halve();

  mutable std::mutex mutex_;
  std::uint64_t step_ns_ = std::chrono::nanoseconds(kFirstStep).count();
  std::uint64_t last_ns_ = 0;
  Times last_{};
  std::array<Values, 4> parts_;
};

}  // namespace copse::jvm
