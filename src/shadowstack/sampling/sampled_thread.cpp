#include "shadowstack/sampling/sampled_thread.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace copse::sampling {
namespace {

// The kernel copies the mask before it looks at what is to be done with it, which is nothing it
// knows. Every sandbox allows this call, unlike those that are made for reading memory.
bool is_readable(std::uint64_t address) noexcept {
  constexpr long kNothing = -1;
  constexpr std::size_t kMaskBytes = 8;
  const long done = ::syscall(SYS_rt_sigprocmask, kNothing, address, nullptr, kMaskBytes);
  return done == -1 && errno == EINVAL;
}

// `address`: a multiple of 8, so that all of the word is in one page.
bool read_word(std::uint64_t address, std::uint64_t& word) noexcept {
  if (address % sizeof word != 0 || !is_readable(address)) return false;
  word = *reinterpret_cast<const volatile std::uint64_t*>(address);
  return true;
}

// Odd while objects may be moving.
std::atomic<std::uint64_t> g_moves{0};

std::uint64_t load(std::uint64_t& of_header) noexcept {
  return std::atomic_ref<std::uint64_t>(of_header).load(std::memory_order_relaxed);
}

pid_t running_thread() noexcept { return static_cast<pid_t>(::syscall(SYS_gettid)); }

}  // namespace

// The object may be moved while this thread is in native code. What is read then is its word of
// before, or of no thread: who counts the sample knows the words that can be.
std::uint64_t word_in_object(std::uint64_t reference, std::uint64_t offset) noexcept {
  std::uint64_t object = 0;
  std::uint64_t word = 0;
  if (!read_word(reference & ~std::uint64_t{7}, object)) return 0;
  return read_word(object + offset, word) ? word : 0;
}

// Objects begin to move only once the threads that move them have seen the new number.
void objects_begin_to_move() noexcept {
  if (g_moves.load(std::memory_order_relaxed) % 2 == 0) g_moves.fetch_add(1);
}

void objects_stand_still() noexcept {
  if (g_moves.load(std::memory_order_relaxed) % 2 != 0) g_moves.fetch_add(1);
}

bool can_read_any_memory() noexcept {
  const std::uint64_t sample = 0x5EA1'ED;
  std::uint64_t word = 0;
  constexpr std::uint64_t kNoMemory = 8;  // in the first page, which is never mapped
  return read_word(reinterpret_cast<std::uint64_t>(&sample), word) && word == sample &&
         !is_readable(kNoMemory);
}

void SampledThread::begin(shadowstack::ThreadHeader& header, const WordInObject& word, double share,
                          std::minstd_rand random) noexcept {
  random_ = random;
  share_ = share;
  thread_ = running_thread();
  word_ = word;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  header_.store(&header, std::memory_order_release);
}

void SampledThread::end() noexcept {
  header_.store(nullptr, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

// Each signal by itself, at random. Every third one, say, would always find a program that repeats
// itself every third signal at the same place.
bool SampledThread::is_chosen() noexcept {
  constexpr auto kFirst = std::minstd_rand::min();
  constexpr auto kValues = static_cast<double>(std::minstd_rand::max() - kFirst) + 1;
  return static_cast<double>(random_() - kFirst) < share_ * kValues;
}

void SampledThread::take(std::uint64_t code) noexcept {
  shadowstack::ThreadHeader* header = header_.load(std::memory_order_acquire);
  // A signal of a timer that is gone may reach the thread before this one.
  if (header == nullptr || running_thread() != thread_ || !is_chosen()) return;
  std::uint64_t reference = word_.reference;
  if (const std::uint64_t mounted = load(header->mounted); mounted != 0) {
    header = reinterpret_cast<shadowstack::ThreadHeader*>(mounted);
    reference = word_.of_virtual_threads ? load(header->self) : 0;
  }
  const std::uint32_t at = written_.load(std::memory_order_relaxed);
  if (at - read_.load(std::memory_order_acquire) == kRoom) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const std::uint64_t moves = g_moves.load(std::memory_order_acquire);
  const std::uint64_t word =
      reference != 0 ? word_in_object(reference, word_.offset) : load(header->word);
  // Adds nothing: unlike a load, it is no sooner than the reads before it.
  const std::uint64_t moves_now = g_moves.fetch_add(0, std::memory_order_acq_rel);
  const bool stood_still = moves % 2 == 0 && moves_now == moves;
  if (reference != 0 && word_.must_stand_still && !stood_still) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  std::atomic_ref<std::uint64_t>(header->samples).fetch_add(1, std::memory_order_relaxed);
  ring_[at % kRoom] = {header, shadowstack::place_of(*header, word), code};
  written_.store(at + 1, std::memory_order_release);
}

}  // namespace copse::sampling
