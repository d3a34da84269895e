#include "cct/packets/uptree_folder.h"

#include <algorithm>
#include <new>

namespace copse::cct {

UptreeFolder::UptreeFolder(const UptreeFolderOptions& options, shadowstack::MemorySource& memory)
    : key_mask_(options.sites ? kKeyMask : kMethodMask),
      event_every_(std::max<std::uint64_t>(options.event_every, 1)),
      limit_(options.nodes),
      tree_(memory, kMostNodes),
      collect_at_(std::uint64_t{options.nodes} * kSlack) {}

// A call site is an ordinal in its caller, so it means nothing when the caller is not known.
UptreeFolder::Frame UptreeFolder::frame_for(const Frame& above, ContextKey key) const noexcept {
  return {Uptree::kNone, key & (above.key == kUnknown ? kMethodMask : key_mask_)};
}

void UptreeFolder::fold(shadowstack::Packet* packet) noexcept {
  if (packet->count == 0) return;
  tree_.kept().takes({&packet, 1}, 0);
  add(*packet);
  tree_.kept().took_packets((packet->first_call + packet->count) / event_every_ -
                            packet->first_call / event_every_);
  if (tree_.size() >= collect_at_) collect();
}

// Every event of the packet counts a call, or a lost one.
void UptreeFolder::add(const shadowstack::Packet& packet) noexcept {
  std::uint64_t& lost = tree_.kept().totals.calls_lost;
  std::uint64_t until_event = event_every_ - packet.first_call % event_every_;
  const auto events_in = [&](std::uint64_t calls) {
    return calls < until_event ? 0 : 1 + (calls - until_event) / event_every_;
  };
  ThreadPath<Frame>& path = paths_.of(packet.thread);
  // ROOT counts as known; its key is never read otherwise.
  const bool loaded =
      path.load(packet, Frame{Uptree::kRoot, 1}, [this](Frame* frame, ContextKey key) {
        frame[0] = key == 0 ? Frame{Uptree::kNone, kUnknown} : frame_for(frame[-1], key);
      });
  if (!loaded) {
    lost += events_in(packet.count);
    return;
  }
  const std::span<const CallRecord> records = packet.records();
  Frame* frames = path.entries();
  std::uint32_t live = path.live();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::uint32_t depth = depth_of(records[i]);
    if (depth > live) [[unlikely]] {
      if (!path.ensure(std::size_t{depth} + records.size() - i)) {
        lost += events_in(records.size() - i);
        path.clear();
        return;
      }
      frames = path.entries();
      std::fill(frames + live + 1, frames + depth + 1, Frame{Uptree::kNone, kUnknown});
    }
    frames[depth + 1] = frame_for(frames[depth], key_of(records[i]));
    live = depth + 1;
    if (--until_event != 0) continue;
    until_event = event_every_;
    const std::uint32_t node = node_of(frames + depth + 1);
    if (node == Uptree::kNone) {
      ++lost;
    } else {
      tree_.add_calls(node, 1);
    }
  }
  path.set_live(live);
}

// The node of a frame, made together with those of its callers that have none.
std::uint32_t UptreeFolder::node_of(Frame* frame) noexcept {
  Frame* made = frame;
  while (made->node == Uptree::kNone) --made;  // ends at ROOT at the latest
  std::uint32_t above = made->node;
  while (made != frame) {
    ++made;
    if (made->key == kUnknown) continue;
    above = made->node = tree_.add(above, made->key);
    if (above == Uptree::kNone) return above;
  }
  return above;
}

void UptreeFolder::collect() noexcept {
  try {
    roots_.clear();
    for (ThreadPath<Frame>& path : paths_) {
      for (std::uint32_t depth = 0; depth < path.live(); ++depth) {
        roots_.push_back(&path.entries()[depth + 1].node);
      }
    }
  } catch (const std::bad_alloc&) {
    full_ = true;  // the master will merge the duplicates
    return;
  }
  full_ = !tree_.collect(roots_) || tree_.size() >= limit_ + 2 * roots_.size();
  collect_at_ = std::uint64_t{tree_.size()} + std::uint64_t{limit_} * (kSlack - 1);
}

void UptreeFolder::merge_into(Cct& master) noexcept {
  tree_.collect({});  // without memory for it the master merges the duplicates
  TreeTotals& totals = tree_.kept().totals;
  master.kept().takes(tree_.kept());
  tree_.add_to(master);
  master.add_calls(Cct::kOverflowNode, totals.calls_lost);
  master.kept().took_tree([&] {
    tree_.clear();
    totals.calls_lost = 0;
  });
  for (ThreadPath<Frame>& path : paths_) {
    for (std::uint32_t depth = 0; depth < path.live(); ++depth) {
      path.entries()[depth + 1].node = Uptree::kNone;
    }
  }
  full_ = false;
  collect_at_ = std::uint64_t{limit_} * kSlack;
}

}  // namespace copse::cct
