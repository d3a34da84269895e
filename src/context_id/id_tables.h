// The tables behind in-line context ids: what an edge's codes become in its callee, by the Segment
// encoder (encoders/segment.h), laid out for probes (id_layout.h).
//
// Probes find most calls' records by themselves. What they do not find comes to enter(), which lets
// the encoder map the code and leaves the record where the probe will look next time.
//
// Threads: any; one mutex, taken by enter() and whoever reads the encoder.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/program_names.h"
#include "base/status.h"
#include "context_id/id_layout.h"
#include "context_id/site_numbers.h"
#include "encoders/flat_map.h"
#include "encoders/segment.h"
#include "shadowstack/memory_source.h"

namespace copse {

class IdTables {
 public:
  // Codes a method gives out before it numbers contexts one by one; ids have room for twice as
  // many.
  static constexpr std::uint64_t kMostCodes = std::uint64_t{1} << 39;

  // `most_bytes`: of records and encoder together, about. Throws std::bad_alloc without address
  // space to start with.
  IdTables(MemorySource& memory, const SiteNumbers& numbers, std::uint64_t most_bytes);
  ~IdTables();
  IdTables(const IdTables&) = delete;
  IdTables& operator=(const IdTables&) = delete;

  std::uint64_t slots_address() const noexcept { return reinterpret_cast<std::uint64_t>(slots_); }
  std::uint64_t records_address() const noexcept {
    return reinterpret_cast<std::uint64_t>(records_);
  }

  // The probes' slow path: the frame word of a call of `callee` (number of its "no call site") from
  // where `word` stands. Below the lost number, and when there is no room, the lost number itself.
  // Cost: about 100 ns.
  std::uint64_t enter(std::uint64_t word, std::uint32_t callee) noexcept;

  // The number a tool stores for a context: the frame's code and method in one.
  // 0 for ROOT and for what is lost.
  std::uint64_t id_of(std::uint64_t word) const;

  // Writes what another process needs to turn ids back into contexts (encoders/graph_file.h).
  Status save(const std::string& path, const std::vector<MethodName>& methods) const;
  // The context of an id; for tests and for checks while the program runs.
  Result<encoders::CallPath> decode(std::uint64_t id) const;

  struct Stats {
    std::uint64_t slow_entries = 0;  // calls of enter()
    std::uint64_t lost_entries = 0;  // of these, without an id
    std::uint64_t records = 0;
    std::uint64_t encoder_records = 0;
    std::uint64_t largest_code = 0;
    std::uint64_t bytes = 0;  // records, slots in use and the encoder
  };
  Stats stats() const;

 private:
  using Mapping = encoders::SegmentEncoder::Mapping;

  std::optional<Mapping> mapping_of(encoders::EdgeKey edge, std::uint64_t code);
  std::uint32_t record_of(encoders::EdgeKey edge, const Mapping& mapping, std::uint32_t site,
                          std::uint32_t callee);
  void show(std::uint32_t record, std::uint64_t word) noexcept;

  MemorySource& memory_;
  const SiteNumbers& numbers_;
  const std::uint64_t most_bytes_;
  std::uint32_t* slots_ = nullptr;  // and, behind them, the recent records
  IdRecord* records_ = nullptr;
  std::uint64_t reserved_records_ = 0;

  mutable std::mutex mutex_;  // of all below
  encoders::SegmentEncoder encoder_;
  // (edge, first code of the callee) -> record
  encoders::FlatMap<encoders::PairKey, std::uint32_t> record_by_edge_;
  std::uint64_t committed_bytes_ = 0;
  std::uint32_t record_count_ = 1;
  std::uint64_t slow_entries_ = 0;
  std::uint64_t lost_entries_ = 0;
};

}  // namespace copse
