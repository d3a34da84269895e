#include "encoders/numbering/dacce.h"

#include <algorithm>

#include "base/make_room.h"
#include "encoders/replay/memory_use.h"

namespace copse::encoders {

DacceNumbering::DacceNumbering(DacceNumberingOptions options)
    : options_(options), wanted_edges_(options.first_edges), wanted_pieces_(options.first_pieces) {
  begin_epoch();
}

void DacceNumbering::begin_epoch() {
  GraphAdditions additions = pcce_additions(graph_, options_.most_codes);
  const EpochFacts facts{std::string(epoch_trigger()), graph_.edges().size(),
                         encoders::largest_code(additions)};
  auto next = std::make_unique<AdditionNumbering>(kPcceName, graph_, std::move(additions));
  make_room(epochs_, epochs_.size() + 1);
  encoders::make_room_tightly(epoch_facts_);
  if (!epochs_.empty()) epochs_.back()->stop_encoding();
  epochs_.push_back(std::move(next));
  epoch_facts_.push_back(facts);
  numbered_edges_ = graph_.edges().size();
  spared_pieces_ = 0;
  if (journal_ != nullptr) {
    journal_->add({kEpoch, 0, {}});
    epochs_.back()->keep_journal(*journal_);
  }
  if (epochs_.size() == 1) return;
  wanted_edges_ *= options_.growth;
  wanted_pieces_ *= options_.growth;
}

void DacceNumbering::keep_journal(NumberingJournal& journal) {
  journal_ = &journal;
  epochs_.back()->keep_journal(journal);
}

bool DacceNumbering::replay(const NumberingChange& change, MethodId last) {
  if (change.kind != kEpoch) return epochs_.back()->replay(change, last);
  if (!change.words.empty() || epochs_.size() == options_.most_epochs) return false;
  epochs_.push_back(std::make_unique<AdditionNumbering>(kPcceName));
  return true;
}

bool DacceNumbering::wants_epoch() const noexcept {
  if (epochs_.size() == options_.most_epochs) return false;
  const std::uint64_t edges = graph_.edges().size();
  return edges - numbered_edges_ >= std::max(wanted_edges_, edges / 4) ||
         spared_pieces_ >= wanted_pieces_;
}

std::string_view DacceNumbering::epoch_trigger() const noexcept {
  if (epochs_.empty()) return "start";
  if (spared_pieces_ >= wanted_pieces_) return "calls that push";
  return wants_epoch() ? "new edges" : "request";
}

std::optional<DacceNumbering::Mapping> DacceNumbering::mapping(EdgeKey edge, std::uint64_t code) {
  // Not its calls: the numbers must not depend on how often they are asked for.
  if (graph_.find(edge) < 0) graph_.add(edge);
  const std::optional<Mapping> mapping = epochs_.back()->mapping(edge, code);
  const bool is_new = static_cast<std::size_t>(graph_.find(edge)) >= numbered_edges_;
  if (!mapping && is_new) ++spared_pieces_;
  return mapping;
}

SchemeFacts DacceNumbering::facts() const {
  SchemeFacts facts{{{"max_id", largest_code()}}, epoch_facts_};
  if (!epoch_facts_.empty()) facts.values.push_back({"reencodings", epoch_facts_.size() - 1});
  return facts;
}

std::uint64_t DacceNumbering::mapping_count() const noexcept {
  std::uint64_t count = 0;
  for (const auto& epoch : epochs_) count += epoch->mapping_count();
  return count;
}

std::uint64_t DacceNumbering::largest_code() const noexcept {
  std::uint64_t largest = 0;
  for (const auto& epoch : epochs_) largest = std::max(largest, epoch->largest_code());
  return largest;
}

std::uint64_t DacceNumbering::bytes() const {
  std::uint64_t bytes = sizeof(*this) + graph_.bytes() + encoders::allocated_bytes(epochs_) +
                        encoders::allocated_bytes(epoch_facts_);
  for (const auto& epoch : epochs_) bytes += epoch->bytes();
  return bytes;
}

void DacceNumbering::save(wire::StateWriter& out) const {
  out.number(epochs_.size());
  for (const auto& epoch : epochs_) epoch->save(out);
}

void DacceNumbering::load(wire::StateReader& in) {
  epochs_.clear();
  for (std::uint64_t left = in.number_below(options_.most_epochs + 1, "number of epochs");
       left > 0 && in.ok(); --left) {
    epochs_.push_back(std::make_unique<AdditionNumbering>(kPcceName));
    epochs_.back()->load(in);
  }
  if (epochs_.empty()) in.fail("there is no epoch");
}

}  // namespace copse::encoders
