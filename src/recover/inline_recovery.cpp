
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "cct/inplace/inline_layout.h"
#include "cct/inplace/inline_run.h"
#include "recover/kept_nodes.h"
#include "recover/recovered_tree.h"

namespace copse::recover {
namespace {

constexpr std::uint32_t kMostChunkLog = 40;
constexpr const char* kTooMany = "a context has more calls than can be";

class InlineRecovery {
 public:
  InlineRecovery(const SharedMemoryFile& memory, const cct::InlineRun& run)
      : memory_(memory), run_(run) {}

  Result<RecoveredTree> all();

 private:
  // A node of a thread's tree.
  struct Found {
    std::uint32_t number;
    std::uint32_t in_tree;
  };
  static constexpr std::uint32_t kNotYet = 0xFFFF'FFFE;
  static constexpr std::uint32_t kNowhere = cct::Cct::kOverflowNode;

  std::shared_ptr<cct::MergedMethods> merged_methods() const;
  void undo_move();
  Status find_left_out();
  std::uint64_t calls_of(std::uint64_t number, const cct::InlineNode& node) const;
  Status add_threads();
  Status add_master();
  Status find_nodes();
  Status find_nodes_of_chunk(std::uint64_t address, const cct::InlineChunk& chunk);
  Status add_nodes();
  std::optional<std::uint32_t> place(std::size_t index);
  std::optional<std::size_t> parent_of(const cct::InlineNode& node) const;
  std::uint64_t address_of(std::uint32_t number) const {
    return run_.region + std::uint64_t{number} * cct::kInlineUnit;
  }
  const cct::InlineNode& node(const Found& found) const {
    return *memory_.object<cct::InlineNode>(address_of(found.number));
  }
  bool is_root(const Found& found) const;
  SiteOrdinal site_of(std::size_t callee, std::size_t caller) const;
  bool add(std::uint32_t in_tree, std::uint64_t calls);

