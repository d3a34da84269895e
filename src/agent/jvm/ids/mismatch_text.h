// Text for a mismatch between a decoded id and the true context: one printable line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "agent/jvm/hook/method_table.h"
#include "base/call_path.h"
#include "base/status.h"

namespace copse::jvm {

std::string mismatch_text(std::uint64_t id, const Result<CallPath>& decoded, const CallPath& truth,
                          const MethodTable& methods);
// Compares with a stack instead, which has no call sites.
std::string stack_mismatch_text(std::uint64_t id, const Result<CallPath>& decoded,
                                const std::vector<MethodId>& stack, const MethodTable& methods);

// Number of methods that names_text() lists in a sentence.
inline constexpr std::size_t kMostNamed = 5;
// Returns the names of the first `most` methods, at least one, and the number of the others.
std::string names_text(const std::vector<MethodId>& of, std::size_t most,
                       const MethodTable& methods);

}  // namespace copse::jvm
