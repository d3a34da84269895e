#include "agent/jvm/ids/new_names.h"

#include <iterator>
#include <utility>

#include "base/make_room.h"

namespace copse::jvm {

void NewNames::begin(Reader reader) {
  const std::lock_guard lock(mutex_);
  reads_[static_cast<std::size_t>(reader)] = true;
}

void NewNames::end(Reader reader) {
  const std::lock_guard lock(mutex_);
  const auto index = static_cast<std::size_t>(reader);
  reads_[index] = false;
  give_back(names_[index]);
  give_back(skips_[index]);
}

std::vector<trace::NameRow> NewNames::names(Reader reader) {
  const std::lock_guard lock(mutex_);
  return taken(names_, methods_.take_new_names(), reader);
}

std::vector<trace::SkippedInfo> NewNames::skips(Reader reader) {
  const std::lock_guard lock(mutex_);
  return taken(skips_, methods_.take_new_skips(), reader);
}

template <typename Row>
std::vector<Row> NewNames::taken(std::array<std::vector<Row>, kReaders>& waiting,
                                 std::vector<Row> fresh, Reader reader) {
  const auto own = static_cast<std::size_t>(reader);
  for (std::size_t other = 0; other < kReaders; ++other) {
    if (other == own || !reads_[other]) continue;
    waiting[other].insert(waiting[other].end(), fresh.begin(), fresh.end());
  }
  std::vector<Row> rows = std::exchange(waiting[own], {});
  rows.insert(rows.end(), std::make_move_iterator(fresh.begin()),
              std::make_move_iterator(fresh.end()));
  return rows;
}

}  // namespace copse::jvm
