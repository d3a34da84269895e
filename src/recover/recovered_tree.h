// Remains of a run whose process was killed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/number_column.h"
#include "base/status.h"
#include "cct/cct.h"
#include "cct/kept_measures.h"
#include "cct/packets/engine.h"
#include "recover/shared_memory.h"
#include "shadowstack/kept_thread_rows.h"
#include "shadowstack/thread_rows.h"

namespace copse::recover {

// A column over the tree's nodes.
struct RecoveredMeasure {
  std::string name, unit;
  std::uint64_t lost = 0;
  NumberColumn values;  // nodes beyond its end have 0
};

struct RecoveredTree {
  std::unique_ptr<cct::Cct> tree;
  std::vector<shadowstack::ThreadRow> threads;  // as ThreadRecorder::threads(); long names cut off
  std::uint64_t calls_seen = 0;                 // in nodes and lost
  std::uint64_t calls_lost = 0;
  // Part of calls_lost: calls whose callers are not in the memory, or were being evicted at the
  // kill.
  std::uint64_t calls_of_unknown_callers = 0;
  std::vector<RecoveredMeasure> measures;
  std::vector<std::string> measures_lost;  // names of measures that were being evicted from
  std::uint64_t slices_lost = 0;
};

// Recovers the tree of any kind of run. Calls without room in the memory
// (SharedMemoryFile::is_whole()) are missing; they are counted as lost only if their thread's own
// count includes them. `options`: how packets would have been folded; ignored without packets.
// Returns an error if the memory is of no run, or contradicts itself. Throws std::bad_alloc. Cost:
// a look at every node; about a microsecond per node of threads.
Result<RecoveredTree> recover_tree(const SharedMemoryFile& memory,
                                   const cct::EngineOptions& options);

// Most calls that a node of a Cct can count.
inline constexpr std::uint64_t kMostCalls = std::uint64_t{1} << 50;

inline Status damaged_run(const char* what) {
  return Status::error(Fault::kMalformed, std::string("the memory of the run: ") + what);
}

// Adds the contexts [from, count) of a tree to the recovered one. `node_of(index)` returns a
// ContextNode, `calls_of(index)` its calls. Leaves out contexts that lead to no call: they were
// just being made. Callers come first in the tree; otherwise an error is returned.
template <typename NodeOf, typename CallsOf>
Status add_contexts(RecoveredTree& out, std::uint32_t from, std::uint32_t count, NodeOf node_of,
                    CallsOf calls_of) {
  if (from >= count) return {};
  constexpr std::uint32_t kUnwanted = 0xFFFF'FFFF;
  constexpr std::uint32_t kWanted = 0xFFFF'FFFE;
  std::vector<std::uint32_t> in_tree(count, kUnwanted);
  for (std::uint32_t i = count; i-- > 1;) {
    const cct::ContextNode node = node_of(i);
    if (raw(node.parent) >= i) return damaged_run("a context comes before its caller");
    if (i >= from && calls_of(i) != 0) in_tree[i] = kWanted;
    if (in_tree[i] == kWanted) in_tree[raw(node.parent)] = kWanted;
  }
  in_tree[0] = raw(kRootNode);
  for (std::uint32_t i = 1; i < count; ++i) {
    if (in_tree[i] == kUnwanted) continue;
    const cct::ContextNode node = node_of(i);
    if (node.key == 0) return damaged_run("a context is of no method");
    const std::uint32_t above = in_tree[raw(node.parent)];
    in_tree[i] = above == cct::Cct::kOverflowNode ? above : out.tree->callee(above, node.key);
    const std::uint64_t calls = i < from ? 0 : calls_of(i);
    if (calls >= kMostCalls || out.calls_seen + calls >= kMostCalls) {
      return damaged_run("a context has more calls than can be");
    }
    out.tree->add_calls(in_tree[i], calls);
    out.calls_seen += calls;
  }
  return {};
}

// Adds the columns to `out`. Contexts with an amount but no node get a node without calls.
// REQUIRES: the tree has all its contexts of calls. Throws std::bad_alloc.
Status add_measures(const SharedMemoryFile& memory, const cct::KeptMeasures& kept,
                    RecoveredTree& out);

// The threads of a run whose process was killed, as KeptThreadRows left them.

// Returns all rows in order, including unused ones; an error if some are missing though there was
// room.
Result<std::vector<shadowstack::ThreadRow>> read_kept_threads(
    const SharedMemoryFile& memory, const shadowstack::KeptThreads& threads);

// Converts the rows to those of ThreadRows::list(): rows of threads that made a call, then one for
// all without a name.
void gather_other_threads(std::vector<shadowstack::ThreadRow>& rows);
// Does the same for a run that counts no calls by thread: keeps the rows of all threads
// (encoders/ids/id_run.h).
void gather_all_threads(std::vector<shadowstack::ThreadRow>& rows);

// Recovers the tree as recover_tree() does. REQUIRES: the memory begins with an InlineRun
// (inline_run.h).
Result<RecoveredTree> recover_inline_trees(const SharedMemoryFile& memory);

// Recovers the tree as recover_tree() does. REQUIRES: the memory begins with a PacketRun
// (shadowstack/packets/packet_run.h).
Result<RecoveredTree> recover_packets(const SharedMemoryFile& memory,
                                      const cct::EngineOptions& options);

}  // namespace copse::recover
