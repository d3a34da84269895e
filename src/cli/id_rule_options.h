// Options that say which contexts are equal (compare/identity/id_rules.h).
#pragma once

#include <optional>

#include "cli/parser.h"
#include "compare/identity/id_rules.h"

namespace copse::cli {

struct IdRuleOptions {
  std::optional<identity::Sites> sites;
  std::optional<identity::Names> names;
  identity::IdRules usual;

  // First option that was typed, such as "--sites"; "" if none.
  const char* typed() const { return sites ? "--sites" : names ? "--names" : ""; }
  identity::IdRules rules() const;
};

// `usual`: rules without the options. REQUIRES: `to` outlives the parse.
void add_id_rule_options(CLI::App& command, IdRuleOptions& to, const identity::IdRules& usual = {});

}  // namespace copse::cli
