#include "report/exports/names.h"

#include <ctime>

#include "report/model/display_names.h"

namespace copse::report {
namespace {

constexpr std::uint64_t kNsPerSecond = 1'000'000'000;

}  // namespace

std::string system_name(const ReportModel::Methods& methods, std::int32_t method) {
  const auto row = static_cast<std::size_t>(method);
  return display_name(methods.class_name[row], methods.name[row]) + methods.descriptor[row];
}

std::string source_path(const ReportModel::Methods& methods, std::int32_t method) {
  const auto row = static_cast<std::size_t>(method);
  if (methods.source[row].empty()) return {};
  // A hidden class has a number behind a slash.
  std::string_view name = methods.class_name[row];
  name = name.substr(0, name.find('/'));
  const std::size_t dot = name.rfind('.');
  std::string path(dot == std::string_view::npos ? "" : name.substr(0, dot + 1));
  for (char& c : path) c = c == '.' ? '/' : c;
  return path + methods.source[row];
}

std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::kNanoseconds:
      return "nanoseconds";
    case Unit::kBytes:
      return "bytes";
    case Unit::kCount:
      break;
  }
  return "count";
}

std::uint64_t nanoseconds_of(const std::string& time) {
  std::tm parts{};
  if (strptime(time.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr) return 0;
  const std::time_t seconds = timegm(&parts);
  return seconds < 0 ? 0 : static_cast<std::uint64_t>(seconds) * kNsPerSecond;
}

std::string time_of_nanoseconds(std::uint64_t nanoseconds) {
  const auto seconds = static_cast<std::time_t>(nanoseconds / kNsPerSecond);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[sizeof "2026-11-23T08:00:00Z"];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts));
}

}  // namespace copse::report
