// Exceptions that probes count, for recordings whose JVM cannot report them. A JVM reports them only if it is
// asked at its start (jvm_events.h).
//
// Each throw of a recorded method is counted before its athrow. An exception that reaches a handler of such a
// method, or ends the method, and was not counted yet, was thrown without a probe: by an instruction, native
// code, or the JDK. It is counted there, where the thread's word still tells the context that it came from.
//
// To tell the two cases apart, a thread has a weak reference to the exception that was counted last, and in its
// header the word that it has while that exception is on its way (shadowstack/thread_header.h). By the
// reference alone an object that code without probes catches time and again would count once, for example the
// exceptions that HotSpot makes beforehand for frequent failures. A leaf has its caller's word. An exception
// that reaches a leaf was thrown by an athrow of the leaf, or is new.
//
// Threads: any; stripes of mutexes, held for a question or two to the JVM.
#pragma once

#include <jni.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "agent/jvm/hotspot/stack_trace_top.h"
#include "agent/jvm/measures/measure.h"
#include "agent/jvm/run.h"
#include "base/ids.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

class EventSink;

class ProbedThrows final : public Measure {
 public:
  // REQUIRES: `sink` has objects().
  ProbedThrows(const Run& run, EventSink& sink) : run_(run), sink_(sink) {}
  ProbedThrows(const ProbedThrows&) = delete;
  ProbedThrows& operator=(const ProbedThrows&) = delete;

  // Called before any class has the probes.
  Status start_counting(JNIEnv* jni) override;
  // Stops counting. Called by: a Java thread, like the functions after it.
  void stop() noexcept override;
  void end(shadowstack::ThreadHeader& header) noexcept override;

  // An exception in a recorded method. thrown() and arrives() are called by the thread, in the method, with its
  // word unchanged. Both throw std::bad_alloc.
  struct Thrown {
    jthread thread;
    jobject exception;
    MethodId method;
  };
  // Counts an athrow in that line; -1 if the line is unknown.
  void thrown(JNIEnv* jni, const Thrown& what, std::int32_t line);
  struct Arrival {
    bool is_caught;  // by a handler; false if it ends the method
    bool in_leaf;    // a method that leaves the word as it is (probes/shadow_stack_probes.h)
  };
  // Counts an exception that reaches a handler or ends the method, unless it was counted already.
  void arrives(JNIEnv* jni, const Thrown& what, const Arrival& arrival);
  // Counts an exception that could not be counted in a context.
  void lose() noexcept;

  std::vector<std::string> notes() const override;

 private:
  struct Stripe {
    std::mutex mutex;
    std::unordered_map<const shadowstack::ThreadHeader*, jweak> last_counted;
  };

  Stripe& stripe_of(const shadowstack::ThreadHeader& header) noexcept;
  bool is_last_counted(JNIEnv* jni, const shadowstack::ThreadHeader& header, jobject exception);
  void set_last_counted(JNIEnv* jni, const shadowstack::ThreadHeader& header, jobject exception);
  std::string method_place(MethodId method, std::int32_t line) const;
  JNIEnv* environment() const noexcept;

  const Run& run_;
  EventSink& sink_;
  JavaVM* vm_ = nullptr;  // set by start()
  StackTraceTop tops_;
  std::array<Stripe, 64> stripes_;  // by header
};

}  // namespace copse::jvm
