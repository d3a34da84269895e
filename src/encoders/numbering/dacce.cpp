#include "encoders/numbering/dacce.h"

#include <algorithm>
#include <chrono>

#include "base/make_room.h"
#include "encoders/scheme/memory_use.h"

namespace copse::encoders {

DacceNumbering::DacceNumbering(DacceNumberingOptions options)
    : options_(options), wanted_pieces_(options.first_pieces), wanted_heat_(options.first_heat) {
  begin_epoch();
}

void DacceNumbering::begin_epoch() {
  const auto begin = std::chrono::steady_clock::now();
  graph::CallGraph graph = graph_;
  for (std::size_t e = 0; e < heat_.size(); ++e) {
    if (heat_[e] != 0) graph.add(graph_.edges()[e].key, heat_[e]);
  }
  GraphAdditions additions = pcce_additions(graph, options_.most_codes);
  std::vector<Place> places(additions.edges.size(), Place::kStartsPieces);
  std::vector<std::uint32_t> first(graph.method_limit());
  for (std::size_t e = 0; e < places.size(); ++e) {
    if (additions.edges[e].shares.empty()) continue;
    const bool adds = additions.edges[e].addition != 0;
    places[e] = adds ? Place::kAdds : Place::kAddsNothing;
    if (!adds) first[raw(callee_of(graph_.edges()[e].key))] = static_cast<std::uint32_t>(e);
  }
  const EpochFacts facts{std::string(epoch_trigger()), places.size(),
                         encoders::largest_code(additions), 0};
  auto next =
      std::make_unique<AdditionNumbering>(kPcceName, std::move(graph), std::move(additions));
  make_room(epochs_, epochs_.size() + 1);
  encoders::make_room_tightly(epoch_facts_);
  if (!epochs_.empty()) epochs_.back()->stop_encoding();

  epochs_.push_back(std::move(next));
  epoch_facts_.push_back(facts);
  if (spared_pieces_ >= wanted_pieces_) wanted_pieces_ *= options_.growth;
  if (has_shifted()) wanted_heat_ *= options_.growth;
  numbered_edges_ = places.size();
  spared_pieces_ = noted_ = shifted_ = 0;
  places_ = std::move(places);
  first_ = std::move(first);
  for (std::uint64_t& heat : heat_) heat /= 2;
  const auto took = std::chrono::steady_clock::now() - begin;
  epoch_facts_.back().ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(took).count());
  if (journal_ == nullptr) return;
  journal_->add({kEpoch, 0, {}});
  epochs_.back()->keep_journal(*journal_);
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
  return has_new_edges() || spared_pieces_ >= wanted_pieces_ || has_shifted();
}

bool DacceNumbering::has_new_edges() const noexcept {
  const std::uint64_t edges = graph_.edges().size();
  return edges - numbered_edges_ >= std::max(options_.first_edges, edges / 4);
}

// A sixteenth of the contexts, so that a new numbering is worth its cost.
bool DacceNumbering::has_shifted() const noexcept {
  return shifted_ != 0 && shifted_ >= wanted_heat_ && shifted_ >= noted_ / 16;
}

void DacceNumbering::note_collected(EdgeKey edge) {
  const std::int64_t index = graph_.find(edge);
  if (options_.first_heat == 0 || index < 0) return;
  const auto e = static_cast<std::size_t>(index);
  if (heat_.size() <= e) {
    make_room(heat_, e + 1);
    heat_.resize(e + 1);
  }
  ++heat_[e];
  ++collected_;
  if (e >= numbered_edges_) return;
  ++noted_;
  if (places_[e] == Place::kAddsNothing) ++collected_free_;
  if (places_[e] != Place::kAdds) return;
  // Clearly hotter, so that two edges of equal heat do not take turns.
  const std::uint32_t first = first_[raw(callee_of(edge))];
  const std::uint64_t cold = first < heat_.size() ? heat_[first] : 0;
  if (heat_[e] > 2 * cold + 8) ++shifted_;
}

std::string_view DacceNumbering::epoch_trigger() const noexcept {
  if (epochs_.empty()) return "start";
  if (spared_pieces_ >= wanted_pieces_) return "calls that push";
  if (has_new_edges()) return "new edges";
  return has_shifted() ? "heat" : "request";
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
  if (epoch_facts_.empty()) return CodeNumbering::facts();
  const auto largest = std::ranges::max_element(epoch_facts_, {}, &EpochFacts::max_id);
  SchemeFacts facts{{{"max_id", largest->max_id}}, epoch_facts_};
  facts.values.push_back({"reencodings", epoch_facts_.size() - 1});
  facts.values.push_back({"collected", collected_});
  facts.values.push_back({"collected_free", collected_free_});
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
                        encoders::allocated_bytes(epoch_facts_) + encoders::allocated_bytes(heat_) +
                        encoders::allocated_bytes(places_) + encoders::allocated_bytes(first_);
  for (const auto& epoch : epochs_) bytes += epoch->bytes();
  return bytes;
}

std::uint64_t DacceNumbering::past_bytes() const {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i + 1 < epochs_.size(); ++i) bytes += epochs_[i]->bytes();
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
