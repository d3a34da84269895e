// Positions in a method after probe code is inserted.
//
// The code of one original instruction at bci b becomes
//
//     label(b):        handler-start code, before-call or before-return code
//     instruction(b):  the instruction itself
//                      after-call or after-allocation code
//
// Jumps, stack map frames, exception ranges and line numbers follow the label. A jump to b
// therefore also runs the code inserted before it, and never the after-call code of the instruction
// before. A range that ends at b ends at label(b): a covered call's after-call code is covered like
// the call. The entry code precedes label(0): jumps back to bci 0 do not repeat it and no range
// covers it. A return that joins (Instruction) is a jump to the tail. Operands that name an instruction
// (uninitialized types, type annotations) follow instruction(b).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_writer.h"
#include "classfile/instruction_list.h"

namespace copse::classfile {

// Sizes of the code inserted around one instruction, in bytes.
struct Insertion {
  std::uint32_t bci;
  std::uint32_t handler_start;
  std::uint32_t before;
  std::uint32_t after;
};

class CodeLayout {
 public:
  // Places everything and widens 16-bit branches that overflow. `insertions` are ordered by bci.
  // `can_widen(next_bci)`: returns true if the instruction behind a conditional branch may become a
  // branch target, which takes a stack map frame. `tail_bytes`: bytes of code behind the original
  // code. Returns false if a branch cannot be widened.
  template <typename CanWiden>
  bool compute(InstructionList& instructions, std::uint32_t entry_bytes,
               std::span<const Insertion> insertions, std::uint32_t tail_bytes,
               CanWiden can_widen) {
    start(instructions, entry_bytes, insertions);
    tail_bytes_ = tail_bytes;
    for (int round = 0; round < kMaxRounds; ++round) {
      place();
      if (size_ <= kMaxShortOffset) return true;
      bool grew = false;
      for (std::size_t i = 0; i < instructions.all().size(); ++i) {
        Instruction& at = instructions.all()[i];
        if (at.widened || !is_short_branch(at.opcode) || reaches(at)) continue;
        if (is_conditional(at.opcode) && !can_widen(at.bci + 3)) return false;
        at.widened = grew = true;
      }
      if (!grew) return true;
    }
    return false;
  }

  // Appends the new code to `out`. `inserted`: the probes' code, in bytecode order. `joined`: where returns that join jump
  // to, from the start of the tail; 32,767 bytes away at most.
  void encode(std::span<const std::uint8_t> inserted, std::uint32_t joined, ByteWriter& out) const;

  std::uint32_t size() const noexcept { return size_; }
  std::uint32_t tail() const noexcept { return size_ - tail_bytes_; }
  // `bci`: the start of an instruction; for label() also the end of the code.
  std::uint32_t label(std::size_t bci) const noexcept { return labels_[bci]; }
  std::uint32_t instruction(std::size_t bci) const noexcept { return positions_[bci]; }
  // Do the same for tables of debuggers, which need not name the start of an instruction: use the
  // last one at or before `bci`. `bci`: at most the length of the code.
  std::uint32_t nearest_label(std::size_t bci) const noexcept { return label(snap(bci)); }
  std::uint32_t nearest_instruction(std::size_t bci) const noexcept;
  // Position behind the handler-start code of the handler at `bci`.
  std::uint32_t handler_body(std::size_t bci) const noexcept;
  const InstructionList& original() const noexcept { return *instructions_; }

 private:
  static constexpr std::uint32_t kMaxShortOffset = 32767;
  // Each round widens every branch that overflows; real code settles in two or three.
  static constexpr int kMaxRounds = 12;

  void start(InstructionList& instructions, std::uint32_t entry_bytes,
             std::span<const Insertion> insertions);
  void place();
  bool reaches(const Instruction& branch) const noexcept;
  std::size_t snap(std::size_t bci) const noexcept;
  void encode_branch(const Instruction& branch, ByteWriter& out) const;
  void encode_switch(const Instruction& at, std::uint32_t length, ByteWriter& out) const;

  InstructionList* instructions_ = nullptr;
  std::uint32_t entry_bytes_ = 0;
  std::span<const Insertion> insertions_;
  std::vector<std::uint32_t> labels_;     // by bci, for starts of instructions and the end
  std::vector<std::uint32_t> positions_;  // by bci, for starts of instructions
  std::uint32_t tail_bytes_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace copse::classfile
