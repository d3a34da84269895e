// Cct::evict_above(). Contexts go in order of their level, a logarithm of the inclusive calls with
// a few steps per power of two, and within a level the newest first. No context comes before its
// descendants in this order, so whatever is cut off at its beginning is whole subtrees.
//
// What a parent loses costs it one node, that of kEvictedKey: a level is gained by what goes at it
// less the parents that begin to lose there.
//
// No memory is taken beside the tree's own: child tables are made anew in the end, and until then a
// node's `children` holds first its inclusive calls, then its new number, and the tables' memory
// holds the numbers of evicted nodes.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "cct/cct.h"

namespace copse::cct {
namespace {

// Inclusive calls are cut off at these.
constexpr std::uint32_t kMostInclusive = 0xFFFF'FFFE;
constexpr std::uint32_t kLive = 0xFFFF'FFFF;

constexpr std::uint32_t kLiveLevel = 62;  // never evicted
// 0 calls have level 0, and four steps per power of two end at level 61.
constexpr std::uint32_t level_of(std::uint32_t inclusive) noexcept {
  if (inclusive == kLive) return kLiveLevel;
  if (inclusive < 8) return inclusive;
  const auto log = static_cast<std::uint32_t>(std::bit_width(inclusive)) - 1;
  return std::min(8 + (log - 3) * 4 + (inclusive >> (log - 2) & 3), kLiveLevel - 1);
}
static_assert(level_of(7) == 7 && level_of(8) == 8 && level_of(0xFFFF'FFFE) == 61);

// A parent's first loss, held where its table's size was: 1 + the level from which on it has
// evicted children; 0: it has had some before.
constexpr std::uint32_t kLosesNone = 63;

// Table entries that are no reason to evict. Beyond them a node's share is two.
constexpr std::uint64_t kSmallTables = 1u << 16;

// In a new number: the node is evicted, and the number is its nearest ancestor's that stays.
constexpr std::uint32_t kGone = 0x8000'0000;

}  // namespace

// Goes: levels below `level`, and at that level the nodes from `newest` on.
struct Cct::Cut {
  std::uint32_t level = 0;
  std::uint32_t newest = 0;

  bool takes(std::uint32_t node, std::uint32_t inclusive) const noexcept {
    const std::uint32_t at = level_of(inclusive);
    return at < level || (at == level && node >= newest);
  }
};

bool Cct::is_above(std::uint32_t most, bool with_live_nodes) const noexcept {
  const bool over = totals().size > most || table_entries_ > std::uint64_t{most} * 2 + kSmallTables;
  // Where live nodes left little to evict, only much more is worth trying again.
  return over && (!with_live_nodes || totals().size > evicted_to_ + evicted_to_ / 4);
}

bool Cct::evict_above(std::uint32_t most, std::span<std::uint32_t> live) noexcept {
  if (!is_above(most, !live.empty())) return false;
  if (!table_memory_.ensure(totals().size)) return false;
  const std::uint64_t used_entries = std::max<std::uint64_t>(table_entries_, totals().size);
  sum_inclusive(live);
  const Cut cut = choose_cut(std::min(most, totals().size) / 4 * 3);
  remove_below(cut);
  for (std::uint32_t& number : live) {
    if (number != kOverflowNode) number = nodes_[number].children;
  }
  list_children_again(used_entries);
  evicted_to_ = totals().size;
  return true;
}

void Cct::sum_inclusive(std::span<const std::uint32_t> live) noexcept {
  const std::uint64_t size_mask = ~(std::uint64_t{63} << kTableShift);
  for (std::uint32_t i = 0; i < totals().size; ++i) {
    nodes_[i].children =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(calls(i), kMostInclusive));
    nodes_[i].set_packed((nodes_[i].packed() & size_mask) | std::uint64_t{kLosesNone}
                                                                << kTableShift);
  }
  nodes_[0].children = kLive;
  for (const std::uint32_t number : live) {
    if (number != kOverflowNode) nodes_[number].children = kLive;
  }
  for (std::uint32_t i = totals().size; i-- > 1;) {
    const std::uint32_t inclusive = nodes_[i].children;
    Node& above = nodes_[nodes_[i].parent];
    const std::uint64_t sum = std::uint64_t{above.children} + inclusive;
    if (above.children == kLive || inclusive == kLive) {
      above.children = kLive;
    } else {
      above.children = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, kMostInclusive));
    }
    // Contexts without calls leave nothing behind.
    const std::uint32_t loses = key(i) == kEvictedKey ? 0 : 1 + level_of(inclusive);
    if (loses != 1 && loses < shift_of(above.packed())) {
      above.set_packed((above.packed() & size_mask) | std::uint64_t{loses} << kTableShift);
    }
  }
}

