// Suggests values of --renamed: methods and classes that one report alone has, and that are alike. They change no figure.
#pragma once

#include <string>
#include <vector>

#include "compare/diff/comparison.h"

namespace copse::diff {

struct Suggestion {
  std::string from, to;  // methods or classes; printable
  std::string option;    // --renamed 'p.A.f=p.A.g'
};

// Returns the pairs in which neither side fits another one, those with the most calls in OLD first:
//   * classes of one package or of one name, with the same methods;
//   * methods of one class and one name, with another signature;
//   * methods of one class and one signature, with the same callees, or without callees with a caller in common.
// Cost: a pass over the nodes where each report has a method of its own.
std::vector<Suggestion> suggest_renames(const Comparison& comparison);

}  // namespace copse::diff
