#include "encoders/numbering/dacce.h"

#include <algorithm>

#include "encoders/memory_use.h"

namespace copse {

using encoders::EdgeKey;

DacceNumbering::DacceNumbering(DacceNumberingOptions options) : options_(options) { begin_epoch(); }

void DacceNumbering::begin_epoch() {
  epochs_.push_back(std::make_unique<AdditionNumbering>(
      kPcceName, graph_, pcce_additions(graph_, options_.most_codes)));
  numbered_edges_ = graph_.edges().size();
  spared_pieces_ = 0;
}

bool DacceNumbering::wants_epoch() const noexcept {
  if (epochs_.size() == kMostIdEpochs) return false;
  const std::uint64_t longer = std::uint64_t{1} << (2 * (epochs_.size() - 1));
  const std::uint64_t new_edges = graph_.edges().size() - numbered_edges_;
  return new_edges >= options_.first_edges * longer ||
         spared_pieces_ >= options_.first_pieces * longer;
}

std::optional<DacceNumbering::Mapping> DacceNumbering::mapping(EdgeKey edge, std::uint64_t code) {
  // Not its calls: the numbers must not depend on how often they are asked for.
  if (graph_.find(edge) < 0) graph_.add(edge);
  const std::optional<Mapping> mapping = epochs_.back()->mapping(edge, code);
  const bool is_new = static_cast<std::size_t>(graph_.find(edge)) >= numbered_edges_;
  if (!mapping && is_new) ++spared_pieces_;
  return mapping;
}

std::uint64_t DacceNumbering::record_count() const noexcept {
  std::uint64_t count = 0;
  for (const auto& epoch : epochs_) count += epoch->record_count();
  return count;
}

std::uint64_t DacceNumbering::largest_code() const noexcept {
  std::uint64_t largest = 0;
  for (const auto& epoch : epochs_) largest = std::max(largest, epoch->largest_code());
  return largest;
}

std::uint64_t DacceNumbering::bytes() const {
  std::uint64_t bytes = sizeof(*this) + graph_.bytes() + encoders::allocated_bytes(epochs_);
  for (const auto& epoch : epochs_) bytes += epoch->bytes();
  return bytes;
}

void DacceNumbering::save(encoders::StateWriter& out) const {
  out.number(epochs_.size());
  for (const auto& epoch : epochs_) epoch->save(out);
}

void DacceNumbering::load(encoders::StateReader& in) {
  epochs_.clear();
  for (std::uint64_t left = in.number_below(kMostIdEpochs + 1, "number of epochs");
       left > 0 && in.ok(); --left) {
    epochs_.push_back(std::make_unique<AdditionNumbering>(kPcceName));
    epochs_.back()->load(in);
  }
  if (epochs_.empty()) in.fail("there is no epoch");
}

}  // namespace copse
