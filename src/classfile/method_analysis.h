// Facts about a method for a ProbeSet: its call sites with lines, and the calls that its other
// instructions can make the runtime do.
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

// Finds the call sites of a method in bytecode order. Returns false if malformed.
bool find_calls(const InstructionList& instructions, const CodeAttribute& code,
                const ConstantPool& pool, std::vector<CallSiteView>& calls);

// Does the same for the instructions that allocate.
bool find_allocations(const InstructionList& instructions, const CodeAttribute& code,
                      const ConstantPool& pool, std::vector<AllocationView>& allocations);

// Does the same for athrow.
void find_throws(const InstructionList& instructions, const CodeAttribute& code,
                 std::vector<ThrowView>& throws);

// Classifies the implicit calls of a method's instructions. Sound, not exact: never understates
// them. A field of `this` is recognised if `this` was pushed by aload_0 or aload in the same basic
// block and local 0 is never stored to.
ImplicitCalls classify_implicit_calls(const InstructionList& instructions, const ConstantPool& pool,
                                      const ClassView& owner, bool is_static);

// Returns the bci behind a constructor's call of this() or super(), where `this` is surely
// initialised; std::nullopt when that call is not reached in a straight line from the start.
std::optional<std::uint32_t> behind_constructor_call(const InstructionList& instructions,
                                                     const std::vector<CallSiteView>& calls,
                                                     const ClassView& owner);

// Returns the index in `calls` of a constructor's call of this() or super(), wherever it stands.
// `frames`: those of its stack map, ascending; they must agree. Returns std::nullopt in doubt, and
// when local 0 does not stay `this`.
struct ConstructorFrame {
  std::uint32_t bci;
  bool this_is_initialised;
};
std::optional<std::size_t> find_constructor_call(const InstructionList& instructions,
                                                 const std::vector<CallSiteView>& calls,
                                                 const ClassView& owner,
                                                 const std::vector<ConstructorFrame>& frames);

// Tells from bytecode whether a caller ignores the result of a call.
enum class ResultUse : std::uint8_t {
  kUnknown,  // not a call
  kUsed,
  kIgnored,  // popped, or stored into a variable that is not read before its next store
};

// Returns the use of the result of the call at `bci`. The code was decoded without its exception handlers; a variable
// that a handler may read counts as used.
// Cost: linear in the code where the result is stored.
ResultUse result_use(const InstructionList& code, std::uint32_t bci);

}  // namespace copse::classfile
