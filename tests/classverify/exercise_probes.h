// Probe sets that use everything a ProbeSet may, for tests of the rewriter.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

#include "classfile/probe_set.h"

namespace copse::classfile {

// Class of the probes. It is in java.lang, so that rewritten classes of every loader and of java.base find it.
inline constexpr std::string_view kProbeClass = "java/lang/CopseVerifyProbe";

// Methods that get probes, and the kind of probes.
enum class Exercise {
  kLocals,    // all places, a long and an int local
  kNoLocals,  // all places, no local
  kEntry,     // entry only, one int local
  kValues,    // not these: ValueProbes (probes/value_probes.h)
  kNothing,   // begin() refuses
};

class ExerciseProbes final : public ProbeSet {
 public:
  using Wanted = std::function<bool(const MethodView&)>;

  explicit ExerciseProbes(Exercise exercise, Wanted wanted = {})
      : exercise_(exercise), wanted_(std::move(wanted)) {}

  bool begin(const MethodView& method) override {
    ++methods_seen;
    // An empty finalize() that gets a body makes every object of its class finalizable.
    if (method.name == "finalize" && method.only_returns) return false;
    if (exercise_ == Exercise::kNothing || (wanted_ && !wanted_(method))) return false;
    ++methods_begun;
    return true;
  }
  std::span<const LocalKind> locals() const override {
    static constexpr std::array kKinds = {LocalKind::kLong, LocalKind::kInt};
    if (exercise_ == Exercise::kLocals) return kKinds;
    if (exercise_ == Exercise::kEntry) return std::span(kKinds).last(1);
    return {};
  }
  void entry(CodeEmitter& code) override {
    code.push_int(static_cast<std::int32_t>(methods_begun * 70'001));
    if (exercise_ == Exercise::kLocals) {
      code.invoke_static(kProbeClass, "enter", "(I)J");
      code.store_local(0);
      code.push_int(7);
      code.store_local(1);
    } else if (exercise_ == Exercise::kEntry) {
      code.store_local(0);
    } else {
      code.invoke_static(kProbeClass, "hit", "(I)V");
    }
  }
  void before_call(CodeEmitter& code, std::size_t call_index) override {
    if (exercise_ == Exercise::kLocals) {
      code.load_local(0);
      code.push_int(static_cast<std::int32_t>(call_index));
      code.invoke_static(kProbeClass, "call", "(JI)V");
    } else {
      touch(code);
    }
  }
  void after_call(CodeEmitter& code, std::size_t) override {
    if (exercise_ == Exercise::kLocals) {
      code.load_local(0);
      code.load_local(1);
      code.invoke_static(kProbeClass, "after", "(JI)V");
    } else {
      touch(code);
    }
  }
  void after_allocation(CodeEmitter& code, std::size_t index) override { before_call(code, index); }
  void before_return(CodeEmitter& code) override {
    if (exercise_ == Exercise::kLocals) {
      code.load_local(0);
      code.push_long(-(std::int64_t{1} << 40));
      code.op(kLadd);
      code.invoke_static(kProbeClass, "exit", "(J)V");
    } else {
      touch(code);
    }
  }
  void before_throw(CodeEmitter& code, std::size_t) override { look(code, "thrown"); }
  void handler_start(CodeEmitter& code) override {
    look(code, "caught");
    if (exercise_ == Exercise::kLocals) {
      code.load_local(0);
      code.invoke_static(kProbeClass, "handler", "(J)V");
    } else {
      touch(code);
    }
  }
  void unwind(CodeEmitter& code) override {
    look(code, "passes");
    if (exercise_ == Exercise::kLocals) {
      code.load_local(0);
      code.invoke_static(kProbeClass, "unwind", "(J)V");
    } else if (exercise_ == Exercise::kNoLocals) {
      code.invoke_static(kProbeClass, "unwound", "()V");
    }
  }

  std::size_t methods_seen = 0;
  std::size_t methods_begun = 0;

 private:
  static constexpr std::uint8_t kDup = 89;
  static constexpr std::uint8_t kLadd = 97;

  void touch(CodeEmitter& code) const {
    if (exercise_ == Exercise::kNoLocals) code.invoke_static(kProbeClass, "touch", "()V");
  }

  // At the exception on the stack.
  void look(CodeEmitter& code, std::string_view name) const {
    if (exercise_ == Exercise::kEntry) return;
    code.op(kDup);
    code.invoke_static(kProbeClass, name, "(Ljava/lang/Object;)V");
  }

  Exercise exercise_;
  Wanted wanted_;
};

}  // namespace copse::classfile
