#include "encoders/replay/stack_encoder.h"

#include <algorithm>
#include <chrono>
#include <string>

namespace copse::encoders {
namespace {

constexpr std::uint64_t kHasCount = std::uint64_t{1} << 63;

}  // namespace

StackEncoder::StackEncoder(std::unique_ptr<CodeNumbering> numbering, const graph::CallGraph& graph,
                           StackNames names)
    : numbering_(std::move(numbering)), slots_(numbering_->slots()), names_(names) {
  if (names == StackNames::kEdges) return;
  // Decoding must know which methods have a first context.
  for (const graph::CallGraph::Edge& edge : graph.edges()) numbering_->mapping(edge.key, 0);
}

void StackEncoder::call_slow(Thread& thread, EdgeKey edge, const Step* step) {
  // A static numbering's step is complete; another numbering's step may be out of date.
  if (step != nullptr && is_static()) return push(thread, edge);
  learn(thread, edge);
  if (numbering_->wants_epoch()) begin_epoch();
}

// The call by what the numbering says of it now.
void StackEncoder::learn(Thread& thread, EdgeKey edge) {
  const std::uint64_t code = thread.frames.back().code;
  auto mapping = numbering_->mapping(edge, code);
  const bool maps = mapping.has_value();
  if (!maps) mapping = numbering_->known_mapping(edge, 0);
  Step& now = steps_[edge];
  if (mapping) now = {mapping->first, mapping->length, mapping->addition, mapping->factor};
  if (maps) {
    thread.frames.emplace_back((*mapping)(code), edge, thread.frames.back().height);
  } else {
    push(thread, edge);
  }
}

void StackEncoder::push(Thread& thread, EdgeKey edge) {
  const std::uint64_t code = thread.frames.back().code;
  const std::uint32_t height = thread.frames.back().height;
  thread.entries.resize(height);
  thread.entries.push_back({code, edge});
  thread.frames.emplace_back(0, edge, height + 1);
  pushes_.pushed(height + 1);
}

void StackEncoder::begin_epoch() {
  const PushCount before = pushes_;  // the program makes none of the calls that are encoded again
  numbering_->begin_epoch();
  const auto begin = std::chrono::steady_clock::now();
  ++epoch_;
  steps_.clear();
  threads_.for_each([&](Thread& thread) {
    std::vector<Frame> frames = std::move(thread.frames);
    thread.frames.assign(1, Frame{});
    thread.frames.reserve(frames.capacity());
    for (std::size_t i = 1; i < frames.size(); ++i) learn(thread, frames[i].edge);
  });
  pushes_ = before;
  const auto took = std::chrono::steady_clock::now() - begin;
  threads_ns_.push_back(static_cast<std::uint64_t>(std::chrono::nanoseconds(took).count()));
}

void StackEncoder::collect(const Thread& thread) {
  if (!has_epochs() || thread.frames.size() == 1) return;
  numbering_->note_collected(thread.frames.back().edge);
  if (numbering_->wants_epoch()) begin_epoch();
}

void StackEncoder::token(const Thread& thread, Token& out) const {
  const Frame& frame = thread.frames.back();
  if (has_epochs()) out.put(epoch_, 4);
  out.put(callee_of(frame.edge));
  out.put(frame.code, 8);
  for (std::uint32_t i = 0; i < frame.height;) {
    const Entry& entry = thread.entries[i];
    std::uint32_t count = 0;
    while (i < frame.height && thread.entries[i].code == entry.code &&
           thread.entries[i].edge == entry.edge) {
      ++count;
      ++i;
    }
    out.put(entry.code | (count > 1 ? kHasCount : 0), 8);
    if (names_ == StackNames::kEdges) {
      out.put(entry.edge);
    } else {
      out.put_site(site_of(entry.edge));
    }
    if (count > 1) out.put(count, 4);
  }
}

std::vector<StackEncoder::TokenEntry> StackEncoder::take_entries(TokenReader& reader) const {
  std::vector<TokenEntry> entries;
  while (!reader.at_end()) {
    const std::uint64_t code = reader.take(8);
    const EdgeKey edge =
        names_ == StackNames::kEdges ? reader.take_edge() : edge_key(reader.take_site(), {});
    const std::uint64_t count = code & kHasCount ? reader.take(4) : 1;
    entries.push_back({{code & ~kHasCount, edge}, static_cast<std::uint32_t>(count)});
  }
  return entries;
}

bool StackEncoder::starts_here(const CodeNumbering& codes, MethodId method, std::uint64_t code,
                               const std::vector<TokenEntry>& entries) const {
  if (code != 0 || method == kRootMethod || entries.empty()) return false;
  if (names_ == StackNames::kEdges) return callee_of(entries.back().entry.edge) == method;
  return !codes.step_to(method, code, kRootMethod);
}

Result<CallPath> StackEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  const std::uint64_t epoch = has_epochs() ? reader.take(4) : 0;
  MethodId method = reader.take_method();
  std::uint64_t code = reader.take(8);
  std::vector<TokenEntry> entries = take_entries(reader);
  const auto error = [&](const std::string& why) {
    return Status::error(Fault::kMalformed, std::string(numbering_->name()) + " token: " + why);
  };
  if (reader.failed()) return error("truncated");
  const CodeNumbering* const codes = numbering_->of_epoch(epoch);
  if (codes == nullptr) return error("no numbers of epoch " + std::to_string(epoch));

