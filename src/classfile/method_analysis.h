// What a ProbeSet is told about a method: its call sites with lines, and what its other
// instructions can make the runtime call.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "classfile/code_attribute.h"
#include "classfile/instruction_list.h"
#include "classfile/probe_set.h"

namespace copse::classfile {

struct ClassView {
  std::uint16_t major_version = 0;
  std::uint16_t access = 0;
  std::uint16_t this_class = 0;  // constant pool index
  std::string_view name;
  std::string_view super_name;
  std::vector<std::string_view> field_names;  // sorted
};

// The call sites of a method in bytecode order. False: malformed.
bool find_calls(const InstructionList& instructions, const CodeAttribute& code,
                const ConstantPool& pool, std::vector<CallSiteView>& calls);

// The same of the instructions that allocate.
bool find_allocations(const InstructionList& instructions, const CodeAttribute& code,
                      const ConstantPool& pool, std::vector<AllocationView>& allocations);

// The same of athrow.
void find_throws(const InstructionList& instructions, const CodeAttribute& code,
                 std::vector<ThrowView>& throws);

// Sound, not exact: a method that could is never classified as one that could not. A field of
// `this` is recognised when `this` was pushed by aload_0 or aload in the same basic block and local
// 0 is never stored to.
ImplicitCalls classify_implicit_calls(const InstructionList& instructions, const ConstantPool& pool,
                                      const ClassView& owner, bool is_static);

// Where a constructor's `this` is surely initialised: the bci behind its call of this() or super().
// Nothing when that call is not reached in a straight line from the start.
std::optional<std::uint32_t> behind_constructor_call(const InstructionList& instructions,
                                                     const std::vector<CallSiteView>& calls,
                                                     const ClassView& owner);

// Which of `calls` is a constructor's call of this() or super(), wherever it stands. `frames`: of its
// stack map, ascending; they must agree. Nothing in
// doubt, nor where local 0 does not stay `this`.
struct ConstructorFrame {
  std::uint32_t bci;
  bool this_is_initialised;
};
std::optional<std::size_t> find_constructor_call(const InstructionList& instructions,
                                                 const std::vector<CallSiteView>& calls,
                                                 const ClassView& owner,
                                                 const std::vector<ConstructorFrame>& frames);

}  // namespace copse::classfile
