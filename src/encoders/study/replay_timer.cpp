#include "encoders/study/replay_timer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "encoders/study/replay.h"

namespace copse::study {
namespace {

// A run of one thread's operations keeps the reference to its state.
template <encoders::ContextEncoder E>
void feed(E& encoder, std::span<const Op> ops) {
  for (std::size_t i = 0; i < ops.size();) {
    const std::uint32_t slot = ops[i].slot;
    typename E::Thread& thread = encoder.thread(ThreadIndex{slot});
    for (; i < ops.size() && ops[i].slot == slot; ++i) apply(encoder, thread, ops[i]);
  }
}

// `position`: of the first operation. Collects at the same positions as a check.
template <encoders::ContextEncoder E>
void feed_from(std::uint64_t position, E& encoder, std::span<const Op> ops) {
  if constexpr (requires(typename E::Thread & thread) { encoder.collect(thread); }) {
    while (!ops.empty()) {
      const std::uint64_t wanted = kCollectPeriod - position % kCollectPeriod;
      const std::size_t now = std::min<std::size_t>(ops.size(), wanted);
      feed(encoder, ops.first(now));
      if (now == wanted) collect(encoder, ops[now - 1]);
      position += now;
      ops = ops.subspan(now);
    }
  } else {
    feed(encoder, ops);
  }
}

template <encoders::ContextEncoder E>
Result<double> timed(OpStream& stream, E& encoder, std::uint64_t operations) {
  using Clock = std::chrono::steady_clock;
  if (Status status = stream.rewind(); !status.ok()) return status;
  Clock::duration sum{};
  std::uint64_t calls = 0;
  std::uint64_t fed = 0;
  while (operations > 0) {
    const Result<std::span<const Op>> chunk = stream.next();
    if (!chunk.ok()) return chunk.status();
    if (chunk->empty()) break;
    const auto ops =
        chunk->first(static_cast<std::size_t>(std::min<std::uint64_t>(chunk->size(), operations)));
    operations -= ops.size();
    const std::uint64_t position = std::exchange(fed, fed + ops.size());
    for (const Op& op : ops) calls += op.kind == OpKind::kCall;
    const auto begin = Clock::now();
    feed_from(position, encoder, ops);
    sum += Clock::now() - begin;
  }
  if (calls == 0) return 0.0;
  return std::chrono::duration<double, std::nano>(sum).count() / static_cast<double>(calls);
}

}  // namespace

Result<double> replay_ns_per_call(OpStream& stream, std::string_view encoder,
                                  const encoders::EncoderConfig& config, std::uint64_t operations) {
  Result<double> ns =
      Status::error(Fault::kNotFound, "encoder " + std::string(encoder) + ": no such encoder");
  encoders::visit_encoder(encoder, config, [&](auto make) {
    auto concrete = make();
    ns = timed(stream, concrete, operations);
  });
  return ns;
}

Result<double> bare_ns_per_call(OpStream& stream, std::uint64_t operations) {
  encoders::StackWalkEncoder shadow_stack;
  return timed(stream, shadow_stack, operations);
}

}  // namespace copse::study
