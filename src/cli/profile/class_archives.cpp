#include "cli/profile/class_archives.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/profile/launcher_options.h"

namespace copse::cli {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kArchive = "-XX:SharedArchiveFile=";
constexpr const char* kAutomatic = "AutoCreateSharedArchive";
constexpr const char* kNotes = "RecordDynamicDumpInfo";

std::string switched(const char* flag, char sign) { return std::string("-XX:") + sign + flag; }

// The last option that sets the flag on or off; nullptr if there is none.
const LauncherOptions::Option* last_of(const LauncherOptions& options, const char* flag) {
  const LauncherOptions::Option* last = nullptr;
  for (const LauncherOptions::Option& option : options.all()) {
    if (option.text == switched(flag, '+') || option.text == switched(flag, '-')) last = &option;
  }
  return last;
}

std::string last_value(const LauncherOptions& options, std::string_view name) {
  std::string value;
  for (const LauncherOptions::Option& option : options.all()) {
    if (option.text.starts_with(name)) value = option.text.substr(name.size());
  }
  return value;
}

bool is_on(const LauncherOptions& options, const char* flag) {
  const LauncherOptions::Option* const last = last_of(options, flag);
  return last != nullptr && last->text == switched(flag, '+');
}

void switch_off(const char* flag, Words& command) {
  const LauncherOptions options = LauncherOptions::of_command(command);
  if (!is_on(options, flag)) return;
  const std::size_t at = last_of(options, flag)->word;
  if (options.can_follow(at)) options.insert_behind(at, switched(flag, '-'), command);
}

std::string option_in(const LauncherOptions& options) {
  for (const LauncherOptions::Option& option : options.all()) {
    for (const char* one : {"-Xshare:dump", "-XX:AOTMode=record", "-XX:AOTMode=create"}) {
      if (option.text == one) return one;
    }
  }
  for (const char* name : {"-XX:ArchiveClassesAtExit=", "-XX:AOTCacheOutput="}) {
    const std::string file = last_value(options, name);
    if (!file.empty()) return name + file;
  }
  for (const char* flag : {kAutomatic, kNotes}) {
    if (is_on(options, flag)) return switched(flag, '+');
  }
  return "";
}

}  // namespace

void leave_archives_as_they_are(Words& command) {
  const LauncherOptions options = LauncherOptions::of_command(command);
  const std::string archive = last_value(options, kArchive);
  std::error_code error;
  if (is_on(options, kAutomatic) && !std::filesystem::exists(archive, error)) {
    // The JVM would print that there is none.
    for (const LauncherOptions::Option& option : options.all()) {
      if (option.text != std::string(kArchive) + archive || !options.can_follow(option.word))
        continue;
      options.insert_behind(option.word, std::string(kArchive), command);
      break;
    }
  }
  for (const char* flag : {kAutomatic, kNotes}) switch_off(flag, command);
}

std::string option_that_makes_archive(const Words& command, const JvmVariables& variables) {
  for (const LauncherOptions& options :
       {LauncherOptions::of_command(command),
        LauncherOptions::of_variable(variables.java_tool_options),
        LauncherOptions::of_variable(variables.jdk_java_options)}) {
    if (std::string option = option_in(options); !option.empty()) return option;
  }
  return "";
}

}  // namespace copse::cli
