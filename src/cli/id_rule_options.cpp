#include "cli/id_rule_options.h"

#include <CLI/CLI.hpp>
#include <string>

namespace copse::cli {
namespace {

template <typename Value>
void add(CLI::App& command, const std::string& option, std::optional<Value>& to,
         Result<Value> (*by_name)(const std::string&), const std::string& help, const char* words) {
  command
      .add_option(
          option,
          [&to, option, by_name](const CLI::results_t& typed) {
            const Result<Value> value = by_name(typed.front());
            if (!value.ok()) {
              throw CLI::ValidationError(option + " " + value.message(),
                                         CLI::ExitCodes::ValidationError);
            }
            to = *value;
            return true;
          },
          help)
      ->type_name(words);
}

}  // namespace

identity::IdRules IdRuleOptions::rules() const {
  return {sites.value_or(usual.sites), names.value_or(usual.names)};
}

void add_id_rule_options(CLI::App& command, IdRuleOptions& to, const identity::IdRules& usual) {
  to.usual = usual;
  add(command, "--sites", to.sites, &identity::sites_by_name,
      std::string("What of a call site tells contexts apart: its bytecode index, its line, or "
                  "nothing, for builds that differ (") +
          identity::name_of(usual.sites) + ")",
      "bci|line|none");
  add(command, "--names", to.names, &identity::names_by_name,
      "Take names without numbers of compilers and the JVM, lambda$f$3 as lambda$f$*, or exactly "
      "(normalised)",
      "normalised|exact");
}

}  // namespace copse::cli
