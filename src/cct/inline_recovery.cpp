#include "cct/inline_recovery.h"

#include <algorithm>
#include <optional>
#include <string>

#include "cct/inline_layout.h"
#include "cct/inline_run.h"

namespace copse {
namespace {

constexpr std::uint32_t kMostChunkLog = 40;
constexpr std::uint64_t kMostRows = std::uint64_t{1} << 24;
constexpr std::uint64_t kMostCalls = std::uint64_t{1} << 50;  // that a node of a Cct can count
constexpr const char* kTooMany = "a context has more calls than can be";

class Recovery {
 public:
  Recovery(const SharedMemoryFile& memory, const InlineRun& run) : memory_(memory), run_(run) {}

  Result<RecoveredTree> all();

 private:
  // A node of a thread's tree.
  struct Found {
    std::uint32_t number;
    std::uint32_t in_tree;
  };
  static constexpr std::uint32_t kNotYet = 0xFFFF'FFFE;
  static constexpr std::uint32_t kNowhere = Cct::kOverflowNode;

  void undo_move();
  void gather_other_threads();
  Status add_threads();
  Status add_master();
  Status find_nodes();
  Status find_nodes_of_chunk(std::uint64_t address, const InlineChunk& chunk);
  Status add_nodes();
  std::optional<std::uint32_t> place(std::size_t index);
  std::optional<std::size_t> parent_of(const InlineNode& node) const;
  std::uint64_t address_of(std::uint32_t number) const {
    return run_.region + std::uint64_t{number} * kInlineUnit;
  }
  const InlineNode& node(const Found& found) const {
    return *memory_.object<InlineNode>(address_of(found.number));
  }
  bool add(std::uint32_t in_tree, std::uint64_t calls);
  Status damaged(const char* what) const {
    return Status::error(std::string("the memory of the run: ") + what);
  }

