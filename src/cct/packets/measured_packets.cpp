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
                                        std::vector<ContextKey>& path) const {
  const RecordedPath found = recorder_.path_of(header, place, measuring_.is_leaf_of, path);
  for (ContextKey& key : path) key &= key_mask_;
  return found;
}

bool MeasuredPackets::path_of(const shadowstack::ThreadHeader& header,
                              const shadowstack::ThreadPlace& place,
                              std::vector<ContextKey>& path) const {
  return find_path(header, place, path) == RecordedPath::kKnown;
}

void MeasuredPackets::add(const shadowstack::ThreadHeader& header,
                          const shadowstack::ThreadPlace& place,
                          std::span<const ColumnAmount> amounts, MethodId below) noexcept {
  try {
    std::vector<ContextKey> path;
    const RecordedPath found = find_path(header, place, path);
    if (found == RecordedPath::kEnded) return;
    if (found != RecordedPath::kLost) return measured_->add_below(path, amounts, below);
  } catch (const std::bad_alloc&) {
    // Lost, as below.
  }
  measured_->add_lost(amounts);
}

}  // namespace copse::cct
