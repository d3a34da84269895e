// Where a thread stood among the records of its packet.
#include <algorithm>
#include <atomic>

#include "shadowstack/recorder.h"

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

// What the thread had appended since its chain, under its mutex. A place from while its packets
// changed is the start of the new one.
bool Recorder::records_before(const ThreadState& state, const ThreadPlace& place,
                              std::span<const CallRecord>& records) const noexcept {
  const ThreadPosition& now = state.position();
  const std::uint64_t packets =
      std::atomic_ref<std::uint64_t>(state.header->packets).load(std::memory_order_acquire);
  if (place.packets > packets || packets - place.packets > 1) return false;
  if (place.packets != packets || place.cursor == 0) return now.flushed == 0;
  if (now.packet == nullptr) return false;
  const std::uint64_t first = first_slot(now.packet);
  const std::uint64_t most = pool_.packet_bytes() / sizeof(CallRecord) - 1;
  const std::uint64_t count = (place.cursor - first) / sizeof(CallRecord);
  if (place.cursor < first || count > most || count < now.flushed) return false;
  records = {now.packet->slots + 1 + now.flushed, static_cast<std::size_t>(count - now.flushed)};
  return true;
}

Recorder::Path Recorder::path_of(const ThreadHeader& header, const ThreadPlace& place,
                                 const IsLeafOf& is_leaf_of, std::vector<ContextKey>& path) const {
  path.clear();
  ThreadState& state = *header.state;
  if (&state == &states_[0]) return Path::kLost;
  const std::lock_guard lock(state.mutex);
  const ThreadPosition& now = state.position();
  if (state.live == 0 || now.closed != 0) return Path::kEnded;
  std::span<const CallRecord> records;
  if (!records_before(state, place, records)) return Path::kLost;
  if (records.empty() && now.packet == nullptr && now.calls == 0) return Path::kNoCalls;
  const std::uint32_t above = add_frames_of(records, depth_of(place.word), path);
  if (above != 0) {
    if (now.chain_known == 0) return Path::kLost;
    add_frames_of(now.chain, above, path);
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