  const SharedMemoryFile& memory_;
  InlineRun run_;
  RecoveredTree out_;
  std::vector<Found> nodes_;  // ascending
  std::vector<std::size_t> path_;
};

// A count that is both in its thread's node and in the sums is taken out of the sums.
void Recovery::undo_move() {
  if (run_.move.moving == 0) return;
  const InlineNode* node = memory_.object<InlineNode>(run_.move.node);
  if (node == nullptr || node->calls == 0) run_.move.moving = 0;
  if (run_.move.moving == 0) return;
  run_.moved = run_.move.moved_before;
  if (run_.move.master_node == Cct::kOverflowNode) run_.lost = run_.move.master_before;
}

Status Recovery::add_threads() {
  const auto bytes =
      memory_.at(run_.threads, run_.thread_count * std::uint64_t{sizeof(InlineThreadRow)});
  if (run_.thread_count > kMostRows || bytes.size != run_.thread_count * sizeof(InlineThreadRow)) {
    return damaged("its threads are not all there");
  }
  const auto* rows = reinterpret_cast<const InlineThreadRow*>(bytes.data);
  for (std::uint32_t i = 0; i < run_.thread_count; ++i) {
    ThreadRow& row = out_.threads.emplace_back();
    row.index = ThreadIndex{i};
    row.runtime_id = rows[i].runtime_id;
    row.first_key = rows[i].first_key;
    row.name.assign(rows[i].name.data(),
                    std::min<std::uint64_t>(rows[i].name_length, rows[i].name.size()));
    const bool undone =
        run_.move.moving != 0 && run_.move.thread == run_.threads + i * sizeof(InlineThreadRow);
    row.calls = undone ? run_.move.thread_before : rows[i].calls;
  }
  return {};
}

Status Recovery::add_master() {
  if (run_.folding != 0) {
    out_.calls_of_unknown_callers = run_.moved;
    run_.lost += run_.moved;
    return {};
  }
  out_.tree->count_folded({run_.folded_calls, run_.folded_contexts});
  const auto bytes = memory_.from(run_.master);
  if (run_.master_nodes == 0 || run_.master_nodes > bytes.size / Cct::kNodeBytes) {
    return damaged("the tree of ended threads is not all there");
  }
  const auto count = static_cast<std::uint32_t>(run_.master_nodes);
  const auto calls_of = [&](std::uint32_t i) {
    const bool undone = run_.move.moving != 0 && run_.move.master_node == i;
    return undone ? run_.move.master_before : Cct::node_in(bytes.data, i).calls;
  };
  // Contexts that lead to no call were just being made.
  std::vector<std::uint32_t> in_tree(count, kNowhere);
  for (std::uint32_t i = count; i-- > 1;) {
    const ContextNode node = Cct::node_in(bytes.data, i);
    if (raw(node.parent) >= i) return damaged("a context comes before its caller");
    if (calls_of(i) != 0) in_tree[i] = kNotYet;
    if (in_tree[i] == kNotYet) in_tree[raw(node.parent)] = kNotYet;
  }
  in_tree[0] = raw(kRootNode);
  for (std::uint32_t i = 1; i < count; ++i) {
    if (in_tree[i] == kNowhere) continue;
    const ContextNode node = Cct::node_in(bytes.data, i);
    if (node.key == 0) return damaged("a context is of no method");
    const std::uint32_t above = in_tree[raw(node.parent)];
    in_tree[i] = above == kNowhere ? kNowhere : out_.tree->child(above, node.key);
    if (!add(in_tree[i], calls_of(i))) return damaged(kTooMany);
  }
  return {};
}

// False when there are more calls than any program makes.
bool Recovery::add(std::uint32_t in_tree, std::uint64_t calls) {
  if (calls >= kMostCalls || out_.calls_seen + calls >= kMostCalls) return false;
  out_.tree->add_calls(in_tree, calls);
  out_.calls_seen += calls;
  return true;
}

Status Recovery::find_nodes() {
  for (std::uint64_t address = run_.chunks;;) {
    const InlineChunk* chunk = memory_.object<InlineChunk>(address);
    if (chunk == nullptr || chunk->log == 0) return {};
    if (chunk->log > kMostChunkLog || chunk->owner > run_.thread_count) {
      return damaged("a chunk of nodes is nobody's");
    }
    if (chunk->owner != 0) {
      if (Status status = find_nodes_of_chunk(address, *chunk); !status) return status;
    }
    address += std::uint64_t{1} << chunk->log;
  }
}

Status Recovery::find_nodes_of_chunk(std::uint64_t address, const InlineChunk& chunk) {
  const std::uint64_t end = address + (std::uint64_t{1} << chunk.log);
  ThreadRow& thread = out_.threads[chunk.owner - 1];
  for (std::uint64_t at = address + sizeof chunk; at + sizeof(InlineNode) <= end;) {
    const InlineNode* node = memory_.object<InlineNode>(at);
    if (node == nullptr || node->entry == 0) break;
    if (node->entry == kInlineGap) {
      at += inline_node_bytes(node->slots);
      continue;
    }
    const std::uint64_t number = (at - run_.region) / kInlineUnit;
    if (node->slots > kMostInlineSlots || number >> 32 != 0 || node->method > kMaxMethodId) {
      return damaged("a node is larger than any");
    }
    thread.calls += node->calls;
    if (node->method == 0 && node->slots == kMostInlineSlots) {
      out_.calls_lost += node->calls;
    } else {
      nodes_.push_back({static_cast<std::uint32_t>(number), kNotYet});
    }
    at += inline_node_bytes(node->slots);
  }
  return {};
}

// The node one of whose slots this one hangs in.
std::optional<std::size_t> Recovery::parent_of(const InlineNode& node) const {
  const auto after = std::upper_bound(
      nodes_.begin(), nodes_.end(), node.entry,
      [&](std::uint64_t entry, const Found& found) { return entry < address_of(found.number); });
  if (after == nodes_.begin()) return std::nullopt;
  const Found& found = *(after - 1);
  const std::uint64_t into = node.entry - address_of(found.number);
  const bool is_slot = into >= kInlineSlots && (into - kInlineSlots) % sizeof(std::uint32_t) == 0 &&
                       (into - kInlineSlots) / sizeof(std::uint32_t) < this->node(found).slots;
  if (!is_slot) return std::nullopt;
  return static_cast<std::size_t>(after - 1 - nodes_.begin());
}

// Where a thread's node goes, its callers made on the way. Nothing: they go round in circles.
std::optional<std::uint32_t> Recovery::place(std::size_t index) {
  path_.clear();
  while (nodes_[index].in_tree == kNotYet) {
    if (node(nodes_[index]).method == 0) {
      nodes_[index].in_tree = raw(kRootNode);
      break;
    }
    if (path_.size() > nodes_.size()) return std::nullopt;
    path_.push_back(index);
    const std::optional<std::size_t> parent = parent_of(node(nodes_[index]));
    if (!parent) {
      nodes_[index].in_tree = kNowhere;
      path_.pop_back();
      break;
    }
    index = *parent;
  }
  std::uint32_t above = nodes_[index].in_tree;
  for (; !path_.empty(); path_.pop_back()) {
    Found& found = nodes_[path_.back()];
    const InlineNode& callee = node(found);
    if (above != kNowhere) {
      const std::uint64_t slot =
          (callee.entry - address_of(nodes_[index].number) - kInlineSlots) / sizeof(std::uint32_t);
      above = out_.tree->child(above, context_key(SiteOrdinal{static_cast<std::uint16_t>(slot)},
                                                  MethodId{callee.method}));
    }
    found.in_tree = above;
    index = path_.back();
  }
  return above;
}

Status Recovery::add_nodes() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::uint64_t calls = node(nodes_[i]).calls;
    if (calls == 0) continue;
    const std::optional<std::uint32_t> in_tree = place(i);
    if (!in_tree) return damaged("callers go round in circles");
    if (*in_tree == raw(kRootNode)) return damaged("the root of a thread was called");
    if (*in_tree == kNowhere) out_.calls_of_unknown_callers += calls;
    if (!add(*in_tree, calls)) return damaged(kTooMany);
  }
  return {};
}

