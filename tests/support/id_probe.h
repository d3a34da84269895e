// The probes of CopseIds (agent/jvm/runtime/id) in C++, for one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/call_path.h"
#include "base/call_record.h"
#include "encoders/ids/id_layout.h"
#include "encoders/ids/id_tables.h"
#include "encoders/ids/site_numbers.h"
#include "shadowstack/thread_header.h"

namespace copse::test {

// Numbers of methods with `sites` call sites each, by method id from 1 to `most`. Made
// beforehand, so that running probes share no lock but that of the tables.
inline std::vector<std::uint32_t> places(ids::SiteNumbers& numbers, std::uint32_t most,
                                         std::uint32_t sites) {
  std::vector<std::uint32_t> by_method(most + 1);
  for (std::uint32_t method = 1; method <= most; ++method) {
    by_method[method] = numbers.first_of(MethodId{method}, sites).value();
  }
  return by_method;
}

// True contexts of a stream's calls, one after the other.
class TruePaths {
 public:
  const CallPath& next(CallRecord record) {
    path_.resize(depth_of(record));
    const MethodId caller = path_.empty() ? kRootMethod : callee_of(path_.back());
    path_.push_back(edge_key({caller, site_of(record)}, method_of(record)));
    return path_;
  }

 private:
  CallPath path_;
};

class IdProbe {
 public:
  struct Frame {
    std::uint64_t before;  // the thread's word at entry
    std::uint64_t word;
  };

  IdProbe(ids::IdTables& tables, std::span<const std::uint32_t> places,
          shadowstack::ThreadHeader* header)
      : tables_(tables), places_(places), header_(header) {}

  Frame enter(std::uint32_t place) {
    const std::uint64_t before = header_->word;
    header_->word = frame_of(before, place);
    return {before, header_->word};
  }
  void call(const Frame& frame, SiteOrdinal site) { header_->word = frame.word + raw(site); }
  void restore(const Frame& frame) { header_->word = frame.word; }
  void exit(const Frame& frame) { header_->word = frame.before; }

  // Calls from the innermost frame; returns the callee's word.
  std::uint64_t down(SiteOrdinal site, MethodId callee) {
    if (!frames_.empty()) call(frames_.back(), site);
    frames_.push_back(enter(places_[raw(callee)]));
    return frames_.back().word;
  }
  // Returns until `depth` frames are left.
  void up(std::size_t depth) {
    while (frames_.size() > depth) {
      exit(frames_.back());
      frames_.pop_back();
      if (!frames_.empty()) restore(frames_.back());
    }
  }
  std::size_t depth() const { return frames_.size(); }

  // Makes the next call of a stream whose frames are all known; returns its word.
  std::uint64_t follow(CallRecord record) {
    up(depth_of(record));
    return down(site_of(record), method_of(record));
  }
  // Makes all calls of a stream and its last returns; returns every call's word.
  std::vector<std::uint64_t> run(std::span<const CallRecord> stream) {
    std::vector<std::uint64_t> words;
    words.reserve(stream.size());
    for (const CallRecord record : stream) words.push_back(follow(record));
    up(0);
    return words;
  }

 private:
  template <typename T>
  T* at(std::uint64_t offset) const {
    return reinterpret_cast<T*>(tables_.slots_address() + offset);
  }
  std::uint32_t* record_slot(std::uint64_t word, std::uint32_t callee) const {
    return at<std::uint32_t>(4 * ids::id_mapping_slot(word & encoders::kIdNumberMask, callee));
  }
  std::uint64_t* change_slot(std::uint64_t word, std::uint32_t callee) const {
    return at<std::uint64_t>(8 * ids::id_change_slot(word & encoders::kIdNumberMask, callee));
  }
  encoders::SlotKind kind() const { return encoders::SlotKind{record(0).change}; }
  bool holds_transitions() const { return kind() == encoders::SlotKind::kMappings; }
  bool holds_mappings() const { return kind() == encoders::SlotKind::kEpochMappings; }
  std::uint64_t* transition_slot(std::uint64_t word, std::uint32_t callee) const {
    return at<std::uint64_t>(8 * ids::id_transition_slot(word, callee));
  }
  // Acquire pairs with the release in store() and IdTables: a thread that sees a record's number sees the
  // record. In Java the address depends on the number, which orders the two loads as well.
  template <typename T>
  static T load(T* at) {
    return std::atomic_ref<T>(*at).load(std::memory_order_acquire);
  }
  template <typename T>
  static void store(T* at, T value) {
    std::atomic_ref<T>(*at).store(value, std::memory_order_release);
  }
  ids::IdMapping& record(std::uint32_t number) const {
    return reinterpret_cast<ids::IdMapping*>(tables_.mappings_address())[number];
  }
  // Relaxed: all values that a length had are right for the words that there were.
  static std::uint64_t length_of(ids::IdMapping& record) {
    return std::atomic_ref<std::uint64_t>(record.length).load(std::memory_order_relaxed);
  }
  static bool covers(ids::IdMapping& record, std::uint64_t code) {
    return code - record.first < length_of(record);
  }

