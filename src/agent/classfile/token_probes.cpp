#include "agent/classfile/token_probes.h"

#include <algorithm>
#include <string_view>

#include "agent/classfile/opcodes.h"

namespace copse::classfile {
namespace {

constexpr std::string_view kTokens = "java/lang/CopseTokens";
constexpr std::string_view kIds = "java/lang/CopseIds";
// Of the profile's probes, which have this and one more.
constexpr std::size_t kHeader = 0;
constexpr std::size_t kCallLocals = 2;

// Where the encoder's probes emit: behind the profile's locals, and with their header.
class BesideCalls final : public CodeEmitter {
 public:
  explicit BesideCalls(CodeEmitter& code) : code_(code) {}

  void push_int(std::int32_t value) override { code_.push_int(value); }
  void push_long(std::int64_t value) override { code_.push_long(value); }
  void load_local(std::size_t local) override { code_.load_local(kCallLocals + local); }
  void store_local(std::size_t local) override { code_.store_local(kCallLocals + local); }
  void op(std::uint8_t opcode) override { code_.op(opcode); }
  void invoke_static(std::string_view owner, std::string_view name,
                     std::string_view descriptor) override {
    if (name == "header") return code_.load_local(kHeader);
    code_.invoke_static(owner, name, descriptor);
  }

 private:
  CodeEmitter& code_;
};

}  // namespace

void TokenProbes::OneHost::begin(const MethodView& method) {
  method_ = host_.method(method);
  sites_.clear();
  largest_ = 0;
}

SiteOrdinal TokenProbes::OneHost::site(MethodId caller, std::uint32_t bci, std::int32_t line) {
  if (const auto known = sites_.find(bci); known != sites_.end()) return known->second;
  const SiteOrdinal site = host_.site(caller, bci, line);
  sites_.emplace(bci, site);
  largest_ = std::max<std::uint32_t>(largest_, raw(site));
  return site;
}

// A callee that runs no probe of its own is asked for as well, with no call sites.
std::optional<std::int64_t> TokenProbes::OneHost::place(MethodId method, std::uint32_t sites) {
  return places_.place(method, method == method_ ? std::max(sites, largest_) : sites);
}

TokenProbes::TokenProbes(const ShadowStackProbeOptions& calls, const ContextIdProbeOptions& ids,
                         ProbeHost& host, PlaceHost& places)
    : host_(host, places), calls_(calls, host_), ids_(ids, host_, host_) {}

bool TokenProbes::begin(const MethodView& method) {
  host_.begin(method);
  if (!calls_.begin(method)) return false;
  has_ids_ = ids_.begin(method);
  if (!has_ids_) return true;
  // As one that is no leaf: those keep no header.
  MethodView with_frame = method;
  with_frame.implicit_calls = ImplicitCalls::kClassLoading;
  const bool begins = calls_.begin(with_frame);
  const auto next = std::ranges::copy(calls_.locals(), locals_.begin()).out;
  std::ranges::copy(ids_.locals(), next);
  return begins;
}

std::span<const LocalKind> TokenProbes::locals() const {
  return has_ids_ ? std::span<const LocalKind>(locals_) : calls_.locals();
}

void TokenProbes::entry(CodeEmitter& code) {
  if (has_ids_) {
    code.invoke_static(kTokens, "resolve", "()V");
    code.invoke_static(kIds, "header", "()J");
    code.op(opcode::kPop2);
  }
  calls_.entry(code);
  BesideCalls beside(code);
  if (has_ids_) ids_.entry(beside);
}

void TokenProbes::before_call(CodeEmitter& code, std::size_t call_index) {
  calls_.before_call(code, call_index);
  BesideCalls beside(code);
  if (has_ids_) ids_.before_call(beside, call_index);
}

void TokenProbes::after_call(CodeEmitter& code, std::size_t call_index) {
  calls_.after_call(code, call_index);
  BesideCalls beside(code);
  if (has_ids_) ids_.after_call(beside, call_index);
}

void TokenProbes::before_return(CodeEmitter& code) {
  calls_.before_return(code);
  BesideCalls beside(code);
  if (has_ids_) ids_.before_return(beside);
}

void TokenProbes::handler_start(CodeEmitter& code) {
  calls_.handler_start(code);
  BesideCalls beside(code);
  if (has_ids_) ids_.handler_start(beside);
}

void TokenProbes::unwind(CodeEmitter& code) {
  calls_.unwind(code);
  BesideCalls beside(code);
  if (has_ids_) ids_.unwind(beside);
}

}  // namespace copse::classfile