// As ThreadRows::list() has them: rows of threads that made a call, then one for all without a
// name.
void Recovery::gather_other_threads() {
  std::erase_if(out_.threads, [](const ThreadRow& row) { return row.calls == 0; });
  ThreadRow others{kNoThread, 0, "", 0, 0};
  std::uint64_t count = 0;
  std::erase_if(out_.threads, [&](const ThreadRow& row) {
    if (!row.name.empty()) return false;
    const std::uint64_t threads =
        raw(row.index) == 0 ? static_cast<std::uint64_t>(row.runtime_id) : 1;
    others.first_key = count == 0 || others.first_key == row.first_key ? row.first_key : 0;
    others.calls += row.calls;
    count += threads;
    return true;
  });
  if (count == 0 && others.calls == 0) return;
  others.name = name_of_other_threads(count);
  out_.threads.push_back(std::move(others));
}

Result<RecoveredTree> Recovery::all() {
  const InlineNode* nobodys = memory_.object<InlineNode>(run_.region);
  const std::uint64_t addresses = run_.region | run_.master | run_.threads | run_.chunks;
  if (nobodys == nullptr || addresses % kInlineUnit != 0) {
    return damaged("its nodes are not there");
  }
  out_.tree = std::make_unique<Cct>();
  undo_move();
  if (Status status = add_threads(); !status) return status;
  if (Status status = add_master(); !status) return status;
  if (run_.closed == 0) {
    if (Status status = find_nodes(); !status) return status;
    if (Status status = add_nodes(); !status) return status;
    out_.calls_lost += nobodys->calls;
  }
  for (const std::uint64_t lost : {out_.calls_lost, run_.lost}) {
    if (lost >= kMostCalls) return damaged(kTooMany);
  }
  out_.calls_lost += run_.lost;
  out_.calls_seen += out_.calls_lost;
  out_.calls_lost += out_.tree->calls_lost();
  gather_other_threads();
  return std::move(out_);
}

}  // namespace

Result<RecoveredTree> recover_inline_trees(const SharedMemoryFile& memory) {
  const InlineRun* run = memory.object<InlineRun>(memory.first_address());
  if (run == nullptr || run->magic != InlineRun::kMagic) {
    return Result<RecoveredTree>::error("the memory of the run: has no trees in it");
  }
  return Recovery(memory, *run).all();
}

}  // namespace copse
