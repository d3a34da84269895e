#include "encoders/ids/id_tables.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

#include "encoders/ids/id_file.h"

namespace copse::ids {
namespace {

constexpr std::uint64_t kRecent = std::uint64_t{2} << kIdRecentLog;
constexpr std::uint64_t kRecentAt = kMostIdNumbers * kIdSlotBytes;
constexpr std::uint64_t kSlotBytes = kRecentAt + kRecent * sizeof(std::uint32_t);
constexpr std::uint64_t kMostMappings = std::uint64_t{1} << 30;
constexpr std::uint64_t kLeastMappings = std::uint64_t{1} << 20;
constexpr std::uint64_t kMappingStep = std::uint64_t{1} << 20;  // bytes
// A mapping, its entry in the table of mappings, and the numbering's own.
constexpr std::uint64_t kBytesPerMapping = 200;

std::uint64_t number_of(std::uint64_t word) { return word & encoders::kIdNumberMask; }

template <typename T>
void publish(T& target, T value) noexcept {
  std::atomic_ref<T>(target).store(value, std::memory_order_release);
}

}  // namespace

IdTables::IdTables(shadowstack::MemorySource& memory, const SiteNumbers& numbers,
                   std::uint64_t most_bytes, std::unique_ptr<encoders::CodeNumbering> numbering)
    : memory_(memory),
      numbers_(numbers),
      most_bytes_(most_bytes),
      has_epochs_(numbering->slots() == encoders::SlotKind::kEpochMappings),
      numbering_(std::move(numbering)) {
  slots_ = static_cast<unsigned char*>(memory_.reserve(kSlotBytes, alignof(IdMapping)));
  if (slots_ == nullptr) throw std::bad_alloc();
  for (reserved_mappings_ = kMostMappings; reserved_mappings_ >= kLeastMappings;
       reserved_mappings_ /= 2) {
    mappings_ = static_cast<IdMapping*>(
        memory_.reserve(reserved_mappings_ * sizeof(IdMapping), sizeof(IdMapping)));
    if (mappings_ != nullptr) break;
  }
  const bool ready = mappings_ != nullptr && memory_.commit(slots_, kSlotBytes) &&
                     memory_.commit(mappings_, kMappingStep);
  if (!ready) {
    memory_.release(slots_, kSlotBytes);
    if (mappings_ != nullptr) memory_.release(mappings_, reserved_mappings_ * sizeof(IdMapping));
    throw std::bad_alloc();
  }
  committed_bytes_ = kMappingStep;
  mappings_[0].change = static_cast<std::uint64_t>(numbering_->slots());
  // Not before there is memory for it: it may throw.
  try {
    pieces_ = std::make_unique<IdPieces>(memory_, mappings_[0].first, has_epochs_);
  } catch (...) {
    memory_.release(slots_, kSlotBytes);
    memory_.release(mappings_, reserved_mappings_ * sizeof(IdMapping));
    throw;
  }
}

IdTables::~IdTables() {
  pieces_.reset();
  memory_.release(slots_, kSlotBytes);
  memory_.release(mappings_, reserved_mappings_ * sizeof(IdMapping));
}

std::uint64_t IdTables::enter(std::uint64_t word, std::uint32_t callee) noexcept {
  const std::lock_guard lock(mutex_);
  ++slow_entries_;
  if (number_of(word) < kLostNumber) {
    try {
      const SiteNumbers::Site site = numbers_.site(static_cast<std::uint32_t>(number_of(word)));
      const EdgeKey edge = edge_key({site.caller, site.ordinal}, numbers_.site(callee).caller);
      const std::uint64_t from =
          number_of(word) < kRootNumbers ? word & ~encoders::kIdNumberMask : word;
      const std::uint64_t now = is_of_now(from) ? from : translated(from);
      const std::uint64_t frame = called(now, callee, edge);
      if (frame != kLostNumber) {
        if (now != word && !is_full()) pieces_->remember(word, frame);
        if (!has_ended_ && numbering_->wants_epoch()) begin_epoch();
        return frame;
      }
    } catch (const std::bad_alloc&) {
      // Lost, as below.
    }
  }
  ++lost_entries_;
  if (run_ != nullptr) run_->entries_lost = lost_entries_;
  return kLostNumber;
}

void IdTables::collect_now(std::uint64_t id) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    const auto last = encoders::last_call(*numbering_, pieces_->list(), id);
    if (last) numbering_->note_collected(last->edge);
    if (!has_ended_ && numbering_->wants_epoch()) begin_epoch();
  } catch (const std::bad_alloc&) {
    // The sample is left out, or the epoch goes on.
  }
}

void IdTables::keep_journal(shadowstack::MemorySource& memory, IdRun& run) {
  const std::lock_guard lock(mutex_);
  journal_ = std::make_unique<IdJournal>(memory, most_bytes_, run.journal);
  run_ = &run;
  numbering_->keep_journal(*journal_);
  pieces_->keep_journal(*journal_);
}

void IdTables::end() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
}

