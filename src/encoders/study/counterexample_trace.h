// A counterexample as a text trace, with what it shows and how to replay it in its first lines.
#pragma once

#include <string>
#include <vector>

#include "encoders/study/shrinker.h"

namespace copse::study {

// Methods are renumbered to those that occur, in the same order, where the failure survives that.
Result<std::string> counterexample_trace(const Counterexample& found,
                                         const encoders::EncoderInfo& info,
                                         const std::vector<MethodName>& methods,
                                         const SchemeConfig& config);

}  // namespace copse::study
