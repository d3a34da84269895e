// The options that say which contexts are the same one (compare/identity/id_rules.h).
#pragma once

#include <optional>

#include "cli/parser.h"
#include "compare/identity/id_rules.h"

namespace copse::cli {

struct IdRuleOptions {
  std::optional<identity::Sites> sites;
  std::optional<identity::Names> names;

  // The first one that was typed, "--sites"; "" for none.
  const char* typed() const { return sites ? "--sites" : names ? "--names" : ""; }
  identity::IdRules rules() const;
};

// `to` outlives the parse.
void add_id_rule_options(CLI::App& command, IdRuleOptions& to);

}  // namespace copse::cli
