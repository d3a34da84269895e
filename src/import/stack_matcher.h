// Matches sampled stacks with contexts of a report.
//
// Drops frames that were not recorded, and follows the others from ROOT. Each step goes to the
// children of the current contexts that have the frame's method and were called from the place of
// the caller's frame, as far as the sample and the report know lines and bytecode indices. The
// contexts at the innermost frame are the candidates: one, several, or none. In a report with
// --by-thread, the walk starts at the row of the stack's thread if the samples and the report have
// it, otherwise at all threads' rows. docs/import.md has the rule. Its exceptions:
//
//   - Frames that were live before recording began (copse attach, --jdk) have no call; outer frames
//     without one are dropped.
//   - Where contexts were evicted, a stack without a node goes to the evicted contexts below its
//     nearest caller that lost some.
//   - Where recursion was merged, a call of a method on the path goes up to the method's nearest
//     node. The report does not name these methods, so this is tried when no child fits, for methods
//     that are not twice on any path.
//   - With --jdk, a last frame that calls nothing anywhere and has no node belongs to its caller:
//     natives and intrinsics are counted at call sites that are bound statically.
//
// Cost: for each distinct frame of the stacks, the children of its callers' contexts. Memory: 8
// bytes per node of the report, and the contexts along one stack.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "import/report_names.h"
#include "import/sampled_stacks.h"
#include "report/model/report_model.h"

namespace copse::join {

enum class Outcome {
  kContext,    // one
  kAmbiguous,  // several
  kOutside,    // a whole stack without a recorded frame
  kUnmatched,  // none
};

struct Match {
  Outcome outcome = Outcome::kUnmatched;
  // Rows of nodes, ascending: one for kContext, several for kAmbiguous. Valid during the visit.
  std::span<const std::int32_t> nodes;
  std::string why;  // reason for kUnmatched, printable, with the frames at which the walk ended
};

class StackMatcher {
 public:
  // Limit for the candidates at a frame; a stack that exceeds it is not matched.
  static constexpr std::size_t kMostCandidates = 1 << 16;

  // REQUIRES: both outlive this object.
  StackMatcher(const report::ReportModel& model, const SampledStacks& stacks);

  // A stack with a nonzero amount of the value; visited once.
  struct Stack {
    bool is_cut;            // its outer frames are missing
    std::uint64_t amount;   // of the value
    std::uint64_t samples;  // samples behind the amount, if SampledStacks::has_samples()
  };
  using Visit = std::function<void(const Match&, const Stack&)>;
  void match(std::size_t value, const Visit& visit);

 private:
  // State of the walk at one frame of a stack.
  struct Step {
    enum class State { kAlive, kNativeLeaf, kDead };
    State state = State::kAlive;
    bool is_begun = false;  // a recorded frame was seen
    bool is_cut = false;    // its outer frames are missing
    std::size_t first = 0;  // start of its contexts in candidates_
    std::size_t end = 0;
    std::int64_t caller = -1;  // last recorded frame; -1 means none
    std::string why;           // reason for kDead
  };

  ReportNames::Answer& answer_for(FrameId frame);
  Step step(const Step& from, FrameId frame);
  Step step_to_thread(const Step& from, const std::string& name);
  void begin_cut(const Step& from, const ReportNames::Answer& answer);
  void follow(std::int32_t node, const Frame* caller, const ReportNames::Answer& answer);
  bool push_children(std::int32_t node, const Frame* caller, const ReportNames::Answer& answer);
  bool push_merged(std::int32_t node, const ReportNames::Answer& answer);
  void push_evicted(std::int32_t node);
  bool fits_site(std::int32_t child, const Frame& caller, bool by_bci) const;
  bool is_native_leaf(const ReportNames::Answer& answer) const;
  std::string why_not(const Step& from, FrameId frame, const ReportNames::Answer& answer) const;
  Match match_of(const Step& step) const;
  void find_evicted();
  void find_recursion();
  void find_leaves();

  const report::ReportModel& model_;
  const SampledStacks& stacks_;
  const ReportNames names_;
  std::vector<std::size_t> threads_;  // rows; empty when contexts begin below ROOT
  std::vector<std::uint32_t> subtree_rows_;
  std::vector<std::int32_t> evicted_child_;  // by node, -1 if none; empty without evictions
  std::vector<bool> is_evicted_;             // by method
  std::vector<bool> may_be_merged_;          // by method; empty when no recursion was merged
  std::vector<bool> has_children_;           // by method: a node of the method has children
  std::vector<std::vector<std::int32_t>> nodes_of_;  // by method, once a cut stack asks
  std::vector<ReportNames::Answer> answers_;         // by frame, once asked
  std::vector<bool> is_answered_;
  std::vector<std::int32_t> candidates_;  // contexts of the steps of one stack, step by step
};

}  // namespace copse::join
