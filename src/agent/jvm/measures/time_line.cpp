#include "agent/jvm/measures/time_line.h"

#include <algorithm>
#include <utility>

namespace copse::jvm {
namespace {

constexpr std::uint64_t kNsPerMs = 1'000'000;

}  // namespace

void TimeLine::begin(const Times& so_far) noexcept {
  const std::lock_guard lock(mutex_);
  last_ = so_far;
}

void TimeLine::add(std::chrono::nanoseconds now, const Times& so_far) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t from = last_ns_, to = std::max(from, static_cast<std::uint64_t>(now.count()));
  while (to / step_ns_ >= kMostRows) halve();
  const std::uint64_t first = from / step_ns_, last = to / step_ns_;
  for (Values& values : parts_) values.resize(std::max<std::size_t>(values.size(), last + 1));
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const std::uint64_t used = so_far[part] - std::min(so_far[part], last_[part]);
    std::uint64_t given = 0;
    for (std::uint64_t row = first; row < last; ++row) {
      const auto share =
          static_cast<double>((row + 1) * step_ns_ - from) / static_cast<double>(to - from);
      const std::uint64_t up_to =
          std::min(used, static_cast<std::uint64_t>(share * static_cast<double>(used)));
      parts_[part][row] += up_to - given;
      given = up_to;
    }
    parts_[part][last] += used - given;
    last_[part] = std::max(so_far[part], last_[part]);
  }
  last_ns_ = to;
}

void TimeLine::halve() {
  for (Values& values : parts_) {
    for (std::size_t row = 0; row < values.size(); ++row) {
      const std::uint64_t amount = std::exchange(values[row], 0);
      values[row / 2] += amount;
    }
    values.resize((values.size() + 1) / 2);
  }
  step_ns_ *= 2;
}

std::chrono::nanoseconds TimeLine::step() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::nanoseconds(step_ns_);
}

report::ReportAbout::TimeLine TimeLine::rows() const {
  const std::lock_guard lock(mutex_);
  if (parts_[kProgram].empty()) return {};
  return {step_ns_ / kNsPerMs, parts_[kProgram], parts_[kCompilers], parts_[kCollectors],
          parts_[kOthers]};
}

}  // namespace copse::jvm
