// Base of tests that read the file of a killed process.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cct/tree_check.h"
#include "recover/recovered_tree.h"
#include "recover/shared_memory.h"

namespace copse::test {

// Calls that each thread of a process is about to make, and has made, in memory that outlives the process.
template <std::size_t kThreads>
struct CallProgress {
  using Counts = std::array<std::atomic<std::uint64_t>, kThreads>;

  static auto shared() {
    const auto unmap = [](CallProgress* progress) { munmap(progress, sizeof(CallProgress)); };
    void* const memory = mmap(nullptr, sizeof(CallProgress), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return std::unique_ptr<CallProgress, decltype(unmap)>(new (memory) CallProgress);
  }
  static std::uint64_t sum(const Counts& counts) {
    std::uint64_t sum = 0;
    for (const auto& count : counts) sum += count.load();
    return sum;
  }

  Counts begun{};
  Counts done{};
};

class KilledRun : public testing::Test {
 protected:
  KilledRun() {
    const bool in_memory = access("/dev/shm", W_OK) == 0;
    std::string folder =
        std::string(in_memory ? "/dev/shm" : testing::TempDir()) + "/copse-recovery-XXXXXX";
    folder_ = mkdtemp(folder.data());
    path_ = folder_ + "/memory";
  }
  ~KilledRun() override { std::filesystem::remove_all(folder_); }

  // Runs `body` with memory in the file, in a process that is killed at its end at the latest.
  pid_t start(const std::function<void(recover::SharedMemory&)>& body) {
    std::filesystem::remove(path_);
    const pid_t child = fork();
    if (child != 0) return child;
    auto memory = recover::SharedMemory::create(path_);
    if (!memory.ok()) _exit(1);
    body(**memory);
    raise(SIGKILL);
    _exit(2);
  }
  static void expect_killed(pid_t child) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  }

  // Kills the process when its threads have made `enough` calls.
  template <std::size_t kThreads>
  static void kill_after(std::uint64_t enough, const CallProgress<kThreads>& progress,
                         pid_t child) {
    while (progress.sum(progress.done) < enough) std::this_thread::yield();
    kill(child, SIGKILL);
    expect_killed(child);
  }

  // Opens the file and returns the result of `recover(file)`, a Result<RecoveredTree>, which must succeed.
  template <typename Recover>
  static recover::RecoveredTree recovered(const std::string& path, Recover recover) {
    auto file = recover::SharedMemoryFile::open(path);
    EXPECT_TRUE(file.ok()) << file.message();
    if (!file.ok()) return {};
    EXPECT_TRUE((*file)->is_whole());
    Result<recover::RecoveredTree> run = recover(**file);
    EXPECT_TRUE(run.ok()) << run.message();
    return run.ok() ? std::move(*run) : recover::RecoveredTree{};
  }

  // Overwrites the byte at `position(header)`, `rounds` times with another value: the file is then refused,
  // or the recovered calls add up.
  template <typename Position, typename Recover>
  void expect_damage_is_harmless(std::mt19937_64& random, int rounds, Position position,
                                 Recover recover) {
    const int file = open(path_.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(file, 0);
    const recover::SharedMemory::Header header = header_of(file);
    int refused = 0;
    for (int round = 0; round < rounds; ++round) {
      const auto at = static_cast<off_t>(position(header));
      char before = 0;
      if (pread(file, &before, 1, at) != 1) continue;
      const char other = static_cast<char>(random());
      ASSERT_EQ(pwrite(file, &other, 1, at), 1);
      if (auto opened = recover::SharedMemoryFile::open(path_); !opened.ok()) {
        ++refused;
      } else if (auto run = recover(**opened); !run.ok()) {
        ++refused;
      } else {
        EXPECT_EQ(cct::total_calls(*run->tree) + run->calls_lost, run->calls_seen);
      }
      ASSERT_EQ(pwrite(file, &before, 1, at), 1);
    }
    close(file);
    EXPECT_GT(refused, 0);
  }

  // Shortens reservations at random, as if the file system had been full for a time; the first page of each
  // stays, because it is taken at the start. The recovered calls must add up. The recovered tree must be
  // part of `whole`, unless `whole` has evicted contexts: which ones are evicted depends on the memory
  // there is.
  template <typename Recover>
  void expect_what_is_there_of(const cct::ContextTree& whole, std::mt19937_64& random, int rounds,
                               Recover recover) {
    const int file = open(path_.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(file, 0);
    const recover::SharedMemory::Header header = header_of(file);
    const std::uint64_t calls = cct::total_calls(whole);
    int incomplete = 0;
    for (int round = 0; round < rounds; ++round) {
      recover::SharedMemory::Header full = header;
      full.is_whole = 0;
      for (std::uint32_t i = 0; i < full.rows; ++i) {
        const std::uint64_t pages = full.row[i].bytes / 4096;
        if (pages > 1 && random() % 2 == 0) full.row[i].bytes = 4096 * (1 + random() % pages);
      }
      ASSERT_EQ(pwrite(file, &full, sizeof full, 0), ssize_t{sizeof full});
      auto opened = recover::SharedMemoryFile::open(path_);
      ASSERT_TRUE(opened.ok()) << opened.message();
      ASSERT_FALSE((*opened)->is_whole());
      Result<recover::RecoveredTree> run = recover(**opened);
      ASSERT_TRUE(run.ok()) << run.message();
      EXPECT_EQ(cct::total_calls(*run->tree) + run->calls_lost, run->calls_seen);
      EXPECT_LE(run->calls_seen, calls);
      incomplete += run->calls_seen < calls ? 1 : 0;
      if (whole.evicted().contexts == 0) expect_part_of(whole, *run->tree);
    }
    ASSERT_EQ(pwrite(file, &header, sizeof header, 0), ssize_t{sizeof header});
    close(file);
    EXPECT_GT(incomplete, 0);
  }

  std::string folder_;
  std::string path_;

 private:
  static recover::SharedMemory::Header header_of(int file) {
    recover::SharedMemory::Header header{};
    EXPECT_EQ(pread(file, &header, sizeof header, 0), ssize_t{sizeof header});
    return header;
  }

  static void expect_part_of(const cct::ContextTree& whole, const cct::ContextTree& part) {
    std::map<std::pair<std::uint32_t, ContextKey>, std::uint32_t> children;
    for (std::uint32_t i = 1; i < whole.node_count(); ++i) {
      const cct::ContextNode node = whole.node(NodeIndex{i});
      children[{raw(node.parent), node.key}] = i;
    }
    std::vector<std::uint32_t> in_whole(part.node_count(), raw(kRootNode));
    for (std::uint32_t i = 1; i < part.node_count(); ++i) {
      const cct::ContextNode node = part.node(NodeIndex{i});
      const auto found = children.find({in_whole[raw(node.parent)], node.key});
      ASSERT_NE(found, children.end()) << "context " << i << " was never called";
      in_whole[i] = found->second;
      ASSERT_LE(node.calls, whole.node(NodeIndex{found->second}).calls);
    }
  }
};

}  // namespace copse::test
