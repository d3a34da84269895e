#include "cct/packets/measured_packets.h"

#include <new>
#include <utility>

namespace copse::cct {

using RecordedPath = shadowstack::Recorder::Path;

void MeasuredPackets::measure(Measuring how) {
  measuring_ = std::move(how);
  measured_ = &engine_.measure(std::exchange(measuring_.columns, {}), measuring_.outside);
}

RecordedPath MeasuredPackets::find_path(const shadowstack::ThreadHeader& header,
                                        const shadowstack::ThreadPlace& place,
                                        std::vector<ContextKey>& path, ThreadIndex& thread) const {
  const RecordedPath found = recorder_.path_of(header, place, measuring_.is_leaf_of, path, thread);
  for (ContextKey& key : path) key &= key_mask_;
  return found;
}

std::optional<ThreadIndex> MeasuredPackets::path_of(const shadowstack::ThreadHeader& header,
                                                    const shadowstack::ThreadPlace& place,
                                                    MethodId entered,
                                                    std::vector<ContextKey>& path) const {
  ThreadIndex thread = shadowstack::kNoThread;
  shadowstack::ThreadPlace there = place;
  there.word |= raw(entered);
  if (find_path(header, there, path, thread) != RecordedPath::kKnown) return std::nullopt;
  return thread;
}

void MeasuredPackets::add(const shadowstack::ThreadHeader& header,
                          const shadowstack::ThreadPlace& place,
                          std::span<const ColumnAmount> amounts, MethodId below) noexcept {
  ThreadIndex thread = shadowstack::kNoThread;
  try {
    std::vector<ContextKey> path;
    const RecordedPath found = find_path(header, place, path, thread);
    if (found == RecordedPath::kEnded) return;
    if (found != RecordedPath::kLost) return add_at(thread, path, amounts, below);
  } catch (const std::bad_alloc&) {
    // Lost, as below.
  }
  measured_->add_lost(amounts);
  add_to_thread(thread, amounts);
}

}  // namespace copse::cct
