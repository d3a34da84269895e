#include "probes/thread_switch_probes.h"

#include "probes/runtime_classes.h"

namespace copse::classfile {
namespace {

constexpr std::string_view kTakesThread = "(Ljava/lang/Thread;)V";
constexpr std::uint8_t kAload0 = 42;

}  // namespace

bool ThreadSwitchProbes::begin(const MethodView& method) {
  at_start_ = at_end_ = false;
  switched_at_.reset();
  if (tells_starts_ && method.class_name == kVirtualThread && method.name == "start" &&
      method.descriptor == "(Ljdk/internal/vm/ThreadContainer;)V") {
    at_start_ = true;
  }
  if (method.class_name != kVirtualThread || method.descriptor != "()V") return at_start_;
  if (method.name == "afterDone" || method.name == "afterTerminate") {
    at_end_ = finds_end_ = true;
  } else if (method.name == "mount" || method.name == "unmount") {
    mounts_ = method.name == "mount";
    for (std::size_t i = 0; i < method.calls.size(); ++i) {
      if (method.calls[i].name == "setCurrentThread") switched_at_ = i;
    }
    finds_switch_ = finds_switch_ || (!mounts_ && switched_at_.has_value());
  }
  return at_end_ || switched_at_.has_value();
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
