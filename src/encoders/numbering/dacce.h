// DACCE's numbering (encoders/dacce.h): PCCE's over a call graph that is discovered while the program runs and
// renumbered now and then. Each renumbering begins an epoch (the paper's time stamp); calls unknown to the epoch start
// pieces.
//
// A renumbering changes no word that threads hold. A piece belongs to one epoch for good, and frames keep words of
// older epochs. When such a frame calls next, IdTables translates its context.
//
// An epoch ends when a share of the edges is newer than the epoch, or when too many pieces were started that a new
// numbering would avoid. A word has room for few epochs, so each may last four times as long as the one before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "encoders/numbering/addition.h"
#include "encoders/numbering/context_number.h"
#include "encoders/numbering/numbering.h"
#include "graph/call_graph.h"

namespace copse::encoders {

struct DacceNumberingOptions {
  std::uint64_t first_edges = 64;  // new edges that end the first epoch
  std::uint64_t first_pieces = 1024;
  std::uint64_t growth = 4;  // factor of both limits, from each epoch to the next
  std::uint64_t most_epochs = kMostIdEpochs;
  std::uint64_t most_codes = kMostIdCodes;
};

class DacceNumbering final : public CodeNumbering {
 public:
  static constexpr std::string_view kName = "dacce";

  explicit DacceNumbering(DacceNumberingOptions options = {});

  std::string_view name() const noexcept override { return kName; }
  SlotKind slots() const noexcept override { return SlotKind::kEpochMappings; }
  std::optional<Mapping> mapping(EdgeKey edge, std::uint64_t code) override;
  std::optional<Mapping> known_mapping(EdgeKey edge, std::uint64_t code) const override {
    return epochs_.back()->known_mapping(edge, code);
  }
  // Decodes in the current epoch, like the two functions above.
  std::optional<Step> step_to(MethodId method, std::uint64_t code, MethodId start) const override {
    return epochs_.back()->step_to(method, code, start);
  }
  const CodeNumbering* of_epoch(std::uint64_t epoch) const noexcept override {
    return epoch < epochs_.size() ? epochs_[epoch].get() : nullptr;
  }
  bool wants_epoch() const noexcept override;
  void begin_epoch() override;

  SchemeFacts facts() const override;
  std::uint64_t mapping_count() const noexcept override;
  std::uint64_t largest_code() const noexcept override;
  std::uint64_t bytes() const override;
  void save(wire::StateWriter& out) const override;
  void load(wire::StateReader& in) override;
  void keep_journal(NumberingJournal& journal) override;
  bool replay(const NumberingChange& change, MethodId last) override;

 private:
  // Kind of a journal's change that begins an epoch, beside the changes of the epoch's own numbering.
  static constexpr std::uint8_t kEpoch = 2;

  std::string_view epoch_trigger() const noexcept;

  const DacceNumberingOptions options_;
  graph::CallGraph graph_;
  std::uint64_t wanted_edges_;  // limit that ends the current epoch
  std::uint64_t wanted_pieces_;
  std::size_t numbered_edges_ = 0;  // edges of the graph in the current epoch
  std::uint64_t spared_pieces_ = 0;
  std::vector<std::unique_ptr<AdditionNumbering>> epochs_;
  std::vector<EpochFacts> epoch_facts_;
  NumberingJournal* journal_ = nullptr;  // nullptr if none is kept
};

}  // namespace copse::encoders
