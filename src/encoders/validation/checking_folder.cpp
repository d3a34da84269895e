#include "encoders/validation/checking_folder.h"

#include <algorithm>
#include <new>
#include <set>
#include <utility>

#include "base/id_word.h"
#include "cct/tree_check.h"

namespace copse::validation {

CheckingFolder::CheckingFolder(IdWordCheck& check, std::uint32_t most)
    : check_(check), most_(most), tree_(shadowstack::anonymous_memory(), kMostNodes, nullptr) {}

void CheckingFolder::fold(std::span<shadowstack::Packet* const> packets) noexcept {
  for (const shadowstack::Packet* packet : packets) {
    if (packet->count != 0) fold_one(*packet);
  }
}

bool CheckingFolder::full() const noexcept {
  return tree_.node_count() > most_ || verdicts_.size() > most_;
}

void CheckingFolder::fold_one(const shadowstack::Packet& packet) noexcept {
  cct::ThreadPath<Frame>& path = paths_.of(packet.thread);
  const bool loaded =
      path.load(packet, Frame{raw(kRootNode), true, true},
                [this](Frame* frame, ContextKey key) { frame[0] = frame_above(frame[-1], key); });
  const std::span<const CallRecord> records = packet.records();
  if (!loaded) return lose(records, packet.thread);
  std::uint64_t id_word_records = 0;
  std::uint32_t live = path.live();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const CallRecord record = records[i];
    const std::uint32_t depth = depth_of(record);
    if (depth > live) {
      if (!path.ensure(depth + (records.size() - i))) {
        path.clear();
        count_records(packet.thread, id_word_records);
        return lose(records.subspan(i), packet.thread);
      }
      for (; live < depth; ++live) {
        path.entries()[live + 1] = frame_above(path.entries()[live], 0);
      }
    }
    Frame* const frames = path.entries();
    if (is_id_word(record)) {
      ++id_word_records;
      if (!is_id_word_half(record, IdWordHalf::kLower)) continue;
      const std::uint64_t upper = i != 0 ? records[i - 1] : packet.start.key_at(depth);
      const bool is_start = is_id_word_half(upper, IdWordHalf::kUpperOfStart);
      const bool is_whole = is_start || is_id_word_half(upper, IdWordHalf::kUpper);
      const std::uint64_t word = is_whole ? id_word(upper, record) : 0;
      if (is_start) {
        meet_start(word, frames[depth], packet.thread);
      } else {
        meet(word, frames[depth], packet.thread);
      }
      continue;
    }
    frames[depth + 1] = frame_above(frames[depth], key_of(record));
    tree_.add_calls(frames[depth + 1].node, 1);
    live = depth + 1;
  }
  path.set_live(live);
  count_records(packet.thread, id_word_records);
}

void CheckingFolder::count_records(ThreadIndex thread, std::uint64_t records) noexcept {
  if (records == 0) return;
  counts_.records += records;
  try {
    records_[thread] += records;
  } catch (const std::bad_alloc&) {
    ++not_kept_;
  }
}

// Records for which there is no memory.
void CheckingFolder::lose(std::span<const CallRecord> records, ThreadIndex thread) noexcept {
  std::uint64_t id_word_records = 0;
  for (const CallRecord record : records) {
    if (!is_id_word(record)) {
      tree_.add_calls(cct::Cct::kOverflowNode, 1);
      continue;
    }
    ++id_word_records;
    if (is_id_word_half(record, IdWordHalf::kLower)) meet(0, {}, thread);
  }
  count_records(thread, id_word_records);
}

// A key of 0, or of half an id word that is left of one, is no known frame. Whose caller is not known
// has no call site.
CheckingFolder::Frame CheckingFolder::frame_above(const Frame& below, ContextKey key) noexcept {
  if (key == 0 || is_id_word(key)) return {below.node, false, false};
  if (below.node == cct::Cct::kOverflowNode) return {below.node, true, false};
  const std::uint32_t node = tree_.child(below.node, below.is_known ? key : key & kMethodMask);
  return {node, true, below.is_exact && node != cct::Cct::kOverflowNode};
}

void CheckingFolder::meet(std::uint64_t word, const Frame& frame, ThreadIndex thread) noexcept {
  ++counts_.met;
  const Known found = verdict_of(word, frame, thread);
  const Verdict verdict = found.verdict;
  if (verdict != Verdict::kWithout && check_.decoder().decodes()) {
    counts_.stack.add(found.height());
    counts_.largest_code = std::max<std::uint64_t>(counts_.largest_code, found.code);
  }
  counts_.wrong += verdict == Verdict::kWrong ? 1 : 0;
  counts_.without += verdict == Verdict::kWithout ? 1 : 0;
  counts_.lacking += verdict == Verdict::kLacksFrames ? 1 : 0;
}