Cct::Cut Cct::choose_cut(std::uint32_t most) noexcept {
  std::array<std::int64_t, kLosesNone + 1> gone{};  // nodes less, by level that goes
  for (std::uint32_t i = 0; i < totals().size; ++i) {
    if (key(i) == kEvictedKey) continue;
    const std::uint32_t level = level_of(nodes_[i].children);
    const std::uint32_t loses = shift_of(nodes_[i].packed());
    ++gone[level];
    if (loses == 0) {
      ++gone[level];
    } else if (loses - 1 < level) {
      --gone[loses - 1];
      ++gone[level];
    }
  }
  std::int64_t kept = totals().size;
  Cut cut;
  for (; cut.level < kLiveLevel; ++cut.level) {
    const std::int64_t left = kept - gone[cut.level];
    if (left <= most) {
      cut.newest = newest_that_stays(cut, kept, most) + 1;
      return cut;
    }
    kept = left;
  }
  cut.newest = totals().size;
  return cut;
}

// With the levels below the cut's gone, `kept` nodes are left.
std::uint32_t Cct::newest_that_stays(const Cut& cut, std::int64_t kept,
                                     std::uint32_t most) noexcept {
  std::uint32_t i = totals().size - 1;
  for (; i > 0 && kept > most; --i) {
    if (key(i) == kEvictedKey || level_of(nodes_[i].children) != cut.level) continue;
    const bool had_losses = shift_of(nodes_[i].packed()) <= cut.level;
    kept -= had_losses ? 2 : 1;
    Node& above = nodes_[nodes_[i].parent];
    if (nodes_[i].children == 0 || shift_of(above.packed()) <= cut.level) continue;
    above.set_packed(above.packed() & ~(std::uint64_t{63} << kTableShift));
    ++kept;
  }
  return i;
}

// Moves what stays to the front, in the same order. A column `children` is not moved: it holds the
// new number of the node that was there.
void Cct::remove_below(const Cut& cut) noexcept {
  std::memset(tables_, 0, totals().size * sizeof *tables_);
  nodes_[0].children = 0;
  std::uint32_t size = 1;
  for (std::uint32_t i = 1; i < totals().size; ++i) {
    const std::uint32_t inclusive = nodes_[i].children;
    const std::uint32_t above = nodes_[nodes_[i].parent].children;
    const std::uint64_t calls = this->calls(i);
    if (key(i) == kEvictedKey) {
      const std::uint32_t parent = above & ~kGone;
      nodes_[i].children = parent | kGone;
      add_to_evicted(parent, calls, size);
    } else if ((above & kGone) != 0 || cut.takes(i, inclusive)) {
      const std::uint32_t parent = above & ~kGone;
      nodes_[i].children = parent | kGone;
      if (calls == 0) continue;
      totals().evicted.calls += calls;
      ++totals().evicted.contexts;
      add_to_evicted(parent, calls, size);
    } else {
      nodes_[i].children = size;
      move_node(i, size++, above);
    }
  }
  totals().size = size;
}

// A parent's node of evicted contexts takes the next place: that of a node that goes.
void Cct::add_to_evicted(std::uint32_t parent, std::uint64_t calls, std::uint32_t& size) noexcept {
  if (tables_[parent] == 0) {
    tables_[parent] = size++;
    Node& made = nodes_[tables_[parent]];
    made.set_packed(kEvictedKey);
    made.parent = parent;
    made.calls_low = 0;
  }
  add_calls(tables_[parent], calls);
}

void Cct::move_node(std::uint32_t from, std::uint32_t to, std::uint32_t parent) noexcept {
  nodes_[to].set_packed(nodes_[from].packed());
  nodes_[to].calls_low = nodes_[from].calls_low;
  nodes_[to].parent = parent;
}

void Cct::list_children_again(std::uint64_t used_entries) noexcept {
  std::memset(tables_, 0, used_entries * sizeof *tables_);
  table_entries_ = 1;
  free_tables_ = {};
  const std::uint64_t size_mask = ~(std::uint64_t{63} << kTableShift);
  for (std::uint32_t i = 0; i < totals().size; ++i) {
    nodes_[i].children = 0;
    nodes_[i].set_packed((nodes_[i].packed() & size_mask) | std::uint64_t{kNoTable} << kTableShift);
  }
  for (std::uint32_t i = 1; i < totals().size; ++i) {
    // Without memory it is a node that cannot be found, and its context may get another one.
    (void)attach(nodes_[i].parent, i);
  }
}

}  // namespace copse::cct
