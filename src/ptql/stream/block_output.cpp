#include "ptql/stream/block_output.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/wire/block_writer.h"
#include "ptql/stream/value_stream.h"

namespace copse::stream {
namespace {

// Bytes of a query's number, least significant first.
constexpr std::size_t kDoneBytes = 4;

class FileOutput final : public BlockOutput {
 public:
  explicit FileOutput(std::unique_ptr<wire::BlockWriter> file) : file_(std::move(file)) {}

  Status add(std::uint8_t type, std::span<const std::uint8_t> payload,
             std::uint64_t events) override {
    return file_->add(type, payload, events);
  }
  void flush() override { file_->flush(); }
  Status end(std::uint8_t type, std::span<const std::uint8_t> payload) override {
    file_->flush();
    const Status failure = file_->failure();
    file_->try_again();
    (void)file_->add(type, payload);
    const Status closed = file_->close();
    return failure.ok() ? closed : failure;
  }
  std::vector<std::uint32_t> take_done_queries() override { return {}; }
  std::uint64_t events_written() const override { return file_->items_written(); }
  std::uint64_t bytes() const override { return file_->bytes(); }

 private:
  const std::unique_ptr<wire::BlockWriter> file_;
};

Status socket_error(const std::string& path, int error) {
  return Status::error(Fault::kSystem, path + ": " + std::strerror(error));
}

class SocketOutput final : public BlockOutput {
 public:
  SocketOutput(std::string path, Descriptor socket)
      : path_(std::move(path)), socket_(std::move(socket)) {
    bytes_.assign(kFileHeader.begin(), kFileHeader.end());
  }

  Status add(std::uint8_t type, std::span<const std::uint8_t> payload,
             std::uint64_t events) override {
    if (!failure_.ok()) return failure_;
    wire::append_block(bytes_, type, payload);
    send_all();
    if (failure_.ok()) events_written_ += events;
    return failure_;
  }
  void flush() override {}
  Status end(std::uint8_t type, std::span<const std::uint8_t> payload) override {
    (void)add(type, payload, 0);
    socket_ = Descriptor();  // the program may go on
    return failure_;
  }
  std::vector<std::uint32_t> take_done_queries() override {
    std::array<std::uint8_t, 256> read{};
    for (;;) {
      const ssize_t got = ::recv(socket_.number(), read.data(), read.size(), MSG_DONTWAIT);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      said_.insert(said_.end(), read.begin(), read.begin() + got);
    }
    std::vector<std::uint32_t> queries;
    std::size_t at = 0;
    for (; said_.size() - at >= kDoneBytes; at += kDoneBytes) {
      std::uint32_t query = 0;
      for (std::size_t i = 0; i < kDoneBytes; ++i) {
        query |= static_cast<std::uint32_t>(said_[at + i]) << (8 * i);
      }
      queries.push_back(query);
    }
    said_.erase(said_.begin(), said_.begin() + static_cast<std::ptrdiff_t>(at));
    return queries;
  }
  std::uint64_t events_written() const override { return events_written_; }
  std::uint64_t bytes() const override { return sent_; }

 private:
  void send_all() {
    for (std::span<const std::uint8_t> left = bytes_; !left.empty();) {
      const ssize_t sent = ::send(socket_.number(), left.data(), left.size(), MSG_NOSIGNAL);
      if (sent >= 0) {
        left = left.subspan(static_cast<std::size_t>(sent));
        sent_ += static_cast<std::uint64_t>(sent);
      } else if (errno != EINTR) {
        failure_ = socket_error(path_, errno);
        break;
      }
    }
    bytes_.clear();
  }

  const std::string path_;
  Descriptor socket_;
  Status failure_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint8_t> said_;  // by the reader
  std::uint64_t events_written_ = 0;
  std::uint64_t sent_ = 0;
};

}  // namespace

Result<std::unique_ptr<BlockOutput>> file_output(const std::string& path) {
  Result<std::unique_ptr<wire::BlockWriter>> file = wire::BlockWriter::create(path, kFileHeader);
  if (!file.ok()) return file.status();
  return std::unique_ptr<BlockOutput>(std::make_unique<FileOutput>(std::move(file).value()));
}

Result<std::unique_ptr<BlockOutput>> socket_output(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return socket_error(path, ENAMETOOLONG);
  std::memcpy(address.sun_path, path.data(), path.size());
  Descriptor socket(above_standard(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)));
  if (!socket) return socket_error(path, errno);
  if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
      0) {
    return socket_error(path, errno);
  }
  return std::unique_ptr<BlockOutput>(std::make_unique<SocketOutput>(path, std::move(socket)));
}

void tell_query_done(int socket, std::size_t query) noexcept {
  std::array<std::uint8_t, kDoneBytes> bytes{};
  for (std::size_t i = 0; i < kDoneBytes; ++i) {
    bytes[i] = static_cast<std::uint8_t>(query >> (8 * i));
  }
  while (::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0 &&
         errno == EINTR) {
  }
}

}  // namespace copse::stream