// The frame word of a call from where a word of the current epoch stands, or the lost number.
std::uint64_t IdTables::called(std::uint64_t word, std::uint32_t callee, EdgeKey edge) {
  const std::uint64_t code = encoders::id_code(word);
  const std::optional<Mapping> mapping =
      is_full() ? numbering_->known_mapping(edge, code) : numbering_->mapping(edge, code);
  return mapping ? by_mapping(word, callee, edge, *mapping) : by_piece(word, callee, edge);
}

bool IdTables::is_full() const noexcept {
  const std::uint64_t journal = journal_ == nullptr ? 0 : journal_->bytes();
  return has_ended_ ||
         numbering_->mapping_count() * kBytesPerMapping + pieces_->bytes() + journal >= most_bytes_;
}

std::uint64_t IdTables::by_mapping(std::uint64_t word, std::uint32_t callee, EdgeKey edge,
                                   const Mapping& mapping) {
  const auto number = static_cast<std::uint32_t>(number_of(word));
  const std::uint32_t index = index_of(edge, shown(mapping), number, callee);
  if (index == 0) return kLostNumber;
  const std::uint64_t frame = frame_by(index, word);
  if (!holds_transitions()) show_in_slot(index, false);
  show_as_recent(index, word);
  return frame;
}

std::uint64_t IdTables::frame_by(std::uint32_t index, std::uint64_t word) const noexcept {
  const std::uint64_t change = mappings_[index].change;
  return numbering_->slots() == encoders::SlotKind::kRadices
             ? id_frame_by_radix(word, change)
             : (word & ~encoders::kIdNumberMask) + change;
}

std::uint64_t IdTables::by_piece(std::uint64_t word, std::uint32_t callee, EdgeKey edge) {
  std::uint64_t frame = pieces_->find(word, callee);
  if (frame == 0) {
    if (is_full() || pieces_->bytes() + pieces_->growth() > most_bytes_) return kLostNumber;
    frame = pieces_->start(word, callee, edge);
    if (frame == 0) return kLostNumber;
  }
  if (holds_transitions()) return frame;
  // Only a hint where to look first. Radices say themselves for which codes they have no room.
  const auto number = static_cast<std::uint32_t>(number_of(word));
  const std::optional<Mapping> of_radix = numbering_->slots() == encoders::SlotKind::kRadices
                                              ? numbering_->known_mapping(edge, 0)
                                              : std::nullopt;
  const Shown starts_pieces{};
  const std::uint32_t index =
      index_of(edge, of_radix ? shown(*of_radix) : starts_pieces, number, callee);
  if (index != 0) show_in_slot(index, !of_radix);
  return frame;
}

bool IdTables::is_of_now(std::uint64_t word) const noexcept {
  return encoders::id_piece(word) >= pieces_->list().root();
}

// The word in numbers of the current epoch. Throws std::bad_alloc when there is no room for it.
std::uint64_t IdTables::translated(std::uint64_t word) {
  const auto number = static_cast<std::uint32_t>(number_of(word));
  const std::uint64_t id =
      encoders::context_id(word >> encoders::kIdCodeShift, numbers_.site(number).caller);
  const std::uint64_t now =
      translations_.of(*numbering_, pieces_->list(), id, [this](std::uint64_t at, EdgeKey edge) {
        const std::uint64_t from = at << encoders::kIdCodeShift | numbers_.number(site_of(edge));
        const std::uint32_t callee = numbers_.number({callee_of(edge), kNoSite});
        const std::uint64_t frame = called(from, callee, edge);
        if (frame == kLostNumber) throw std::bad_alloc();
        return frame >> encoders::kIdCodeShift;
      });
  return now << encoders::kIdCodeShift | number;
}

// Frames keep the words they have, which stay right; what they call next finds nothing in the slots
// and comes here.
void IdTables::begin_epoch() {
  if (!pieces_->list().has_room_for_epoch()) return;
  pieces_->make_room_for_epoch();
  encoders::EpochTranslations none;  // in place of the old ones, whose memory is given back
  numbering_->begin_epoch();
  pieces_->begin_epoch();
  translations_ = std::move(none);
  end_mappings();
  auto* const slots = reinterpret_cast<std::uint32_t*>(slots_);
  for (std::size_t i = 0; i < std::size_t{4} * numbers_.count(); ++i) publish(slots[i], 0u);
  auto* const recent = reinterpret_cast<std::uint32_t*>(slots_ + kRecentAt);
  for (std::size_t i = 0; i < kRecent; ++i) publish(recent[i], 0u);
}

// A probe that has found a mapping may put it into a slot after the slots were cleared.
void IdTables::end_mappings() noexcept {
  const std::uint64_t end = pieces_->list().root() * encoders::kMostIdCodes
                            << encoders::kIdCodeShift;
  for (; ended_mappings_ < mapping_count_; ++ended_mappings_) {
    IdMapping& mapping = mappings_[ended_mappings_];
    if (mapping.length != 0) publish(mapping.length, end - mapping.first);
  }
}

