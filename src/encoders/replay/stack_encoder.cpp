#include "encoders/replay/stack_encoder.h"

#include <algorithm>
#include <string>

namespace copse::encoders {
namespace {

constexpr std::uint64_t kHasCount = std::uint64_t{1} << 63;

}  // namespace

StackEncoder::StackEncoder(std::unique_ptr<CodeNumbering> numbering, const graph::CallGraph& graph,
                           StackOptions options)
    : numbering_(std::move(numbering)), slots_(numbering_->slots()), options_(options) {
  if (!options.are_published()) return;
  starts_.resize(graph.method_limit());
  for (const graph::CallGraph::Edge& edge : graph.edges()) {
    Start& start = starts_[raw(callee_of(edge.key))];
    if (caller_of(edge.key) == kRootMethod) start.is_entry = true;
    if (caller_of(edge.key) == kRootMethod && !options.pushes_entries) continue;
    if (start.first_in == kNoEdge) start.first_in = edge.key;
    numbering_->mapping(edge.key, 0);  // so that decoding knows it
  }
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
  if (caller_of(edge) == kRootMethod && !options_.pushes_entries) {
    thread.frames.emplace_back(0, edge, 0);
    return;
  }
  const std::uint64_t code = thread.frames.back().code;
  const std::uint32_t height = thread.frames.back().height;
  thread.entries.resize(height);
  thread.entries.push_back({code, edge});
  thread.frames.emplace_back(0, edge, height + 1);
}

void StackEncoder::begin_epoch() {
  numbering_->begin_epoch();
  ++epoch_;
  steps_.clear();
  threads_.for_each([&](Thread& thread) {
    std::vector<Frame> frames = std::move(thread.frames);
    thread.frames.assign(1, Frame{});
    thread.frames.reserve(frames.capacity());
    for (std::size_t i = 1; i < frames.size(); ++i) learn(thread, frames[i].edge);
  });
}

void StackEncoder::put_names(const Entry& entry, Token& out) const {
  if (options_.names == StackOptions::Entry::kEdge) out.put(entry.edge);
  if (options_.names == StackOptions::Entry::kSite) out.put_site(site_of(entry.edge));
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
    put_names(entry, out);
    if (count > 1) out.put(count, 4);
  }
}

std::vector<StackEncoder::TokenEntry> StackEncoder::take_entries(TokenReader& reader) const {
  std::vector<TokenEntry> entries;
  while (!reader.at_end()) {
    const std::uint64_t code = reader.take(8);
    EdgeKey edge = kNoEdge;
    if (options_.names == StackOptions::Entry::kEdge) edge = reader.take_edge();
    if (options_.names == StackOptions::Entry::kSite) edge = edge_key(reader.take_site(), {});
    const std::uint64_t count = code & kHasCount ? reader.take(4) : 1;
    entries.push_back({{code & ~kHasCount, edge}, static_cast<std::uint32_t>(count)});
  }
  return entries;
}

StackEncoder::Start StackEncoder::start_of(MethodId method) const noexcept {
  return raw(method) < starts_.size() ? starts_[raw(method)] : Start{};
}

bool StackEncoder::starts_here(const CodeNumbering& codes, MethodId method, std::uint64_t code,
                               const std::vector<TokenEntry>& entries) const {
  if (code != 0 || method == kRootMethod) return false;
  if (entries.empty()) return !options_.pushes_entries && start_of(method).is_entry;
  switch (options_.names) {
    case StackOptions::Entry::kEdge:
      return callee_of(entries.back().entry.edge) == method;
    case StackOptions::Entry::kSite:
      return !codes.step_to(method, code, kRootMethod);
    case StackOptions::Entry::kNothing:
      return true;
  }
  return false;
}

// The edge that the last entry stands for; kNoEdge when nothing tells.
EdgeKey StackEncoder::pushed_edge(MethodId method,
                                  const std::vector<TokenEntry>& entries) const noexcept {
  if (options_.names == StackOptions::Entry::kNothing) return start_of(method).first_in;
  return edge_key(site_of(entries.back().entry.edge), method);
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

  const std::size_t longest = options_.are_published() ? kMaxUnsoundSteps : kMaxPathSteps;
  CallPath path;
  std::uint64_t work = 0;
  while (method != kRootMethod || !entries.empty()) {
    work += codes->step_work(method);
    if (path.size() > longest || work > kMaxDecodeWork) return error("path does not end");
    if (starts_here(*codes, method, code, entries)) {
      if (entries.empty()) {
        path.push_back(entry_edge(method));
        method = kRootMethod;
        continue;
      }
      TokenEntry& top = entries.back();
      const EdgeKey edge = pushed_edge(method, entries);
      if (edge == kNoEdge) return error("the caller of a restart is unknown");
      path.push_back(edge);
      code = top.entry.code;
      if (top.count-- <= 1) entries.pop_back();
    } else {
      const MethodId start = entries.empty() ? kRootMethod : callee_of(entries.back().entry.edge);
      const auto step = codes->step_to(method, code, start);
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

MemoryUse StackEncoder::memory() const {
  constexpr std::uint64_t kLiveFrame = sizeof(Frame::code) + sizeof(Frame::height);
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    use.live_bytes += allocated_bytes(t.entries) + t.frames.capacity() * kLiveFrame;
    use.replay_bytes += t.frames.capacity() * (sizeof(Frame) - kLiveFrame);
  });
  // Data known before the run is part of the program's own instructions.
  (is_static() ? use.replay_bytes : use.resident_bytes) += steps_.bytes();
  (is_static() ? use.decode_only_bytes : use.resident_bytes) += numbering_->bytes();
  use.decode_only_bytes += allocated_bytes(starts_);
  return use;
}

}  // namespace copse::encoders
