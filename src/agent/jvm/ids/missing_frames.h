// Detects contexts of marks that lack frames: frames of methods that the selection left without probes
// (probe_selection.h). The JVM's own stack shows such frames. By the graph no such method leads to a mark. If
// one does, it gets its probes, and the context is remembered.
//
// An id is checked at its 1st, 2nd, 4th, 8th use and so on. A frame that is on the stack only at other uses of
// the id can escape; `copse validate` checks all uses.
//
// Threads: any; one mutex.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "agent/jvm/hook/late_probes.h"
#include "agent/jvm/hook/probe_selection.h"
#include "agent/jvm/hook/recorded_methods.h"

namespace copse::jvm {

class MissingFrames {
 public:
  MissingFrames(jvmtiEnv* jvmti, RecordedMethods& methods, ProbeSelection& selection,
                LateProbes& late)
      : jvmti_(jvmti), methods_(methods), selection_(selection), late_(late) {}

  // Returns whether this method's frame on a stack is without probes because of the selection. Includes frames
  // from before the method got its probes. std::nullopt if unknown at this moment.
  std::optional<bool> is_missing(jmethodID frame, MethodId method) const;

  // Checks a mark whose context has this id (0: none). Called by: the running thread. Cost: a look-up; at the
  // uses named at the top of this file also a stack walk.
  void look(JNIEnv* jni, std::uint64_t id) noexcept;

  struct Outcome {
    std::set<std::uint64_t> ids;    // ids of contexts that may lack frames
    std::vector<MethodId> methods;  // methods of these frames, in the order of discovery
  };
  Outcome outcome() const;

 private:
  bool is_time_to_look(std::uint64_t id);
  std::vector<MethodId> missing(JNIEnv* jni);
  void remember(std::uint64_t id, const std::vector<MethodId>& methods);

  jvmtiEnv* const jvmti_;
  RecordedMethods& methods_;
  ProbeSelection& selection_;
  LateProbes& late_;

  mutable std::mutex mutex_;                               // guards the members below
  std::unordered_map<std::uint64_t, std::uint64_t> uses_;  // by id
  Outcome found_;
};

}  // namespace copse::jvm
