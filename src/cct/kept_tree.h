// A tree of packets' calls as it is found in the memory of a killed process, with its operation in
// progress (shadowstack/packets/packet_run.h).
//
// A tree takes packets, or another tree, count by count and in a known order. It first notes what
// it takes:
//
//   note it; `doing` = kTakesPackets, or kTakesTree
//   count
//   `doing` = kTookPackets, or kTookTree: the packets or the tree taken are void
//   `calls` becomes the new sum; the packets or the tree taken are cleared; `doing` = kNothing
//
// A reader therefore knows how much is counted already: the sum of the tree's counts, less `calls`.
// The nodes of a tree rewritten in place cannot be read meanwhile; `calls` is the sum that they
// hold. A tree rewritten elsewhere is replaced by the new one with one store.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "cct/context_tree.h"
#include "shadowstack/in_this_order.h"
#include "shadowstack/packet.h"

namespace copse::cct {

// Totals of a tree, beside its nodes.
struct TreeTotals {
  std::uint32_t size = 1;  // nodes, ROOT included
  std::uint64_t calls_lost = 0;
  Evicted evicted;
};

struct KeptTree {
  static constexpr std::size_t kMostPackets = 4;
  static constexpr std::uint64_t kStillAbreast = ~std::uint64_t{0};
  enum class Layout : std::uint32_t { kCct, kUptree };
  enum class Doing : std::uint32_t {
    kNothing,
    kTakesPackets,
    kTookPackets,
    kTakesTree,
    kTookTree,
  };

  Layout layout = Layout::kCct;
  std::uint64_t nodes = 0;  // address
  TreeTotals totals;
  std::uint64_t calls = 0;  // in nodes and lost, as of the last kNothing
  enum class State : std::uint32_t { kReadable, kRewritten, kReplaced };
  State state = State::kReadable;
  std::uint64_t new_nodes = 0;  // address, when kReplaced
  std::uint32_t new_size = 0;

  Doing doing = Doing::kNothing;
  // Packets being taken: abreast, a record of each in turn, for `rounds` rounds; then one after the
  // other.
  std::array<shadowstack::Packet*, kMostPackets> packets{};
  std::uint64_t packet_count = 0;
  std::uint64_t rounds = 0;
  KeptTree* tree = nullptr;  // tree being taken

  void takes(std::span<shadowstack::Packet* const> taken, std::uint64_t rounds_abreast) noexcept {
    packet_count = 0;
    for (shadowstack::Packet* packet : taken) packets[packet_count++] = packet;
    rounds = rounds_abreast;
    begin(Doing::kTakesPackets);
  }
  void took_packets(std::uint64_t counted) noexcept {
    begin(Doing::kTookPackets);
    calls += counted;
    for (std::uint64_t i = 0; i < packet_count; ++i)
      packets[i]->state = shadowstack::Packet::State::kEmpty;
    begin(Doing::kNothing);
  }
  void takes(KeptTree& taken) noexcept {
    tree = &taken;
    begin(Doing::kTakesTree);
  }
  // `clear` leaves the taken tree empty.
  template <typename Clear>
  void took_tree(Clear clear) noexcept {
    begin(Doing::kTookTree);
    calls += tree->calls;
    tree->calls = 0;
    clear();
    begin(Doing::kNothing);
  }
  template <typename Rewrite>
  auto rewrite(Rewrite work) noexcept {
    struct Rewriting {
      KeptTree& tree;
      ~Rewriting() { tree.become(State::kReadable); }
    };
    become(State::kRewritten);
    const Rewriting rewriting{*this};
    return work();
  }
  void replace(std::uint64_t other_nodes, std::uint32_t other_size) noexcept {
    new_nodes = other_nodes;
    new_size = other_size;
    become(State::kReplaced);
    nodes = other_nodes;
    totals.size = other_size;
    become(State::kReadable);
  }

 private:
  void begin(Doing what) noexcept {
    shadowstack::in_this_order();
    doing = what;
    shadowstack::in_this_order();
  }
  void become(State other) noexcept {
    shadowstack::in_this_order();
    state = other;
    shadowstack::in_this_order();
  }
};

}  // namespace copse::cct
