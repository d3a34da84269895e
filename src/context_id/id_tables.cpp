#include "context_id/id_tables.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "encoders/graph_file.h"
#include "encoders/registry.h"

namespace copse {
namespace {

using encoders::CallPath;
using encoders::EdgeKey;
using encoders::PairKey;

constexpr std::uint64_t kRecent = std::uint64_t{2} << kIdRecentLog;
constexpr std::uint64_t kSlots = std::uint64_t{kMostIdNumbers} * kIdSlots;
constexpr std::uint64_t kSlotBytes = (kSlots + kRecent) * sizeof(std::uint32_t);
constexpr std::uint64_t kMostRecords = std::uint64_t{1} << 30;
constexpr std::uint64_t kLeastRecords = std::uint64_t{1} << 20;
constexpr std::uint64_t kRecordStep = std::uint64_t{1} << 20;  // bytes
// A record, its entry in the table of records, and the encoder's own: 137 in javac, 253 in fop.
constexpr std::uint64_t kBytesPerRecord = 200;

std::uint64_t number_of(std::uint64_t word) { return word & kIdNumberMask; }
std::uint64_t code_of(std::uint64_t word) { return word >> kIdCodeShift; }

template <typename T>
void publish(T& target, T value) noexcept {
  std::atomic_ref<T>(target).store(value, std::memory_order_release);
}

}  // namespace

IdTables::IdTables(MemorySource& memory, const SiteNumbers& numbers, std::uint64_t most_bytes)
    : memory_(memory),
      numbers_(numbers),
      most_bytes_(most_bytes),
      encoder_({.max_codes = kMostCodes}) {
  slots_ = static_cast<std::uint32_t*>(memory_.reserve(kSlotBytes, alignof(IdRecord)));
  if (slots_ == nullptr) throw std::bad_alloc();
  for (reserved_records_ = kMostRecords; reserved_records_ >= kLeastRecords;
       reserved_records_ /= 2) {
    records_ = static_cast<IdRecord*>(
        memory_.reserve(reserved_records_ * sizeof(IdRecord), sizeof(IdRecord)));
    if (records_ != nullptr) break;
  }
  const bool ready = records_ != nullptr && memory_.commit(slots_, kSlotBytes) &&
                     memory_.commit(records_, kRecordStep);
  if (!ready) {
    memory_.release(slots_, kSlotBytes);
    if (records_ != nullptr) memory_.release(records_, reserved_records_ * sizeof(IdRecord));
    throw std::bad_alloc();
  }
  committed_bytes_ = kRecordStep;
}

IdTables::~IdTables() {
  memory_.release(slots_, kSlotBytes);
  memory_.release(records_, reserved_records_ * sizeof(IdRecord));
}

std::uint64_t IdTables::enter(std::uint64_t word, std::uint32_t callee) noexcept {
  const std::lock_guard lock(mutex_);
  ++slow_entries_;
  if (number_of(word) < kLostNumber) {
    try {
      const auto number = static_cast<std::uint32_t>(number_of(word));
      const SiteNumbers::Site site = numbers_.site(number);
      const EdgeKey edge =
          encoders::edge_key({site.caller, site.ordinal}, numbers_.site(callee).caller);
      if (const std::optional<Mapping> mapping = mapping_of(edge, code_of(word))) {
        const std::uint32_t record = record_of(edge, *mapping, number, callee);
        if (record != 0) {
          show(record, word);
          return (code_of(word) << kIdCodeShift) + records_[record].change;
        }
      }
    } catch (const std::bad_alloc&) {
      // Lost, as below.
    }
  }
  ++lost_entries_;
  return kLostNumber;
}

std::optional<IdTables::Mapping> IdTables::mapping_of(EdgeKey edge, std::uint64_t code) {
  if (encoder_.record_count() * kBytesPerRecord >= most_bytes_) {
    return encoder_.known_mapping(edge, code);
  }
  const Mapping mapping = encoder_.mapping(edge, code);
  // Single codes come above the others; an id has no bits for more.
  if (code + mapping.change > 2 * kMostCodes - 1) return std::nullopt;
  return mapping;
}

// The record that stands for the mapping, made if need be; 0 without memory.
std::uint32_t IdTables::record_of(EdgeKey edge, const Mapping& mapping, std::uint32_t site,
                                  std::uint32_t callee) {
  const PairKey key{raw(edge), mapping.first + mapping.change};
  const std::uint64_t length = mapping.length << kIdCodeShift;
  if (const std::uint32_t* known = record_by_edge_.find(key)) {
    publish(records_[*known].length, length);
    return *known;
  }
  const std::uint64_t wanted = (std::uint64_t{record_count_} + 1) * sizeof(IdRecord);
  if (wanted > reserved_records_ * sizeof(IdRecord)) return 0;
  if (wanted > committed_bytes_) {
    if (!memory_.commit(reinterpret_cast<char*>(records_) + committed_bytes_, kRecordStep)) {
      return 0;
    }
    committed_bytes_ += kRecordStep;
  }
  record_by_edge_[key] = record_count_;
  records_[record_count_] = {mapping.first << kIdCodeShift, length,
                             (mapping.change << kIdCodeShift) + callee, callee, site};
  return record_count_++;
}

void IdTables::show(std::uint32_t record, std::uint64_t word) noexcept {
  const std::uint32_t callee = records_[record].callee;
  publish(slots_[id_slot(number_of(word), callee)], record);
  std::uint32_t* pair = slots_ + kSlots + std::size_t{2} * id_recent_pair(word, callee);
  publish(pair[1], pair[0]);
  publish(pair[0], record);
}

std::uint64_t IdTables::id_of(std::uint64_t word) const {
  const auto number = static_cast<std::uint32_t>(number_of(word));
  if (number == kRootNumber || number >= kLostNumber) return 0;
  return context_id(code_of(word), numbers_.site(number).caller);
}

Status IdTables::save(const std::string& path, const std::vector<MethodName>& methods) const {
  const std::lock_guard lock(mutex_);
  encoders::EncoderConfig config;
  config.max_codes = kMostCodes;
  return encoders::save_graph_file(path, *encoders::find_encoder("segment"), config, encoder_,
                                   methods);
}

Result<CallPath> IdTables::decode(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  return encoder_.decode(encoders::SegmentEncoder::token_of(id_method(id), id_code(id)));
}

IdTables::Stats IdTables::stats() const {
  const std::lock_guard lock(mutex_);
  Stats stats;
  stats.slow_entries = slow_entries_;
  stats.lost_entries = lost_entries_;
  stats.records = record_count_ - 1;
  stats.encoder_records = encoder_.record_count();
  stats.largest_code = encoder_.largest_code();
  stats.bytes =
      encoder_.memory().total() + record_by_edge_.bytes() + record_count_ * sizeof(IdRecord);
  return stats;
}

}  // namespace copse
