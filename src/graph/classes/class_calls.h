// The part of a class file that a call graph needs: its outline, and the call sites of its methods.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "classfile/class_summary.h"

namespace copse::graph {

enum class CallKind : std::uint8_t { kStatic, kSpecial, kVirtual };  // interfaces: kVirtual

struct StaticCall {
  std::int32_t bci;
  CallKind kind;
  std::string owner;      // internal name
  std::string signature;  // name and descriptor
};

// In `methods`, may_lock is exact: the method is synchronized, or has synchronized blocks that probes can follow.
struct ClassCalls : classfile::ClassSummary {
  // By method: calls in order of bci, without invokedynamic and calls on arrays.
  std::vector<std::vector<StaticCall>> calls;
};

// Reads a class file. Accepts the versions in which the agent would put probes, and finds the call sites as it does.
Result<ClassCalls> read_class_calls(std::span<const std::uint8_t> class_bytes);

}  // namespace copse::graph
