#include "classfile/result_use.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace copse::classfile {
namespace {

// Opcodes come in groups of one for each type of value: with the slot behind them, and with slots 0 to 3.
constexpr std::uint8_t kTypes = 5;
constexpr std::uint8_t kShortForms = 4;
constexpr std::uint8_t kIload0 = opcode::kIload + kTypes;

std::uint8_t operation(const InstructionList& list, const Instruction& instruction) {
  return instruction.opcode == opcode::kWide ? list.code()[instruction.bci + 1]
                                             : instruction.opcode;
}

// Returns the slot that stands behind the opcode.
std::uint32_t named_slot(const InstructionList& list, const Instruction& instruction) {
  if (instruction.opcode != opcode::kWide) return list.code()[instruction.bci + 1];
  return static_cast<std::uint32_t>(list.s2_at(instruction.bci + 2)) & 0xffff;
}

// Returns the slot that an instruction of one of two groups loads or stores. Both groups are given by their first
// opcodes.
std::optional<std::uint32_t> slot_of(const InstructionList& list, const Instruction& instruction,
                                     std::uint8_t with_slot, std::uint8_t short_form) {
  const std::uint8_t op = operation(list, instruction);
  if (op >= with_slot && op < with_slot + kTypes) return named_slot(list, instruction);
  if (op >= short_form && op < short_form + kTypes * kShortForms) {
    return static_cast<std::uint32_t>(op - short_form) % kShortForms;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> stored_slot(const InstructionList& list,
                                         const Instruction& instruction) {
  return slot_of(list, instruction, opcode::kIstore, opcode::kIstore0);
}

bool reads(const InstructionList& list, const Instruction& instruction, std::uint32_t slot) {
  if (operation(list, instruction) == opcode::kIinc) return named_slot(list, instruction) == slot;
  return slot_of(list, instruction, opcode::kIload, kIload0) == slot;
}

// Walks over instructions in the order in which they can run, each once. Exceptions are left out.
class Walk {
 public:
  explicit Walk(const InstructionList& list) : list_(list), seen_(list.all().size(), false) {}

  void begin_at(std::size_t index) {
    if (index >= seen_.size() || seen_[index]) return;
    seen_[index] = true;
    to_see_.push_back(index);
  }
  bool has_seen(std::size_t index) const { return seen_[index]; }

  // `visit(instruction)`: whether the walk goes on behind it.
  template <typename Visit>
  void run(Visit visit) {
    while (!to_see_.empty()) {
      const std::size_t index = to_see_.back();
      to_see_.pop_back();
      const Instruction& instruction = list_.all()[index];
      if (!visit(instruction)) continue;
      const std::uint8_t op = instruction.opcode;
      if (is_switch(op)) {
        list_.for_each_case(index, [this](std::uint32_t bci) { begin_at(list_.index_of(bci)); });
      } else if (is_short_branch(op) || is_wide_branch(op)) {
        begin_at(list_.index_of(list_.branch_target(instruction)));
      }
      if (!ends_path(op)) begin_at(index + 1);
    }
  }

 private:
  const InstructionList& list_;
  std::vector<bool> seen_;
  std::vector<std::size_t> to_see_;
};

// Returns the instructions at which exception handlers may begin: no other instruction leads to them. The code that they
// protect is not known.
std::vector<std::size_t> possible_handlers(const InstructionList& list) {
  Walk walk(list);
  walk.begin_at(0);
  walk.run([](const Instruction&) { return true; });
  std::vector<std::size_t> handlers;
  for (std::size_t i = 0; i < list.all().size(); ++i) {
    if (walk.has_seen(i)) continue;
    handlers.push_back(i);
    walk.begin_at(i);
    walk.run([](const Instruction&) { return true; });
  }
  return handlers;
}

// Returns true if later code or a handler may read the value that the instruction at `store` puts into the slot.
bool may_be_read(const InstructionList& list, std::size_t store, std::uint32_t slot) {
  if (list.has_subroutines()) return true;
  Walk walk(list);
  walk.begin_at(store + 1);
  for (const std::size_t handler : possible_handlers(list)) walk.begin_at(handler);
  bool is_read = false;
  walk.run([&](const Instruction& instruction) {
    is_read = is_read || reads(list, instruction, slot);
    return !is_read && stored_slot(list, instruction) != slot;
  });
  return is_read;
}

}  // namespace

ResultUse result_use(const InstructionList& code, std::uint32_t bci) {
  const auto all = code.all();
  auto at = std::ranges::lower_bound(all, bci, {}, &Instruction::bci);
  if (at == all.end() || at->bci != bci || !is_invoke(at->opcode)) return ResultUse::kUnknown;
  ++at;
  while (at != all.end() && (at->opcode == opcode::kCheckcast || at->opcode == opcode::kNop)) ++at;
  if (at == all.end()) return ResultUse::kUnknown;
  if (at->opcode == opcode::kPop || at->opcode == opcode::kPop2) return ResultUse::kIgnored;
  const auto slot = stored_slot(code, *at);
  const bool is_used =
      !slot || may_be_read(code, static_cast<std::size_t>(at - all.begin()), *slot);
  return is_used ? ResultUse::kUsed : ResultUse::kIgnored;
}

}  // namespace copse::classfile
