// Periods of sampling, as the settings and events of a flight recording spell them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace copse::join {

// A setting that the recording states once, or several times.
class Stated {
 public:
  void state(std::string_view value) {
    is_one_ = values_ == 0 || (is_one_ && value_ == value);
    value_ = value;
    ++values_;
  }
  bool is_stated() const noexcept { return values_ != 0; }
  bool is_one() const noexcept { return is_one_; }
  const std::string& value() const noexcept { return value_; }

 private:
  std::string value_;
  std::uint64_t values_ = 0;
  bool is_one_ = false;
};

// Time that a sample stands for, or the reason why it is unknown.
struct Period {
  std::uint64_t ns = 0;  // 0 means unknown
  std::string why = "the period of this recording is not known";
  bool is_of_jdk = false;
};

// Returns the time that a setting of async-profiler states. `name`: of the setting, for the reason why there is none.
Period period_of(const Stated& setting, const char* name);

// Returns true for the events of async-profiler whose interval is a time; that of others is a number of events.
bool is_sampled_by_time(std::string_view event);

// Parse "10 ms" or "10ms" (settings and options), and "PT0.01S" (events). Return 0 for other texts.
std::uint64_t ns_of_period(std::string_view setting) noexcept;
std::uint64_t ns_of_duration(std::string_view iso) noexcept;

}  // namespace copse::join
