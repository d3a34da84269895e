#include "import/sampled_stacks.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "base/grouped.h"

namespace copse::join {
namespace {

constexpr FrameId kNotKnown = std::numeric_limits<FrameId>::max();
constexpr const char* kTooMany = "the sum of its samples does not fit 64 bits";

}  // namespace

std::size_t SampledStacks::FrameHash::operator()(const Frame& frame) const noexcept {
  std::uint64_t hash = std::hash<std::string>()(frame.class_name);
  for (const std::uint64_t part :
       {std::uint64_t{std::hash<std::string>()(frame.method)},
        std::uint64_t{std::hash<std::string>()(frame.descriptor)},
        static_cast<std::uint64_t>(frame.line), static_cast<std::uint64_t>(frame.bci)}) {
    hash = hash_of(hash ^ std::rotl(part, 29));
  }
  return hash;
}

SampledStacks::SampledStacks(FrameReading reading)
    : reading_(reading), nodes_(kRoots, Node{0, 0}) {}

std::size_t SampledStacks::add_value(std::string name) {
  values_.emplace_back();
  values_.back().name = std::move(name);
  amounts_.emplace_back();
  samples_.emplace_back();
  return values_.size() - 1;
}

void SampledStacks::set_measure(std::size_t value, std::string unit, std::string stem) {
  values_[value].unit = std::move(unit);
  values_[value].stem = std::move(stem);
}

void SampledStacks::add_note(std::size_t value, std::string note) {
  values_[value].notes.push_back(std::move(note));
}

FrameId SampledStacks::frame(Frame frame) {
  const auto [found, is_new] =
      frame_ids_.emplace(std::move(frame), static_cast<FrameId>(frames_.size()));
  if (is_new) frames_.push_back(found->first);
  return found->second;
}

std::uint32_t SampledStacks::child(std::uint32_t parent, FrameId frame) {
  // One more than the frame, because a key must not be 0.
  std::uint32_t& next = node_ids_[std::uint64_t{parent} << 32 | (frame + 1)];
  if (next == 0) {
    next = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({parent, frame});
  }
  return next;
}

FrameId SampledStacks::anywhere(FrameId at) {
  if (frames_[at].line < 0 && frames_[at].bci < 0) return at;
  if (at >= anywhere_.size()) anywhere_.resize(at + 1, kNotKnown);
  if (anywhere_[at] == kNotKnown) {
    Frame placeless = frames_[at];
    placeless.line = placeless.bci = -1;
    anywhere_[at] = frame(std::move(placeless));
  }
  return anywhere_[at];
}

std::uint32_t SampledStacks::node_of(std::span<const FrameId> stack, std::uint32_t root) {
  if (stack.empty()) return root;
  const std::size_t callers = stack.size() - 1;
  std::size_t depth = 0;
  if (root == path_root_) {
    const std::size_t most = std::min(callers, path_.size());
    while (depth < most && path_[depth].frame == stack[depth]) ++depth;
  }
  path_root_ = root;
  path_.resize(depth);
  std::uint32_t node = depth == 0 ? root : path_.back().node;
  for (; depth < callers; ++depth) {
    node = child(node, stack[depth]);
    path_.push_back({stack[depth], node});
  }
  return child(node, anywhere(stack[callers]));
}

Status SampledStacks::add(std::span<const FrameId> stack, std::uint32_t root, std::size_t value,
                          const Seen& seen) {
  const std::uint32_t node = node_of(stack, root);
  std::uint64_t& total = values_[value].total;
  if (__builtin_add_overflow(total, seen.amount, &total))
    return Status::error(Fault::kLimit, kTooMany);
  const auto add_to = [&](std::vector<std::uint64_t>& column, std::uint64_t number) {
    if (node >= column.size()) column.resize(nodes_.size());
    column[node] += number;
  };
  add_to(amounts_[value], seen.amount);
  if (seen.samples != 0) add_to(samples_[value], seen.samples);
  return {};
}

Status SampledStacks::multiply(std::size_t value, std::uint64_t factor) {
  std::uint64_t total = 0;
  // No amount is more than the total.
  if (__builtin_mul_overflow(values_[value].total, factor, &total))
    return Status::error(Fault::kLimit, kTooMany);
  values_[value].total = total;
  if (samples_[value].empty()) samples_[value] = amounts_[value];
  for (std::uint64_t& amount : amounts_[value]) amount *= factor;
  return {};
}

Status SampledStacks::add_amounts(std::size_t to, std::size_t from) {
  std::uint64_t& total = values_[to].total;
  if (__builtin_add_overflow(total, values_[from].total, &total))
    return Status::error(Fault::kLimit, kTooMany);
  for (std::vector<std::vector<std::uint64_t>>* columns : {&amounts_, &samples_}) {
    std::vector<std::uint64_t>& sums = (*columns)[to];
    const std::vector<std::uint64_t>& more = (*columns)[from];
    if (sums.size() < more.size()) sums.resize(more.size());
    for (std::size_t node = 0; node < more.size(); ++node) sums[node] += more[node];
  }
  return {};
}

void SampledStacks::drop_last_value() {
  values_.pop_back();
  amounts_.pop_back();
  samples_.pop_back();
}

Status SampledStacks::take_each_for(std::size_t value, std::uint64_t period_ns) {
  const std::uint64_t samples = values_[value].total;
  if (values_[value].unit == "ns" || values_[value].unit == "bytes") {
    return Status::error(Fault::kRefused, "the samples say themselves how many " +
                                              values_[value].unit + " they stand for");
  }
  if (Status status = multiply(value, period_ns); !status) return status;
  set_measure(value, "ns", "sampled");
  add_note(value, counted(samples, "sample") + ", each taken for " + grouped(period_ns) +
                      " ns, as asked: an estimate.");
  return {};
}

Result<std::size_t> SampledStacks::value_named(const std::string& name) const {
  if (name.empty() && shown < values_.size()) return shown;
  std::string all;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].name == name) return i;
    all += (all.empty() ? "" : ", ") + values_[i].name;
  }
  return Result<std::size_t>::error(
      Fault::kNotFound, "--value " + name + ": the samples have no such value, but " + all);
}

}  // namespace copse::join
