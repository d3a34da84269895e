#include "encoders/study/shrinker.h"

#include <algorithm>

#include "encoders/study/call_spans.h"
#include "encoders/study/replay.h"

namespace copse::study {
namespace {

using encoders::Encoder;
using encoders::Token;

std::string described(const CallPath& expected, const Result<CallPath>& got) {
  const std::string answer = got.ok() ? '[' + to_string(*got) + ']' : got.message();
  return "expected [" + to_string(expected) + "], got " + answer;
}

graph::CallGraph graph_of(const std::vector<Op>& ops) {
  graph::CallGraph graph;
  for (const Op& op : ops) {
    if (op.kind == OpKind::kCall) graph.add(op.edge());
  }
  return graph;
}

// The stream up to `end`, with one mark: where the token is taken.
Result<std::vector<Op>> prefix(OpStream& stream, std::uint64_t token_at, std::uint32_t slot,
                               std::uint64_t end) {
  if (Status status = stream.rewind(); !status.ok()) return status;
  std::vector<Op> ops;
  std::uint64_t position = 0;
  while (position < end) {
    const Result<std::span<const Op>> chunk = stream.next();
    if (!chunk.ok()) return chunk.status();
    if (chunk->empty()) break;
    for (const Op& op : *chunk) {
      if (position == end) break;
      if (op.kind != OpKind::kMark) ops.push_back(op);
      if (++position == token_at) ops.push_back({OpKind::kMark, slot});
    }
  }
  return ops;
}

class Shrinker {
 public:
  Shrinker(std::vector<Op> ops, const encoders::EncoderInfo& info, const SchemeConfig& config,
           std::uint64_t effort)
      : ops_(std::move(ops)), info_(info), config_(config), effort_(effort) {}

  void run();
  bool exhausted() const noexcept { return effort_ == 0; }
  const std::vector<Op>& ops() const noexcept { return ops_; }

 private:
  bool adopt(std::vector<Op> candidate);
  void shorten_prefix();
  bool drop_tail();
  bool drop_lives();
  bool drop_calls();
  bool merge_bodies();
  bool merge_one_body();
  bool drop_frames();

