#include "cct/cct.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

namespace copse::cct {
namespace {

// Tables up to 2^kSmallLog entries dissolve collisions by growing; larger ones bound the probe.
constexpr int kSmallLog = 5;
constexpr std::uint32_t kLongestProbe = 12;

}  // namespace

Cct::Cct(shadowstack::MemorySource& memory, std::uint32_t most_nodes,
         shadowstack::MemorySource* table_memory)
    : most_nodes_(most_nodes),
      node_memory_(memory, most_nodes),
      // A small tree may still be one wide node, whose table is up to eight times its children.
      table_memory_(
          table_memory != nullptr ? *table_memory : memory,
          std::min<std::uint64_t>(kMostTableEntries, std::uint64_t{most_nodes} * 8 + 64)) {
  if (!node_memory_.ensure(1) || !table_memory_.ensure(1)) throw std::bad_alloc();
  nodes_ = node_memory_.data();
  tables_ = table_memory_.data();
  nodes_[0] = {};
  nodes_[0].set_packed(std::uint64_t{kNoTable} << kTableShift);
}

void Cct::keep_in(KeptTree& kept) noexcept {
  kept.layout = KeptTree::Layout::kCct;
  kept.totals = totals();
  shadowstack::in_this_order();
  kept.nodes = reinterpret_cast<std::uint64_t>(nodes_);
  kept_ = &kept;
}

void Cct::clear() noexcept {
  totals() = {};
  is_left_full_ = false;
  evicted_to_ = 0;
  nodes_[0] = {};
  nodes_[0].set_packed(std::uint64_t{kNoTable} << kTableShift);
  std::memset(tables_, 0, table_entries_ * sizeof *tables_);
  table_entries_ = 1;
  free_tables_ = {};
}

std::unique_ptr<Cct> Cct::copy() const {
  auto copy = std::make_unique<Cct>(shadowstack::anonymous_memory(), most_nodes_);
  if (!copy->node_memory_.ensure(totals().size) || !copy->table_memory_.ensure(table_entries_)) {
    throw std::bad_alloc();
  }
  std::memcpy(copy->nodes_, nodes_, totals().size * sizeof *nodes_);
  std::memcpy(copy->tables_, tables_, table_entries_ * sizeof *tables_);
  copy->totals() = totals();
  copy->table_entries_ = table_entries_;
  copy->free_tables_ = free_tables_;
  copy->evicted_to_ = evicted_to_;
  copy->merged_ = merged_;
  copy->is_left_full_ = is_left_full_;
  return copy;
}

std::uint64_t Cct::memory_bytes() const noexcept {
  return std::uint64_t{totals().size} * sizeof(Node) + table_entries_ * sizeof(std::uint32_t);
}

void Cct::add_calls(std::uint32_t node, std::uint64_t calls) noexcept {
  if (node == kOverflowNode) {
    totals().calls_lost += calls;
    return;
  }
  Node& target = nodes_[node];
  const std::uint64_t sum = target.calls_low + calls;
  target.calls_low = static_cast<std::uint32_t>(sum);
  target.add_to_packed(sum >> 32 << kCountShift);
}

std::uint32_t Cct::find(std::uint32_t parent, ContextKey key) const noexcept {
  const Node& above = nodes_[parent];
  const std::uint32_t shift = shift_of(above.packed());
  if (shift == kNoTable)
    return above.children != 0 && this->key(above.children) == key ? above.children : 0;
  const std::uint64_t mask = (std::uint64_t{1} << (32 - shift)) - 1;
  const std::uint64_t home = hash(key) >> shift;
  for (std::uint64_t i = 0; i <= mask; ++i) {
    const std::uint32_t found = tables_[above.children + ((home + i) & mask)];
    if (found == 0 || this->key(found) == key) return found;
  }
  return 0;
}

std::uint32_t Cct::find_or_add(std::uint32_t parent, ContextKey key) noexcept {
  if (const std::uint32_t found = find(parent, key); found != 0) return found;
  if (totals().size >= most_nodes_ || !node_memory_.ensure(std::size_t{totals().size} + 1))
    return kOverflowNode;
  const std::uint32_t made = totals().size;
  nodes_[made] = {{}, parent, 0, 0};
  nodes_[made].set_packed(key | std::uint64_t{kNoTable} << kTableShift);
  shadowstack::in_this_order();  // what was a node here once may have counted calls
  totals().size = made + 1;
  if (attach(parent, made)) return made;
  totals().size = made;
  return kOverflowNode;
}

// After the fast path: `tried` was another context's node, or its count has just wrapped to 0.
std::uint32_t Cct::call_slowly(std::uint32_t parent, ContextKey key, std::uint32_t tried) noexcept {
  if (tried != 0 && this->key(tried) == key) {
    nodes_[tried].add_to_packed(std::uint64_t{1} << kCountShift);
    return tried;
  }
  const std::uint32_t node = find_or_add(parent, key);
  add_calls(node, 1);
  return node;
}

// Lists a new node among the parent's children; false when the table has no room and cannot grow.
bool Cct::attach(std::uint32_t parent, std::uint32_t child) noexcept {
  Node& above = nodes_[parent];
  const std::uint32_t shift = shift_of(above.packed());
  if (shift == kNoTable) {
    if (above.children == 0) {
      above.children = child;
      return true;
    }
    const std::uint32_t siblings[] = {above.children, child};
    return grow_table(parent, log_without_collision(siblings, 1, 3), siblings);
  }
  const int log = 32 - static_cast<int>(shift);
  if (log >= kSmallLog) {
    if (insert(above.children, log, child, kLongestProbe)) return true;
  } else {
    const std::uint64_t home = hash(key(child)) >> shift;
    if (tables_[above.children + home] == 0) {
      tables_[above.children + home] = child;
      return true;
    }
  }
  std::uint32_t siblings[(1u << kSmallLog) + 1];
  if (log < kSmallLog) {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < (1u << log); ++i) {
      if (tables_[above.children + i] != 0) siblings[count++] = tables_[above.children + i];
    }
    siblings[count++] = child;
    const int least = count * 4 > (std::size_t{3} << log) ? log + 1 : log;
    const int most = std::max(least, static_cast<int>(std::bit_width(count * 4)) - 1);
    const std::span<const std::uint32_t> all(siblings, count);
    const int wished = log_without_collision(all, least, most);
    if (wished != log && grow_table(parent, wished, all)) return true;
  } else if (grow_wide_table(parent, log)) {
    return attach(parent, child);
  }
  return insert(above.children, log, child, 1u << log);
}

