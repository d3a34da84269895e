#include "recover/recovered_tree.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "cct/inplace/inline_run.h"
#include "recover/kept_nodes.h"
#include "shadowstack/packets/packet_run.h"

namespace copse::recover {
namespace {

constexpr std::uint64_t kMostScale = 1'000'000;

Status add_measure(const SharedMemoryFile& memory, const cct::KeptMeasure& kept,
                   RecoveredTree& tree, RecoveredMeasure& out) {
  constexpr std::uint32_t kNowhere = cct::Cct::kOverflowNode;
  const Result<KeptNodes> nodes = kept_nodes(memory, kept.tree);
  if (!nodes.ok()) return nodes.status();
  if (kept.scale == 0 || kept.scale > kMostScale) return damaged_run("a measure has no unit");
  std::uint64_t sum = kept.tree.totals.calls_lost;
  std::vector<std::uint32_t> in_tree(nodes->count, raw(kRootNode));
  for (std::uint32_t i = 1; i < nodes->count; ++i) {
    const cct::ContextNode node = (*nodes)[i];
    if (raw(node.parent) >= i) return damaged_run("a context comes before its caller");
    if (node.key == 0) return damaged_run("a context is of no method");
    const std::uint32_t above = in_tree[raw(node.parent)];
    in_tree[i] = above == kNowhere ? above : tree.tree->callee(above, node.key);
    sum += node.calls;
    if (node.calls >= kMostCalls || sum >= kMostCalls) return damaged_run("a measure is too large");
    if (node.calls == 0) continue;
    if (in_tree[i] == kNowhere) {
      out.lost += node.calls * kept.scale;
      continue;
    }
    if (in_tree[i] >= out.values.size()) out.values.resize(in_tree[i] + std::size_t{1});
    out.values[in_tree[i]] += node.calls * kept.scale;
  }
  out.lost += kept.tree.totals.calls_lost * kept.scale;
  return {};
}

}  // namespace

Result<RecoveredTree> recover_tree(const SharedMemoryFile& memory,
                                   const cct::EngineOptions& options) {
  static_assert(offsetof(cct::InlineRun, magic) == 0 &&
                offsetof(shadowstack::PacketRun, magic) == 0);
  const auto* magic = memory.object<std::uint64_t>(memory.first_address());
  if (magic != nullptr && *magic == shadowstack::PacketRun::kMagic)
    return recover_packets(memory, options);
  return recover_inline_trees(memory);
}

Status add_measures(const SharedMemoryFile& memory, const cct::KeptMeasures& kept,
                    RecoveredTree& out) {
  for (std::uint32_t i = 0; i < std::min(kept.count, cct::KeptMeasures::kMost); ++i) {
    const auto* measure =
        memory.object<cct::KeptMeasure>(kept.address + i * sizeof(cct::KeptMeasure));
    if (measure == nullptr) return damaged_run("a measure is not there");
    const auto text = [](const char* bytes) {
      return std::string(bytes, ::strnlen(bytes, cct::KeptMeasure::kTextBytes));
    };
    if (measure->tree.state == cct::KeptTree::State::kRewritten) {
      out.measures_lost.push_back(text(measure->name));
      continue;
    }
    RecoveredMeasure& added = out.measures.emplace_back();
    added.name = text(measure->name);
    added.unit = text(measure->unit);
    if (Status status = add_measure(memory, *measure, out, added); !status) return status;
  }
  return {};
}

Result<std::vector<shadowstack::ThreadRow>> read_kept_threads(
    const SharedMemoryFile& memory, const shadowstack::KeptThreads& threads) {
  const std::uint64_t wanted = threads.count * sizeof(shadowstack::KeptThreadRow);
  const auto bytes = memory.at(threads.address, wanted);
  if (threads.count > shadowstack::KeptThreadRows::kMostRows ||
      (bytes.size != wanted && memory.is_whole()) ||
      threads.address % alignof(shadowstack::KeptThreadRow) != 0) {
    return Result<std::vector<shadowstack::ThreadRow>>::error(
        Fault::kMalformed, "the memory of the run: its threads are not all there");
  }
  const auto* kept = reinterpret_cast<const shadowstack::KeptThreadRow*>(bytes.data);
  std::vector<shadowstack::ThreadRow> rows;
  const std::uint64_t there = bytes.size / sizeof(shadowstack::KeptThreadRow);
  for (std::uint32_t i = 0; i < there; ++i) {
    const std::uint64_t length = std::min<std::uint64_t>(kept[i].name_length, kept[i].name.size());
    rows.push_back({ThreadIndex{i}, kept[i].runtime_id, std::string(kept[i].name.data(), length),
                    kept[i].first_key, kept[i].calls, 1});
  }
  for (std::uint64_t i = there; i < threads.count; ++i) {
    rows.push_back({ThreadIndex{static_cast<std::uint32_t>(i)}, 0, "", 0, 0, 1});
  }
  return rows;
}

namespace {

// Makes one row, the last, of those without a name.
void gather_unnamed(std::vector<shadowstack::ThreadRow>& rows) {
  shadowstack::ThreadRow others{shadowstack::kNoThread, 0, "", 0, 0, 0};
  std::erase_if(rows, [&](const shadowstack::ThreadRow& row) {
    if (!row.name.empty()) return false;
    const std::uint64_t threads =
        raw(row.index) == 0 ? static_cast<std::uint64_t>(row.runtime_id) : 1;
    others.first_key = others.threads == 0 || others.first_key == row.first_key ? row.first_key : 0;
    others.calls += row.calls;
    others.threads += threads;
    return true;
  });
  if (others.threads == 0 && others.calls == 0) return;
  others.name = shadowstack::name_of_other_threads(others.threads);
  rows.push_back(std::move(others));
}

}  // namespace

void gather_other_threads(std::vector<shadowstack::ThreadRow>& rows) {
  std::erase_if(rows, [](const shadowstack::ThreadRow& row) { return row.calls == 0; });
  gather_unnamed(rows);
}

void gather_all_threads(std::vector<shadowstack::ThreadRow>& rows) {
  std::erase_if(rows, [](const shadowstack::ThreadRow& row) { return row.first_key == 0; });
  gather_unnamed(rows);
  for (shadowstack::ThreadRow& row : rows) row.first_key = 0;
}

}  // namespace copse::recover