  std::vector<Op> ops_;
  const encoders::EncoderInfo& info_;
  const SchemeConfig& config_;
  std::uint64_t effort_;
};

void Shrinker::run() {
  shorten_prefix();
  drop_tail();
  drop_lives();
  bool smaller = true;
  while (smaller && !exhausted()) {
    smaller = drop_calls();
    smaller |= merge_bodies();
    smaller |= drop_frames();
    smaller |= drop_tail();
  }
}

// Takes the candidate when it is smaller and fails, too.
bool Shrinker::adopt(std::vector<Op> candidate) {
  if (candidate.size() >= ops_.size() && candidate == ops_) return false;
  // An encoder with its tables costs something even when there is next to nothing to replay.
  const std::uint64_t cost = candidate.size() + 100;
  if (effort_ < cost) {
    effort_ = 0;
    return false;
  }
  effort_ -= cost;
  if (failure_of(candidate, info_, config_).empty()) return false;
  ops_ = std::move(candidate);
  return true;
}

// Halves what is behind the token for as long as it is not needed. A failure once there usually
// stays, which makes this a binary search for where it begins.
void Shrinker::shorten_prefix() {
  const auto is_mark = [](const Op& op) { return op.kind == OpKind::kMark; };
  const auto mark = std::find_if(ops_.begin(), ops_.end(), is_mark);
  std::size_t passes = static_cast<std::size_t>(mark - ops_.begin());  // too short to fail
  while (passes + 1 < ops_.size() && !exhausted()) {
    const std::size_t length = passes + 1 + (ops_.size() - passes - 1) / 2;
    const auto end = ops_.begin() + static_cast<std::ptrdiff_t>(length);
    if (!adopt({ops_.begin(), end})) passes = length;
  }
}

// Behind the last call or mark nothing can matter but decoding itself.
bool Shrinker::drop_tail() {
  const auto matters = [](const Op& op) {
    return op.kind == OpKind::kCall || op.kind == OpKind::kMark;
  };
  const auto last = std::find_if(ops_.rbegin(), ops_.rend(), matters);
  return last != ops_.rbegin() && adopt({ops_.begin(), last.base()});
}

bool Shrinker::drop_lives() {
  bool smaller = false;
  for (std::uint32_t life = CallSpans(ops_).life_count(); life > 0 && !exhausted(); --life) {
    const CallSpans spans(ops_);
    std::vector<bool> removed(spans.calls().size());
    for (std::uint32_t i = 0; i < removed.size(); ++i) removed[i] = spans.life(i) == life - 1;
    smaller |= adopt(spans.without(removed));
  }
  return smaller;
}

// Runs of calls, at first half of them, in the end single ones, until no single one can go.
bool Shrinker::drop_calls() {
  bool smaller = false;
  std::size_t run = CallSpans(ops_).calls().size() / 2 + 1;
  while (!exhausted()) {
    bool smaller_at_this_size = false;
    for (std::size_t begin = 0; !exhausted();) {
      const CallSpans spans(ops_);
      const std::size_t count = spans.calls().size();
      if (begin >= count) break;
      std::vector<bool> removed(count);
      for (std::size_t i = begin; i < std::min(count, begin + run); ++i) removed[i] = true;
      if (adopt(spans.without(removed))) {
        smaller_at_this_size = true;
      } else {
        begin += run;
      }
    }
    smaller |= smaller_at_this_size;
    if (run == 1 && !smaller_at_this_size) break;
    run = std::max<std::size_t>(1, run / 2);
  }
  return smaller;
}

bool Shrinker::merge_bodies() {
  bool smaller = false;
  while (!exhausted() && merge_one_body()) smaller = true;
  return smaller;
}

// The outermost call whose body can be that of a deeper call of its method.
bool Shrinker::merge_one_body() {
  const CallSpans spans(ops_);
  const auto count = static_cast<std::uint32_t>(spans.calls().size());
  for (std::uint32_t inner = 0; inner < count; ++inner) {
    for (std::uint32_t outer = spans.parent(inner); outer != CallSpans::kNone;
         outer = spans.parent(outer)) {
      if (exhausted()) return false;
      if (spans.callee(outer) != spans.callee(inner)) continue;
      if (adopt(spans.with_body_of(outer, inner))) return true;
    }
  }
  return false;
}

bool Shrinker::drop_frames() {
  bool smaller = false;
  for (std::uint32_t call = 0; !exhausted();) {
    const CallSpans spans(ops_);
    if (call >= spans.calls().size()) break;
    if (adopt(spans.without_frame(call))) {
      smaller = true;
    } else {
      ++call;
    }
  }
  return smaller;
}

}  // namespace

std::string failure_of(const std::vector<Op>& ops, const encoders::EncoderInfo& info,
                       const SchemeConfig& config) {
  const auto made = encoders::make_encoder(info.name, config.config(graph_of(ops)));
  if (!made.ok()) return {};
  Encoder& encoder = **made;
  std::vector<CallPath> stacks;
  Token token;
  CallPath expected;
  for (const Op& op : ops) {
    if (op.slot >= stacks.size()) stacks.resize(op.slot + 1);
    CallPath& stack = stacks[op.slot];
    apply(encoder, op);
    if (op.kind == OpKind::kStart || op.kind == OpKind::kEnd) stack.clear();
    if (op.kind == OpKind::kCall) stack.push_back(op.edge());
    if (op.kind == OpKind::kReturn || op.kind == OpKind::kUnwind) {
      stack.resize(stack.size() - op.frames());
    }
    if (op.kind == OpKind::kMark) {
      encoder.token(op.thread(), token);
      expected = encoder.expected(stack);
      const Result<CallPath> got = encoder.decode(token);
      if (!got.ok() || *got != expected) return described(expected, got);
    }
  }
  const Result<CallPath> got = encoder.decode(token);
  return got.ok() && *got == expected ? std::string() : described(expected, got);
}

Result<Counterexample> shrink_failure(OpStream& stream, const Survey& survey,
                                      const EncoderCheck& row, const SchemeConfig& config,
                                      const ShrinkOptions& options) {
  const DecodeFailure& failure = *row.failure;
  const std::string name(row.info->name);
  if (failure.found_at > options.most_prefix) {
    return Status::error(Fault::kLimit,
                         "counterexample of " + name + ": the failing prefix has " +
                             std::to_string(failure.found_at) + " operations, more than the " +
                             std::to_string(options.most_prefix) + " that are shrunk");
  }
  Result<std::vector<Op>> ops =
      prefix(stream, failure.sample.position, failure.sample.slot, failure.found_at);
  if (!ops.ok()) return ops.status();
  Counterexample found;
  // Static schemes: with a graph of its own the prefix is a program by itself. Where it does not
  // fail that way, calls behind it matter through the graph; where these are too many, it keeps the
  // whole stream's graph.
  const SchemeConfig fixed = config.with_graph(survey.graph);
  const SchemeConfig* used = &config;
  if (failure_of(*ops, *row.info, config).empty() && survey.operations <= options.most_prefix) {
    ops = prefix(stream, failure.sample.position, failure.sample.slot, survey.operations);
    if (!ops.ok()) return ops.status();
  }
  if (failure_of(*ops, *row.info, config).empty()) {
    found.keeps_graph = true;
    used = &fixed;
    if (failure_of(*ops, *row.info, fixed).empty()) {
      return Status::error(Fault::kInternal,
                           "counterexample of " + name + ": the failing prefix passes by itself");
    }
  }
  Shrinker shrinker(std::move(*ops), *row.info, *used, options.effort);
  shrinker.run();
  found.ops = shrinker.ops();
  found.minimal = !shrinker.exhausted();
  found.what = failure_of(found.ops, *row.info, *used);
  const auto is_call = [](const Op& op) { return op.kind == OpKind::kCall; };
  found.calls =
      static_cast<std::uint64_t>(std::count_if(found.ops.begin(), found.ops.end(), is_call));
  return found;
}

}  // namespace copse::study
