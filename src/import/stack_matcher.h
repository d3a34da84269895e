// Where in a report's tree sampled stacks belong.
//
// Frames of what was not recorded are left out of a stack. The others are followed from ROOT: at each
// step the contexts that are children of those before, of the frame's method, and called from where
// the caller's frame was, as far as the sample and the report know lines and bytecode indices. What
// remains at the innermost frame are the contexts that the stack can be of: one, several, or none.
// In a report with --by-thread they are followed from the row of the stack's thread, where the samples tell
// it and the report has it; else from all threads' rows. docs/formats.md has the rule with its exceptions.
//
// Cost: per distinct frame of the stacks the children of its callers' contexts. Memory: 8 bytes per
// node of the report, and the contexts along one stack.
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
  kOutside,    // a whole stack without any frame that was recorded
  kUnmatched,  // none
};

struct Match {
  Outcome outcome = Outcome::kUnmatched;
  // Rows of nodes, ascending: of kContext one, of kAmbiguous more. Valid during the visit.
  std::span<const std::int32_t> nodes;
  std::string why;  // of kUnmatched, printable, with the frames at which it ended
};

class StackMatcher {
 public:
  // A stack that more contexts fit, at any of its frames, is not matched.
  static constexpr std::size_t kMostCandidates = 1 << 16;

  // Both must outlive it.
  StackMatcher(const report::ReportModel& model, const SampledStacks& stacks);

  // Each stack of which there is anything of the value, once.
  struct Stack {
    bool is_cut;            // its outer frames are missing
    std::uint64_t amount;   // of the value
    std::uint64_t samples;  // that this is of, where SampledStacks::has_samples()
  };
  using Visit = std::function<void(const Match&, const Stack&)>;
  void match(std::size_t value, const Visit& visit);

 private:
  // How far a stack has come at one of its frames.
  struct Step {
    enum class State { kAlive, kNativeLeaf, kDead };
    State state = State::kAlive;
    bool is_begun = false;  // a frame of it was recorded
    bool is_cut = false;    // its outer frames are missing
    std::size_t first = 0;  // of its contexts in candidates_
    std::size_t end = 0;
    std::int64_t caller = -1;  // the last recorded frame; -1: none
    std::string why;           // of kDead
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
  std::vector<std::size_t> threads_;  // rows; empty: contexts begin below ROOT
  std::vector<std::uint32_t> subtree_rows_;
  std::vector<std::int32_t> evicted_child_;  // by node, -1: none; empty when nothing was evicted
  std::vector<bool> is_evicted_;             // by method
  std::vector<bool> may_be_merged_;          // by method; empty when no recursion was merged
  std::vector<bool> has_children_;           // by method: a node of it has
  std::vector<std::vector<std::int32_t>> nodes_of_;  // by method, once a cut stack asks
  std::vector<ReportNames::Answer> answers_;         // by frame, once asked
  std::vector<bool> is_answered_;
  std::vector<std::int32_t> candidates_;  // of the steps of one stack, one after the other
};

}  // namespace copse::join