  std::uint64_t frame_of(std::uint64_t word, std::uint32_t callee) {
    if (holds_transitions()) {
      const std::uint64_t transition = load(transition_slot(word, callee));
      const std::uint64_t code = ids::id_transition_code(transition, word, callee);
      if (code < encoders::kMostIdCodes) {
        const std::uint64_t piece = encoders::id_piece(word) << encoders::kIdPieceShift;
        return piece | code << encoders::kIdCodeShift | callee;
      }
      const std::uint64_t hint = ids::id_transition(word, ids::kLostNumber);
      const std::uint64_t frame = search(word, callee, transition == hint);
      const bool stays_in_piece = encoders::id_piece(frame) == encoders::id_piece(word) &&
                                  (frame & encoders::kIdNumberMask) == callee;
      store(transition_slot(word, callee), stays_in_piece ? ids::id_transition(word, frame) : hint);
      return frame;
    }
    if (holds_mappings()) {
      ids::IdMapping& found = record(load(record_slot(word, callee)));
      if (found.callee != callee || !covers(found, ids::id_mapping_code(word, kind()))) {
        return search(word, callee, found.callee == callee && length_of(found) == 0);
      }
      return (word & ~encoders::kIdNumberMask) + found.change;
    }
    const std::uint64_t change = load(change_slot(word, callee));
    const bool fits = (change & (ids::kIdStartsPiece | encoders::kIdNumberMask)) == callee;
    const std::uint64_t frame = fits ? frame_by(word, change) : ids::kLostNumber;
    if (frame != ids::kLostNumber) return frame;
    return search(word, callee, (change & encoders::kIdNumberMask) == callee);
  }

  std::uint64_t frame_by(std::uint64_t word, std::uint64_t change) const {
    return kind() == encoders::SlotKind::kRadices ? ids::id_frame_by_radix(word, change)
                                                  : (word & ~encoders::kIdNumberMask) + change;
  }

  std::uint64_t search(std::uint64_t word, std::uint32_t callee, bool starts_pieces) {
    std::uint64_t frame = starts_pieces ? by_piece(word, callee) : by_recent(word, callee);
    if (frame == 0) frame = starts_pieces ? by_recent(word, callee) : by_piece(word, callee);
    return frame != 0 ? frame : tables_.enter(word, callee);
  }

  std::uint64_t by_recent(std::uint64_t word, std::uint32_t callee) {
    auto* const pair = at<std::uint32_t>(ids::kMostIdNumbers * ids::kIdSlotBytes +
                                         std::uint64_t{8} * ids::id_recent_pair(word, callee));
    for (const int i : {0, 1}) {
      const std::uint32_t number = load(pair + i);
      ids::IdMapping& found = record(number);
      if (found.callee == callee && found.site == (word & encoders::kIdNumberMask) &&
          covers(found, ids::id_mapping_code(word, kind()))) {
        if (holds_mappings()) {
          store(record_slot(word, callee), number);
        } else if (!holds_transitions()) {
          store(change_slot(word, callee), found.change);
        }
        return frame_by(word, found.change);
      }
    }
    return 0;
  }

  std::uint64_t by_piece(std::uint64_t word, std::uint32_t callee) {
    const std::uint64_t table =
        std::atomic_ref<std::uint64_t>(record(0).first).load(std::memory_order_acquire);
    if (table == 0) return 0;
    const int log = static_cast<int>(table & 63);
    auto* const slots = reinterpret_cast<ids::IdPieceSlot*>(table & ~std::uint64_t{63});
    const std::uint64_t mask = (std::uint64_t{1} << log) - 1;
    for (std::uint64_t at = ids::id_piece_index(word, callee, log);; at = (at + 1) & mask) {
      ids::IdPieceSlot& found = slots[at];
      const std::uint64_t key = load(&found.key);
      if (key == 0) return 0;
      if (key == ~word && (found.frame & encoders::kIdNumberMask) == callee) return found.frame;
    }
  }

  ids::IdTables& tables_;
  std::span<const std::uint32_t> places_;
  shadowstack::ThreadHeader* header_;
  std::vector<Frame> frames_;
};

}  // namespace copse::test
