#include "probes/shadow_stack_probes.h"

#include <string>

#include "classfile/opcodes.h"
#include "probes/runtime_classes.h"

namespace copse::classfile {
namespace {

constexpr std::size_t kHeader = 0;
constexpr std::array kCallLocals = {LocalKind::kLong, LocalKind::kLong, LocalKind::kInt};

}  // namespace

bool ShadowStackProbes::begin(const MethodView& method) {
  answer_ = Answer::kNone;
  throw_lines_.clear();
  if (options_.answers_slices && method.class_name == "copse/Context") {
    if (method.name == "begin") answer_ = Answer::kBeginsSlice;
    if (method.name == "end") answer_ = Answer::kEndsSlice;
    leaf_ = true;
    if (answer_ != Answer::kNone) return true;
  }
  const std::optional<MethodId> id = host_.method(method);
  if (!id) return false;
  method_ = *id;
  calls_.clear();
  for (const CallSiteView& call : method.calls) {
    const Callee callee = host_.callee(call);
    const bool needs_site = options_.sites && callee.kind != CalleeKind::kSilent;
    const bool may_start_thread = options_.tells_starts && call.opcode == opcode::kInvokevirtual &&
                                  call.name == "start" && call.descriptor == "()V";
    calls_.push_back({callee, needs_site ? host_.site(method_, call.bci, call.line) : kNoSite,
                      call.next, may_start_thread});
    const SiteOrdinal site = calls_.back().site;
    if (options_.sampled && site != kNoSite) host_.calls(method_, site, call);
  }
  is_constructor_ = method.name == "<init>";
  if (options_.ends_constructors && method.constructor_call) {
    const std::size_t call = *method.constructor_call;
    host_.constructs(method_, calls_[call].site, method.calls[call]);
  }
  leaf_ = leads_nowhere(method, calls_, options_.vm_exceptions_record) &&
          !(options_.sampled && method.has_loop);
  is_slice_ = options_.begins_slice != nullptr && (*options_.begins_slice)(method);
  leaf_ = leaf_ && !is_slice_;
  allocated_.clear();
  if (allocations_ != nullptr) {
    for (const AllocationView& allocation : method.allocations) {
      allocated_.push_back(allocation_of(allocation));
    }
    leaf_ = leaf_ && allocated_.empty();
  }
  may_throw_ = method.implicit_calls != ImplicitCalls::kNone || !method.calls.empty();
  for (const ThrowView& thrown : method.throws) {
    throw_lines_.push_back(thrown.line > 0 ? thrown.line : -1);
  }
  if (options_.sampled) host_.has_leaf_probe(method_, leaf_);
  return true;
}

std::span<const LocalKind> ShadowStackProbes::locals() const {
  const std::size_t first = leaf_ ? 2 : options_.word_in_thread ? 1 : 0;
  const std::size_t end = keeps_line() ? 3 : 2;
  return std::span<const LocalKind>(kCallLocals).subspan(first, end - first);
}

void ShadowStackProbes::answer(CodeEmitter& code) const {
  if (answer_ == Answer::kBeginsSlice) {
    code.op(opcode::kPop2);  // the 0 it was compiled to return
    code.load_own(0, 'L');
    code.invoke_static(kProbeClass, "beginSliceHere", "(Ljava/lang/String;)J");
  } else {
    code.load_own(0, 'J');
    code.invoke_static(kProbeClass, "endSliceHere", "(J)V");
  }
}

void ShadowStackProbes::entry(CodeEmitter& code) {
  if (answer_ != Answer::kNone) return;
  if (keeps_line()) {
    code.push_int(0);
    code.store_local(line());
  }
  if (leaf_) {
    code.push_int(as_int(method_));
    code.invoke_static(kProbeClass, "leaf", "(I)V");
    return;
  }
  if (!options_.word_in_thread) {
    code.invoke_static(kProbeClass, "header", "()J");
    code.store_local(kHeader);
  }
  load_header(code);
  code.push_int(as_int(method_));
  invoke(code, "enter", "(JI)J", "(I)J");
  code.store_local(frame());
  tell_of_slice(code, "beginSlice");
}

void ShadowStackProbes::tell_of_slice(CodeEmitter& code, std::string_view name) const {
  if (!is_slice_) return;
  code.load_local(frame());
  code.invoke_static(kProbeClass, name, "(J)V");
}

void ShadowStackProbes::load_header(CodeEmitter& code) const {
  if (!options_.word_in_thread) code.load_local(kHeader);
}

void ShadowStackProbes::load_frame(CodeEmitter& code) const {
  load_header(code);
  code.load_local(frame());
}

// A probe that has two descriptors.
void ShadowStackProbes::invoke(CodeEmitter& code, std::string_view name,
                               std::string_view with_header, std::string_view without) const {
  code.invoke_static(kProbeClass, name, options_.word_in_thread ? without : with_header);
}

void ShadowStackProbes::push_callee(CodeEmitter& code, SiteOrdinal site) const {
  code.load_local(frame());
  if (site == kNoSite) return;
  code.push_int(static_cast<std::int32_t>(raw(site) * options_.site_unit));
  code.op(opcode::kI2l);
  code.op(opcode::kLadd);
}

void ShadowStackProbes::before_call(CodeEmitter& code, std::size_t call_index) {
  const Call& call = calls_[call_index];
  const bool counted = call.callee.kind == CalleeKind::kCountedLeaf ||
                       call.callee.kind == CalleeKind::kCountedNative;
  if (call.may_start_thread) {
    code.op(opcode::kDup);
    code.invoke_static(kProbeClass, "starts", "(Ljava/lang/Object;)V");
  }
  if (call.callee.kind == CalleeKind::kSilent || (!options_.sites && !counted)) return;
  push_callee(code, call.site);
  load_header(code);
  if (!counted) {
    invoke(code, "call", "(JJ)V", "(J)V");
    return;
  }
  code.push_int(as_int(call.callee.method));
  const bool native = call.callee.kind == CalleeKind::kCountedNative;
  invoke(code, native ? "enterNative" : "count", "(JJI)V", "(JI)V");
}

void ShadowStackProbes::after_call(CodeEmitter& code, std::size_t call_index) {
  const CalleeKind kind = calls_[call_index].callee.kind;
  if (kind == CalleeKind::kSilent || kind == CalleeKind::kCountedLeaf) return;
  if (!is_slice_ && !needs_restore(calls_, call_index)) return;
  load_frame(code);
  invoke(code, "restore", "(JJ)V", "(J)V");
}

ShadowStackProbes::Allocation ShadowStackProbes::allocation_of(
    const AllocationView& allocation) const {
  std::string name(allocation.class_name);
  std::int32_t operand = allocation.operand;
  if (allocation.opcode == opcode::kNewarray) return {allocation.opcode, operand, operand};
  if (allocation.opcode == opcode::kAnewarray) {
    name = name.starts_with('[') ? '[' + name : "[L" + name + ';';
    operand = kReferenceArray;
  }
  return {allocation.opcode, allocations_->type(name), operand};
}

void ShadowStackProbes::after_allocation(CodeEmitter& code, std::size_t allocation_index) {
  if (allocations_ == nullptr) return;
  const Allocation& allocation = allocated_[allocation_index];
  if (allocation.opcode == opcode::kNew) {
    load_frame(code);
    code.push_int(allocation.type);
    invoke(code, "allocatedIn", "(JJI)V", "(JI)V");
    return;
  }
  const bool is_flat = allocation.opcode != opcode::kMultianewarray;
  code.op(opcode::kDup);
  if (is_flat) code.op(opcode::kArraylength);
  load_frame(code);
  code.push_int(allocation.type);
  code.push_int(allocation.operand);
  if (is_flat) {
    invoke(code, "allocatedArrayIn", "(IJJII)V", "(IJII)V");
  } else {
    invoke(code, "allocatedArraysIn", "(Ljava/lang/Object;JJII)V", "(Ljava/lang/Object;JII)V");
  }
}

void ShadowStackProbes::moved_call(std::size_t call_index, std::uint32_t bci) {
  const SiteOrdinal site = calls_[call_index].site;
  if (options_.sampled && site != kNoSite) host_.moved_site(method_, site, bci);
}

void ShadowStackProbes::before_return(CodeEmitter& code) {
  if (answer_ != Answer::kNone) return answer(code);
  if (leaf_) return;
  tell_of_slice(code, "endSlice");
  load_frame(code);
  invoke(code, "exit", "(JJ)V", "(J)V");
}

void ShadowStackProbes::before_drop(CodeEmitter& code) {
  code.op(opcode::kDup);
  code.invoke_static(kProbeClass, "drop", "(Ljava/lang/Throwable;)V");
}

void ShadowStackProbes::before_throw(CodeEmitter& code, std::size_t throw_index) {
  if (!keeps_line()) return;
  code.push_int(throw_lines_[throw_index]);
  code.store_local(line());
}

// The exception is an object to the verifier: at a handler that something jumps to it may be no more.
void ShadowStackProbes::tell_of_exception(CodeEmitter& code, std::string_view name) const {
  if (!options_.probes_throws) return;
  code.op(opcode::kDup);
  code.push_int(as_int(method_));
  if (keeps_line()) {
    code.load_local(line());
    code.push_int(0);
    code.store_local(line());
  } else {
    code.push_int(0);
  }
  code.invoke_static(kProbeClass, name, "(Ljava/lang/Object;II)V");
}

void ShadowStackProbes::unwind(CodeEmitter& code) {
  if (answer_ != Answer::kNone) return;
  if (options_.counts_exceptions && may_throw_) {
    tell_of_exception(code, leaf_ ? "passesLeaf" : "passes");
  }
  if (leaf_) return;
  tell_of_slice(code, "endSlice");
  load_frame(code);
  const bool ends_callers = is_constructor_ && options_.ends_constructors;
  if (options_.counts_exceptions) {
    invoke(code, ends_callers ? "unwindConstructor" : "unwind", "(JJ)V", "(J)V");
  } else {
    invoke(code, ends_callers ? "exitConstructor" : "exit", "(JJ)V", "(J)V");
  }
}

void ShadowStackProbes::handler_start(CodeEmitter& code) {
  if (answer_ != Answer::kNone) return;
  tell_of_exception(code, leaf_ ? "caughtInLeaf" : "caught");
  if (leaf_) return;
  load_frame(code);
  invoke(code, "restore", "(JJ)V", "(J)V");
}

}  // namespace copse::classfile
