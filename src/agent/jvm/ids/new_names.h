// New names for two readers, since a MethodTable gives each only once: the event file, and the names
// that a run keeps in case its JVM is killed.
//
// Threads: any; one mutex, taken before the table's.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

#include "agent/jvm/hook/method_table.h"
#include "trace/table_blocks.h"
#include "trace/trace.h"

namespace copse::jvm {

class NewNames {
 public:
  enum class Reader : std::size_t { kEventFile, kKeptRun };

  explicit NewNames(MethodTable& methods) : methods_(methods) {}

  // Keeps new names for this reader from now on, whoever else reads them.
  void begin(Reader reader);
  // Drops what waits for the reader, which reads no more.
  void end(Reader reader);

  // Return what the reader was not given before. REQUIRES: it has begun.
  std::vector<trace::NameRow> names(Reader reader);
  std::vector<trace::SkippedInfo> skips(Reader reader);

 private:
  static constexpr std::size_t kReaders = 2;

  template <typename Row>
  std::vector<Row> taken(std::array<std::vector<Row>, kReaders>& waiting, std::vector<Row> fresh,
                         Reader reader);

  MethodTable& methods_;
  std::mutex mutex_;  // guards the members below
  std::array<bool, kReaders> reads_{};
  std::array<std::vector<trace::NameRow>, kReaders> names_;  // waiting, by reader
  std::array<std::vector<trace::SkippedInfo>, kReaders> skips_;
};

}  // namespace copse::jvm
