// The outline of a class file: its name and the methods that it declares. Cheaper than a rewrite;
// used for classes that are not being loaded (callees) and for names in the report.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace copse::classfile {

// Access flags of methods.
inline constexpr std::uint16_t kAccNative = 0x0100;
inline constexpr std::uint16_t kAccSynchronized = 0x0020;

struct MethodSummary {
  std::string name;
  std::string descriptor;
  std::uint16_t access = 0;
  bool intrinsic_candidate = false;  // annotated @IntrinsicCandidate
  bool may_lock = false;        // synchronized, or a byte of its code looks like a monitorenter
  bool may_have_calls = false;  // a byte of its code looks like an invoke instruction
};

struct ClassSummary {
  std::string name;        // internal
  std::string super_name;  // "" for java/lang/Object
  std::vector<std::string> interfaces;
  std::uint16_t access = 0;
  std::string source_file;  // "" means unknown
  std::vector<MethodSummary> methods;
};

// Cost: linear in the class file's size; code is searched, not decoded.
Result<ClassSummary> summarize(std::span<const std::uint8_t> class_bytes);

}  // namespace copse::classfile
