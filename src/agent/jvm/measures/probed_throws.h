// Exceptions that probes count, for recordings whose JVM cannot report them. A JVM reports them only if it is
// asked at its start (jvm_events.h).
//
// An exception is counted where it reaches a handler of a recorded method, or ends one, since the thread's word
// still tells there the context that it came from. Before an athrow the probe stores the line in a local of the
// frame, which takes no stack: an exception that arrives while there is a line is this athrow's. One that arrives
// without a line was counted on its way already, or was thrown without a probe: by an instruction, native code, or
// the JDK.
//
// To tell the last two cases apart, a thread has a weak reference to the exception that was counted last, and in its
// header the word that it has while that exception is on its way (shadowstack/thread_header.h). By the
// reference alone an object that code without probes catches time and again would count once, for example the
// exceptions that HotSpot makes beforehand for frequent failures. A leaf has its caller's word, and calls nothing:
// an exception that reaches a leaf without a line is new.
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

  // An exception in a recorded method.
  struct Arrival {
    jthread thread;
    jobject exception;
    MethodId method;
    std::int32_t line;  // of the method's athrow, -1 if unknown; 0: other code threw it
    bool is_caught;     // by a handler; false if it ends the method
    bool in_leaf;       // a method that leaves the word as it is (probes/shadow_stack_probes.h)
  };
  // Counts an exception that reaches a handler or ends the method, unless it was counted already. Called by the
  // thread, in the method, with its word unchanged. Throws std::bad_alloc.
  void arrives(JNIEnv* jni, const Arrival& arrival);
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
  bool was_counted(JNIEnv* jni, const Arrival& arrival, shadowstack::ThreadHeader& header,
                   std::uint64_t word, bool is_overflow);
  std::string place_of(JNIEnv* jni, const Arrival& arrival) const;
  std::string method_place(MethodId method, std::int32_t line) const;
  JNIEnv* environment() const noexcept;

  const Run& run_;
  EventSink& sink_;
  JavaVM* vm_ = nullptr;  // set by start()
  StackTraceTop tops_;
  std::array<Stripe, 64> stripes_;  // by header
};

}  // namespace copse::jvm
