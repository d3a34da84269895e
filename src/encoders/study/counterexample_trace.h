// Writes a counterexample as a text trace; its first lines say what it shows and how to replay it.
#pragma once

#include <string>
#include <vector>

#include "encoders/study/shrinker.h"

namespace copse::study {

// Renumbers methods to those that occur, in the same order, if the failure survives that.
Result<std::string> counterexample_trace(const Counterexample& found,
                                         const encoders::EncoderInfo& info,
                                         const std::vector<MethodName>& methods,
                                         const SchemeConfig& config);

}  // namespace copse::study
