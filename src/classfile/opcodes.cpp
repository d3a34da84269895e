#include "classfile/opcodes.h"

namespace copse::classfile {
namespace {

constexpr std::array<std::uint8_t, 256> make_lengths() {
  std::array<std::uint8_t, 256> length{};
  const auto set = [&](int first, int last, std::uint8_t bytes) {
    for (int op = first; op <= last; ++op) length[static_cast<std::size_t>(op)] = bytes;
  };
  set(0, 201, 1);
  set(opcode::kBipush, opcode::kBipush, 2);
  set(opcode::kSipush, opcode::kSipush, 3);
  set(opcode::kLdc, opcode::kLdc, 2);
  set(opcode::kLdcW, opcode::kLdc2W, 3);
  set(opcode::kIload, opcode::kAload, 2);
  set(opcode::kIstore, opcode::kAstore, 2);
  set(opcode::kIinc, opcode::kIinc, 3);
  set(opcode::kIfeq, opcode::kJsr, 3);
  set(opcode::kRet, opcode::kRet, 2);
  set(opcode::kTableswitch, opcode::kLookupswitch, 0);
  set(opcode::kGetstatic, opcode::kInvokestatic, 3);
  set(opcode::kInvokeinterface, opcode::kInvokedynamic, 5);
  set(opcode::kNew, opcode::kNew, 3);
  set(opcode::kNewarray, opcode::kNewarray, 2);
  set(opcode::kAnewarray, opcode::kAnewarray, 3);
  set(opcode::kCheckcast, opcode::kInstanceof, 3);
  set(opcode::kWide, opcode::kWide, 0);
  set(opcode::kMultianewarray, opcode::kMultianewarray, 4);
  set(opcode::kIfnull, opcode::kIfnonnull, 3);
  set(opcode::kGotoW, opcode::kJsrW, 5);
  return length;
}

constexpr StackEffect kArithmetic[4] = {{2, 1}, {4, 2}, {2, 1}, {4, 2}};

constexpr std::array<StackEffect, 256> make_effects() {
  std::array<StackEffect, 256> effect{};
  const auto set = [&](int first, int last, std::uint8_t pops, std::uint8_t pushes) {
    for (int op = first; op <= last; ++op) effect[static_cast<std::size_t>(op)] = {pops, pushes};
  };
  set(1, 18, 0, 1);  // aconst_null .. ldc
  set(9, 10, 0, 2);
  set(14, 15, 0, 2);
  set(opcode::kLdcW, opcode::kLdcW, 0, 1);
  set(opcode::kLdc2W, opcode::kLdc2W, 0, 2);
  set(21, 45, 0, 1);  // iload .. aload_3
  for (int op : {22, 24, 30, 31, 32, 33, 38, 39, 40, 41}) set(op, op, 0, 2);
  set(46, 53, 2, 1);  // iaload .. saload
  for (int op : {47, 49}) set(op, op, 2, 2);
  set(54, 78, 1, 0);  // istore .. astore_3
  for (int op : {55, 57, 63, 64, 65, 66, 71, 72, 73, 74}) set(op, op, 2, 0);
  set(79, 86, 3, 0);  // iastore .. sastore
  for (int op : {80, 82}) set(op, op, 4, 0);
  set(87, 87, 1, 0);  // pop, pop2, dup, dup_x1, dup_x2, dup2, dup2_x1, dup2_x2, swap
  set(88, 88, 2, 0);
  set(89, 89, 1, 2);
  set(90, 90, 2, 3);
  set(91, 91, 3, 4);
  set(92, 92, 2, 4);
  set(93, 93, 3, 5);
  set(94, 94, 4, 6);
  set(95, 95, 2, 2);
  for (std::size_t op = 96; op <= 115; ++op) effect[op] = kArithmetic[op % 4];  // iadd .. drem
  for (int op = 116; op <= 119; ++op) {                                         // ineg .. dneg
    const std::uint8_t slots = op % 2 == 0 ? 1 : 2;
    set(op, op, slots, slots);
  }
  for (int op = 120; op <= 125; ++op) {  // shifts: the distance is an int
    if (op % 2 == 0) set(op, op, 2, 1);
    if (op % 2 == 1) set(op, op, 3, 2);
  }
  for (int op = 126; op <= 131; ++op) {  // iand .. lxor
    if (op % 2 == 0) set(op, op, 2, 1);
    if (op % 2 == 1) set(op, op, 4, 2);
  }
  set(133, 133, 1, 2);  // i2l
  set(134, 134, 1, 1);
  set(135, 135, 1, 2);  // i2d
  set(136, 137, 2, 1);  // l2i, l2f
  set(138, 138, 2, 2);
  set(139, 139, 1, 1);  // f2i
  set(140, 141, 1, 2);  // f2l, f2d
  set(142, 142, 2, 1);  // d2i
  set(143, 143, 2, 2);
  set(144, 144, 2, 1);  // d2f
  set(145, 147, 1, 1);
  set(148, 148, 4, 1);  // lcmp
  set(149, 150, 2, 1);
  set(151, 152, 4, 1);  // dcmpl, dcmpg
  set(opcode::kIfeq, 158, 1, 0);
  set(159, opcode::kIfAcmpne, 2, 0);
  set(opcode::kTableswitch, opcode::kLookupswitch, 1, 0);
  set(opcode::kIreturn, opcode::kIreturn, 1, 0);
  set(173, 173, 2, 0);  // lreturn
  set(174, 174, 1, 0);
  set(175, 175, 2, 0);  // dreturn
  set(176, 176, 1, 0);
  set(opcode::kNew, opcode::kNew, 0, 1);
  set(opcode::kNewarray, opcode::kArraylength, 1, 1);
  set(opcode::kAthrow, opcode::kAthrow, 1, 0);
  set(opcode::kCheckcast, opcode::kInstanceof, 1, 1);
  set(opcode::kMonitorenter, opcode::kMonitorexit, 1, 0);
  set(opcode::kIfnull, opcode::kIfnonnull, 1, 0);
  return effect;
}

}  // namespace

constinit const std::array<std::uint8_t, 256> kInstructionLength = make_lengths();
constinit const std::array<StackEffect, 256> kStackEffect = make_effects();

}  // namespace copse::classfile
