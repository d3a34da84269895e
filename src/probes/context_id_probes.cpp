#include "probes/context_id_probes.h"

#include <algorithm>

#include "classfile/opcodes.h"
#include "probes/runtime_classes.h"

namespace copse::classfile {
namespace {

constexpr std::size_t kFrame = 0;
constexpr std::size_t kBefore = 1;
constexpr std::array<LocalKind, 2> kIdLocals = {LocalKind::kLong, LocalKind::kLong};

// copse.Context.id(), compiled to return 0.
bool asks_for_id(const MethodView& method) {
  return method.class_name == "copse/Context" && method.name == "id" && method.descriptor == "()J";
}

// The stack itself is walked, so the frame's word is not used; 0 would be a frame without one.
void mark_here(CodeEmitter& code) {
  code.push_long(1);
  code.invoke_static(kIdsClass, "mark", "(J)V");
}

}  // namespace

bool ContextIdProbes::begin(const MethodView& method) {
  const std::optional<MethodId> id = host_.method(method);
  if (!id) return false;
  method_ = *id;
  is_marked_ = places_.is_marked(method.class_name, method.name);
  asks_for_id_ = asks_for_id(method);
  calls_.clear();
  for (const CallSiteView& call : method.calls) calls_.push_back(call_of(call));
  const bool is_event = is_marked_ || asks_for_id_ || options_.has_events;
  if (!is_event && leads_nowhere(method, calls_, options_.vm_exceptions_record)) return false;
  is_marked_ = is_marked_ || options_.mark_all;
  const std::optional<std::int64_t> place = places_.place(method_, number_sites(method));
  if (place) place_ = *place;
  return place.has_value();
}

// In bytecode order, in which the host expects them; gives the largest.
std::uint32_t ContextIdProbes::number_sites(const MethodView& method) {
  std::uint32_t most = 0;
  allocated_.clear();
  const std::span<const AllocationView> allocations =
      allocations_ == nullptr ? std::span<const AllocationView>() : method.allocations;
  auto allocation = allocations.begin();
  const auto add_allocations_before = [&](std::uint32_t bci) {
    for (; allocation != allocations.end() && allocation->bci < bci; ++allocation) {
      add_allocation(*allocation);
      most = std::max<std::uint32_t>(most, raw(allocated_.back().site));
    }
  };
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    if (!calls_[i].is_followed) continue;
    add_allocations_before(method.calls[i].bci);
    calls_[i].site = host_.site(method_, method.calls[i].bci, method.calls[i].line);
    most = std::max<std::uint32_t>(most, raw(calls_[i].site));
  }
  add_allocations_before(method.code_length);
  return most;
}

void ContextIdProbes::add_allocation(const AllocationView& allocation) {
  std::int32_t operand = allocation.operand;
  if (allocation.opcode == opcode::kNew) operand = allocations_->type(allocation.class_name);
  if (allocation.opcode == opcode::kAnewarray) operand = kReferenceArray;
  const SiteOrdinal site = host_.site(method_, allocation.bci, allocation.line);
  allocated_.push_back({allocation.opcode, operand, site});
}

ContextIdProbes::Call ContextIdProbes::call_of(const CallSiteView& call) {
  const Callee callee = host_.callee(call);
  const bool counted =
      callee.kind == CalleeKind::kCountedLeaf || callee.kind == CalleeKind::kCountedNative;
  const bool is_marked = counted && places_.is_marked(callee.class_name, call.name);
  const bool is_followed =
      is_marked || callee.kind == CalleeKind::kRecords || callee.kind == CalleeKind::kCountedNative;
  return {callee, is_marked, is_followed, kNoSite, call.next};
}

std::span<const LocalKind> ContextIdProbes::locals() const { return kIdLocals; }

void ContextIdProbes::push_operand(CodeEmitter& code, std::int64_t operand) const {
  if (options_.long_operands) {
    code.push_long(operand);
  } else {
    code.push_int(static_cast<std::int32_t>(operand));
  }
}

void ContextIdProbes::entry(CodeEmitter& code) {
  code.invoke_static(kIdsClass, "word", "()J");
  code.store_local(kBefore);
  code.load_local(kBefore);
  push_operand(code, place_);
  code.invoke_static(kIdsClass, "enter", options_.long_operands ? "(JJ)J" : "(JI)J");
  code.store_local(kFrame);
  if (!is_marked_) return;
  code.load_local(kFrame);
  mark(code);
}

void ContextIdProbes::mark(CodeEmitter& code) { code.invoke_static(kIdsClass, "mark", "(J)V"); }

void ContextIdProbes::before_call(CodeEmitter& code, std::size_t call_index) {
  const Call& call = calls_[call_index];
  if (!call.is_followed) return;
  const std::optional<std::int64_t> place = call.callee.kind == CalleeKind::kRecords
                                                ? std::nullopt
                                                : places_.place(call.callee.method, 0);
  code.load_local(kFrame);
  push_operand(code, places_.site(method_, call.site));
  if (!place) {  // it enters itself, or the encoder is out of memory
    code.invoke_static(kIdsClass, "call", options_.long_operands ? "(JJ)V" : "(JI)V");
    return;
  }
  push_operand(code, *place);
  code.invoke_static(kIdsClass, "enterNative", options_.long_operands ? "(JJJ)J" : "(JII)J");
  if (call.is_marked) {
    mark(code);
  } else {
    code.op(opcode::kPop2);
  }
}

void ContextIdProbes::after_call(CodeEmitter& code, std::size_t call_index) {
  if (restores_after(call_index)) handler_start(code);
}

void ContextIdProbes::after_allocation(CodeEmitter& code, std::size_t allocation_index) {
  if (allocations_ == nullptr) return;
  const Allocation& allocation = allocated_[allocation_index];
  if (allocation.opcode != opcode::kNew) code.op(opcode::kDup);
  const bool is_flat =
      allocation.opcode == opcode::kNewarray || allocation.opcode == opcode::kAnewarray;
  if (is_flat) code.op(opcode::kArraylength);
  code.load_local(kFrame);
  push_operand(code, places_.site(method_, allocation.site));
  code.push_int(allocation.operand);
  if (allocation.opcode == opcode::kNew) {
    code.invoke_static(kIdsClass, "allocated", "(JII)V");
  } else if (is_flat) {
    code.invoke_static(kIdsClass, "allocatedArray", "(IJII)V");
  } else {
    code.invoke_static(kIdsClass, "allocatedArrays", "(Ljava/lang/Object;JII)V");
  }
}

void ContextIdProbes::before_return(CodeEmitter& code) {
  answer(code);
  leave(code, "exit");
}

void ContextIdProbes::before_drop(CodeEmitter& code) {
  code.op(opcode::kDup);
  code.invoke_static(kIdsClass, "drop", "(Ljava/lang/Throwable;)V");
}

void ContextIdProbes::answer(CodeEmitter& code) const {
  if (!asks_for_id_) return;
  code.op(opcode::kPop2);  // the 0 it was compiled to return
  code.load_local(kFrame);
  code.invoke_static(kIdsClass, "id", "(J)J");
}

void ContextIdProbes::leave(CodeEmitter& code, std::string_view probe) {
  code.load_local(kBefore);
  code.invoke_static(kIdsClass, probe, "(J)V");
}

void ContextIdProbes::handler_start(CodeEmitter& code) {
  code.load_local(kFrame);
  code.invoke_static(kIdsClass, "restore", "(J)V");
}

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
