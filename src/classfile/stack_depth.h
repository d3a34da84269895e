// Depth of the operand stack at each instruction of a method, in slots.
//
// HotSpot's client compiler (C1) keeps a word of every frame for each slot of a method's max_stack.
// The stack of a probe is therefore added to the depth at its own place, not to the deepest of the
// method.
#pragma once

#include <cstdint>
#include <vector>

#include "classfile/constant_pool.h"
#include "classfile/instruction_list.h"
#include "classfile/opcodes.h"

namespace copse::classfile {

// Slots that an instruction takes from the operand stack and puts there, its operands considered.
// An invalid reference to the constant pool counts as 0.
struct SlotEffect {
  std::uint32_t pops;
  std::uint32_t pushes;
};
SlotEffect slot_effect(const Instruction& at, const InstructionList& instructions,
                       const ConstantPool& pool);

class StackDepths {
 public:
  // Computes the depths. `max_stack`: the method's declared limit; an upper bound of all depths,
  // and the depth in unreachable code. REQUIRES: the method has no subroutines. Cost: linear but
  // for a search per branch, no allocation once warm.
  void compute(const InstructionList& instructions, const ConstantPool& pool,
               std::uint32_t max_stack);

  std::uint32_t before(std::size_t instruction) const noexcept { return before_[instruction]; }
  std::uint32_t behind(std::size_t instruction) const noexcept { return behind_[instruction]; }

 private:
  void reach(std::uint32_t bci, std::uint32_t depth);
  void follow(std::size_t instruction);
  void branch(std::size_t instruction, std::uint32_t depth);

  const InstructionList* instructions_ = nullptr;
  const ConstantPool* pool_ = nullptr;
  std::uint32_t max_stack_ = 0;
  std::vector<std::uint32_t> before_, behind_;  // by instruction
  std::vector<bool> reached_;                   // by instruction
  std::vector<std::size_t> pending_;            // reached, not followed yet
};

}  // namespace copse::classfile