  const SharedMemoryFile& memory_;
  cct::InlineRun run_;
  RecoveredTree out_;
  std::vector<Found> nodes_;                                   // ascending
  std::unordered_map<std::uint64_t, std::uint64_t> left_out_;  // calls by node
  std::vector<std::size_t> path_;
};

// Methods whose bits are missing count as not merged.
std::shared_ptr<cct::MergedMethods> InlineRecovery::merged_methods() const {
  auto merged = std::make_shared<cct::MergedMethods>();
  if (run_.merged.all != 0) merged->add_all();
  std::vector<MethodId> methods;
  for (std::uint32_t word = 0; word < std::min(run_.merged.words, kMaxMethodId / 64 + 1); ++word) {
    const auto* bits =
        memory_.object<std::uint64_t>(run_.merged.bits + word * sizeof(std::uint64_t));
    if (bits == nullptr) break;
    for (std::uint32_t bit = 0; bit < 64; ++bit) {
      if ((*bits >> bit & 1) != 0) methods.push_back(MethodId{word * 64 + bit});
    }
  }
  if (methods.empty() || !merged->add(methods, run_.merged.from_contexts)) return merged;
  for (const MethodId method : methods) {
    const auto* depth =
        memory_.object<std::uint32_t>(run_.merged.depths + raw(method) * sizeof(std::uint32_t));
    if (depth != nullptr) merged->saw_depth(method, *depth);
  }
  return merged;
}

// A count that is both in its thread's node and in the sums is taken out of the sums.
void InlineRecovery::undo_move() {
  if (run_.move.moving == 0) return;
  const cct::InlineNode* node = memory_.object<cct::InlineNode>(run_.move.node);
  if (node == nullptr || node->calls == 0) run_.move.moving = 0;
  if (run_.move.moving == 0) return;
  run_.master.calls = run_.move.calls_before;
  if (run_.move.master_node == cct::Cct::kOverflowNode) run_.lost = run_.move.master_before;
}

// Entries without room in the memory are missing; the calls of their nodes are then in the report.
Status InlineRecovery::find_left_out() {
  if (run_.left_out % alignof(cct::InlineLeftOut) != 0) {
    return damaged_run("its calls before the recording are not there");
  }
  for (std::uint64_t i = 0; i < run_.left_out_count; ++i) {
    const auto* entry =
        memory_.object<cct::InlineLeftOut>(run_.left_out + i * sizeof(cct::InlineLeftOut));
    if (entry == nullptr) break;
    left_out_[entry->node] = entry->calls;
  }
  return {};
}

std::uint64_t InlineRecovery::calls_of(std::uint64_t number, const cct::InlineNode& node) const {
  const auto found = left_out_.find(number);
  const bool is_void = found == left_out_.end() || found->second > node.calls;
  return node.calls - (is_void ? 0 : found->second);
}

Status InlineRecovery::add_threads() {
  Result<std::vector<shadowstack::ThreadRow>> rows = read_kept_threads(memory_, run_.threads);
  if (!rows.ok()) return rows.status();
  out_.threads = std::move(rows).value();
  if (run_.move.moving == 0 || run_.move.thread < run_.threads.address) return {};
  const std::uint64_t undone =
      (run_.move.thread - run_.threads.address) / sizeof(shadowstack::KeptThreadRow);
  if (undone < out_.threads.size()) out_.threads[undone].calls = run_.move.thread_before;
  return {};
}

Status InlineRecovery::add_master() {
  if (run_.master.state == cct::KeptTree::State::kRewritten) {
    out_.calls_of_unknown_callers = run_.master.calls;
    run_.lost += run_.master.calls;
    return {};
  }
  const Result<KeptNodes> nodes = kept_nodes(memory_, run_.master);
  if (!nodes.ok()) return nodes.status();
  out_.tree->count_evicted(run_.master.totals.evicted);
  const auto node_of = [&](std::uint32_t i) { return (*nodes)[i]; };
  const auto calls_of = [&](std::uint32_t i) {
    const bool undone = run_.move.moving != 0 && run_.move.master_node == i;
    return undone ? run_.move.master_before : (*nodes)[i].calls;
  };
  return add_contexts(out_, 1, nodes->count, node_of, calls_of);
}

// Returns false when there are more calls than any program makes.
bool InlineRecovery::add(std::uint32_t in_tree, std::uint64_t calls) {
  if (calls >= kMostCalls || out_.calls_seen + calls >= kMostCalls) return false;
  out_.tree->add_calls(in_tree, calls);
  out_.calls_seen += calls;
  return true;
}

Status InlineRecovery::find_nodes() {
  for (std::uint64_t address = run_.chunks;;) {
    const cct::InlineChunk* chunk = memory_.object<cct::InlineChunk>(address);
    if (chunk == nullptr || chunk->log == 0) return {};
    if (chunk->log > kMostChunkLog || chunk->owner > run_.threads.count) {
      return damaged_run("a chunk of nodes has an unknown owner");
    }
    if (chunk->owner != 0) {
      if (Status status = find_nodes_of_chunk(address, *chunk); !status) return status;
    }
    address += std::uint64_t{1} << chunk->log;
  }
}

Status InlineRecovery::find_nodes_of_chunk(std::uint64_t address, const cct::InlineChunk& chunk) {
  const std::uint64_t end = address + (std::uint64_t{1} << chunk.log);
  shadowstack::ThreadRow& thread = out_.threads[chunk.owner - 1];
  for (std::uint64_t at = address + sizeof chunk; at + sizeof(cct::InlineNode) <= end;) {
    const cct::InlineNode* node = memory_.object<cct::InlineNode>(at);
    if (node == nullptr || node->entry == 0) break;
    if (node->entry == cct::kInlineGap) {
      at += cct::inline_node_bytes(node->slots);
      continue;
    }
    const std::uint64_t number = (at - run_.region) / cct::kInlineUnit;
    const bool is_table = node->method == 0;
    if ((node->slots > cct::kMostInlineSlots && !is_table) || number >> 32 != 0 ||
        node->method > kMaxMethodId) {
      return damaged_run("a node is larger than any");
    }
    const std::uint64_t calls = calls_of(number, *node);
    thread.calls += calls;
    if (node->method == 0 && node->slots == cct::kMostInlineSlots) {
      out_.calls_lost += calls;
    } else {
      nodes_.push_back({static_cast<std::uint32_t>(number), kNotYet});
    }
    at += cct::inline_node_bytes(node->slots);
  }
  return {};
}

// The node one of whose slots this one hangs in.
std::optional<std::size_t> InlineRecovery::parent_of(const cct::InlineNode& node) const {
  const auto after = std::upper_bound(
      nodes_.begin(), nodes_.end(), node.entry,
      [&](std::uint64_t entry, const Found& found) { return entry < address_of(found.number); });
  if (after == nodes_.begin()) return std::nullopt;
  const Found& found = *(after - 1);
  const std::uint64_t into = node.entry - address_of(found.number);
  const bool is_slot = into >= cct::kInlineSlots &&
                       (into - cct::kInlineSlots) % sizeof(std::uint32_t) == 0 &&
                       (into - cct::kInlineSlots) / sizeof(std::uint32_t) < this->node(found).slots;
  if (!is_slot) return std::nullopt;
  return static_cast<std::size_t>(after - 1 - nodes_.begin());
}

// The root of an excerpt's tree hangs in a slot of another (cct/inplace/thread_trees.h).
bool InlineRecovery::is_root(const Found& found) const {
  return node(found).method == 0 &&
         node(found).entry == address_of(found.number) + cct::kInlineSlots;
}

// Where the root of an excerpt's tree is the caller, it stands for the slot that it hangs in.
SiteOrdinal InlineRecovery::site_of(std::size_t callee, std::size_t caller) const {
  std::uint64_t entry = node(nodes_[callee]).entry;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const cct::InlineNode& above = node(nodes_[caller]);
    if (above.method != 0 || is_root(nodes_[caller])) break;
    entry = above.entry;
    caller = parent_of(above).value_or(caller);
  }
  const std::uint64_t slot =
      (entry - address_of(nodes_[caller].number) - cct::kInlineSlots) / sizeof(std::uint32_t);
  return SiteOrdinal{static_cast<std::uint16_t>(slot)};
}

// Where a thread's node goes, its callers made on the way. Nothing: they go round in circles.
std::optional<std::uint32_t> InlineRecovery::place(std::size_t index) {
  path_.clear();
  while (nodes_[index].in_tree == kNotYet) {
    if (is_root(nodes_[index])) {
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
    const cct::InlineNode& callee = node(found);
    if (above != kNowhere && callee.method != 0) {
      above = out_.tree->callee(above,
                                context_key(site_of(path_.back(), index), MethodId{callee.method}));
    }
    found.in_tree = above;
    index = path_.back();
  }
  return above;
}

Status InlineRecovery::add_nodes() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::uint64_t calls = calls_of(nodes_[i].number, node(nodes_[i]));
    if (calls == 0) continue;
    const std::optional<std::uint32_t> in_tree = place(i);
    if (!in_tree) return damaged_run("callers go round in circles");
    if (*in_tree == raw(kRootNode)) return damaged_run("the root of a thread was called");
    if (*in_tree == kNowhere) out_.calls_of_unknown_callers += calls;
    if (!add(*in_tree, calls)) return damaged_run(kTooMany);
  }
  return {};
}

