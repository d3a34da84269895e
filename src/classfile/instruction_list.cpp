#include "classfile/instruction_list.h"

namespace copse::classfile {

bool InstructionList::mark_target(std::size_t bci, std::int64_t offset) noexcept {
  jumps_back_ |= offset <= 0;
  const std::int64_t target = static_cast<std::int64_t>(bci) + offset;
  if (target < 0 || target >= static_cast<std::int64_t>(code_.size())) return false;
  marks_[static_cast<std::size_t>(target)] |= kTarget;
  return true;
}

// The switch's length; 0: malformed.
std::size_t InstructionList::decode_switch(std::size_t bci, std::uint8_t opcode) noexcept {
  const std::size_t operands = bci + 1 + switch_padding(static_cast<std::uint32_t>(bci));
  const bool is_table = opcode == opcode::kTableswitch;
  const std::size_t cases = operands + (is_table ? 12 : 8);
  if (cases > code_.size()) return 0;
  const std::int64_t count = is_table ? std::int64_t{s4_at(operands + 8)} - s4_at(operands + 4) + 1
                                      : std::int64_t{s4_at(operands + 4)};
  const std::size_t case_bytes = is_table ? 4 : 8;
  if (count < (is_table ? 1 : 0)) return 0;
  if (static_cast<std::uint64_t>(count) > (code_.size() - cases) / case_bytes) return 0;
  if (!mark_target(bci, s4_at(operands))) return 0;
  const std::size_t end = cases + static_cast<std::size_t>(count) * case_bytes;
  for (std::size_t at = cases + case_bytes - 4; at < end; at += case_bytes) {
    if (!mark_target(bci, s4_at(at))) return 0;
  }
  return end - bci;
}

bool InstructionList::mark_ranges(std::span<const ExceptionRange> ranges) noexcept {
  const std::size_t length = code_.size();
  for (const ExceptionRange& range : ranges) {
    if (range.start >= range.end || range.end > length || range.handler >= length) return false;
    if (!starts_at(range.start) || (range.end < length && !starts_at(range.end))) return false;
    marks_[range.handler] |= kTarget | kHandler;
  }
  return true;
}

bool InstructionList::decode(std::span<const std::uint8_t> code,
                             std::span<const ExceptionRange> ranges) {
  code_ = code;
  list_.clear();
  marks_.assign(code.size(), 0);
  has_subroutines_ = jumps_back_ = false;
  for (std::size_t bci = 0; bci < code.size();) {
    const std::uint8_t op = code[bci];
    std::size_t length = kInstructionLength[op];
    if (length == 0) {
      if (is_switch(op)) {
        length = decode_switch(bci, op);
      } else if (op == opcode::kWide && bci + 1 < code.size()) {
        const std::uint8_t widened = code[bci + 1];
        has_subroutines_ |= widened == opcode::kRet;
        length = widened == opcode::kIinc ? 6 : kInstructionLength[widened] == 2 ? 4 : 0;
      }
    }
    if (length == 0 || length > code.size() - bci) return false;
    if (is_short_branch(op) && !mark_target(bci, s2_at(bci + 1))) return false;
    if (is_wide_branch(op) && !mark_target(bci, s4_at(bci + 1))) return false;
    has_subroutines_ |= op == opcode::kJsr || op == opcode::kJsrW || op == opcode::kRet;
    marks_[bci] |= kStart;
    list_.push_back({static_cast<std::uint32_t>(bci), op, false});
    bci += length;
  }
  if (list_.empty() || !mark_ranges(ranges)) return false;
  for (const std::uint8_t mark : marks_) {
    if (mark != 0 && (mark & kStart) == 0) return false;
  }
  return true;
}

}  // namespace copse::classfile
