// Probes of java.lang.VirtualThread: they tell java.lang.CopseThread where a virtual thread takes and
// leaves its carrier, so that a sample of the carrier's is the thread's that it carries, and where
// it has ended, so that what it does not need is given back. At the latter two the virtual thread
// cannot run, and the current thread is the carrier:
//
//   mount(), unmount()               directly behind the call of Thread.setCurrentThread()
//   afterDone(), afterTerminate()    at the start, whichever there is: the name depends on the JDK
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "classfile/probe_set.h"

namespace copse::classfile {

inline constexpr std::string_view kVirtualThread = "java/lang/VirtualThread";

class ThreadSwitchProbes final : public ProbeSet {
 public:
  bool begin(const MethodView& method) override;
  std::span<const LocalKind> locals() const override { return {}; }
  void entry(CodeEmitter& code) override;
  void before_call(CodeEmitter&, std::size_t) override {}
  void after_call(CodeEmitter& code, std::size_t call_index) override;
  void before_return(CodeEmitter&) override {}
  void handler_start(CodeEmitter&) override {}

  // Whether the class had a place for each; one without is of a JDK these probes do not know.
  bool complete() const noexcept { return finds_switch_ && finds_end_; }

 private:
  bool at_end_ = false;                     // of the method begun last
  std::optional<std::size_t> switched_at_;  // its call of setCurrentThread()
  bool mounts_ = false;                     // or unmounts: the same method
  bool finds_switch_ = false;
  bool finds_end_ = false;
};

}  // namespace copse::classfile
