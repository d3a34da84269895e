#include "compare/identity/id_rules.h"

#include <array>
#include <utility>

namespace copse::identity {
namespace {

constexpr std::array kSites = {std::pair{Sites::kBytecodeIndex, "bci"},
                               std::pair{Sites::kLine, "line"}, std::pair{Sites::kNone, "none"}};
constexpr std::array kNames = {std::pair{Names::kNormalised, "normalised"},
                               std::pair{Names::kExact, "exact"}};

template <typename Table, typename Value>
const char* name_in(const Table& table, Value value) {
  for (const auto& [known, name] : table) {
    if (known == value) return name;
  }
  return "";
}

template <typename Value, typename Table>
Result<Value> by_name(const Table& table, const std::string& name) {
  std::string all;
  for (const auto& [value, known] : table) {
    if (name == known) return value;
    all += (all.empty() ? "" : ", ") + std::string(known);
  }
  return Status::error(Fault::kUsage, name + ": there are " + all);
}

}  // namespace

const char* name_of(Sites sites) { return name_in(kSites, sites); }
const char* name_of(Names names) { return name_in(kNames, names); }

std::string in_words(const IdRules& rules) {
  return std::string("copse.context/1 sites=") + name_of(rules.sites) +
         " names=" + name_of(rules.names);
}

std::optional<IdRules> rules_in_words(std::string_view words) {
  for (const auto& [sites, site_word] : kSites) {
    for (const auto& [names, name_word] : kNames) {
      if (const IdRules rules{sites, names}; words == in_words(rules)) return rules;
    }
  }
  return std::nullopt;
}

Result<Sites> sites_by_name(const std::string& name) { return by_name<Sites>(kSites, name); }
Result<Names> names_by_name(const std::string& name) { return by_name<Names>(kNames, name); }

}  // namespace copse::identity