IdTables::Shown IdTables::shown(const Mapping& mapping) const noexcept {
  if (numbering_->slots() == encoders::SlotKind::kEpochMappings) {
    // All codes of all pieces from this epoch on; end_mappings() leaves those of later epochs out before there is a word
    // of them. Calls in the very last piece take the slow path, since 2^40 has no room.
    const std::uint64_t root = pieces_->list().root();
    return {root * encoders::kMostIdCodes,
            (encoders::kMostIdPieces - 1 - root) * encoders::kMostIdCodes, mapping.addition};
  }
  const std::uint64_t serial = mapping.addition + 1 - mapping.factor;
  const std::uint64_t change =
      numbering_->slots() == encoders::SlotKind::kRadices
          ? mapping.factor << (encoders::kIdPieceShift - encoders::kIdCodeShift) | serial
          : mapping.addition;
  return {mapping.first, std::min(mapping.length, encoders::kMostIdCodes), change};
}

// The mapping that says this, made if need be; 0 without memory.
std::uint32_t IdTables::index_of(EdgeKey edge, const Shown& shown, std::uint32_t site,
                                 std::uint32_t callee) {
  const PairKey key{raw(edge), shown.first + shown.change};
  const std::uint64_t length = shown.length << encoders::kIdCodeShift;
  if (const std::uint32_t* known = index_by_edge_.find(key)) {
    publish(mappings_[*known].length, length);
    return *known;
  }
  const std::uint64_t wanted = (std::uint64_t{mapping_count_} + 1) * sizeof(IdMapping);
  if (wanted > reserved_mappings_ * sizeof(IdMapping)) return 0;
  if (wanted > committed_bytes_) {
    if (!memory_.commit(reinterpret_cast<char*>(mappings_) + committed_bytes_, kMappingStep)) {
      return 0;
    }
    committed_bytes_ += kMappingStep;
  }
  index_by_edge_[key] = mapping_count_;
  mappings_[mapping_count_] = {shown.first << encoders::kIdCodeShift, length,
                               (shown.change << encoders::kIdCodeShift) + callee, callee, site};
  return mapping_count_++;
}

void IdTables::show_in_slot(std::uint32_t index, bool starts_piece) noexcept {
  const IdMapping& shown = mappings_[index];
  if (numbering_->slots() == encoders::SlotKind::kEpochMappings) {
    auto* const slots = reinterpret_cast<std::uint32_t*>(slots_);
    publish(slots[id_mapping_slot(shown.site, shown.callee)], index);
  } else {
    auto* const slots = reinterpret_cast<std::uint64_t*>(slots_);
    publish(slots[id_change_slot(shown.site, shown.callee)],
            shown.change | (starts_piece ? kIdStartsPiece : 0));
  }
}

void IdTables::show_as_recent(std::uint32_t index, std::uint64_t word) noexcept {
  auto* const recent = reinterpret_cast<std::uint32_t*>(slots_ + kRecentAt);
  std::uint32_t* const pair =
      recent + std::size_t{2} * id_recent_pair(word, mappings_[index].callee);
  publish(pair[1], pair[0]);
  publish(pair[0], index);
}

std::uint64_t IdTables::id_of(std::uint64_t word) const {
  const auto number = static_cast<std::uint32_t>(number_of(word));
  if (number < kRootNumbers || number >= kLostNumber) return 0;
  return encoders::context_id(word >> encoders::kIdCodeShift, numbers_.site(number).caller);
}

wire::SectionWriter IdTables::id_file(RunKey key) const {
  const std::lock_guard lock(mutex_);
  return id_file_without_names(key, *numbering_, pieces_->list());
}

Result<CallPath> IdTables::decode(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  return encoders::decode_id(*numbering_, pieces_->list(), id);
}

std::optional<encoders::LastCall> IdTables::last_call(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  return copse::encoders::last_call(*numbering_, pieces_->list(), id);
}

bool IdTables::is_root(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  return encoders::is_root_id(pieces_->list(), id);
}

StackHeight IdTables::stack(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  return heights_.of(*numbering_, pieces_->list(), encoders::id_piece(id));
}

std::optional<bool> IdTables::knows(EdgeKey edge) const {
  const std::lock_guard lock(mutex_);
  return numbering_->knows(edge);
}

SchemeFacts IdTables::facts() const {
  const std::lock_guard lock(mutex_);
  return encoders::facts_of(*numbering_, pieces_->list());
}

IdTables::Stats IdTables::stats() const {
  const std::lock_guard lock(mutex_);
  Stats stats;
  stats.slow_entries = slow_entries_;
  stats.lost_entries = lost_entries_;
  stats.mappings = mapping_count_ - 1;
  stats.ranges = numbering_->mapping_count();
  stats.pieces = pieces_->list().count();
  stats.epochs = pieces_->list().epoch() + 1;
  stats.largest_code = numbering_->largest_code();
  stats.graph = numbering_->graph_use();
  stats.bytes = numbering_->bytes() + pieces_->bytes() + translations_.bytes() +
                index_by_edge_.bytes() + mapping_count_ * sizeof(IdMapping) +
                (journal_ == nullptr ? 0 : journal_->bytes());
  return stats;
}

}  // namespace copse::ids
