#include "compare/gate/rules_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <variant>

#include "base/printable.h"
#include "compare/gate/rule_parser.h"

namespace copse::gate {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  }
  return line;
}

}  // namespace

Result<std::vector<Rule>> read_rules(std::string_view text, const std::string& name) {
  std::vector<Rule> rules;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = without_comment(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    std::variant<Rule, RuleError> rule = parse_rule(line);
    if (const auto* error = std::get_if<RuleError>(&rule)) {
      return Status::error(Fault::kUsage, printable(name) + ":" + std::to_string(number) + ": " +
                                              in_words(*error, line));
    }
    rules.push_back(std::get<Rule>(std::move(rule)));
  }
  if (rules.empty()) return Status::error(Fault::kUsage, printable(name) + ": has no rule");
  return rules;
}

Result<std::vector<Rule>> read_rules_file(const std::string& path) {
  const auto failed = [&](const std::string& why) {
    return Status::error(Fault::kSystem, printable(path) + ": " + why);
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"),
                                                             &std::fclose);
  if (file == nullptr) return failed(std::strerror(errno));
  std::string text(kMostBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) return failed(std::strerror(errno));
  if (text.size() > kMostBytes) return failed("is larger than a file of rules can be, 1 MiB");
  return read_rules(text, path);
}

}  // namespace copse::gate
