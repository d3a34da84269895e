// Exceptions that probes count, where the JVM cannot be asked to tell of them: it can from its
// start alone (jvm_events.h).
//
// Each throw of a recorded method is counted before its athrow. An exception that comes to a
// handler of such a method, or ends it, and was not counted yet, was thrown by something without
// probes: by an instruction, native code, the JDK. It is counted there, where the thread's word
// still tells the context that it came from.
//
// To tell the two apart a thread has a weak reference to the exception that was counted last, and
// in its header the word that it has while that one is on its way (shadowstack/thread_header.h).
// By the reference alone an object would count once that code without probes catches time and
// again, such as those that HotSpot makes beforehand for what fails often. A leaf has its caller's
// word, but what comes to it was thrown by an athrow of its own, or is new.
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
#include "agent/jvm/run.h"
#include "base/ids.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

class EventSink;

class ProbedThrows {
 public:
  // `sink` has objects().
  ProbedThrows(const Run& run, EventSink& sink) : run_(run), sink_(sink) {}
  ProbedThrows(const ProbedThrows&) = delete;
  ProbedThrows& operator=(const ProbedThrows&) = delete;

  // Before any class has the probes.
  void start(JNIEnv* jni);
  // No exception is counted from now on. Called by: a Java thread, as all below.
  void stop() noexcept;
  // The thread of the header has ended.
  void forget(shadowstack::ThreadHeader& header) noexcept;

  // Both, called by: the thread, in the method, with the word as it was. Throw std::bad_alloc.
  struct Thrown {
    jthread thread;
    jobject exception;
    MethodId method;
  };
  // By an athrow in that line; -1: not known.
  void thrown(JNIEnv* jni, const Thrown& what, std::int32_t line);
  struct Arrival {
    bool is_caught;  // by a handler; else it ends the method
    bool in_leaf;    // a method that leaves the word as it is (probes/shadow_stack_probes.h)
  };
  void arrives(JNIEnv* jni, const Thrown& what, const Arrival& arrival);
  // One could not be counted.
  void lose() noexcept;

  // For the report: what is not seen.
  static std::string note();

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
  JavaVM* vm_ = nullptr;  // since start()
  StackTraceTop tops_;
  std::array<Stripe, 64> stripes_;  // by header
};

}  // namespace copse::jvm
