#include "classfile/shadow_stack_probes.h"

#include "classfile/opcodes.h"

namespace copse::classfile {
namespace {

constexpr std::string_view kRuntime = "java/lang/CopseProbe";
constexpr std::size_t kHeader = 0;
constexpr std::size_t kFrame = 1;
constexpr std::array<LocalKind, 2> kLocals = {LocalKind::kLong, LocalKind::kLong};

std::int32_t as_int(MethodId id) { return static_cast<std::int32_t>(raw(id)); }

}  // namespace

bool ShadowStackProbes::begin(const MethodView& method) {
  const std::optional<MethodId> id = host_.method(method);
  if (!id) return false;
  method_ = *id;
  calls_.clear();
  for (const CallSiteView& call : method.calls) {
    const Callee callee = host_.callee(call);
    const bool needs_site = options_.sites && callee.kind != CalleeKind::kSilent;
    calls_.push_back({callee, needs_site ? host_.site(method_, call.bci, call.line) : kNoSite});
  }
  leaf_ = leads_nowhere(method, calls_, options_.vm_exceptions_record);
  return true;
}

std::span<const LocalKind> ShadowStackProbes::locals() const {
  return leaf_ ? std::span<const LocalKind>() : std::span<const LocalKind>(kLocals);
}

void ShadowStackProbes::entry(CodeEmitter& code) {
  if (leaf_) {
    code.push_int(as_int(method_));
    code.invoke_static(kRuntime, "leaf", "(I)V");
    return;
  }
  code.invoke_static(kRuntime, "header", "()J");
  code.store_local(kHeader);
  code.load_local(kHeader);
  code.push_int(as_int(method_));
  code.invoke_static(kRuntime, "enter", "(JI)J");
  code.store_local(kFrame);
}

void ShadowStackProbes::load_frame(CodeEmitter& code) {
  code.load_local(kHeader);
  code.load_local(kFrame);
}

void ShadowStackProbes::push_callee(CodeEmitter& code, SiteOrdinal site) const {
  code.load_local(kFrame);
  if (site == kNoSite) return;
  code.push_int(static_cast<std::int32_t>(raw(site) * options_.site_unit));
  code.op(opcode::kI2l);
  code.op(opcode::kLadd);
}

void ShadowStackProbes::before_call(CodeEmitter& code, std::size_t call_index) {
  const Call& call = calls_[call_index];
  const bool counted = call.callee.kind == CalleeKind::kCountedLeaf ||
                       call.callee.kind == CalleeKind::kCountedNative;
  if (call.callee.kind == CalleeKind::kSilent || (!options_.sites && !counted)) return;
  push_callee(code, call.site);
  code.load_local(kHeader);
  if (!counted) {
    code.invoke_static(kRuntime, "call", "(JJ)V");
    return;
  }
  code.push_int(as_int(call.callee.method));
  const bool native = call.callee.kind == CalleeKind::kCountedNative;
  code.invoke_static(kRuntime, native ? "enterNative" : "count", "(JJI)V");
}

void ShadowStackProbes::after_call(CodeEmitter& code, std::size_t call_index) {
  const CalleeKind kind = calls_[call_index].callee.kind;
  if (kind == CalleeKind::kSilent || kind == CalleeKind::kCountedLeaf) return;
  load_frame(code);
  code.invoke_static(kRuntime, "restore", "(JJ)V");
}

void ShadowStackProbes::before_return(CodeEmitter& code) {
  if (leaf_) return;
  load_frame(code);
  code.invoke_static(kRuntime, "exit", "(JJ)V");
}

void ShadowStackProbes::handler_start(CodeEmitter& code) {
  if (leaf_) return;
  load_frame(code);
  code.invoke_static(kRuntime, "restore", "(JJ)V");
}

}  // namespace copse::classfile
