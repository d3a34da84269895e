
#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "cct/tree_check.h"
#include "recover/kept_nodes.h"
#include "recover/recovered_packets.h"
#include "recover/recovered_tree.h"
#include "shadowstack/packets/packet_run.h"
#include "shadowstack/thread_state.h"

namespace copse::recover {
namespace {

class PacketRecovery {
 public:
  PacketRecovery(const SharedMemoryFile& memory, const shadowstack::PacketRun& run,
                 const cct::EngineOptions& options)
      : memory_(memory), run_(run), counts_calls_(options.event_every == 0), packets_(options) {}

  Result<RecoveredTree> all();

 private:
  // Fewer than `count` when the rest had no room in the memory.
  template <typename T>
  Result<std::span<const T>> objects(std::uint64_t address, std::uint64_t count) const;
  const shadowstack::Packet* packet_at(const shadowstack::Packet* theirs) const noexcept;

  Status find_all();
  Result<std::uint64_t> counted(const KeptNodes& nodes);
  Status add_master();
  Status add_folder(const KeptNodes& nodes, std::uint64_t counted_calls);
  Status note_taken_packets(const KeptNodes& nodes);
  Status add_packets();
  Status add_threads();
  Status add_records(const shadowstack::Packet& packet, std::uint32_t from);
  void lose_what_threads_know();

