// The instructions of one method, checked: each is whole, and each branch, switch case and
// exception handler leads to the start of one. Users of the list need not check again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "classfile/opcodes.h"

namespace copse::classfile {

struct Instruction {
  std::uint32_t bci;
  std::uint8_t opcode;
  bool widened;        // a 16-bit branch that needs 32 bits; set by CodeLayout
  bool joins = false;  // a return that becomes a jump to the one behind the code
};

struct ExceptionRange {
  std::uint16_t start;
  std::uint16_t end;  // exclusive; may be the code's length
  std::uint16_t handler;
  std::uint16_t catch_type;
};

// Bytes between a switch's opcode at `bci` and its operands, which are aligned to four.
constexpr std::uint32_t switch_padding(std::uint32_t bci) noexcept { return 3 - bci % 4; }

class InstructionList {
 public:
  // Decodes `code`, which must outlive the list. Returns false if malformed. Cost: linear, no
  // allocation once warm.
  bool decode(std::span<const std::uint8_t> code, std::span<const ExceptionRange> ranges);

  std::span<const std::uint8_t> code() const noexcept { return code_; }
  std::span<const Instruction> all() const noexcept { return list_; }
  std::span<Instruction> all() noexcept { return list_; }
  std::uint32_t length_of(std::size_t index) const noexcept {
    const std::size_t next = index + 1;
    return (next < list_.size() ? list_[next].bci : static_cast<std::uint32_t>(code_.size())) -
           list_[index].bci;
  }
  // Returns the index of the instruction at `bci`, or of the next one; the number of instructions if there is none.
  std::size_t index_of(std::uint32_t bci) const noexcept {
    return static_cast<std::size_t>(std::ranges::lower_bound(list_, bci, {}, &Instruction::bci) -
                                    list_.begin());
  }
  bool starts_at(std::size_t bci) const noexcept { return has(bci, kStart); }
  bool is_target(std::size_t bci) const noexcept { return has(bci, kTarget); }
  bool is_handler(std::size_t bci) const noexcept { return has(bci, kHandler); }
  bool has_subroutines() const noexcept { return has_subroutines_; }  // jsr, jsr_w, ret

  std::int32_t s2_at(std::size_t at) const noexcept {
    return static_cast<std::int16_t>(code_[at] << 8 | code_[at + 1]);
  }
  std::int32_t s4_at(std::size_t at) const noexcept {
    return static_cast<std::int32_t>(std::uint32_t{code_[at]} << 24 |
                                     std::uint32_t{code_[at + 1]} << 16 |
                                     std::uint32_t{code_[at + 2]} << 8 | code_[at + 3]);
  }
  // Returns the target of a branch.
  std::uint32_t branch_target(const Instruction& branch) const noexcept {
    const std::int32_t offset =
        is_wide_branch(branch.opcode) ? s4_at(branch.bci + 1) : s2_at(branch.bci + 1);
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(branch.bci) + offset);
  }
  // Returns true if any branch or switch leads to its own start, or before it.
  bool jumps_back() const noexcept { return jumps_back_; }
  // Calls visit(bci) for each target of a switch.
  template <typename Visit>
  void for_each_case(std::size_t index, Visit visit) const {
    const std::uint32_t bci = list_[index].bci;
    const auto visit_at = [&](std::size_t offset) {
      visit(static_cast<std::uint32_t>(std::int64_t{bci} + s4_at(offset)));
    };
    const std::size_t operands = bci + 1 + switch_padding(bci);
    visit_at(operands);
    // Behind low and high, or behind the number of cases and the first one's value.
    const std::size_t case_bytes = list_[index].opcode == opcode::kTableswitch ? 4 : 8;
    for (std::size_t at = operands + 12; at < bci + length_of(index); at += case_bytes)
      visit_at(at);
  }

 private:
  enum Mark : std::uint8_t { kStart = 1, kTarget = 2, kHandler = 4 };

  bool has(std::size_t bci, Mark mark) const noexcept {
    return bci < marks_.size() && (marks_[bci] & mark) != 0;
  }
  bool mark_target(std::size_t bci, std::int64_t offset) noexcept;
  std::size_t decode_switch(std::size_t bci, std::uint8_t opcode) noexcept;
  bool mark_ranges(std::span<const ExceptionRange> ranges) noexcept;

  std::span<const std::uint8_t> code_;
  std::vector<Instruction> list_;
  std::vector<std::uint8_t> marks_;  // by bci
  bool has_subroutines_ = false;
  bool jumps_back_ = false;
};

}  // namespace copse::classfile