  const std::size_t longest = names_ == StackNames::kSites ? kMaxUnsoundSteps : kMaxPathSteps;
  CallPath path;
  std::uint64_t work = 0;
  while (method != kRootMethod || !entries.empty()) {
    work += codes->step_work(method);
    if (path.size() > longest || work > kMaxDecodeWork) return error("path does not end");
    if (starts_here(*codes, method, code, entries)) {
      TokenEntry& top = entries.back();
      path.push_back(edge_key(site_of(top.entry.edge), method));
      code = top.entry.code;
      if (top.count-- <= 1) entries.pop_back();
    } else {
      const MethodId start = entries.empty() ? kRootMethod : callee_of(entries.back().entry.edge);
      const auto step = codes->step_to(method, code, start);
      if (!step && method == kRootMethod) return error("entries left over at ROOT");
      if (!step) {
        return error("code " + std::to_string(code) + " of method " + std::to_string(raw(method)) +
                     " was never given out");
      }
      path.push_back(step->edge);
      code = step->code;
    }
    method = caller_of(path.back());
  }
  if (code != 0) return error("code left over at ROOT");
  std::reverse(path.begin(), path.end());
  return path;
}

SchemeFacts StackEncoder::facts() const {
  SchemeFacts facts = numbering_->facts();
  for (std::size_t i = 0; i < threads_ns_.size() && i + 1 < facts.epochs.size(); ++i) {
    facts.epochs[i + 1].ns += threads_ns_[i];
  }
  pushes_.add_to(facts.values);
  return facts;
}

MemoryUse StackEncoder::memory() const {
  constexpr std::uint64_t kLiveFrame = sizeof(Frame::code) + sizeof(Frame::height);
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    use.live_bytes += allocated_bytes(t.entries) + t.frames.capacity() * kLiveFrame;
    use.replay_bytes += t.frames.capacity() * (sizeof(Frame) - kLiveFrame);
  });
  use.replay_bytes += allocated_bytes(threads_ns_);
  // Data known before the run is part of the program's own instructions.
  (is_static() ? use.replay_bytes : use.resident_bytes) += steps_.bytes();
  // Threads are encoded again when an epoch begins, so decoding alone needs past ones.
  const std::uint64_t past = is_static() ? numbering_->bytes() : numbering_->past_bytes();
  use.decode_only_bytes += past;
  use.resident_bytes += numbering_->bytes() - past;
  return use;
}

}  // namespace copse::encoders
