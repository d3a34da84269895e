// Sampled allocations (SampledObjectAlloc). The weight is the bytes that the sample stands for.
#pragma once

#include "agent/jvm/measures/jvm_event.h"

namespace copse::jvm {

extern const JvmEvent kSampledAllocations;

}  // namespace copse::jvm
