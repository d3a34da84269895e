// Rules for equal contexts of two reports: the identity of call sites and of method names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace copse::identity {

// Part of a call site that counts. Where it is missing, the next coarser one counts: the line
// without a bytecode index, and the other way round.
enum class Sites {
  kBytecodeIndex,  // each call site; a changed method affects only its own callees
  kLine,  // calls of one line are one; an inserted line affects all later lines of the file
  kNone,  // caller and callee only, so changed code still compares
};

// Comparison of names that compilers and the JVM number (base/normal_names.h).
enum class Names {
  kNormalised,  // without numbers: lambda$f$3 is lambda$f$*
  kExact,
};

// The default distinguishes all call sites of one build.
struct IdRules {
  Sites sites = Sites::kBytecodeIndex;
  Names names = Names::kNormalised;
  friend bool operator==(const IdRules&, const IdRules&) = default;
};

// Who calls whom, so that an inserted line changes nothing: the rules of comparisons and baselines.
inline constexpr IdRules kByMethodsAlone{Sites::kNone, Names::kNormalised};

// Returns "copse.context/1 sites=bci names=normalised": the `id_rules` of a report, and the input
// of the hash that is the id of ROOT.
std::string in_words(const IdRules& rules);
// Reverses in_words(); std::nullopt for unknown rules.
std::optional<IdRules> rules_in_words(std::string_view words);

// Names in options and in in_words().
const char* name_of(Sites sites);
const char* name_of(Names names);
// Find by name: "bci", "line", "none"; "normalised", "exact". The error lists the valid names.
Result<Sites> sites_by_name(const std::string& name);
Result<Names> names_by_name(const std::string& name);

}  // namespace copse::identity
