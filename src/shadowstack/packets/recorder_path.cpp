// Where a thread stood among the records of its packet.
#include <algorithm>
#include <atomic>

#include "shadowstack/packets/recorder.h"

namespace copse::shadowstack {
namespace {

constexpr std::uint64_t kWordMask = ~kMethodMask;

// Frames below `depth` that are live after the records, innermost first, and the depth of the last
// of them: those below that are of the time before the records.
std::uint32_t add_frames_of(std::span<const CallRecord> records, std::uint32_t depth,
                            std::vector<ContextKey>& path) {
  for (std::size_t i = records.size(); i != 0 && depth != 0; --i) {
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

Recorder::Path Recorder::path_of(const ThreadHeader& header, const ThreadPlace& place,
                                 const IsLeafOf& is_leaf_of, std::vector<ContextKey>& path,
                                 ThreadIndex& thread) const {
  path.clear();
  ThreadState& state = *header.state;
  if (&state == &states_[0]) return Path::kLost;
  const std::lock_guard lock(state.mutex);
  const ThreadPosition& now = state.position();
  if (state.live == 0 || now.closed != 0) return Path::kEnded;
  thread = state.index;
  const std::optional<RecordsBefore> before = records_before(state, place);
  if (!before) return Path::kLost;
  const std::span<const CallRecord> records = before->records;
  if (records.empty() && now.packet == nullptr && now.calls == 0) return Path::kNoCalls;
  const std::uint32_t above = add_frames_of(records, depth_of(place.word), path);
  if (above != 0) {
    if (!before->chain_known) return Path::kLost;
    add_frames_of(*before->chain, above, path);
  }
  std::reverse(path.begin(), path.end());
  if (method_of(place.word) != kNoMethod) {
    path.push_back(key_of(place.word));
  } else if (!path.empty() && !records.empty() && site_of(place.word) != kNoSite &&
             (records.back() & kWordMask) == place.word &&
             is_leaf_of(method_of(path.back()), site_of(place.word), method_of(records.back()))) {
    path.push_back(key_of(records.back()));
  }
  return Path::kKnown;
}

}  // namespace copse::shadowstack