  const SharedMemoryFile& memory_;
  const shadowstack::PacketRun run_;
  const bool counts_calls_;  // else events
  std::span<const cct::KeptTree> trees_;
  std::span<const shadowstack::ThreadState> states_;
  std::span<const shadowstack::Packet> made_;
  std::unordered_map<const shadowstack::Packet*, std::uint64_t> in_a_tree_;  // records of a packet
  RecoveredPackets packets_;
  RecoveredTree out_;
};

template <typename T>
Result<std::span<const T>> PacketRecovery::objects(std::uint64_t address,
                                                   std::uint64_t count) const {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
  const auto bytes = memory_.at(address, std::min(count, kMost) * sizeof(T));
  const bool all = bytes.size == count * sizeof(T);
  if (count > kMost || address % alignof(T) != 0 || (!all && memory_.is_whole())) {
    return damaged_run("something is not all there");
  }
  return std::span<const T>(reinterpret_cast<const T*>(bytes.data), bytes.size / sizeof(T));
}

Status PacketRecovery::find_all() {
  const auto trees = objects<cct::KeptTree>(run_.trees, run_.tree_count);
  const auto states = objects<shadowstack::ThreadState>(run_.states, run_.state_count);
  const auto packets = objects<shadowstack::Packet>(run_.packets, run_.packet_count);
  if (!trees.ok()) return trees.status();
  if (!states.ok()) return states.status();
  if (!packets.ok()) return packets.status();
  trees_ = *trees;
  states_ = *states;
  made_ = *packets;
  if (trees_.empty() || states_.empty()) return damaged_run("has no trees in it");
  return {};
}

// Returns nullptr for an address that is not one of the run's packets.
const shadowstack::Packet* PacketRecovery::packet_at(
    const shadowstack::Packet* theirs) const noexcept {
  const std::uint64_t offset = reinterpret_cast<std::uint64_t>(theirs) - run_.packets;
  if (offset % sizeof(shadowstack::Packet) != 0 ||
      offset / sizeof(shadowstack::Packet) >= made_.size())
    return nullptr;
  return &made_[offset / sizeof(shadowstack::Packet)];
}

// Returns the number of calls in the tree's counts of the packets or tree that it was just taking.
Result<std::uint64_t> PacketRecovery::counted(const KeptNodes& nodes) {
  constexpr std::uint64_t kCarry = std::uint64_t{1} << 32;
  std::uint64_t counted = nodes.sum() - nodes.tree->calls;
  if (counted >= kMostCalls) {
    // A count was being carried over to its upper half: these calls are missing, in an unknown
    // node.
    counted += kCarry;
    out_.calls_lost += kCarry;
    out_.calls_of_unknown_callers += kCarry;
  }
  if (counted >= kMostCalls) return damaged_run("a tree counts other calls than it says");
  return counted;
}

Status PacketRecovery::add_master() {
  const cct::KeptTree& kept = trees_[0];
  if (kept.state == cct::KeptTree::State::kRewritten) {
    out_.calls_lost += kept.calls;
    out_.calls_of_unknown_callers += kept.calls;
    return {};
  }
  const Result<KeptNodes> nodes = kept_nodes(memory_, kept);
  if (!nodes.ok()) return nodes.status();
  out_.tree->count_evicted(kept.totals.evicted);
  out_.calls_lost += kept.totals.calls_lost;
  const auto node_of = [&](std::uint32_t i) { return (*nodes)[i]; };
  const auto calls_of = [&](std::uint32_t i) { return (*nodes)[i].calls; };
  if (Status status = add_contexts(out_, 1, nodes->count, node_of, calls_of); !status) {
    return status;
  }
  return note_taken_packets(*nodes);
}

// A tree that is to be added to the master, but for what the master has of it already.
Status PacketRecovery::add_folder(const KeptNodes& nodes, std::uint64_t counted_calls) {
  std::uint32_t from = 1;
  std::uint64_t passed = 0;
  for (; from < nodes.count && passed < counted_calls; ++from) passed += nodes[from].calls;
  const bool lost_too = passed + nodes.tree->totals.calls_lost == counted_calls;
  if (passed != counted_calls && !(from == nodes.count && lost_too) && nodes.all) {
    return damaged_run("a tree was added in parts");
  }
  if (passed == counted_calls) out_.calls_lost += nodes.tree->totals.calls_lost;
  const auto node_of = [&](std::uint32_t i) { return nodes[i]; };
  const auto calls_of = [&](std::uint32_t i) { return nodes[i].calls; };
  return add_contexts(out_, from, nodes.count, node_of, calls_of);
}

// How many records of the packets that the tree was taking are counted in it; all, when some of the
// tree is missing.
Status PacketRecovery::note_taken_packets(const KeptNodes& nodes) {
  const cct::KeptTree& kept = *nodes.tree;
  const bool taking = kept.doing == cct::KeptTree::Doing::kTakesPackets;
  if (!taking && kept.doing != cct::KeptTree::Doing::kTookPackets) return {};
  if (kept.packet_count > cct::KeptTree::kMostPackets) return damaged_run("a tree takes no packet");
  std::uint64_t left = 0;
  if (taking && nodes.all) {
    const Result<std::uint64_t> calls = counted(nodes);
    if (!calls.ok()) return calls.status();
    left = *calls;
  }
  const std::uint64_t lanes = kept.packet_count;
  const std::uint64_t abreast =
      kept.rounds > left / std::max<std::uint64_t>(lanes, 1) ? left : kept.rounds * lanes;
  left -= abreast;
  for (std::uint64_t i = 0; i < lanes; ++i) {
    const shadowstack::Packet* packet = packet_at(kept.packets[i]);
    if (packet == nullptr && !memory_.is_whole()) continue;
    if (packet == nullptr) return damaged_run("a tree takes no packet");
    std::uint64_t records = packet->count;
    if (!nodes.all) {
      // It is unknown which records are in the rest of the tree: all count as taken.
    } else if (taking && kept.layout == cct::KeptTree::Layout::kUptree) {
      records = packets_.records_of_events(*packet, left);
    } else if (taking) {
      records = abreast / lanes + (i < abreast % lanes ? 1 : 0);
      const std::uint64_t alone = std::min<std::uint64_t>(left, packet->count - records);
      records += alone;
      left -= alone;
    }
    if (records > packet->count) return damaged_run("a packet has more calls than records");
    in_a_tree_[packet] = records;
  }
  return {};
}

Status PacketRecovery::add_packets() {
  std::vector<const shadowstack::Packet*> handed_over;
  for (const shadowstack::ThreadState& state : states_) {
    if (const shadowstack::Packet* theirs = state.position().handed_over; theirs != nullptr) {
      handed_over.push_back(packet_at(theirs));
    }
  }
  for (const shadowstack::Packet& packet : made_) {
    const bool is_its_own =
        packet.state == shadowstack::Packet::State::kSubmitted ||
        (packet.state == shadowstack::Packet::State::kPrepared &&
         std::find(handed_over.begin(), handed_over.end(), &packet) != handed_over.end());
    if (!is_its_own) continue;
    const auto taken = in_a_tree_.find(&packet);
    const std::uint64_t from = taken == in_a_tree_.end() ? 0 : taken->second;
    const Status status = add_records(packet, static_cast<std::uint32_t>(from));
    if (!status && memory_.is_whole()) return status;
  }
  return {};
}

Status PacketRecovery::add_records(const shadowstack::Packet& packet, std::uint32_t from) {
  if (from == packet.count) return {};
  const Result<std::span<const CallRecord>> records =
      objects<CallRecord>(records_address(packet), packet.count);
  if (!records.ok()) return records.status();
  if (records->size() != packet.count) return damaged_run("a packet is not all there");
  return packets_.add(memory_, packet, *records, from);
}

// Adds the records still owned by threads, and sets each thread's number of calls.
Status PacketRecovery::add_threads() {
  Result<std::vector<shadowstack::ThreadRow>> rows = read_kept_threads(memory_, run_.threads);
  if (!rows.ok()) return rows.status();
  out_.threads = std::move(rows).value();
  for (const shadowstack::ThreadState& state : states_) {
    const shadowstack::ThreadPosition& position = state.position();
    out_.calls_lost += position.lost;
    std::uint64_t own = 0;
    ContextKey first_key = position.first_key;
    const shadowstack::Packet* packet = packet_at(position.packet);
    const auto* header =
        memory_.object<shadowstack::ThreadHeader>(reinterpret_cast<std::uint64_t>(state.header));
    const bool is_recorded = position.closed == 0 && position.waits == 0;
    if (packet != nullptr && header != nullptr && is_recorded) {
      const std::uint64_t slots = reinterpret_cast<std::uint64_t>(packet->slots);
      const std::uint64_t used = (header->cursor - slots) / sizeof(CallRecord);
      // Else the cursor is about to be put there.
      if (used != 0 && used <= run_.slots && used - 1 > position.flushed) {
        own = used - 1 - position.flushed;
      }
      shadowstack::Packet rest;
      rest.slots = packet->slots;
      rest.first = 1 + position.flushed;
      rest.count = static_cast<std::uint32_t>(own);
      rest.thread = state.index;
      rest.first_call = position.calls;
      if (position.chain_known == 0) {
        out_.calls_lost += own;
      } else if (Status status = packets_.add_tail(memory_, rest, position.chain.top(), first_key);
                 !status && memory_.is_whole()) {
        return status;
      }
    }
    if (state.live == 0) continue;
    if (raw(state.row) >= out_.threads.size()) return damaged_run("a thread is not there");
    shadowstack::ThreadRow& row = out_.threads[raw(state.row)];
    row.calls = position.calls + own;
    row.first_key = first_key;
  }
  return {};
}

// Calls that are in no tree and no packet here, though their threads counted them.
void PacketRecovery::lose_what_threads_know() {
  std::uint64_t made = 0;
  for (const shadowstack::ThreadRow& row : out_.threads) made += std::min(row.calls, kMostCalls);
  if (made <= out_.calls_seen) return;
  out_.calls_lost += made - out_.calls_seen;
  out_.calls_seen = made;
}

Result<RecoveredTree> PacketRecovery::all() {
  if (Status status = find_all(); !status) return status;
  out_.tree = std::make_unique<cct::Cct>();
  if (Status status = add_master(); !status) return status;
  const cct::KeptTree& master = trees_[0];
  for (std::size_t i = 1; i < trees_.size(); ++i) {
    const cct::KeptTree& kept = trees_[i];
    if (kept.nodes == 0) continue;  // was just being made
    const std::uint64_t address = run_.trees + i * sizeof(cct::KeptTree);
    const bool moves = reinterpret_cast<std::uint64_t>(master.tree) == address;
    if (moves && master.doing == cct::KeptTree::Doing::kTookTree) continue;
    if (kept.state == cct::KeptTree::State::kRewritten) {
      out_.calls_lost += kept.calls;
      out_.calls_of_unknown_callers += kept.calls;
      continue;
    }
    const Result<KeptNodes> nodes = kept_nodes(memory_, kept);
    if (!nodes.ok()) return nodes.status();
    std::uint64_t in_master = 0;
    if (moves && master.doing == cct::KeptTree::Doing::kTakesTree) {
      const Result<KeptNodes> master_nodes = kept_nodes(memory_, master);
      if (!master_nodes.ok()) return master_nodes.status();
      if (!master_nodes->all) continue;  // the master's share of it is unknown
      const Result<std::uint64_t> calls = counted(*master_nodes);
      if (!calls.ok()) return calls.status();
      in_master = *calls;
    }
    if (Status status = add_folder(*nodes, in_master); !status) return status;
    if (Status status = note_taken_packets(*nodes); !status) return status;
  }
  if (Status status = add_packets(); !status) return status;
  if (Status status = add_threads(); !status) return status;
  out_.calls_lost += run_.lost;
  if (out_.calls_lost >= kMostCalls) return damaged_run("more calls are lost than can be");
  packets_.finish(*out_.tree);
  const cct::KeptMeasures measures{run_.measures, static_cast<std::uint32_t>(run_.measure_count)};
  if (Status status = add_measures(memory_, measures, out_); !status) return status;
  out_.calls_lost += out_.tree->calls_lost();
  out_.calls_seen = cct::total_calls(*out_.tree) + out_.calls_lost;
  if (!memory_.is_whole() && counts_calls_) lose_what_threads_know();
  gather_other_threads(out_.threads);
  return std::move(out_);
}

}  // namespace

Result<RecoveredTree> recover_packets(const SharedMemoryFile& memory,
                                      const cct::EngineOptions& options) {
  const shadowstack::PacketRun* run = memory.object<shadowstack::PacketRun>(memory.first_address());
  if (run == nullptr || run->magic != shadowstack::PacketRun::kMagic || run->slots > (1u << 20)) {
    return damaged_run("has no packets in it");
  }
  return PacketRecovery(memory, *run, options).all();
}

}  // namespace copse::recover
