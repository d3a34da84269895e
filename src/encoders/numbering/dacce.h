// DACCE's numbering (docs/encodings.md): PCCE's over a call graph that is discovered while the program runs and
// renumbered now and then. Each renumbering begins an epoch (the paper's time stamp); calls unknown to the epoch start
// pieces.
//
// A renumbering changes no word that threads hold. A piece belongs to one epoch for good, and frames keep words of
// older epochs. When such a frame calls next, IdTables translates its context.
//
// An epoch ends when a share of the edges is newer than the epoch, when too many pieces were started that a new
// numbering would avoid, or when heat shifts: when many collected contexts end with calls that have become hotter than
// the call of the same method that adds 0. The hottest call of a method adds 0. Heat is counted in collected contexts,
// and halved at each epoch.
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
  // Amounts that end an epoch: new edges, if they are a quarter of all; pieces that a new numbering would avoid;
  // collected contexts that end with a call hotter than the one that adds 0 (0: heat is not counted).
  std::uint64_t first_edges = 64;
  std::uint64_t first_pieces = 1024;
  std::uint64_t first_heat = 256;
  std::uint64_t growth = 2;  // factor of an amount of pieces or heat that has ended an epoch
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
  void note_collected(EdgeKey edge) override;
  void begin_epoch() override;

  SchemeFacts facts() const override;
  std::uint64_t mapping_count() const noexcept override;
  std::uint64_t largest_code() const noexcept override;
  std::uint64_t bytes() const override;
  std::uint64_t past_bytes() const override;
  void save(wire::StateWriter& out) const override;
  void load(wire::StateReader& in) override;
  void keep_journal(NumberingJournal& journal) override;
  bool replay(const NumberingChange& change, MethodId last) override;

 private:
  // Kind of a journal's change that begins an epoch, beside the changes of the epoch's own numbering.
  static constexpr std::uint8_t kEpoch = 2;

  // Place of an edge of the graph in the current epoch.
  enum class Place : std::uint8_t { kStartsPieces, kAdds, kAddsNothing };

  std::string_view epoch_trigger() const noexcept;
  bool has_new_edges() const noexcept;
  bool has_shifted() const noexcept;

  const DacceNumberingOptions options_;
  graph::CallGraph graph_;
  std::uint64_t wanted_pieces_;  // limits that end the current epoch
  std::uint64_t wanted_heat_;
  std::size_t numbered_edges_ = 0;  // edges of the graph in the current epoch
  std::uint64_t spared_pieces_ = 0;

  std::vector<std::uint64_t> heat_;   // by edge; may lack the last ones, which have none
  std::vector<Place> places_;         // by numbered edge
  std::vector<std::uint32_t> first_;  // by method: the edge that adds 0, or any number
  std::uint64_t collected_ = 0;
  std::uint64_t collected_free_ = 0;  // contexts whose last call added 0
  // Contexts collected in the current epoch whose last call is numbered, and those among them whose last call is hotter
  // than the one that adds 0.
  std::uint64_t noted_ = 0;
  std::uint64_t shifted_ = 0;

  std::vector<std::unique_ptr<AdditionNumbering>> epochs_;
  std::vector<EpochFacts> epoch_facts_;
  NumberingJournal* journal_ = nullptr;  // nullptr if none is kept
};

}  // namespace copse::encoders
