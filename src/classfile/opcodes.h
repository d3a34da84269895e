// The instruction set of the Java virtual machine (JVMS chapter 6): opcodes used here, their
// lengths, and their effects on the operand stack.
#pragma once

#include <array>
#include <cstdint>

namespace copse::classfile {

namespace opcode {
enum : std::uint8_t {
  kNop = 0,
  kAconstNull = 1,
  kIconst0 = 3,
  kLconst0 = 9,
  kBipush = 16,
  kSipush = 17,
  kLdc = 18,
  kLdcW = 19,
  kLdc2W = 20,
  kIload = 21,
  kLload = 22,
  kAload = 25,
  kAload0 = 42,
  kIaload = 46,
  kSaload = 53,
  kIstore = 54,
  kLstore = 55,
  kAstore = 58,
  kIstore0 = 59,
  kLstore0 = 63,
  kFstore0 = 67,
  kDstore0 = 71,
  kAstore0 = 75,
  kIastore = 79,
  kSastore = 86,
  kPop = 87,
  kPop2 = 88,
  kDup = 89,
  kDupX1 = 90,
  kDup2 = 92,
  kSwap = 95,
  kLadd = 97,
  kIdiv = 108,
  kLdiv = 109,
  kIrem = 112,
  kLrem = 113,
  kIinc = 132,
  kI2l = 133,
  kIfeq = 153,
  kIfAcmpne = 166,
  kGoto = 167,
  kJsr = 168,
  kRet = 169,
  kTableswitch = 170,
  kLookupswitch = 171,
  kIreturn = 172,
  kReturn = 177,
  kGetstatic = 178,
  kPutstatic = 179,
  kGetfield = 180,
  kPutfield = 181,
  kInvokevirtual = 182,
  kInvokespecial = 183,
  kInvokestatic = 184,
  kInvokeinterface = 185,
  kInvokedynamic = 186,
  kNew = 187,
  kNewarray = 188,
  kAnewarray = 189,
  kArraylength = 190,
  kAthrow = 191,
  kCheckcast = 192,
  kInstanceof = 193,
  kMonitorenter = 194,
  kMonitorexit = 195,
  kWide = 196,
  kMultianewarray = 197,
  kIfnull = 198,
  kIfnonnull = 199,
  kGotoW = 200,
  kJsrW = 201,
};
}  // namespace opcode

constexpr bool is_invoke(std::uint8_t op) noexcept {
  return op >= opcode::kInvokevirtual && op <= opcode::kInvokedynamic;
}
constexpr bool is_allocation(std::uint8_t op) noexcept {
  return (op >= opcode::kNew && op <= opcode::kAnewarray) || op == opcode::kMultianewarray;
}
constexpr bool is_return(std::uint8_t op) noexcept {
  return op >= opcode::kIreturn && op <= opcode::kReturn;
}
constexpr bool is_conditional(std::uint8_t op) noexcept {
  return (op >= opcode::kIfeq && op <= opcode::kIfAcmpne) || op == opcode::kIfnull ||
         op == opcode::kIfnonnull;
}
// Returns true for branches with a 16-bit offset.
constexpr bool is_short_branch(std::uint8_t op) noexcept {
  return (op >= opcode::kIfeq && op <= opcode::kJsr) || op == opcode::kIfnull ||
         op == opcode::kIfnonnull;
}
constexpr bool is_wide_branch(std::uint8_t op) noexcept {
  return op == opcode::kGotoW || op == opcode::kJsrW;
}
constexpr bool is_switch(std::uint8_t op) noexcept {
  return op == opcode::kTableswitch || op == opcode::kLookupswitch;
}
// Returns true if control never passes from the instruction to the one behind it.
constexpr bool ends_path(std::uint8_t op) noexcept {
  return is_return(op) || is_switch(op) || op == opcode::kAthrow || op == opcode::kGoto ||
         op == opcode::kGotoW;
}
// Returns true for what moves values between variables and operand stack, or computes: it reads no memory, throws
// nothing and does not branch. False for instructions that may take long (frem, drem), wide ones, and ldc and ldc_w.
constexpr bool is_step(std::uint8_t op) noexcept {
  const auto is_from = [op](std::uint8_t first, std::uint8_t last) {
    return op >= first && op <= last;
  };
  return op <= opcode::kSipush || is_from(opcode::kLdc2W, opcode::kIaload - 1) ||
         is_from(opcode::kIstore, opcode::kIastore - 1) ||
         (is_from(opcode::kPop, opcode::kIfeq - 1) && !is_from(opcode::kIdiv, opcode::kLdiv) &&
          !is_from(opcode::kIrem, opcode::kIrem + 3));
}
// Returns the conditional branch taken exactly when `op` is not.
constexpr std::uint8_t inverted(std::uint8_t op) noexcept {
  if (op >= opcode::kIfnull) return static_cast<std::uint8_t>(op ^ 1);
  return static_cast<std::uint8_t>(((op + 1) ^ 1) - 1);  // pairs start at odd opcodes
}

struct StackEffect {
  std::uint8_t pops;    // slots
  std::uint8_t pushes;  // slots
};

// Bytes of an instruction; 0 if they depend on its operands (switches, wide), or without such an
// opcode.
extern const std::array<std::uint8_t, 256> kInstructionLength;
inline constexpr std::uint32_t kGotoBytes = 3;
// Stack effect; not meaningful for field accesses, invokes, multianewarray and wide.
extern const std::array<StackEffect, 256> kStackEffect;

}  // namespace copse::classfile
