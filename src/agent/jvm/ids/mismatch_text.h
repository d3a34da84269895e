// What an id decodes to and what is true, in words, where the two part: one printable line each.
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
// The same against a stack, which has no call sites.
std::string stack_mismatch_text(std::uint64_t id, const Result<CallPath>& decoded,
                                const std::vector<MethodId>& stack, const MethodTable& methods);

// Of names_text() in a sentence.
inline constexpr std::size_t kMostNamed = 5;
// The first `most` of some methods, at least one, and how many more there are.
std::string names_text(const std::vector<MethodId>& of, std::size_t most,
                       const MethodTable& methods);

}  // namespace copse::jvm
