#include "probes/thread_switch_probes.h"

#include "classfile/opcodes.h"
#include "probes/runtime_classes.h"

namespace copse::classfile {
namespace {

constexpr std::string_view kTakesThread = "(Ljava/lang/Thread;)V";
constexpr std::uint8_t kAload0 = 42;

}  // namespace

bool ThreadSwitchProbes::begin(const MethodView& method) {
  at_start_ = at_end_ = false;
  switched_at_.reset();
  moves_.clear();
  if (method.class_name == kVirtualThread) find_places(method);
  return at_start_ || at_end_ || switched_at_.has_value() || !moves_.empty();
}

void ThreadSwitchProbes::find_places(const MethodView& method) {
  at_start_ = tells_.starts && method.name == "start" &&
              method.descriptor == "(Ljdk/internal/vm/ThreadContainer;)V";
  for (std::size_t i = 0; !tells_.moves_to.empty() && i < method.calls.size(); ++i) {
    const std::string_view callee = method.calls[i].name;
    const Move move = callee == "notifyJvmtiStart" ? Move::kEnds
                      : callee == "notifyJvmtiEnd" ? Move::kBegins
                      : callee == "notifyJvmtiMount" || callee == "notifyJvmtiUnmount"
                          ? Move::kAsItSays
                          : Move::kNone;
    if (move == Move::kNone) continue;
    moves_.resize(method.calls.size());
    moves_[i] = move;
    finds_move_ = true;
  }
  if (!tells_.switches || method.descriptor != "()V") return;
  if (method.name == "afterDone" || method.name == "afterTerminate") {
    at_end_ = finds_end_ = true;
  } else if (method.name == "mount" || method.name == "unmount") {
    mounts_ = method.name == "mount";
    for (std::size_t i = 0; i < method.calls.size(); ++i) {
      if (method.calls[i].name == "setCurrentThread") switched_at_ = i;
    }
    finds_switch_ = finds_switch_ || (!mounts_ && switched_at_.has_value());
  }
}

// The JVM tells the callee whether a move begins by the operand on top of the stack.
void ThreadSwitchProbes::before_call(CodeEmitter& code, std::size_t call_index) {
  const Move move = moves_.empty() ? Move::kNone : moves_[call_index];
  if (move == Move::kNone) return;
  if (move == Move::kAsItSays) {
    code.op(opcode::kDup);
  } else {
    code.push_int(move == Move::kBegins ? 1 : 0);
  }
  code.invoke_static(tells_.moves_to, "moves", "(Z)V");
}

void ThreadSwitchProbes::entry(CodeEmitter& code) {
  if (!at_start_ && !at_end_) return;
  code.op(kAload0);
  code.invoke_static(kThreadClass, at_start_ ? "starts" : "ended", kTakesThread);
}

void ThreadSwitchProbes::after_call(CodeEmitter& code, std::size_t call_index) {
  if (switched_at_ != call_index) return;
  code.op(kAload0);
  code.invoke_static(kThreadClass, mounts_ ? "mounted" : "unmounted", kTakesThread);
}

}  // namespace copse::classfile
