#include "probes/id_word_probes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "classfile/opcodes.h"
#include "probes/runtime_classes.h"

namespace copse::classfile {
namespace {

// The locals of the profile's probes, then the encoder's.
constexpr std::size_t kCallHeader = 0;
constexpr std::size_t kCallFrame = 1;
constexpr std::size_t kIdFrame = 2;
constexpr std::size_t kIdBefore = 3;
constexpr std::array<LocalKind, 4> kAllLocals = {LocalKind::kLong, LocalKind::kLong,
                                                 LocalKind::kLong, LocalKind::kLong};

// Where the encoder's own probes emit, for which its locals are behind those of calls.
class BesideCalls final : public CodeEmitter {
 public:
  explicit BesideCalls(CodeEmitter& code) : code_(code) {}

  void push_int(std::int32_t value) override { code_.push_int(value); }
  void push_long(std::int64_t value) override { code_.push_long(value); }
  void load_local(std::size_t local) override { code_.load_local(kIdFrame + local); }
  void store_local(std::size_t local) override { code_.store_local(kIdFrame + local); }
  void load_own(std::uint32_t slot, char type) override { code_.load_own(slot, type); }
  void push_own_class() override { code_.push_own_class(); }
  void op(std::uint8_t opcode) override { code_.op(opcode); }
  void invoke_static(std::string_view owner, std::string_view name,
                     std::string_view descriptor) override {
    code_.invoke_static(owner, name, descriptor);
  }

