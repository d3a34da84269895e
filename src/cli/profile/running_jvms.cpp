#include "cli/profile/running_jvms.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>

#include "agent/program_name.h"
#include "base/descriptor.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "cli/profile/attach_protocol.h"

namespace copse::cli {
namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string age_in_words(std::chrono::seconds age) {
  const std::int64_t seconds = age.count();
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min", seconds / 60);
  if (seconds < 86400) return fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
  return fmt::format("{} d {} h", seconds / 86400, seconds / 3600 % 24);
}

// "pkg.Main" is called so, and Main.
bool is_called(const RunningJvm& jvm, std::string_view name) {
  const std::string_view program = jvm.program;
  if (program == name) return true;
  return program.ends_with(name) && program[program.size() - name.size() - 1] == '.';
}

std::string list_of(const std::vector<RunningJvm>& jvms) {
  std::string list;
  for (const RunningJvm& jvm : jvms) {
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", jvm.pid, jvm.program);
  }
  return list;
}

// A number in the byte order of the JVM's machine, which is ours.
template <typename Number>
std::optional<Number> number_at(std::string_view bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Number)) return std::nullopt;
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

// Text up to a zero or the end.
std::string_view text_at(std::string_view bytes, std::size_t at) {
  if (at >= bytes.size()) return "";
  const std::string_view rest = bytes.substr(at);
  return rest.substr(0, rest.find('\0'));
}

}  // namespace

std::vector<RunningJvm> running_jvms() {
  std::vector<RunningJvm> jvms;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const auto pid = whole_number(entry.path().filename().string());
    if (!pid) continue;
    const Result<TargetJvm> jvm = find_jvm(static_cast<pid_t>(*pid));
    if (!jvm.ok()) continue;
    const std::filesystem::path folder = std::filesystem::read_symlink(entry.path() / "cwd", error);
    jvms.push_back({jvm->pid,
                    agent::program_name(text_of_counter(counters_of(*jvm), "sun.rt.javaCommand"),
                                        folder.string()),
                    std::chrono::floor<std::chrono::seconds>(age_of(jvm->pid)),
                    !jvm->agent.empty()});
  }
  std::ranges::sort(jvms, {}, &RunningJvm::pid);
  return jvms;
}

std::string table_of(const std::vector<RunningJvm>& jvms) {
  if (jvms.empty()) return "no JVM of yours runs here that can be attached to\n";
  std::string table = fmt::format("{:>10}  {:>12}  {}\n", "process", "running for", "program");
  for (const RunningJvm& jvm : jvms) {
    table += fmt::format("{:>10}  {:>12}  {}{}\n", jvm.pid, age_in_words(jvm.age),
                         printable(jvm.program), jvm.is_recorded ? "  (has Copse)" : "");
  }
  return table;
}

Result<std::int64_t> pid_of(std::string_view name, const std::vector<RunningJvm>& jvms) {
  std::vector<RunningJvm> found;
  std::ranges::copy_if(jvms, std::back_inserter(found),
                       [&](const RunningJvm& jvm) { return is_called(jvm, name); });
  if (found.empty() && !name.empty()) {
    std::ranges::copy_if(jvms, std::back_inserter(found), [&](const RunningJvm& jvm) {
      return in_small_letters(jvm.program).find(in_small_letters(name)) != std::string::npos;
    });
  }
  if (found.size() == 1) return std::int64_t{found[0].pid};
  const std::string what = printable(std::string(name)) + ": ";
  if (found.size() > 1) {
    return Status::error(
        Fault::kNotFound,
        what + fmt::format("{} JVMs run it: {}; give a process id", found.size(), list_of(found)));
  }
  return Status::error(Fault::kNotFound,
                       what + (jvms.empty() ? "no JVM of yours runs here"
                                            : "no JVM runs it; there are " + list_of(jvms)));
}

Result<std::int64_t> pid_of(std::string_view name_or_pid) {
  if (const auto pid = whole_number(name_or_pid)) return *pid;
  return pid_of(name_or_pid, running_jvms());
}

// In any user's folder, as long as the file is that user's.
std::string counters_of(const TargetJvm& jvm) {
  std::error_code error;
  for (const auto& folder : std::filesystem::directory_iterator(jvm.root + "/tmp", error)) {
    if (!folder.path().filename().string().starts_with("hsperfdata_")) continue;
    const std::filesystem::path file = folder.path() / std::to_string(jvm.own_pid);
    struct stat found {};
    if (lstat(file.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) continue;
    if (found.st_uid == jvm.user) return file_contents(file.string()).value_or("");
  }
  return "";
}

std::string text_of_counter(std::string_view counters, std::string_view name) {
  constexpr std::string_view kMagic = "\xca\xfe\xc0\xc0";
  constexpr std::size_t kByteOrder = 4, kFirstEntry = 24, kEntries = 28;
  constexpr char kOwnOrder = std::endian::native == std::endian::little ? 1 : 0;
  if (!counters.starts_with(kMagic) || counters.size() <= kEntries ||
      counters[kByteOrder] != kOwnOrder) {
    return "";
  }
  std::size_t at = number_at<std::uint32_t>(counters, kFirstEntry).value_or(0);
  const std::uint32_t entries = number_at<std::uint32_t>(counters, kEntries).value_or(0);
  for (std::uint32_t i = 0; i < entries; ++i) {
    // An entry: its length, where its name is, how long a vector, four bytes of kinds, where its value is.
    const auto length = number_at<std::uint32_t>(counters, at);
    const auto name_at = number_at<std::uint32_t>(counters, at + 4);
    const auto value_at = number_at<std::uint32_t>(counters, at + 16);
    if (!length || !name_at || !value_at || *length == 0) return "";
    if (text_at(counters, at + *name_at) == name) {
      return std::string(text_at(counters, at + *value_at));
    }
    at += *length;
  }
  return "";
}

}  // namespace copse::cli
