// Memory in a file, so that another process can read the memory of a killed one.
//
//   file header, 16 KiB:
//     offset size field
//          0    8 magic      "copse.m1"
//          8    4 rows       number of rows that follow
//         12    4 is_whole   1; 0: some of the memory had no room in the file and is missing
//         16      row        address in the process, its offset in the file, bytes (each 8)
//   then the reservations, each at a multiple of 2 MiB, as far as they were committed: `bytes`. The
//   rest is a hole, which a full file system cannot even read as zeros
//
// The file system promises pages when they are committed, so that a full file system shows there
// and not as a SIGBUS in the middle of a probe. Pages are private from then on: the process goes on
// as it would have, and is_whole says that the run cannot be recovered in full.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/status.h"
#include "shadowstack/memory_source.h"

namespace copse::recover {

// The writing side. Thread-safe: one mutex, taken per call. Cost of a page: four times that of an
// anonymous one, at commit(); none later.
class SharedMemory final : public shadowstack::MemorySource {
 public:
  // Makes the file, for its owner only. REQUIRES: the folder belongs to the owner, and the file
  // does not exist. The process holds a lock on the file for as long as it lives.
  static Result<std::unique_ptr<SharedMemory>> create(const std::string& path);
  // Unmaps nothing: threads of a dying process may still use it. The file stays.
  ~SharedMemory() override = default;

  void* reserve(std::size_t bytes, std::size_t alignment) noexcept override;
  bool reserve_at(void* start, std::size_t bytes) noexcept override;
  bool commit(void* start, std::size_t bytes) noexcept override;
  // Makes the pages private: on a full file system, touching a hole of the file would end the
  // process.
  void forget(void* start, std::size_t bytes) noexcept override;
  void release(void* start, std::size_t bytes) noexcept override;
  void disown(void* start) noexcept override;

  // Removes the file, which is not needed after a regular end of the recording, and closes it. Memory stays as it is, and
  // takes room in the file system until it is released; pages that are committed later are private.
  void remove() noexcept;

  static constexpr std::array<char, 8> kMagic = {'c', 'o', 'p', 's', 'e', '.', 'm', '1'};
  struct Row {
    std::uint64_t address;
    std::uint64_t offset;
    std::uint64_t bytes;
  };
  struct Header {
    std::array<char, 8> magic;
    std::uint32_t rows;
    std::uint32_t is_whole;
    std::array<Row, 680> row;
  };
  static constexpr std::uint64_t kHeaderBytes = 16384;
  static_assert(sizeof(Header) <= kHeaderBytes);

 private:
  struct Reservation {
    char* start;
    std::uint64_t bytes;
    std::uint64_t offset;
    std::uint64_t committed;  // bytes from the start, in the file or private
  };

  SharedMemory(std::string path, int file, Header* header)
      : path_(std::move(path)), file_(file), header_(header) {}
  bool map(char* start, std::uint64_t size) noexcept;
  static bool map_private(char* start, std::uint64_t size) noexcept;
  bool promise(const Reservation& reservation, std::uint64_t from, std::uint64_t to) noexcept;

  void forget_reservation(std::size_t at) noexcept;
  void punch(std::uint64_t offset, std::uint64_t bytes) const noexcept;

  const std::string path_;

  std::mutex mutex_;  // guards the members below
  int file_;          // -1 once it is removed
  Header* header_;    // nullptr once it is removed
  std::uint64_t next_offset_ = 0;
  std::vector<Reservation> reservations_;
};

// The reading side, for a file whose process has ended. Any bytes are safe to read through it.
class SharedMemoryFile {
 public:
  // Opens a file. Returns an error if it is no such file, or its process still runs.
  static Result<std::unique_ptr<SharedMemoryFile>> open(const std::string& path);
  // Returns true if the process that made the file still runs.
  static bool is_in_use(const std::string& path);
  ~SharedMemoryFile();
  SharedMemoryFile(const SharedMemoryFile&) = delete;
  SharedMemoryFile& operator=(const SharedMemoryFile&) = delete;

  bool is_whole() const noexcept { return is_whole_; }
  // Address of the first reservation in the process; 0 means none.
  std::uint64_t first_address() const noexcept { return first_address_; }

  // Returns up to `bytes` bytes that were at `address` in the process; fewer if the file ends.
  struct Bytes {
    const char* data = nullptr;
    std::uint64_t size = 0;
  };
  Bytes at(std::uint64_t address, std::uint64_t bytes) const noexcept;
  // Returns all bytes from `address` to the end of its reservation.
  Bytes from(std::uint64_t address) const noexcept { return at(address, ~std::uint64_t{0}); }
  // Returns the T at `address`; nullptr unless it is whole and aligned.
  template <typename T>
  const T* object(std::uint64_t address) const noexcept {
    const Bytes bytes = at(address, sizeof(T));
    const bool fits = bytes.size == sizeof(T) && address % alignof(T) == 0;
    return fits ? reinterpret_cast<const T*>(bytes.data) : nullptr;
  }

 private:
  SharedMemoryFile() = default;

  struct Mapped {
    std::uint64_t address;
    const char* data;
    std::uint64_t bytes;  // bytes in the file
  };
  bool is_whole_ = false;
  std::uint64_t first_address_ = 0;
  std::vector<Mapped> mapped_;
};

}  // namespace copse::recover
