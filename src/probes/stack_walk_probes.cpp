#include "probes/stack_walk_probes.h"

#include <algorithm>

#include "probes/runtime_classes.h"

namespace copse::classfile {
namespace {

// The stack itself is walked, so the frame's word is not used; 0 would be a frame without one.
void mark_here(CodeEmitter& code) {
  code.push_long(1);
  code.invoke_static(kIdsClass, "mark", "(J)V");
}

}  // namespace

bool StackWalkProbes::begin(const MethodView& method) {
  if (!host_.method(method)) return false;
  is_marked_ = places_.is_marked(method.class_name, method.name);
  marks_callee_.clear();
  for (const CallSiteView& call : method.calls) {
    const Callee callee = host_.callee(call);
    const bool counted =
        callee.kind == CalleeKind::kCountedLeaf || callee.kind == CalleeKind::kCountedNative;
    marks_callee_.push_back(counted && places_.is_marked(callee.class_name, call.name));
  }
  return is_marked_ || std::ranges::find(marks_callee_, true) != marks_callee_.end();
}

void StackWalkProbes::entry(CodeEmitter& code) {
  if (is_marked_) mark_here(code);
}

void StackWalkProbes::before_call(CodeEmitter& code, std::size_t call_index) {
  if (marks_callee_[call_index]) mark_here(code);
}

}  // namespace copse::classfile