Result<RecoveredTree> InlineRecovery::all() {
  const cct::InlineNode* unowned = memory_.object<cct::InlineNode>(run_.unowned);
  const std::uint64_t addresses = run_.region | run_.threads.address | run_.chunks;
  if (unowned == nullptr || addresses % cct::kInlineUnit != 0) {
    return damaged_run("its nodes are not there");
  }
  out_.tree = std::make_unique<cct::Cct>();
  out_.tree->merge_recursion_of(merged_methods());
  if (run_.waits != 0) return std::move(out_);
  undo_move();
  if (Status status = find_left_out(); !status) return status;
  if (Status status = add_threads(); !status) return status;
  if (Status status = add_master(); !status) return status;
  if (run_.closed == 0) {
    if (Status status = find_nodes(); !status) return status;
    if (Status status = add_nodes(); !status) return status;
    out_.calls_lost += calls_of((run_.unowned - run_.region) / cct::kInlineUnit, *unowned);
  }
  if (Status status = add_measures(memory_, run_.measures, out_); !status) return status;
  for (const std::uint64_t lost : {out_.calls_lost, run_.lost}) {
    if (lost >= kMostCalls) return damaged_run(kTooMany);
  }
  out_.slices_lost = run_.slices;
  out_.calls_lost += run_.lost;
  out_.calls_seen += out_.calls_lost;
  out_.calls_lost += out_.tree->calls_lost();
  gather_other_threads(out_.threads);
  return std::move(out_);
}

}  // namespace

Result<RecoveredTree> recover_inline_trees(const SharedMemoryFile& memory) {
  const cct::InlineRun* run = memory.object<cct::InlineRun>(memory.first_address());
  if (run == nullptr || run->magic != cct::InlineRun::kMagic) {
    return Result<RecoveredTree>::error(Fault::kMalformed,
                                        "the memory of the run: has no trees in it");
  }
  return InlineRecovery(memory, *run).all();
}

}  // namespace copse::recover
