// Detects contexts of marks that lack frames: frames of methods that the selection left without probes
// (probe_selection.h). The JVM's own stack shows such frames. By the graph no such method leads to a mark. If
// one does, it gets its probes, and the context is remembered.
//
// An id is checked at its 1st, 2nd, 4th, 8th use and so on. A check goes outward from the innermost frame. At the frame of
// each context further out it goes on only at that context's 1st, 2nd, 4th check and so on: contexts share most of their
// frames, which would be checked with each of them. A frame that is on the stack only at other times can escape; `copse
// validate` checks all uses.
//
// Contexts that are deep and share nothing would still cost much more than the program's own calls. So all checks together
// may look at kMostCredit frames, and at kCreditOfUse more for each use of an id. A check that finds no credit left ends, and
// is counted.
//
// Threads: any.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "agent/jvm/hook/late_probes.h"
#include "agent/jvm/hook/probe_selection.h"
#include "agent/jvm/hook/recorded_methods.h"
#include "encoders/ids/context_ids.h"

namespace copse::jvm {

class MissingFrames {
 public:
  MissingFrames(jvmtiEnv* jvmti, RecordedMethods& methods, ProbeSelection& selection,
                LateProbes& late)
      : jvmti_(jvmti), methods_(methods), selection_(selection), late_(late) {}

  // Returns whether this method's frame on a stack is without probes because of the selection. Includes frames
  // from before the method got its probes. std::nullopt if unknown at this moment.
  std::optional<bool> is_missing(jmethodID frame, MethodId method) const;

  // Checks a use of the context of the running thread's frame with this word. Cost: a look-up; at the uses named at the
  // top of this file also a stack walk, of half a microsecond a frame.
  void look(JNIEnv* jni, const ids::ContextIds& ids, std::uint64_t word) noexcept;

  struct Outcome {
    std::set<std::uint64_t> ids;    // ids of contexts that may lack frames
    std::vector<MethodId> methods;  // methods of these frames, in the order of discovery
    std::uint64_t checks = 0;
    std::uint64_t cut = 0;  // of `checks`: ended for lack of credit
  };
  Outcome outcome() const;

 private:
  static constexpr std::int64_t kMostCredit = std::int64_t{1} << 22;  // frames: a second or two
  static constexpr std::int64_t kCreditOfUse = 16;
  static constexpr int kPassedBits = 16;

  // Number of checks that came to a context from further in.
  struct Passed {
    std::uint64_t id = 0;
    std::uint64_t checks = 0;
  };

  bool is_time_to_look(std::uint64_t id);
  bool is_time_to_pass(std::uint64_t id);
  std::vector<MethodId> missing(JNIEnv* jni, const ids::IdTables* tables, std::uint64_t id);
  void remember(std::uint64_t id, const std::vector<MethodId>& methods);

  jvmtiEnv* const jvmti_;
  RecordedMethods& methods_;
  ProbeSelection& selection_;
  LateProbes& late_;

  mutable std::mutex mutex_;                               // guards the members below
  std::unordered_map<std::uint64_t, std::uint64_t> uses_;  // by id
  // By a hash of the id, one for all that share it: a context whose place another one took counts from 1 again.
  std::vector<Passed> passed_ = std::vector<Passed>(std::size_t{1} << kPassedBits);
  Outcome found_;

  // Relaxed: exact sums are not needed while threads run.
  std::atomic<std::int64_t> credit_{kMostCredit};
  std::atomic<std::uint64_t> checks_{0};
  std::atomic<std::uint64_t> cut_{0};
};

}  // namespace copse::jvm