// The smallest table size, as a log from `least` to `most`, at which no two of the nodes meet;
// `most` if there is none.
int Cct::log_without_collision(std::span<const std::uint32_t> siblings, int least,
                               int most) const noexcept {
  for (int log = least; log < most; ++log) {
    std::uint64_t taken[4] = {};  // one bit per entry, for at most 2^8 entries
    bool meet = false;
    for (const std::uint32_t sibling : siblings) {
      const std::uint64_t entry = hash(key(sibling)) >> (32 - log);
      meet |= (taken[entry / 64] >> (entry % 64) & 1) != 0;
      taken[entry / 64] |= std::uint64_t{1} << (entry % 64);
    }
    if (!meet) return log;
  }
  return most;
}

// Replaces the parent's table, if it has one, by one of 2^log entries that lists `siblings`.
bool Cct::grow_table(std::uint32_t parent, int log,
                     std::span<const std::uint32_t> siblings) noexcept {
  const std::uint32_t table = take_table(log);
  if (table == 0) return false;
  for (const std::uint32_t sibling : siblings) insert(table, log, sibling, 1u << log);
  replace_table(parent, table, log);
  return true;
}

bool Cct::grow_wide_table(std::uint32_t parent, int log) noexcept {
  if (log + 1 >= 32) return false;
  const std::uint32_t table = take_table(log + 1);
  if (table == 0) return false;
  const std::uint32_t* old = tables_ + nodes_[parent].children;
  for (std::uint32_t i = 0; i < (1u << log); ++i) {
    if (old[i] != 0) insert(table, log + 1, old[i], 1u << log);
  }
  replace_table(parent, table, log + 1);
  return true;
}

void Cct::replace_table(std::uint32_t parent, std::uint32_t table, int log) noexcept {
  Node& above = nodes_[parent];
  const std::uint32_t old_shift = shift_of(above.packed());
  if (old_shift != kNoTable) {
    std::uint32_t& head = free_tables_[32 - old_shift];
    tables_[above.children] = std::exchange(head, above.children);
  }
  above.children = table;
  const std::uint64_t shift = static_cast<std::uint64_t>(32 - log);
  above.set_packed((above.packed() & ~(std::uint64_t{63} << kTableShift)) | shift << kTableShift);
}

// A zeroed table of 2^log entries; 0 when there is no room.
std::uint32_t Cct::take_table(int log) noexcept {
  const std::uint64_t entries = std::uint64_t{1} << log;
  if (std::uint32_t& head = free_tables_[static_cast<std::size_t>(log)]; head != 0) {
    const std::uint32_t table = std::exchange(head, tables_[head]);
    std::memset(tables_ + table, 0, entries * sizeof *tables_);
    return table;
  }
  if (table_entries_ + entries > kMostTableEntries ||
      !table_memory_.ensure(table_entries_ + entries)) {
    return 0;
  }
  return static_cast<std::uint32_t>(std::exchange(table_entries_, table_entries_ + entries));
}

// Puts a node in the first free entry from its home on, at most `longest` entries away.
bool Cct::insert(std::uint32_t table, int log, std::uint32_t child,
                 std::uint32_t longest) noexcept {
  const std::uint64_t mask = (std::uint64_t{1} << log) - 1;
  const std::uint64_t home = hash(key(child)) >> (32 - log);
  for (std::uint64_t i = 0; i < longest; ++i) {
    std::uint32_t& entry = tables_[table + ((home + i) & mask)];
    if (entry == 0) {
      entry = child;
      return true;
    }
  }
  return false;
}

void Cct::merge(Cct& other) noexcept {
  // A node of `other` needs its child table no more once it is reached: the field then holds our
  // node's number, for its children to find.
  other.nodes_[0].children = 0;
  for (std::uint32_t i = 1; i < other.totals().size; ++i) {
    Node& source = other.nodes_[i];
    const std::uint32_t above = other.nodes_[source.parent].children;
    const std::uint32_t ours = above == kOverflowNode ? above : callee(above, other.key(i));
    add_calls(ours, other.calls(i));
    source.children = ours;
  }
  totals().calls_lost += other.totals().calls_lost;
  totals().evicted.calls += other.totals().evicted.calls;
  totals().evicted.contexts += other.totals().evicted.contexts;
}

}  // namespace copse::cct
