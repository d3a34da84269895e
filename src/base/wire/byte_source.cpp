#include "base/wire/byte_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/descriptor.h"

namespace copse::wire {
namespace {

Status failure(const std::string& name, int error) {
  return Status::error(Fault::kSystem, name + ": " + std::strerror(error));
}

class FileBytes final : public ByteSource {
 public:
  FileBytes(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  ~FileBytes() override { ::close(descriptor_); }

  Result<std::size_t> read(std::span<std::uint8_t> into) override {
    std::size_t got = 0;
    while (got < into.size()) {
      const ssize_t count = ::read(descriptor_, into.data() + got, into.size() - got);
      if (count == 0) break;
      if (count < 0) {
        if (errno == EINTR) continue;
        return failure(path_, errno);
      }
      got += static_cast<std::size_t>(count);
    }
    return got;
  }
  Status rewind() override {
    if (::lseek(descriptor_, 0, SEEK_SET) == 0) return {};
    return Status::error(Fault::kUnsupported,
                         path_ + ": cannot be read twice, it is no regular file");
  }
  const std::string& name() const override { return path_; }

 private:
  const std::string path_;
  const int descriptor_;
};

class MemoryBytes final : public ByteSource {
 public:
  MemoryBytes(std::string name, std::vector<std::uint8_t> bytes)
      : name_(std::move(name)), bytes_(std::move(bytes)) {}

  Result<std::size_t> read(std::span<std::uint8_t> into) override {
    const std::size_t count = std::min(into.size(), bytes_.size() - at_);
    std::copy_n(bytes_.data() + at_, count, into.data());
    at_ += count;
    return count;
  }
  Status rewind() override {
    at_ = 0;
    return {};
  }
  const std::string& name() const override { return name_; }

 private:
  const std::string name_;
  const std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path) {
  const int descriptor = open_above_standard(path.c_str(), O_RDONLY);
  if (descriptor < 0) return failure(path, errno);
  return std::unique_ptr<ByteSource>(std::make_unique<FileBytes>(path, descriptor));
}

Result<std::unique_ptr<ByteSource>> open_standard_input() {
  const std::string name = "standard input";
  const int descriptor = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (descriptor < 0) return failure(name, errno);
  return std::unique_ptr<ByteSource>(std::make_unique<FileBytes>(name, descriptor));
}

std::unique_ptr<ByteSource> bytes_in_memory(std::string name, std::vector<std::uint8_t> bytes) {
  return std::make_unique<MemoryBytes>(std::move(name), std::move(bytes));
}

}  // namespace copse::wire
