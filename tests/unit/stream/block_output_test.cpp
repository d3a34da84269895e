#include "ptql/stream/block_output.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace copse::stream {
namespace {

// Listens in a folder of its own, as a command does.
class Listener {
 public:
  Listener() : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    std::string pattern = (std::filesystem::temp_directory_path() / "copse-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    EXPECT_LT(path().size(), sizeof address.sun_path);
    std::memcpy(address.sun_path, path().data(), path().size());
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(socket_, 1), 0);
  }
  ~Listener() {
    if (accepted_ >= 0) ::close(accepted_);
    ::close(socket_);
    std::filesystem::remove_all(folder_);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::string path() const { return folder_ + "/socket"; }
  int accept() { return accepted_ = ::accept(socket_, nullptr, nullptr); }

 private:
  const int socket_;
  std::string folder_;
  int accepted_ = -1;
};

using Queries = std::vector<std::uint32_t>;

TEST(BlockOutput, HearsOfQueriesThatItsReaderHasAnswered) {
  Listener listener;
  Result<std::unique_ptr<BlockOutput>> output = socket_output(listener.path());
  ASSERT_TRUE(output.ok());
  const int reader = listener.accept();
  ASSERT_GE(reader, 0);
  EXPECT_EQ((*output)->take_done_queries(), Queries{});
  tell_query_done(reader, 3);
  tell_query_done(reader, 70'000);
  EXPECT_EQ((*output)->take_done_queries(), (Queries{3, 70'000}));
  EXPECT_EQ((*output)->take_done_queries(), Queries{});
  // A number may come in parts.
  ASSERT_EQ(::send(reader, "\x05\x00\x00", 3, 0), 3);
  EXPECT_EQ((*output)->take_done_queries(), Queries{});
  ASSERT_EQ(::send(reader, "\x00", 1, 0), 1);
  EXPECT_EQ((*output)->take_done_queries(), Queries{5});
}

}  // namespace
}  // namespace copse::stream
