#include "classfile/stack_depth.h"

#include <algorithm>

#include "classfile/descriptor.h"

namespace copse::classfile {
namespace {

std::uint16_t pool_operand(const Instruction& at, const InstructionList& instructions) {
  return static_cast<std::uint16_t>(instructions.s2_at(at.bci + 1));
}

SlotEffect effect_of_field(const Instruction& at, const MemberView& field) {
  using namespace opcode;
  const std::uint32_t receiver = at.opcode == kGetfield || at.opcode == kPutfield ? 1 : 0;
  const std::uint32_t slots = field.descriptor.empty() ? 1 : slots_of(field.descriptor.front());
  const bool is_put = at.opcode == kPutstatic || at.opcode == kPutfield;
  return is_put ? SlotEffect{receiver + slots, 0} : SlotEffect{receiver, slots};
}

SlotEffect effect_of_invoke(const Instruction& at, const MemberView& callee) {
  using namespace opcode;
  SlotEffect effect{at.opcode == kInvokestatic || at.opcode == kInvokedynamic ? 0u : 1u, 0};
  DescriptorReader reader(callee.descriptor);
  while (const auto parameter = reader.take_parameter()) {
    effect.pops += slots_of(parameter->front());
  }
  if (reader.ok()) effect.pushes = reader.return_slots();
  return effect;
}

}  // namespace

SlotEffect slot_effect(const Instruction& at, const InstructionList& instructions,
                       const ConstantPool& pool) {
  using namespace opcode;
  std::uint8_t op = at.opcode;
  if (op >= kGetstatic && op <= kInvokedynamic) {
    const auto member = pool.member(pool_operand(at, instructions));
    if (!member) return {0, 0};
    return is_invoke(op) ? effect_of_invoke(at, *member) : effect_of_field(at, *member);
  }
  if (op == kMultianewarray) return {instructions.code()[at.bci + 3], 1};
  if (op == kWide) op = instructions.code()[at.bci + 1];
  return {kStackEffect[op].pops, kStackEffect[op].pushes};
}

void StackDepths::reach(std::uint32_t bci, std::uint32_t depth) {
  const std::size_t index = instructions_->index_of(bci);
  if (index >= reached_.size() || reached_[index]) return;
  reached_[index] = true;
  before_[index] = std::min(depth, max_stack_);
  pending_.push_back(index);
}

void StackDepths::branch(std::size_t instruction, std::uint32_t depth) {
  const Instruction& at = instructions_->all()[instruction];
  if (is_short_branch(at.opcode) || is_wide_branch(at.opcode)) {
    reach(instructions_->branch_target(at), depth);
  } else if (is_switch(at.opcode)) {
    instructions_->for_each_case(instruction, [&](std::uint32_t target) { reach(target, depth); });
  }
}

// Follows the code from a reached instruction to the first one reached before.
void StackDepths::follow(std::size_t instruction) {
  const auto all = instructions_->all();
  for (std::size_t i = instruction;;) {
    const SlotEffect effect = slot_effect(all[i], *instructions_, *pool_);
    const std::uint32_t left = before_[i] - std::min(before_[i], effect.pops);
    behind_[i] = std::min(left + effect.pushes, max_stack_);
    const std::uint32_t depth = behind_[i];
    branch(i, depth);
    if (ends_path(all[i].opcode) || ++i == all.size() || reached_[i]) return;
    reached_[i] = true;
    before_[i] = depth;
  }
}

void StackDepths::compute(const InstructionList& instructions, const ConstantPool& pool,
                          std::uint32_t max_stack) {
  instructions_ = &instructions;
  pool_ = &pool;
  max_stack_ = max_stack;
  const auto all = instructions.all();
  before_.assign(all.size(), max_stack);
  behind_.assign(all.size(), max_stack);
  reached_.assign(all.size(), false);
  pending_.clear();
  reach(0, 0);
  for (const Instruction& at : all) {
    if (instructions.is_handler(at.bci)) reach(at.bci, 1);
  }
  while (!pending_.empty()) {
    const std::size_t next = pending_.back();
    pending_.pop_back();
    follow(next);
  }
}

}  // namespace copse::classfile
