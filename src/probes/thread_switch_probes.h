// Probes of java.lang.VirtualThread. They tell java.lang.CopseThread when a virtual thread takes
// and leaves its carrier, so that samples of the carrier count for the thread that it carries. They
// also tell when a virtual thread has ended, so that its memory is given back. When a virtual
// thread leaves its carrier and when it has ended, it cannot run, and the current thread is the
// carrier.
//
//   mount(), unmount()               directly behind the call of Thread.setCurrentThread()
//   afterDone(), afterTerminate()    at the start, whichever there is: the name depends on the JDK
//   start(ThreadContainer)           at the start, where contexts of starts are kept: the current thread starts it
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "classfile/probe_set.h"

namespace copse::classfile {

inline constexpr std::string_view kVirtualThread = "java/lang/VirtualThread";

class ThreadSwitchProbes final : public ProbeSet {
 public:
  // `tells_starts`: whether starts of threads get a probe.
  explicit ThreadSwitchProbes(bool tells_starts) : tells_starts_(tells_starts) {}
  bool begin(const MethodView& method) override;
  std::span<const LocalKind> locals() const override { return {}; }
  void entry(CodeEmitter& code) override;
  void before_call(CodeEmitter&, std::size_t) override {}
  void after_call(CodeEmitter& code, std::size_t call_index) override;
  void before_return(CodeEmitter&) override {}
  void handler_start(CodeEmitter&) override {}

  // Returns true if the class had a place for each probe. A class without one is of a JDK that
  // these probes do not know.
  bool complete() const noexcept { return finds_switch_ && finds_end_; }

 private:
  const bool tells_starts_;
  bool at_start_ = false;                   // the method begun last starts a thread
  bool at_end_ = false;                     // the method begun last ends a thread
  std::optional<std::size_t> switched_at_;  // its call of setCurrentThread()
  bool mounts_ = false;                     // the method begun last mounts; false: unmounts
  bool finds_switch_ = false;
  bool finds_end_ = false;
};

}  // namespace copse::classfile
