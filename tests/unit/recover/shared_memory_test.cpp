#include "recover/shared_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "cct/inplace/inline_trees.h"
#include "support/call_streams.h"
#include "support/expect_fault.h"
#include "support/inline_probe.h"
#include "support/plenty.h"

namespace copse::recover {
namespace {

class SharedMemoryTest : public testing::Test {
 protected:
  SharedMemoryTest() {
    std::string folder = (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : testing::TempDir()) +
                         std::string("/copse-test-XXXXXX");
    folder_ = mkdtemp(folder.data());
    path_ = folder_ + "/memory";
  }
  ~SharedMemoryTest() override { std::filesystem::remove_all(folder_); }

  void in_a_process_that_is_killed(const std::function<void(SharedMemory&)>& body) {
    const pid_t child = fork();
    if (child == 0) {
      auto memory = SharedMemory::create(path_);
      if (!memory.ok()) _exit(1);
      body(**memory);
      raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
  }

  std::string folder_;
  std::string path_;
};

TEST_F(SharedMemoryTest, ReadsByAddressWhatAKilledProcessWrote) {
  in_a_process_that_is_killed([&](SharedMemory& memory) {
    auto* start = static_cast<std::uint64_t*>(memory.reserve(64 << 20, 8));
    memory.commit(start, 1 << 20);
    start[0] = reinterpret_cast<std::uint64_t>(start + 777);
    start[777] = 42;
    auto* other = static_cast<std::uint64_t*>(memory.reserve(8192, 4096));
    memory.commit(other, 4096);
    other[3] = 43;
    start[778] = reinterpret_cast<std::uint64_t>(other + 3);
  });
  const auto file = SharedMemoryFile::open(path_);
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_TRUE((*file)->is_whole());
  const auto* address = (*file)->object<std::uint64_t>((*file)->first_address());
  ASSERT_NE(address, nullptr);
  EXPECT_EQ(*(*file)->object<std::uint64_t>(*address), 42u);
  EXPECT_EQ(*(*file)->object<std::uint64_t>(*(*file)->object<std::uint64_t>(*address + 8)), 43u);
}

TEST_F(SharedMemoryTest, FindsNothingAtAddressesThatWereNeverThere) {
  in_a_process_that_is_killed(
      [](SharedMemory& memory) { memory.commit(memory.reserve(1 << 20, 8), 4096); });
  const auto file = SharedMemoryFile::open(path_);
  ASSERT_TRUE(file.ok()) << file.message();
  const std::uint64_t start = (*file)->first_address();
  for (const std::uint64_t address : {std::uint64_t{0}, start - 8, start + (1 << 20),
                                      std::numeric_limits<std::uint64_t>::max()}) {
    EXPECT_EQ((*file)->object<std::uint64_t>(address), nullptr);
    EXPECT_EQ((*file)->at(address, 1).size, 0u);
  }
  EXPECT_EQ((*file)->object<std::uint64_t>(start + 1), nullptr) << "not at a multiple of 8";
}

TEST_F(SharedMemoryTest, ForgetsPagesThatStayUsable) {
  const auto memory = SharedMemory::create(path_);
  ASSERT_TRUE(memory.ok()) << memory.message();
  constexpr std::size_t kBytes = 1 << 20;
  auto* start = static_cast<char*>((*memory)->reserve(kBytes, 8));
  ASSERT_NE(start, nullptr);
  ASSERT_TRUE((*memory)->commit(start, kBytes));
  std::memset(start, 1, kBytes);
  const auto blocks = [this] {
    struct stat about {};
    return stat(path_.c_str(), &about) == 0 ? about.st_blocks * 512 : -1;
  };
  const auto before = blocks();
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  (*memory)->forget(start + page, kBytes - page);
  EXPECT_EQ(start[page - 1], 1);
  EXPECT_EQ(start[page], 0);
  EXPECT_EQ(start[kBytes - 1], 0);
  start[kBytes / 2] = 2;
  EXPECT_EQ(start[kBytes / 2], 2);
  EXPECT_EQ(blocks(), before - static_cast<long>(kBytes - page));
}

TEST_F(SharedMemoryTest, GoesOnInPrivatePagesWhenTheFileSystemIsFull) {
  struct statvfs about {};
  ASSERT_EQ(statvfs(folder_.c_str(), &about), 0);
  if (folder_.rfind("/dev/shm", 0) != 0 || about.f_blocks == 0) {
    GTEST_SKIP() << "needs a /dev/shm of a known size";
  }
  const std::uint64_t too_much = about.f_blocks * about.f_frsize + (64 << 20);
  in_a_process_that_is_killed([&](SharedMemory& memory) {
    auto* start = static_cast<char*>(memory.reserve(too_much, 8));
    if (start == nullptr || !memory.commit(start, 4096)) _exit(2);
    start[100] = 'a';
    if (!memory.commit(start + 4096, too_much - 4096)) _exit(3);
    start[too_much - 1] = 'b';
    if (start[100] != 'a') _exit(4);
  });
  const auto file = SharedMemoryFile::open(path_);
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_FALSE((*file)->is_whole());
  EXPECT_EQ(*(*file)->at((*file)->first_address() + 100, 1).data, 'a');
  EXPECT_EQ((*file)->at((*file)->first_address() + 8192, 1).size, 0u) << "reading it could kill us";
}

TEST_F(SharedMemoryTest, IsNotMadeWhereAFileThatGrowsWouldEndTheProcess) {
  const pid_t child = fork();
  if (child == 0) {
    const struct rlimit limit { 1 << 20, 1 << 20 };
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
    const auto memory = SharedMemory::create(path_);
    _exit(faults::failed_with(faults::status_of(memory), Fault::kSystem, {path_, "ulimit -f"}) ? 0
                                                                                               : 2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(SharedMemoryTest, IsTheOwnersAloneAndReplacesNothing) {
  const auto memory = SharedMemory::create(path_);
  ASSERT_TRUE(memory.ok()) << memory.message();
  const auto mode = std::filesystem::status(path_).permissions();
  EXPECT_EQ(mode, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_FAULT(SharedMemory::create(path_), kSystem, path_ + ": File exists");
}

std::size_t entries_of(const char* folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                                std::filesystem::directory_iterator()));
}

std::size_t mappings() {
  std::ifstream maps("/proc/self/maps");
  return static_cast<std::size_t>(
      std::count(std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>(), '\n'));
}

bool is_mapped(const std::string& path) {
  std::ifstream maps("/proc/self/maps");
  const std::string text(std::istreambuf_iterator<char>(maps), {});
  return text.find(path) != std::string::npos;
}

// Recordings that follow each other in one process, each with a file of its own. Their frames live on.
TEST_F(SharedMemoryTest, IsGivenBackWithARecordingThatIsLeft) {
  constexpr int kWarmUp = 3, kRecordings = 40;
  std::vector<std::unique_ptr<SharedMemory>> files;
  std::vector<std::unique_ptr<cct::InlineTrees>> recordings;
  std::vector<std::uint64_t> frames;
  std::size_t descriptors_then = 0, mappings_then = 0;
  std::mt19937_64 random(7);
  for (int i = 0; i < kRecordings; ++i) {
    const std::string path = path_ + std::to_string(i);
    auto file = SharedMemory::create(path);
    ASSERT_TRUE(file.ok()) << file.message();
    files.push_back(std::move(file).value());
    recordings.push_back(std::make_unique<cct::InlineTrees>(
        test::kPlenty, test::eight_sites, *files.back(), cct::RecursionOptions{},
        i == 0 ? nullptr : recordings.back().get()));
    cct::InlineTrees& trees = *recordings.back();
    ASSERT_TRUE(trees.follow_slices(1));
    const std::array columns = {cct::MeasureName{"cpu_ns", "ns"}};
    trees.measure({.columns = columns,
                   .outside = context_key(kNoSite, MethodId{9}),
                   .is_leaf_of = {},
                   .before_slices = {}});
    const test::CallStream stream = test::random_stream(random, {});
    shadowstack::ThreadHeader* const header = trees.attach(i, "player");
    test::InlineProbe probe(trees, header);
    for (const std::uint64_t frame : frames) {  // live ones call, and count in vain
      probe.call(frame, SiteOrdinal{2});
      probe.exit(probe.enter(MethodId{5}));
      std::atomic_ref<std::uint64_t>(reinterpret_cast<cct::InlineNode*>(frame)->calls).fetch_add(1);
    }
    header->word = header->unowned + cct::kInlineSlots;
    probe.run(stream);
    frames.push_back(probe.enter(MethodId{3}));
    trees.close();
    EXPECT_EQ(trees.calls_seen(), stream.size() + frames.size());
    files.back()->remove();
    EXPECT_TRUE(is_mapped(path));
    trees.leave();
    EXPECT_FALSE(is_mapped(path)) << "the file takes room until nothing of it is mapped";
    // Calls and threads that come late are nowhere.
    EXPECT_EQ(trees.attach(-1, "late"), trees.attach(-2, "late, too"));
    EXPECT_EQ(
        cct::InlineTrees::place_in_own(header, frames.back() + cct::kInlineSlots, MethodId{4}),
        trees.unowned_node());
    trees.add(*header, {}, {});
    trees.rename(header, "late");
    trees.detach(header);
    if (i == kWarmUp) {
      descriptors_then = entries_of("/proc/self/fd");
      mappings_then = mappings();
    }
  }
  EXPECT_EQ(entries_of("/proc/self/fd"), descriptors_then);
  // A sanitizer's allocator maps and unmaps a few, far fewer than one for each recording.
  EXPECT_LT(mappings(), mappings_then + (kRecordings - kWarmUp) / 2);
}

}  // namespace
}  // namespace copse::recover
