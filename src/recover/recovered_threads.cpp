#include "recover/recovered_threads.h"

#include <algorithm>
#include <string>
#include <utility>

namespace copse::recover {

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
