// Headers of threads, by thread id: a table of addresses that probes read (CopseThread.java). The JVM never
// gives an id twice, so the table of a program that starts millions of threads is long. It is address space;
// pages whose threads have all ended are given back.
//
// Ids beyond the table wrap around. That needs 17 billion threads while one of the first still lives.
//
// Threads: any.
#pragma once

#include <atomic>
#include <cstdint>

namespace copse::jvm {

class HeaderTable {
 public:
  HeaderTable() = default;
  HeaderTable(const HeaderTable&) = delete;
  HeaderTable& operator=(const HeaderTable&) = delete;

  // Reserves the table. Returns false if there is no address space even for a small one.
  bool reserve() noexcept;

  std::uint64_t address() const noexcept { return reinterpret_cast<std::uint64_t>(slots_); }
  std::uint64_t entries() const noexcept { return entries_; }  // a power of two

  std::uint64_t* slot(std::int64_t thread_id) const noexcept {
    return slots_ + (static_cast<std::uint64_t>(thread_id) & (entries_ - 1));
  }
  // Marks a thread as ended; its slot is 0 and will not be used again. Called once for every thread that was
  // started.
  void ended(std::int64_t thread_id) noexcept;
  // Sets all slots to 0 again, for another recording.
  void forget_all() noexcept;

 private:
  std::uint64_t* slots_ = nullptr;
  std::uint64_t entries_ = 0;
  std::atomic<std::uint32_t>* ended_ = nullptr;  // by page of slots: threads that have ended
};

}  // namespace copse::jvm
