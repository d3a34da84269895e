// What the literature's formulas say a scheme takes, to set beside what was measured.
//
// The formulas count bare fields: no free slots of growing tables, no field padding, call sites
// numbered globally. Where a variable is not known outside the encoder (k pushes on a stack, log
// entries), the range is open.
#pragma once

#include <string_view>

#include "study/comparison.h"

namespace copse::study {

struct SizeFormula {
  std::string_view text = "";  // "": the literature gives none
  double low = -1;             // bytes for this stream; -1: not known
  double high = -1;            // -1: no upper end
};

struct SizeFormulas {
  SizeFormula token;        // mean bytes
  SizeFormula live;         // bytes of a thread at the stream's largest depth
  SizeFormula resident;     // bytes
  SizeFormula decode_only;  // bytes
};

SizeFormulas formulas_of(std::string_view scheme, const StreamFigures& stream);

// "12 + 12k = 12.." and the like; "-" where there is none.
std::string to_string(const SizeFormula& formula);

}  // namespace copse::study
