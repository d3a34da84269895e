#include "base/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <functional>
#include <utility>

namespace copse {
namespace {

// Runs `body` in a child whose standard descriptors are closed; its result is the child's exit status.
int with_closed_descriptors(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    for (int number = 0; number <= 2; ++number) close(number);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool is_closed(int number) { return fcntl(number, F_GETFD) < 0; }
bool closes_on_exec(int number) { return (fcntl(number, F_GETFD) & FD_CLOEXEC) != 0; }

TEST(Descriptors, AreAboveTheStandardOnesWhateverIsClosed) {
  EXPECT_EQ(with_closed_descriptors([] {
              const int file = open_above_standard("/dev/null", O_RDONLY);
              const int moved = above_standard(dup(file));
              const bool right =
                  file > 2 && moved > 2 && closes_on_exec(file) && closes_on_exec(moved);
              return right && is_closed(0) && is_closed(1) && is_closed(2) ? 0 : 1;
            }),
            0);
}

TEST(Descriptors, ThatCannotBeOpenedSayWhy) {
  errno = 0;
  EXPECT_EQ(open_above_standard("/no/such/file", O_RDONLY), -1);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(file_contents("/no/such/file").has_value());
  EXPECT_FALSE(file_contents("/tmp").has_value());
  EXPECT_EQ(errno, EISDIR);
}

TEST(Descriptors, StandardOnesThatWereClosedFailAsBefore) {
  EXPECT_EQ(with_closed_descriptors([] {
              take_closed_standard_descriptors();
              char byte = 0;
              for (int number = 0; number <= 2; ++number) {
                if (is_closed(number) || !closes_on_exec(number)) return 1;
              }
              if (read(0, &byte, 1) != -1 || errno != EBADF) return 2;
              if (write(1, &byte, 1) != -1 || errno != EBADF) return 3;
              return write(2, &byte, 1) == -1 && errno == EBADF ? 0 : 4;
            }),
            0);
}

TEST(Descriptors, StandardOnesThatAreOpenStayAsTheyAre) {
  const int before = fcntl(1, F_GETFD);
  take_closed_standard_descriptors();
  EXPECT_EQ(fcntl(1, F_GETFD), before);
}

TEST(Descriptors, AreClosedByTheirLastOwner) {
  int number = -1;
  {
    Descriptor one(open_above_standard("/dev/null", O_RDONLY));
    number = one.number();
    Descriptor other(std::move(one));
    EXPECT_FALSE(one);  // NOLINT: moved from, and none
    one = std::move(other);
    EXPECT_FALSE(is_closed(number));
  }
  EXPECT_TRUE(is_closed(number));
}

TEST(Descriptors, ContentsAreWholeWhateverTheFileSaysOfItsSize) {
  EXPECT_FALSE(file_contents("/proc/self/cmdline").value().empty());
  const std::string path = testing::TempDir() + "/contents";
  std::ofstream(path) << std::string(100'000, 'x');
  EXPECT_EQ(file_contents(path), std::string(100'000, 'x'));
}

}  // namespace
}  // namespace copse
