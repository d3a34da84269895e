#include "context_id/dacce_numbering.h"

#include <algorithm>

namespace copse {

using encoders::EdgeKey;

namespace {

// The graph is of this run.
class OwnNames final : public GraphNames {
 public:
  std::optional<MethodId> method(MethodId method) override { return method; }
  std::optional<SiteOrdinal> site(MethodId, SiteOrdinal site) override { return site; }
};

}  // namespace

DacceNumbering::DacceNumbering(DacceOptions options) : options_(options) { begin_epoch(); }

void DacceNumbering::begin_epoch() {
  epochs_.push_back(std::make_unique<AdditionNumbering>(kPcceName, graph_, pcce_additions(graph_),
                                                        std::make_unique<OwnNames>()));
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
  graph_.add(edge);
  const std::optional<Mapping> mapping = epochs_.back()->mapping(edge, code);
  const bool is_new = static_cast<std::size_t>(graph_.find(edge)) >= numbered_edges_;
  if (!mapping && is_new) ++spared_pieces_;
  return in_epoch(mapping);
}

std::optional<DacceNumbering::Mapping> DacceNumbering::known_mapping(EdgeKey edge,
                                                                     std::uint64_t code) const {
  return in_epoch(epochs_.back()->known_mapping(edge, code));
}

// Of all codes of all pieces of the epoch, and of no others.
std::optional<DacceNumbering::Mapping> DacceNumbering::in_epoch(
    std::optional<Mapping> mapping) const noexcept {
  if (!mapping) return std::nullopt;
  constexpr int kShift = kIdEpochShift - kIdCodeShift;
  return Mapping{(epochs_.size() - 1) << kShift, std::uint64_t{1} << kShift, mapping->change};
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
  std::uint64_t bytes = graph_.bytes();
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