void CheckingFolder::meet_start(std::uint64_t word, const Frame& frame,
                                ThreadIndex thread) noexcept {
  ++counts_.starts;
  const Verdict verdict = verdict_of(word, frame, thread).verdict;
  counts_.wrong += verdict == Verdict::kWrong ? 1 : 0;
  counts_.starts_without += verdict == Verdict::kWithout ? 1 : 0;
}

CheckingFolder::Known CheckingFolder::verdict_of(std::uint64_t word, const Frame& frame,
                                                 ThreadIndex thread) noexcept {
  if (word == 0 || !frame.is_exact) return {};
  try {
    return known(word, frame, thread);
  } catch (const std::bad_alloc&) {
    return {};  // not compared
  }
}

const CheckingFolder::Known& CheckingFolder::known(std::uint64_t word, const Frame& frame,
                                                   ThreadIndex thread) {
  const PairKey pair{word, frame.node};
  if (const Known* met = verdicts_.find(pair); met != nullptr) return *met;
  const IdWordDecoder& decoder = check_.decoder();
  const std::uint64_t id = decoder.id_of(word);
  Known found;
  if (id != 0) {
    found.verdict = compare(id, frame.node, thread);
    ++ids_;
    if (decoder.decodes()) {
      const IdWordDecoder::Shape shape = decoder.shape(id);
      found.has_unexpected = shape.stack.unexpected.has_value();
      found.entries = static_cast<std::uint32_t>(shape.stack.entries);
      found.unexpected = static_cast<std::uint32_t>(shape.stack.unexpected.value_or(0));
      found.code = static_cast<std::uint32_t>(shape.code);
    }
  }
  return verdicts_[pair] = found;
}

CheckingFolder::Verdict CheckingFolder::compare(std::uint64_t id, std::uint32_t node,
                                                ThreadIndex thread) {
  if (!check_.decoder().decodes()) return Verdict::kRight;
  std::set<MethodId> lacking;  // told at the end
  const Match found = right_.match(check_.decoder(), id, tree_, NodeIndex{node}, lacking);
  if (found == Match::kExact) return Verdict::kRight;
  if (found == Match::kLacksFrames) return Verdict::kLacksFrames;
  check_.add_mismatch({id, thread, check_.decoder().decode(id), path_to(tree_, NodeIndex{node})});
  return Verdict::kWrong;
}

// The run is not kept (shared memory), so no reader needs the progress.
void CheckingFolder::merge_into(cct::Cct& master) noexcept {
  std::vector<IdWordCheck::Seen> seen;
  try {
    seen.reserve(verdicts_.size());
    const std::vector<std::uint32_t> moved = move_nodes_to(master);
    verdicts_.for_each([&](PairKey pair, const Known& met) {
      const std::uint32_t node = moved[pair.second];
      const bool is_kept = met.verdict != Verdict::kWithout && node != cct::Cct::kOverflowNode;
      if (is_kept) seen.push_back({check_.decoder().id_of(pair.first), node});
    });
  } catch (const std::bad_alloc&) {
    master.add_calls(cct::Cct::kOverflowNode, cct::total_calls(tree_));
  }
  master.add_calls(cct::Cct::kOverflowNode, tree_.calls_lost());
  check_.add(std::exchange(counts_, {}), records_, seen,
             std::exchange(not_kept_, 0) + std::exchange(ids_, 0) - seen.size());
  records_.clear();
  tree_.clear();
  verdicts_.clear();
  right_.forget();
  paths_.clear();
}

// Each node's number there. Adds nothing when it throws std::bad_alloc.
std::vector<std::uint32_t> CheckingFolder::move_nodes_to(cct::Cct& master) const {
  std::vector<std::uint32_t> moved(tree_.node_count());
  for (std::uint32_t node = 1; node < moved.size(); ++node) {
    const std::uint32_t parent = moved[tree_.parent(node)];
    moved[node] =
        parent == cct::Cct::kOverflowNode ? parent : master.child(parent, tree_.key(node));
    master.add_calls(moved[node], tree_.calls(node));
  }
  return moved;
}

}  // namespace copse::validation
