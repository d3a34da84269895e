#include "recover/shared_memory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/descriptor.h"

namespace copse::recover {
namespace {

constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t unit) noexcept {
  return (value + unit - 1) / unit * unit;
}

std::uint64_t page_size() noexcept {
  static const auto size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::string because(const std::string& path, int error) {
  return path + ": " + std::strerror(error);
}

// Has the file system set pages aside; 0, or why it does not. Not posix_fallocate(), which writes
// to every page where the file system cannot.
int promised(int file, std::uint64_t offset, std::uint64_t bytes) noexcept {
  int failed = 0;
  do {
    const int done = fallocate(file, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes));
    failed = done == 0 ? 0 : errno;
  } while (failed == EINTR);
  return failed;
}

// By the process that made it, for as long as that lives.
bool is_locked(int file) noexcept { return flock(file, LOCK_SH | LOCK_NB) != 0; }

// A signal that ends the process is what a file beyond this bound costs.
bool files_are_bounded() noexcept {
  struct rlimit limit {};
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

Result<std::unique_ptr<SharedMemory>> SharedMemory::create(const std::string& path) {
  using Made = Result<std::unique_ptr<SharedMemory>>;
  if (files_are_bounded())
    return Made::error(Fault::kSystem, path + ": the size of files is limited (ulimit -f)");
  const int file =
      open_above_standard(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (file < 0) return Made::error(Fault::kSystem, because(path, errno));
  const int failed = flock(file, LOCK_EX | LOCK_NB) != 0 ? errno : promised(file, 0, kHeaderBytes);
  void* header = failed != 0
                     ? MAP_FAILED
                     : mmap(nullptr, kHeaderBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (header == MAP_FAILED) {
    const std::string why = because(path, failed != 0 ? failed : errno);
    unlink(path.c_str());
    close(file);
    return Made::error(Fault::kSystem, why);
  }
  auto* start = new (header) Header{};
  start->magic = kMagic;
  start->is_whole = 1;
  std::unique_ptr<SharedMemory> memory(new SharedMemory(path, file, start));
  memory->next_offset_ = kHugePage;
  memory->reservations_.reserve(start->row.size());
  return memory;
}

void SharedMemory::remove() noexcept {
  const std::lock_guard lock(mutex_);
  if (file_ < 0) return;
  unlink(path_.c_str());
  munmap(std::exchange(header_, nullptr), kHeaderBytes);
  close(std::exchange(file_, -1));
}

void* SharedMemory::reserve(std::size_t bytes, std::size_t alignment) noexcept {
  const std::lock_guard lock(mutex_);
  const std::uint64_t size = rounded_up(bytes, page_size());
  char* const start = static_cast<char*>(shadowstack::anonymous_memory().reserve(size, alignment));
  if (start == nullptr || map(start, size)) return start;
  shadowstack::anonymous_memory().release(start, size);
  return nullptr;
}

bool SharedMemory::reserve_at(void* start, std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  return map(static_cast<char*>(start), rounded_up(bytes, page_size()));
}

// In the place of what is mapped there.
bool SharedMemory::map(char* start, std::uint64_t size) noexcept {
  if (file_ < 0 || reservations_.size() == header_->row.size()) return false;
  const std::uint64_t offset = next_offset_;
  if (mmap(start, size, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file_,
           static_cast<off_t>(offset)) == MAP_FAILED) {
    return false;
  }
  if (size >= kHugePage) madvise(start, size, MADV_HUGEPAGE);
  next_offset_ += rounded_up(size, kHugePage);
  header_->row[header_->rows] = {reinterpret_cast<std::uint64_t>(start), offset, 0};
  std::atomic_ref<std::uint32_t>(header_->rows).fetch_add(1, std::memory_order_release);
  reservations_.push_back({start, size, offset, 0});
  return true;
}

// In the place of what is mapped there; zero.
bool SharedMemory::map_private(char* start, std::uint64_t size) noexcept {
  constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
  return mmap(start, size, PROT_READ | PROT_WRITE, kPrivate, -1, 0) != MAP_FAILED;
}

bool SharedMemory::promise(const Reservation& reservation, std::uint64_t from,
                           std::uint64_t to) noexcept {
  if (file_ < 0 || header_->is_whole == 0) return false;
  return promised(file_, reservation.offset + from, to - from) == 0;
}

bool SharedMemory::commit(void* start, std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  char* const begin = static_cast<char*>(start);
  for (std::size_t i = 0; i < reservations_.size(); ++i) {
    Reservation& reservation = reservations_[i];
    if (begin < reservation.start || begin >= reservation.start + reservation.bytes) continue;
    const std::uint64_t from = reservation.committed;
    const std::uint64_t to =
        rounded_up(static_cast<std::uint64_t>(begin - reservation.start) + bytes, page_size());
    if (to > reservation.bytes) return false;
    if (to <= from) return true;
    char* const fresh = reservation.start + from;
    if (promise(reservation, from, to)) {
      if (mprotect(fresh, to - from, PROT_READ | PROT_WRITE) != 0) return false;
      header_->row[i].bytes = to;
    } else {
      if (file_ >= 0) header_->is_whole = 0;
      if (!map_private(fresh, to - from)) return false;
    }
    reservation.committed = to;
    return true;
  }
  return false;
}

void SharedMemory::forget(void* start, std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  char* const begin = static_cast<char*>(start);
  for (const Reservation& reservation : reservations_) {
    if (begin < reservation.start || begin >= reservation.start + reservation.committed) continue;
    const auto skipped = static_cast<std::uint64_t>(begin - reservation.start);
    const std::uint64_t size =
        std::min(rounded_up(bytes, page_size()), reservation.committed - skipped);
    if (map_private(begin, size)) punch(reservation.offset + skipped, size);
    return;
  }
}

void SharedMemory::release(void* start, std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < reservations_.size(); ++i) {
    if (reservations_[i].start != start) continue;
    munmap(start, rounded_up(bytes, page_size()));
    return forget_reservation(i);
  }
}

void SharedMemory::disown(void* start) noexcept {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < reservations_.size(); ++i) {
    if (reservations_[i].start == start) return forget_reservation(i);
  }
}

// Once it is not mapped any more.
void SharedMemory::forget_reservation(std::size_t at) noexcept {
  Reservation& reservation = reservations_[at];
  if (file_ >= 0) header_->row[at].bytes = 0;
  punch(reservation.offset, reservation.bytes);
  reservation = {nullptr, 0, 0, 0};
}

void SharedMemory::punch(std::uint64_t offset, std::uint64_t bytes) const noexcept {
  if (file_ < 0) return;
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
            static_cast<off_t>(bytes));
}

bool SharedMemoryFile::is_in_use(const std::string& path) {
  const int file = open_above_standard(path.c_str(), O_RDONLY | O_NONBLOCK);
  const bool in_use = file >= 0 && is_locked(file);
  if (file >= 0) close(file);
  return in_use;
}

Result<std::unique_ptr<SharedMemoryFile>> SharedMemoryFile::open(const std::string& path) {
  using Opened = Result<std::unique_ptr<SharedMemoryFile>>;
  const int file = open_above_standard(path.c_str(), O_RDONLY | O_NONBLOCK);
  if (file < 0) return Opened::error(Fault::kSystem, because(path, errno));
  std::unique_ptr<SharedMemoryFile> opened(new SharedMemoryFile);
  const auto malformed = [&] {
    return Status::error(Fault::kMalformed, path + ": is not the memory of a run");
  };
  const Status read = [&]() -> Status {
    struct stat about {};
    if (fstat(file, &about) != 0) return Status::error(Fault::kSystem, because(path, errno));
    if (!S_ISREG(about.st_mode)) return malformed();
    // Before it is read: what is read then is final.
    const bool runs = is_locked(file);
    SharedMemory::Header header{};
    if (pread(file, &header, sizeof header, 0) != sizeof header ||
        header.magic != SharedMemory::kMagic || header.rows > header.row.size()) {
      return malformed();
    }
    if (runs) return Status::error(Fault::kRefused, path + ": its program still runs");
    if (header.rows != 0) opened->first_address_ = header.row[0].address;
    opened->is_whole_ = header.is_whole != 0;
    const auto size = static_cast<std::uint64_t>(about.st_size);
    for (std::uint32_t i = 0; i < header.rows; ++i) {
      const SharedMemory::Row& row = header.row[i];
      if (row.bytes == 0 || row.offset >= size || row.offset % page_size() != 0) continue;
      const std::uint64_t bytes = std::min(row.bytes, size - row.offset);
      if (row.address + bytes < row.address) continue;
      void* data =
          mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, static_cast<off_t>(row.offset));
      if (data == MAP_FAILED) return Status::error(Fault::kSystem, because(path, errno));
      opened->mapped_.push_back({row.address, static_cast<const char*>(data), bytes});
    }
    return {};
  }();
  close(file);
  if (!read) return read;
  return opened;
}

SharedMemoryFile::~SharedMemoryFile() {
  for (const Mapped& mapped : mapped_) munmap(const_cast<char*>(mapped.data), mapped.bytes);
}

SharedMemoryFile::Bytes SharedMemoryFile::at(std::uint64_t address,
                                             std::uint64_t bytes) const noexcept {
  for (const Mapped& mapped : mapped_) {
    if (address < mapped.address || address - mapped.address >= mapped.bytes) continue;
    const std::uint64_t skipped = address - mapped.address;
    return {mapped.data + skipped, std::min(bytes, mapped.bytes - skipped)};
  }
  return {};
}

}  // namespace copse::recover
