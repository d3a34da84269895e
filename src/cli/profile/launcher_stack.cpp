#include "cli/profile/launcher_stack.h"

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "agent/stack_scale.h"
#include "cli/profile/launcher_options.h"

namespace copse::cli {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kStackSize = "-Xss";
constexpr const char* kJavaOptions = "JDK_JAVA_OPTIONS";

// The size that -Xss names, in the launcher's own spelling; nothing: the word is no such option, or
// one that the JVM will refuse.
std::optional<std::uint64_t> stack_size(std::string_view word) {
  if (!word.starts_with(kStackSize)) return std::nullopt;
  const std::string_view text = word.substr(kStackSize.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  constexpr std::string_view kUnits = "kKmMgG";
  if (unit.empty()) return number;
  const std::size_t found = kUnits.find(unit.front());
  if (unit.size() > 1 || found == std::string_view::npos) return std::nullopt;
  return number << (10 * (found / 2 + 1));
}

// The last -Xss of the launcher's options; nullptr if there is none.
const LauncherOptions::Option* last_stack_size(const LauncherOptions& options) {
  const LauncherOptions::Option* last = nullptr;
  for (const LauncherOptions::Option& option : options.all()) {
    if (stack_size(option.text)) last = &option;
  }
  return last;
}

std::optional<std::uint64_t> stack_bytes(const LauncherOptions& options) {
  const LauncherOptions::Option* const last = last_stack_size(options);
  return last == nullptr ? std::nullopt : stack_size(last->text);
}

// 0 asks for the JVM's own default of the platform; the largest size has none above it.
bool can_grow(std::uint64_t bytes) { return bytes != 0 && agent::scaled_stack(bytes) > bytes; }

MoreStack for_launcher(Words words, const LauncherOptions& from_environment) {
  const LauncherOptions own = LauncherOptions::of_command(words);
  const LauncherOptions::Option* const last = last_stack_size(own);
  const std::size_t at = last == nullptr ? 0 : last->word;
  MoreStack more;
  const std::uint64_t before =
      stack_bytes(own).value_or(stack_bytes(from_environment).value_or(agent::kDefaultStackBytes));
  if (own.can_follow(at) && can_grow(before)) {
    more.bytes = agent::scaled_stack(before);
    own.insert_behind(at, agent::stack_option(more.bytes), words);
  }
  more.words = std::move(words);
  return more;
}

}  // namespace

MoreStack with_more_stack(Words words, const char* java_options) {
  const std::string options = java_options == nullptr ? "" : java_options;
  const LauncherOptions from_environment = LauncherOptions::of_variable(java_options);
  if (is_java_launcher(words[0])) return for_launcher(std::move(words), from_environment);
  if (is_jdk_tool(words[0])) return for_launcher(std::move(words), {});
  MoreStack more;
  more.words = std::move(words);
  const std::uint64_t before = stack_bytes(from_environment).value_or(agent::kDefaultStackBytes);
  if (!can_grow(before)) return more;
  more.bytes = agent::scaled_stack(before);
  more.environment.push_back(std::string(kJavaOptions) + "=" + options +
                             (options.empty() ? "" : " ") + agent::stack_option(more.bytes));
  return more;
}

}  // namespace copse::cli
