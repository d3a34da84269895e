// Where a thread stood among the records of its packet.
#include <algorithm>
#include <atomic>
#include <utility>

#include "shadowstack/packets/recorder.h"

namespace copse::shadowstack {
namespace {

constexpr std::uint64_t kWordMask = ~kMethodMask;

// Frames below `depth` that are live after the records, innermost first, and the depth of the last
// of them: those below that are of the time before the records, or below `lowest`.
std::uint32_t add_frames_of(std::span<const CallRecord> records, std::uint32_t depth,
                            std::uint32_t lowest, std::vector<ContextKey>& path) {
  for (std::size_t i = records.size(); i != 0 && depth > lowest; --i) {
    if (depth_of(records[i - 1]) >= depth) continue;
    depth = depth_of(records[i - 1]);
    path.push_back(key_of(records[i - 1]));
  }
  return depth;
}

// The same of a chain.
void add_frames_of(const FrameChain& chain, std::uint32_t depth, std::vector<ContextKey>& path) {
  for (const FrameBlock* block = chain.top(); block != nullptr; block = block->below) {
    const std::uint32_t first = block->index * FrameBlock::kFrames;
    for (std::uint32_t i = FrameBlock::kFrames; i != 0; --i) {
      const ContextKey key = block->keys[i - 1];
      if (first + i - 1 < depth && key != 0) path.push_back(key);
    }
  }
}

}  // namespace

// Under the thread's mutex; none: they are not known any more. A place from while its packets changed
// is the start of the new one.
std::optional<Recorder::RecordsBefore> Recorder::records_before(
    const ThreadState& state, const ThreadPlace& place) const noexcept {
  const ThreadPosition& now = state.position();
  const RecordsBefore since{{}, &now.chain, now.chain_known != 0};
  const RecordsBefore start =
      now.flushed == 0 ? since
                       : RecordsBefore{{}, &now.packet_start.chain, now.packet_start.known != 0};
  const std::uint64_t packets =
      std::atomic_ref<std::uint64_t>(state.header->packets).load(std::memory_order_acquire);
  if (place.packets > packets || packets - place.packets > 1) return {};
  if (place.packets != packets || place.cursor == 0) return start;
  if (now.packet == nullptr) return {};
  const std::uint64_t first = first_slot(now.packet);
  const std::uint64_t most = pool_.packet_bytes() / sizeof(CallRecord) - 1;
  const std::uint64_t count = (place.cursor - first) / sizeof(CallRecord);
  if (place.cursor < first || count > most) return {};
  const CallRecord* const slots = now.packet->slots + 1;
  if (count < now.flushed) return RecordsBefore{{slots, count}, start.chain, start.chain_known};
  return RecordsBefore{{slots + now.flushed, count - now.flushed}, since.chain, since.chain_known};
}

// Moves to another place in the same packet. Returns false if its frames are not known that way.
bool Recorder::follow(const ThreadState& state, const ThreadPlace& place, std::uint64_t record,
                      KnownPath& known) {
  const ThreadPosition& now = state.position();
  if (!known.is_at_record || known.thread != state.index || known.thread == kNoThread ||
      known.packets != place.packets || now.packet == nullptr) {
    return false;
  }
  const CallRecord* const records = now.packet->slots + 1;
  const auto cut = [&known](std::size_t depth) {
    known.frames.resize(depth);
    known.unchanged = std::min(known.unchanged, depth);
  };
  for (; known.record < record; ++known.record) {
    const CallRecord made = records[known.record];
    if (depth_of(made) > known.frames.size()) return false;
    cut(depth_of(made));
    known.frames.push_back(key_of(made));
  }
  known.length = depth_of(place.word);
  std::uint32_t shared = depth_of(place.word);  // frames that did not end between the two places
  for (std::uint64_t i = record; i < known.record; ++i)
    shared = std::min(shared, depth_of(records[i]));
  if (shared < known.length) {
    if (shared > known.frames.size()) return false;
    cut(shared);
    if (add_frames_of({records, record}, depth_of(place.word), shared, known.frames) != shared) {
      return false;
    }
    std::reverse(known.frames.begin() + shared, known.frames.end());
    known.record = record;
  }
  return known.length <= known.frames.size();
}

Recorder::Path Recorder::path_of(const ThreadHeader& header, const ThreadPlace& place,
                                 const IsLeafOf& is_leaf_of, std::vector<ContextKey>& path,
                                 ThreadIndex& thread) const {
  KnownPath known;
  const Path found = path_of(header, place, is_leaf_of, known);
  thread = known.thread;
  path = std::move(known.frames);
  path.resize(known.length);
  if (known.next != 0) path.push_back(known.next);
  return found;
}

Recorder::Path Recorder::path_of(const ThreadHeader& header, const ThreadPlace& place,
                                 const IsLeafOf& is_leaf_of, KnownPath& known) const {
  ThreadState& state = *header.state;
  known.next = 0;
  known.unchanged = known.frames.size();
  const auto forget = [&known](Path found) {
    known.frames.clear();
    known.unchanged = known.length = 0;
    known.is_at_record = false;
    return found;
  };
  const auto of_no_thread = [&](Path found) {
    known.thread = kNoThread;
    return forget(found);
  };
  if (&state == &states_[0]) return of_no_thread(Path::kLost);
  const std::lock_guard lock(state.mutex);
  const ThreadPosition& now = state.position();
  if (state.live == 0 || now.closed != 0) return of_no_thread(Path::kEnded);
  const std::optional<RecordsBefore> before = records_before(state, place);
  const std::span<const CallRecord> records =
      before ? before->records : std::span<const CallRecord>();
  const std::uint64_t record =
      records.data() == nullptr
          ? 0
          : static_cast<std::uint64_t>(records.data() - now.packet->slots) - 1 + records.size();
  const std::uint64_t packets =
      std::atomic_ref<std::uint64_t>(state.header->packets).load(std::memory_order_acquire);
  if (!before || place.packets != packets || !follow(state, place, record, known)) {
    const std::size_t unchanged = known.unchanged;
    const std::vector<ContextKey> last = std::exchange(known.frames, {});
    forget(Path::kLost);
    known.thread = state.index;
    if (!before) return Path::kLost;
    if (records.empty() && now.packet == nullptr && now.calls == 0) return Path::kNoCalls;
    std::vector<ContextKey>& path = known.frames;
    const std::uint32_t above = add_frames_of(records, depth_of(place.word), 0, path);
    if (above != 0) {
      if (!before->chain_known) return forget(Path::kLost);
      add_frames_of(*before->chain, above, path);
    }
    std::reverse(path.begin(), path.end());
    known.length = path.size();
    const auto differ = std::mismatch(path.begin(), path.end(), last.begin(), last.end());
    known.unchanged = std::min(unchanged, static_cast<std::size_t>(differ.first - path.begin()));
    // Else frames are missing that are not known.
    known.is_at_record = path.size() == depth_of(place.word);
    known.packets = packets;
    known.record = record;
  }
  if (method_of(place.word) != kNoMethod) {
    known.next = key_of(place.word);
  } else if (known.length != 0 && !records.empty() && site_of(place.word) != kNoSite &&
             (records.back() & kWordMask) == place.word &&
             is_leaf_of(method_of(known.frames[known.length - 1]), site_of(place.word),
                        method_of(records.back()))) {
    known.next = key_of(records.back());
  }
  return Path::kKnown;
}

}  // namespace copse::shadowstack
