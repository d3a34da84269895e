// Looks whether contexts of marks lack frames: of methods that the selection left without probes
// (probe_selection.h). The JVM's own stack shows them. No such method should be there, since by the
// graph it leads to no mark; when one is, it gets its probes, and the context is remembered.
//
// An id is looked at when it is used for the 1st, 2nd, 4th, 8th time and so on. So a frame that is
// in no stack then, but in others of the same id, can escape: `copse validate` looks at all.
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

  // Whether a frame of this method, on a stack, is without probes because of the selection: also
  // one from before its method got them. Nothing: nobody knows at this moment.
  std::optional<bool> is_missing(jmethodID frame, MethodId method) const;

  // Called by: the running thread, at a mark whose context has this id (0: none). Cost: a look-up;
  // of the times named above a stack walk too.
  void look(JNIEnv* jni, std::uint64_t id) noexcept;

  struct Outcome {
    std::set<std::uint64_t> ids;    // that may lack frames
    std::vector<MethodId> methods;  // of these, as they were first met
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

  mutable std::mutex mutex_;                               // of all below
  std::unordered_map<std::uint64_t, std::uint64_t> uses_;  // by id
  Outcome found_;
};

}  // namespace copse::jvm
