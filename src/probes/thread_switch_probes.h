// Probes of java.lang.VirtualThread. They tell java.lang.CopseThread when a virtual thread takes
// and leaves its carrier, so that samples of the carrier count for the thread that it carries. They
// also tell when a virtual thread has ended, so that its memory is given back. When a virtual
// thread leaves its carrier and when it has ended, it cannot run, and the current thread is the
// carrier.
//
//   mount(), unmount()               directly behind the call of Thread.setCurrentThread()
//   afterDone(), afterTerminate()    at the start, whichever there is: the name depends on the JDK
//   start(ThreadContainer)           at the start, where contexts of starts are kept: the current thread starts it
//   every method                     before calls of notifyJvmtiMount(), notifyJvmtiUnmount(), notifyJvmtiStart() and
//                                    notifyJvmtiEnd(), where moves are told: whether the thread begins to take or leave
//                                    its carrier, or has done so (agent/jvm/hotspot/own_stack.h)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "classfile/probe_set.h"

namespace copse::classfile {

inline constexpr std::string_view kVirtualThread = "java/lang/VirtualThread";

class ThreadSwitchProbes final : public ProbeSet {
 public:
  struct Tells {
    bool switches = true;  // and ends
    bool starts = false;   // starts of threads
    std::string_view
        moves_to{};  // the class of java.lang that moves are told to, as in class files; "": to none
  };
  explicit ThreadSwitchProbes(const Tells& tells) : tells_(tells) {}
  bool begin(const MethodView& method) override;
  std::span<const LocalKind> locals() const override { return {}; }
  void entry(CodeEmitter& code) override;
  void before_call(CodeEmitter& code, std::size_t call_index) override;
  void after_call(CodeEmitter& code, std::size_t call_index) override;
  void before_return(CodeEmitter&) override {}
  void handler_start(CodeEmitter&) override {}

  // Returns true if the class had a place for each probe. A class without one is of a JDK that
  // these probes do not know.
  bool complete() const noexcept {
    return (!tells_.switches || (finds_switch_ && finds_end_)) &&
           (tells_.moves_to.empty() || finds_move_);
  }

 private:
  enum class Move : std::uint8_t { kNone, kBegins, kEnds, kAsItSays };
  void find_places(const MethodView& method);

  const Tells tells_;
  bool at_start_ = false;                   // the method begun last starts a thread
  bool at_end_ = false;                     // the method begun last ends a thread
  std::optional<std::size_t> switched_at_;  // its call of setCurrentThread()
  bool mounts_ = false;                     // the method begun last mounts; false: unmounts
  std::vector<Move> moves_;  // of the method begun last, by call; empty if it has none
  bool finds_switch_ = false;
  bool finds_end_ = false;
  bool finds_move_ = false;
};

}  // namespace copse::classfile
