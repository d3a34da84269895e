#include "encoders/study/encoder_check.h"

#include <algorithm>
#include <chrono>

#include "base/grouped.h"
#include "encoders/study/replay.h"

namespace copse::study {
namespace {

using encoders::Encoder;
using encoders::MemoryUse;
using encoders::Token;

// Sums short stretches of time without what reading the clock itself takes.
class Stopwatch {
 public:
  Stopwatch() {
    Clock::duration best = std::chrono::seconds(1);
    for (int i = 0; i < 100; ++i) {
      const auto begin = Clock::now();
      best = std::min(best, Clock::now() - begin);
    }
    overhead_ = best;
  }
  void start() { begin_ = Clock::now(); }
  void stop() {
    sum_ += std::max(Clock::duration::zero(), Clock::now() - begin_ - overhead_);
    ++count_;
  }
  double mean_ns() const {
    const double ns = std::chrono::duration<double, std::nano>(sum_).count();
    return count_ == 0 ? 0 : ns / static_cast<double>(count_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::duration overhead_{};
  Clock::time_point begin_;
  Clock::duration sum_{};
  std::uint64_t count_ = 0;
};

// A search's message has all of a context that it is sure of.
std::string shortened(std::string text) {
  constexpr std::size_t kMost = 160;
  if (text.size() > kMost) text.replace(kMost, std::string::npos, "...");
  return text;
}

class Checker {
 public:
  Checker(const Survey& survey, Encoder& encoder, const CheckOptions& options, EncoderCheck& row)
      : survey_(survey),
        encoder_(encoder),
        options_(options),
        row_(row),
        tokens_(static_cast<std::size_t>(options.kept_token_bytes)) {}

  // False when the encoder holds more than it may.
  bool feed(std::span<const Op> ops);
  void finish();
  const TokenStore& tokens() const noexcept { return tokens_; }

 private:
  void take_token(const Sample& sample);
  void note_stack(ThreadIndex thread);
  std::string context_words(const CallPath& path) const;
  bool agrees(const Sample& sample, const Result<CallPath>& got, const CallPath& expected);
  void measure();
  CallPath truth(const Sample& sample) const;
  std::uint32_t context_number(const CallPath& expected);

  const Survey& survey_;
  Encoder& encoder_;
  const CheckOptions& options_;
  EncoderCheck& row_;

  TokenStore tokens_;
  std::vector<bool> failed_;  // by token, at once
  std::uint64_t position_ = 0;
  std::size_t next_sample_ = 0;
  std::size_t next_point_ = 0;
  std::uint64_t live_threads_ = 0;
  bool merges_ = false;  // some context differs from what decode must give for it
  encoders::ContextNodes expected_;
  Stopwatch taking_, decoding_;
  Token token_;
};

bool Checker::feed(std::span<const Op> ops) {
  for (const Op& op : ops) {
    apply(encoder_, op);
    live_threads_ += op.kind == OpKind::kStart;
    live_threads_ -= op.kind == OpKind::kEnd;
    ++position_;
    if (position_ % kCollectPeriod == 0) collect(encoder_, op);
    if (next_sample_ < survey_.samples.size() &&
        survey_.samples[next_sample_].position == position_) {
      take_token(survey_.samples[next_sample_++]);
    }
    if (next_point_ < survey_.growth.size() && survey_.growth[next_point_].position == position_) {
      ++next_point_;
      row_.growth.push_back({position_, encoder_.memory()});
      measure();
    }
  }
  measure();
  if (row_.peak_bytes <= options_.most_bytes) return true;
  row_.stopped_at = position_;
  return false;
}

void Checker::measure() {
  const MemoryUse use = encoder_.memory();
  row_.peak_bytes = std::max(row_.peak_bytes, use.total() - use.replay_bytes);
  if (use.live_bytes <= row_.peak_live_bytes) return;
  row_.peak_live_bytes = use.live_bytes;
  row_.threads_at_peak = live_threads_;
}

CallPath Checker::truth(const Sample& sample) const {
  Result<CallPath> path = survey_.tree.path(sample.node);
  return path.ok() ? std::move(path).value() : CallPath{};
}

void Checker::take_token(const Sample& sample) {
  taking_.start();
  encoder_.token(ThreadIndex{sample.slot}, token_);
  taking_.stop();
  ++row_.tokens;
  row_.token_bytes += token_.size();
  row_.longest_token = std::max<std::uint64_t>(row_.longest_token, token_.size());
  row_.not_kept += !tokens_.add(token_);
  note_stack(ThreadIndex{sample.slot});
  if (!row_.info->decodes) return;
  const CallPath path = truth(sample);
  const CallPath expected = encoder_.expected(path);
  merges_ = merges_ || expected != path;
  failed_.push_back(!agrees(sample, encoder_.decode(token_), expected));
}

void Checker::note_stack(ThreadIndex thread) {
  const std::optional<StackHeight> height = encoder_.stack_height(thread);
  if (!height) return;
  if (!row_.stack) row_.stack.emplace();
  row_.stack->add(*height);
}

// A long context is told by its innermost frames.
std::string Checker::context_words(const CallPath& path) const {
  constexpr std::size_t kMost = 4;
  if (path.size() <= kMost) return options_.context_text(path);
  const CallPath inner(path.end() - kMost, path.end());
  return "... " + options_.context_text(inner) + " (" + grouped(path.size()) + " frames)";
}

bool Checker::agrees(const Sample& sample, const Result<CallPath>& got, const CallPath& expected) {
  if (got.ok() && *got == expected) return true;
  ++(got.ok() ? row_.wrong : row_.undecodable);
  if (!got.ok() && got.fault() == Fault::kLimit) ++row_.given_up;
  if (!row_.failure) {
    row_.failure = {
        sample, position_,
        "expected " + context_words(expected) + ", got " +
            (got.ok() ? context_words(*got) : "no context: " + shortened(got.message()))};
  }
  return false;
}

void Checker::finish() {
  std::vector<std::uint32_t> contexts;
  contexts.reserve(tokens_.size());
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Sample& sample = survey_.samples[i];
    if (!row_.info->decodes) {
      contexts.push_back(sample.node);
      continue;
    }
    const CallPath expected = encoder_.expected(truth(sample));
    contexts.push_back(merges_ ? context_number(expected) : sample.node);
    if (failed_[i]) continue;
    const Token token = tokens_.token(i);
    decoding_.start();
    const Result<CallPath> got = encoder_.decode(token);
    decoding_.stop();
    agrees(sample, got, expected);
  }
  const Collisions collisions = count_collisions(tokens_, contexts);
  row_.contexts = collisions.contexts;
  row_.collisions = collisions.count;
  if (row_.info->decodes) row_.decoded = row_.tokens - row_.wrong - row_.undecodable;
  row_.token_ns = taking_.mean_ns();
  row_.decode_ns = decoding_.mean_ns();
  row_.facts = encoder_.facts();
  if (row_.stack && row_.stack->largest_code) {
    row_.facts.values.push_back({"max_id_seen", *row_.stack->largest_code});
  }
}

// Contexts that the scheme does not tell apart by design have one number.
std::uint32_t Checker::context_number(const CallPath& expected) {
  std::uint32_t node = 0;
  for (const EdgeKey edge : expected) node = expected_.child(node, edge);
  return node;
}

}  // namespace

Result<EncoderCheck> check_encoder(OpStream& stream, const Survey& survey,
                                   const encoders::EncoderInfo& info,
                                   const encoders::EncoderConfig& config,
                                   const CheckOptions& options) {
  EncoderCheck row;
  row.info = &info;
  const Result<std::unique_ptr<Encoder>> encoder = encoders::make_encoder(info.name, config);
  if (!encoder.ok()) return encoder.status();
  if (Status status = stream.rewind(); !status.ok()) return status;
  Checker checker(survey, **encoder, options, row);
  while (true) {
    const Result<std::span<const Op>> ops = stream.next();
    if (!ops.ok()) return ops.status();
    if (ops->empty() || !checker.feed(*ops)) break;
  }
  checker.finish();
  if (options.when_done) {
    if (Status status = options.when_done(info, **encoder, checker.tokens()); !status.ok()) {
      return status;
    }
  }
  return row;
}

}  // namespace copse::study
