#include "cli/look/gate_options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <utility>
#include <variant>

#include "cli/messages.h"
#include "cli/standard_output.h"
#include "compare/gate/evaluation.h"
#include "compare/gate/outcome_text.h"
#include "compare/gate/rule_parser.h"
#include "report/model/output.h"

namespace copse::cli {
namespace {

void add_list(CLI::App& command, const char* name, std::vector<std::string>& to, const char* what,
              const char* help) {
  command.add_option(name, to, help)
      ->type_name(what)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace

void add_gate_options(CLI::App& command, GateOptions& to) {
  add_list(
      command, "--fail-if", to.typed, "RULE",
      "Exit with status 1 if this is so, 'calls(Db.query) > +0', and with 2 if the reports cannot "
      "say; repeatable");
  add_list(command, "--rules", to.files, "FILE", "Like --fail-if, one rule per line");
  command.add_option("--junit", to.junit, "File for the outcome of the rules, as JUnit's XML")
      ->type_name("FILE");
}

Result<std::vector<gate::Rule>> read_rules(const GateOptions& options) {
  std::vector<gate::Rule> rules;
  for (const std::string& text : options.typed) {
    std::variant<gate::Rule, gate::RuleError> rule = gate::parse_rule(text);
    if (const auto* error = std::get_if<gate::RuleError>(&rule)) {
      return Status::error(Fault::kUsage, "--fail-if: " + in_words(*error, text));
    }
    rules.push_back(std::get<gate::Rule>(std::move(rule)));
  }
  for (const std::string& file : options.files) {
    Result<std::vector<gate::Rule>> of_file = gate::read_rules_file(file);
    if (!of_file.ok()) return of_file;
    for (gate::Rule& rule : *of_file) rules.push_back(std::move(rule));
  }
  if (rules.empty()) return Status::error(Fault::kUsage, "--junit: needs --fail-if or --rules");
  return rules;
}

int judge(const std::vector<gate::Rule>& rules, diff::Comparison& comparison,
          const GateOptions& options, std::size_t contexts, std::size_t width) {
  std::vector<gate::Outcome> outcomes;
  for (const gate::Rule& rule : rules) outcomes.push_back(evaluate(rule, comparison, contexts));
  comparison.judged = judged_rules(outcomes);
  int status = exit_status_of(outcomes);
  const auto failed = [&](const Status& written) {
    failure(written);
    if (status == 0) status = kCannotSay;
  };
  report::DescriptorOutput out(STDOUT_FILENO, "standard output");
  write_text(outcomes, comparison, width, out);
  if (const Status written = out.finish(); !written && !out.reader_gone()) failed(written);
  if (options.junit.empty()) return status;
  report::AtomicFile file(options.junit);
  write_junit(outcomes, comparison, file);
  if (const Status written = file.commit(); !written) failed(written);
  return status;
}

}  // namespace copse::cli
