#include "encoders/study/survey.h"

#include <algorithm>

namespace copse::study {
namespace {

constexpr std::size_t kMostGrowthPoints = 64;
constexpr std::uint64_t kCheckedFrames = 1 << 20;

class Surveyor {
 public:
  explicit Surveyor(const SampleOptions& options) : sampler_(options) {}

  void apply(const Op& op);
  Survey finish() &&;

 private:
  struct Thread {
    std::vector<EdgeKey> stack;
    std::vector<std::uint32_t> nodes = {0};  // ROOT and one per frame
    bool has_called = false;
  };

  void count(Thread& thread);
  void check(const Thread& thread);
  void note_growth();

  Survey survey_;
  Sampler sampler_;
  std::vector<Thread> threads_;     // by slot
  std::uint64_t live_threads_ = 0;  // of those that have called
  std::uint64_t depth_sum_ = 0;
  std::uint64_t growth_step_ = 1;
  std::uint64_t check_step_ = 1;
  std::uint64_t checked_frames_ = 0;  // since the step was doubled
};

void Surveyor::apply(const Op& op) {
  if (op.slot >= threads_.size()) threads_.resize(op.slot + 1);
  Thread& thread = threads_[op.slot];
  ++survey_.operations;
  switch (op.kind) {
    case OpKind::kStart:
      thread = Thread();
      break;
    case OpKind::kCall:
      ++survey_.calls;
      if (!thread.has_called) count(thread);
      thread.stack.push_back(op.edge());
      thread.nodes.push_back(survey_.tree.child(thread.nodes.back(), op.edge()));
      survey_.graph.add(op.edge());
      depth_sum_ += thread.stack.size();
      survey_.max_depth = std::max<std::uint64_t>(survey_.max_depth, thread.stack.size());
      break;
    case OpKind::kReturn:
    case OpKind::kUnwind:
      thread.stack.resize(thread.stack.size() - op.frames());
      thread.nodes.resize(thread.nodes.size() - op.frames());
      break;
    case OpKind::kMark:
      ++survey_.marks;
      break;
    case OpKind::kEnd:
      if (thread.has_called) --live_threads_;
      thread = Thread();
      break;
  }
  if (op.kind != OpKind::kEnd) {
    const Sample here{survey_.operations, thread.nodes.back(), op.slot,
                      static_cast<std::uint32_t>(thread.stack.size())};
    sampler_.at_operation(here);
    if (op.kind == OpKind::kMark) sampler_.at_mark(here);
    if (op.kind == OpKind::kCall) sampler_.at_call(here);
    if (survey_.operations % check_step_ == 0) check(thread);
  }
  if (survey_.operations % growth_step_ == 0) note_growth();
}

// A thread is one from its first call on.
void Surveyor::count(Thread& thread) {
  thread.has_called = true;
  ++survey_.threads;
  survey_.most_live_threads = std::max(survey_.most_live_threads, ++live_threads_);
}

// A check costs the depth, so they become rarer: kCheckedFrames at each doubling of the stream.
void Surveyor::check(const Thread& thread) {
  checked_frames_ += 1 + thread.stack.size();
  if (checked_frames_ >= kCheckedFrames) {
    check_step_ *= 2;
    checked_frames_ = 0;
  }
  const Result<CallPath> path = survey_.tree.path(thread.nodes.back());
  survey_.truth_mismatches += !path.ok() || *path != thread.stack;
}

void Surveyor::note_growth() {
  std::vector<GrowthPoint>& growth = survey_.growth;
  growth.push_back({survey_.operations, survey_.calls, survey_.contexts()});
  if (growth.size() < 2 * kMostGrowthPoints) return;
  for (std::size_t i = 1; i < growth.size(); i += 2) growth[i / 2] = growth[i];
  growth.resize(growth.size() / 2);
  growth_step_ *= 2;
}

Survey Surveyor::finish() && {
  if (survey_.growth.empty() || survey_.growth.back().position != survey_.operations) {
    survey_.growth.push_back({survey_.operations, survey_.calls, survey_.contexts()});
  }
  std::vector<bool> called(survey_.graph.method_limit());
  for (const auto& edge : survey_.graph.edges()) called[raw(callee_of(edge.key))] = true;
  survey_.methods = static_cast<std::uint64_t>(std::count(called.begin(), called.end(), true));
  if (survey_.calls > 0) {
    survey_.mean_depth = static_cast<double>(depth_sum_) / static_cast<double>(survey_.calls);
  }
  survey_.call_period = sampler_.calls().period();
  survey_.mark_period = sampler_.marks().period();
  survey_.samples = std::move(sampler_).take();
  return std::move(survey_);
}

}  // namespace

Result<Survey> survey_stream(OpStream& stream, const SampleOptions& options) {
  if (Status status = stream.rewind(); !status.ok()) return status;
  Surveyor surveyor(options);
  while (true) {
    const Result<std::span<const Op>> ops = stream.next();
    if (!ops.ok()) return ops.status();
    if (ops->empty()) break;
    for (const Op& op : *ops) surveyor.apply(op);
  }
  return std::move(surveyor).finish();
}

}  // namespace copse::study