 private:
  CodeEmitter& code_;
};

}  // namespace

void IdWordProbes::OneHost::begin(const MethodView& method) {
  method_ = host_.method(method);
  sites_.clear();
  largest_ = 0;
}

SiteOrdinal IdWordProbes::OneHost::site(MethodId caller, std::uint32_t bci, std::int32_t line) {
  if (const auto known = sites_.find(bci); known != sites_.end()) return known->second;
  const SiteOrdinal site = host_.site(caller, bci, line);
  sites_.emplace(bci, site);
  largest_ = std::max<std::uint32_t>(largest_, raw(site));
  return site;
}

// A callee that runs no probe of its own is asked for as well, with no call sites.
std::optional<std::int64_t> IdWordProbes::OneHost::place(MethodId method, std::uint32_t sites) {
  return places_.place(method, method == method_ ? std::max(sites, largest_) : sites);
}

IdWordProbes::IdWordProbes(const ShadowStackProbeOptions& calls, const ContextIdProbeOptions& ids,
                           ProbeHost& host, PlaceHost& places)
    : host_(host, places),
      calls_(calls, host_),
      ids_(ids, host_, host_),
      long_operands_(ids.long_operands) {}

bool IdWordProbes::begin(const MethodView& method) {
  host_.begin(method);
  if (!calls_.begin(method)) return false;
  has_ids_ = ids_.begin(method);
  if (!has_ids_) return true;
  // As one that is no leaf: those keep no header.
  MethodView with_frame = method;
  with_frame.implicit_calls = ImplicitCalls::kClassLoading;
  return calls_.begin(with_frame);
}

std::span<const LocalKind> IdWordProbes::locals() const {
  return has_ids_ ? std::span<const LocalKind>(kAllLocals) : calls_.locals();
}

void IdWordProbes::load_words(CodeEmitter& code, std::size_t id_word) {
  code.load_local(kCallHeader);
  code.load_local(kCallFrame);
  code.load_local(id_word);
}

void IdWordProbes::entry(CodeEmitter& code) {
  if (!has_ids_) return calls_.entry(code);
  code.invoke_static(kIdWordsClass, "resolve", "()V");
  code.invoke_static(kIdsClass, "resolve", "()V");
  code.invoke_static(kProbeClass, "header", "()J");
  code.store_local(kCallHeader);
  code.load_local(kCallHeader);
  code.invoke_static(kIdsClass, "wordIn", "(J)J");
  code.store_local(kIdBefore);
  push_frame_behind(code, kIdBefore, 0, ids_.place());
  code.store_local(kIdFrame);
  code.load_local(kCallHeader);
  code.load_local(kIdFrame);
  code.push_int(as_int(calls_.method()));
  code.invoke_static(kIdWordsClass, "enter", "(JJI)J");
  code.store_local(kCallFrame);
  if (!ids_.is_marked()) return;
  load_words(code, kIdFrame);
  code.invoke_static(kIdWordsClass, "leave", "(JJJ)V");
}

// The id word of the method at `place`, called from a site of a word.
void IdWordProbes::push_frame_behind(CodeEmitter& code, std::size_t id_word, std::int64_t site,
                                     std::int64_t place) {
  code.load_local(kCallHeader);
  code.load_local(id_word);
  ids_.push_operand(code, site);
  ids_.push_operand(code, place);
  code.invoke_static(kIdsClass, "frameBehind", long_operands_ ? "(JJJJ)J" : "(JJII)J");
}

void IdWordProbes::before_call(CodeEmitter& code, std::size_t call_index) {
  if (!has_ids_ || !ids_.call(call_index).is_followed) {
    return calls_.before_call(code, call_index);
  }
  const ContextIdProbes::Call& call = ids_.call(call_index);
  const std::int64_t site = host_.site(calls_.method(), call.site);
  if (call.callee.kind != CalleeKind::kRecords) return enter_callee(code, call_index, site);
  load_words(code, kIdFrame);
  code.push_int(raw(calls_.call(call_index).site));
  ids_.push_operand(code, site);
  code.invoke_static(kIdWordsClass, "call", long_operands_ ? "(JJJIJ)V" : "(JJJII)V");
}

void IdWordProbes::enter_callee(CodeEmitter& code, std::size_t call_index, std::int64_t site) {
  const ContextIdProbes::Call& call = ids_.call(call_index);
  const std::optional<std::int64_t> place = host_.place(call.callee.method, 0);
  if (!place) {  // the encoder is out of memory, and knows of the call site alone
    calls_.before_call(code, call_index);
    BesideCalls beside(code);
    return ids_.before_call(beside, call_index);
  }
  push_frame_behind(code, kIdFrame, site, *place);
  if (call.is_marked) code.op(opcode::kDup2);
  code.load_local(kCallHeader);
  code.load_local(kCallFrame);
  code.push_int(raw(calls_.call(call_index).site));
  code.push_int(as_int(call.callee.method));
  code.invoke_static(kIdWordsClass, "enterCallee", "(JJJII)V");
  if (!call.is_marked) return;
  code.load_local(kCallHeader);
  code.load_local(kCallFrame);
  code.invoke_static(kIdWordsClass, "leaveCallee", "(JJJ)V");
}

void IdWordProbes::after_call(CodeEmitter& code, std::size_t call_index) {
  if (!has_ids_ || !ids_.call(call_index).is_followed) return calls_.after_call(code, call_index);
  if (ids_.restores_after(call_index)) handler_start(code);
}

void IdWordProbes::before_return(CodeEmitter& code) {
  if (!has_ids_) return calls_.before_return(code);
  BesideCalls beside(code);
  ids_.answer(beside);
  unwind(code);
}

void IdWordProbes::before_drop(CodeEmitter& code) { calls_.before_drop(code); }

void IdWordProbes::handler_start(CodeEmitter& code) {
  if (!has_ids_) return calls_.handler_start(code);
  load_words(code, kIdFrame);
  code.invoke_static(kIdWordsClass, "restore", "(JJJ)V");
}

void IdWordProbes::unwind(CodeEmitter& code) {
  if (!has_ids_) return calls_.unwind(code);
  load_words(code, kIdBefore);
  code.invoke_static(kIdWordsClass, "exit", "(JJJ)V");
}

}  // namespace copse::classfile
