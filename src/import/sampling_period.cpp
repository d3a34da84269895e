#include "import/sampling_period.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

namespace copse::join {
namespace {

// async-profiler spells times in nanoseconds without a unit; 0 stands for its default.
std::uint64_t ns_of_interval(std::string_view text) noexcept {
  std::uint64_t ns = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, ns);
  if (error == std::errc{} && stop == end) return ns;
  return ns_of_period(text);
}

// Returns a decimal number in units of 10^-`decimals`; std::nullopt with more digits after the
// point, or for another text.
std::optional<std::uint64_t> scaled(std::string_view text, int decimals) noexcept {
  std::uint64_t number = 0;
  bool is_behind_point = false;
  bool has_digit = false;
  for (const char c : text) {
    if (c == '.' && !is_behind_point) {
      is_behind_point = true;
      continue;
    }
    if (c < '0' || c > '9' || (is_behind_point && --decimals < 0)) return std::nullopt;
    if (__builtin_mul_overflow(number, 10u, &number)) return std::nullopt;
    if (__builtin_add_overflow(number, static_cast<unsigned>(c - '0'), &number))
      return std::nullopt;
    has_digit = true;
  }
  for (; decimals > 0; --decimals) {
    if (__builtin_mul_overflow(number, 10u, &number)) return std::nullopt;
  }
  return has_digit ? std::optional(number) : std::nullopt;
}

}  // namespace

Period period_of(const Stated& setting, const char* name) {
  if (!setting.is_stated()) return {};
  if (!setting.is_one()) return {0, std::string("the recording states several times as ") + name};
  const std::uint64_t ns = ns_of_interval(setting.value());
  if (ns != 0) return {ns, ""};
  return {0, setting.value() == "0" ? std::string("the recording has the profiler's default as ") +
                                          name + ", and does not state it"
                                    : std::string("the recording states no time as ") + name};
}

bool is_sampled_by_time(std::string_view event) {
  constexpr std::string_view kByTime[] = {"cpu",       "itimer",     "ctimer", "wall",
                                          "cpu-clock", "task-clock", ""};
  return std::find(std::begin(kByTime), std::end(kByTime), event) != std::end(kByTime);
}

std::uint64_t ns_of_period(std::string_view setting) noexcept {
  struct Unit {
    std::string_view name;
    int decimals;
  };
  for (const Unit unit : {Unit{"ns", 0}, Unit{"us", 3}, Unit{"ms", 6}, Unit{"s", 9}}) {
    if (!setting.ends_with(unit.name)) continue;
    setting.remove_suffix(unit.name.size());
    if (setting.ends_with(' ')) setting.remove_suffix(1);
    return scaled(setting, unit.decimals).value_or(0);
  }
  return 0;
}

std::uint64_t ns_of_duration(std::string_view iso) noexcept {
  if (!iso.starts_with("PT")) return 0;
  iso.remove_prefix(2);
  std::uint64_t ns = 0;
  for (const auto& [unit, seconds] : {std::pair{'H', 3600u}, {'M', 60u}, {'S', 1u}}) {
    const std::size_t end = iso.find(unit);
    if (end == std::string_view::npos) continue;
    const std::optional<std::uint64_t> part = scaled(iso.substr(0, end), 9);
    std::uint64_t part_ns = 0;
    if (!part || __builtin_mul_overflow(*part, seconds, &part_ns)) return 0;
    if (__builtin_add_overflow(ns, part_ns, &ns)) return 0;
    iso.remove_prefix(end + 1);
  }
  return iso.empty() ? ns : 0;
}

}  // namespace copse::join
