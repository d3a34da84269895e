// The outline of a class file: its name and the methods that it declares. Cheaper than a rewrite;
// used for classes that are not being loaded (callees) and for names in the report.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "classfile/constant_pool.h"

namespace copse::classfile {

// Access flags of classes and methods.
inline constexpr std::uint16_t kAccPrivate = 0x0002;
inline constexpr std::uint16_t kAccStatic = 0x0008;
inline constexpr std::uint16_t kAccFinal = 0x0010;
inline constexpr std::uint16_t kAccSynchronized = 0x0020;
inline constexpr std::uint16_t kAccNative = 0x0100;
inline constexpr std::uint16_t kAccInterface = 0x0200;
inline constexpr std::uint16_t kAccAbstract = 0x0400;

struct MethodSummary {
  std::string name;
  std::string descriptor;
  std::uint16_t access = 0;
  bool intrinsic_candidate = false;  // annotated @IntrinsicCandidate
  bool may_lock = false;        // synchronized, or a byte of its code looks like a monitorenter
  bool may_have_calls = false;  // a byte of its code looks like an invoke instruction

  bool is_static() const noexcept { return (access & kAccStatic) != 0; }
  bool is_private() const noexcept { return (access & kAccPrivate) != 0; }
  bool is_native() const noexcept { return (access & kAccNative) != 0; }
  bool has_code() const noexcept { return (access & (kAccAbstract | kAccNative)) == 0; }
};

struct ClassSummary {
  std::string name;        // internal
  std::string super_name;  // "" for java/lang/Object
  std::vector<std::string> interfaces;
  std::vector<MethodSummary> methods;
  std::uint16_t access = 0;
  std::uint16_t major_version = 0;
  std::string source_file = {};  // "" means unknown
};

// Takes the content of a Code attribute. `so_far`: the class; its last method has the code. Returns
// false if the code is malformed.
using CodeVisitor = std::function<bool(ClassSummary& so_far, const ConstantPool& pool,
                                       std::span<const std::uint8_t> content)>;

// Cost: linear in the class file's size; code is searched, not decoded.
Result<ClassSummary> summarize(std::span<const std::uint8_t> class_bytes,
                               const CodeVisitor& visit_code = {});

}  // namespace copse::classfile
