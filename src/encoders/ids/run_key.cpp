#include "encoders/ids/run_key.h"

#include <sys/random.h>
#include <unistd.h>

#include <chrono>

namespace copse::ids {

RunKey RunKey::at_random() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed) {
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    seed = static_cast<std::uint64_t>(now) ^ static_cast<std::uint64_t>(::getpid()) << 44;
  }
  return RunKey(seed);
}

}  // namespace copse::ids
