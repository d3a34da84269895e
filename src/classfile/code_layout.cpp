#include "classfile/code_layout.h"

#include <algorithm>

namespace copse::classfile {
namespace {

constexpr std::uint32_t kWideGotoBytes = 5;
constexpr std::uint32_t kWideConditionalBytes = 3 + kWideGotoBytes;

}  // namespace

void CodeLayout::start(InstructionList& instructions, std::uint32_t entry_bytes,
                       std::span<const Insertion> insertions) {
  instructions_ = &instructions;
  for (Instruction& at : instructions.all()) at.widened = false;
  entry_bytes_ = entry_bytes;
  insertions_ = insertions;
  labels_.resize(instructions.code().size() + 1);
  positions_.resize(instructions.code().size() + 1);
}

void CodeLayout::place() {
  std::uint32_t at = entry_bytes_;
  auto next = insertions_.begin();
  const auto all = instructions_->all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint32_t bci = all[i].bci;
    const std::uint32_t length = instructions_->length_of(i);
    const bool inserted = next != insertions_.end() && next->bci == bci;
    labels_[bci] = at;
    if (inserted) at += next->handler_start + next->before;
    positions_[bci] = at;
    if (is_switch(all[i].opcode)) {
      at += length - switch_padding(bci) + switch_padding(at);
    } else if (all[i].joins) {
      at += kGotoBytes;
    } else if (all[i].widened) {
      at += is_conditional(all[i].opcode) ? kWideConditionalBytes : kWideGotoBytes;
    } else {
      at += length;
    }
    if (inserted) {
      at += next->after;
      ++next;
    }
  }
  labels_[instructions_->code().size()] = at;
  size_ = at + tail_bytes_;
}

bool CodeLayout::reaches(const Instruction& branch) const noexcept {
  const auto offset = static_cast<std::int64_t>(labels_[instructions_->branch_target(branch)]) -
                      static_cast<std::int64_t>(positions_[branch.bci]);
  return offset >= INT16_MIN && offset <= INT16_MAX;
}

std::size_t CodeLayout::snap(std::size_t bci) const noexcept {
  while (bci < instructions_->code().size() && !instructions_->starts_at(bci)) --bci;
  return bci;
}

std::uint32_t CodeLayout::nearest_instruction(std::size_t bci) const noexcept {
  const std::size_t start = snap(bci);
  return start == instructions_->code().size() ? tail() : positions_[start];
}

std::uint32_t CodeLayout::handler_body(std::size_t bci) const noexcept {
  const auto found = std::lower_bound(
      insertions_.begin(), insertions_.end(), bci,
      [](const Insertion& insertion, std::size_t wanted) { return insertion.bci < wanted; });
  const bool inserted = found != insertions_.end() && found->bci == bci;
  return label(bci) + (inserted ? found->handler_start : 0);
}

void CodeLayout::encode_branch(const Instruction& branch, ByteWriter& out) const {
  const std::uint32_t target = labels_[instructions_->branch_target(branch)];
  const std::uint32_t from = positions_[branch.bci];
  if (!branch.widened) {
    out.u1(branch.opcode);
    if (is_wide_branch(branch.opcode)) {
      out.u4(target - from);
    } else {
      out.u2(target - from);
    }
  } else if (is_conditional(branch.opcode)) {
    out.u1(inverted(branch.opcode));
    out.u2(kWideConditionalBytes);
    out.u1(opcode::kGotoW);
    out.u4(target - (from + 3));
  } else {
    out.u1(opcode::kGotoW);
    out.u4(target - from);
  }
}

void CodeLayout::encode_switch(const Instruction& at, std::uint32_t length, ByteWriter& out) const {
  const std::uint32_t from = positions_[at.bci];
  const auto target = [&](std::size_t operand) {
    const std::int64_t bci = std::int64_t{at.bci} + instructions_->s4_at(operand);
    return labels_[static_cast<std::size_t>(bci)] - from;
  };
  const auto raw = [&](std::size_t operand) {
    return static_cast<std::uint32_t>(instructions_->s4_at(operand));
  };
  out.u1(at.opcode);
  for (std::uint32_t i = switch_padding(from); i > 0; --i) out.u1(0);
  std::size_t operand = at.bci + 1 + switch_padding(at.bci);
  const std::size_t end = at.bci + length;
  out.u4(target(operand));
  out.u4(raw(operand + 4));  // low, or the number of cases
  if (at.opcode == opcode::kTableswitch) {
    out.u4(raw(operand + 8));
    for (operand += 12; operand < end; operand += 4) out.u4(target(operand));
  } else {
    for (operand += 8; operand < end; operand += 8) {
      out.u4(raw(operand));
      out.u4(target(operand + 4));
    }
  }
}

void CodeLayout::encode(std::span<const std::uint8_t> inserted, std::uint32_t joined,
                        ByteWriter& out) const {
  const auto code = instructions_->code();
  const auto all = instructions_->all();
  std::size_t copied = 0;  // original code up to here is written
  std::size_t used = 0;    // of `inserted`
  const auto copy_until = [&](std::size_t bci) {
    out.bytes(code.subspan(copied, bci - copied));
    copied = bci;
  };
  const auto insert = [&](std::uint32_t bytes) {
    out.bytes(inserted.subspan(used, bytes));
    used += bytes;
  };
  insert(entry_bytes_);
  auto next = insertions_.begin();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Instruction& at = all[i];
    const bool has_insertion = next != insertions_.end() && next->bci == at.bci;
    const bool is_branch = is_short_branch(at.opcode) || is_wide_branch(at.opcode);
    const bool is_rewritten = is_branch || is_switch(at.opcode) || at.joins;
    if (!has_insertion && !is_rewritten) continue;
    copy_until(at.bci);
    if (has_insertion) insert(next->handler_start + next->before);
    const std::uint32_t length = instructions_->length_of(i);
    if (is_rewritten) {
      if (is_branch) {
        encode_branch(at, out);
      } else if (at.joins) {
        out.u1(opcode::kGoto);
        out.u2(tail() + joined - positions_[at.bci]);
      } else {
        encode_switch(at, length, out);
      }
      copied += length;
    }
    if (has_insertion) {
      copy_until(at.bci + length);
      insert(next->after);
      ++next;
    }
  }
  copy_until(code.size());
  insert(tail_bytes_);
}

}  // namespace copse::classfile
