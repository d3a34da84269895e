// Which contexts of two reports are the same one: what counts as a call site, and as a method's name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace copse::identity {

// What of a call site belongs to a context. Without it the next coarser thing is taken: the line
// where there is no bytecode index, and the other way round.
enum class Sites {
  kBytecodeIndex,  // every call site; a change of a method changes only what is called from it
  kLine,           // calls from one line are one; an inserted line changes all below it in the file
  kNone,           // who calls whom alone, so that changed code still compares
};

// What of names that compilers and the JVM number is compared (base/normal_names.h).
enum class Names {
  kNormalised,  // without the numbers: lambda$f$3 is lambda$f$*
  kExact,
};

// The default tells apart all call sites of one build. Rules of changed code are {kNone, kNormalised}.
struct IdRules {
  Sites sites = Sites::kBytecodeIndex;
  Names names = Names::kNormalised;
  friend bool operator==(const IdRules&, const IdRules&) = default;
};

// "copse.context/1 sites=bci names=normalised": what a report's `id_rules` says, and what the id of
// ROOT is the hash of.
std::string in_words(const IdRules& rules);
// The other way; nothing where the words are of no rules that are known here.
std::optional<IdRules> rules_in_words(std::string_view words);

// The words of options, and of in_words().
const char* name_of(Sites sites);
const char* name_of(Names names);
// By them: "bci", "line", "none"; "normalised", "exact". The error
// lists those that there are.
Result<Sites> sites_by_name(const std::string& name);
Result<Names> names_by_name(const std::string& name);

}  // namespace copse::identity
