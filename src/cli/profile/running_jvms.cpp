#include "cli/profile/running_jvms.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <optional>

#include "agent/program_name.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "cli/profile/attach_protocol.h"
#include "cli/profile/jvm_counters.h"

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

}  // namespace copse::cli
