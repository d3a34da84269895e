// Handles readers that close early, as in `copse ... | head -1`. Writes to them fail with EPIPE and do not end the
// process, which may have files to write and to remove. Programs that it starts keep the original SIGPIPE.
#pragma once

#include <spawn.h>

namespace copse::cli {

using SignalHandler = void (*)(int);
// Sets what a signal does, and returns what it did, like signal(). The JDK's libjsig.so complains of signal() where it
// is preloaded.
SignalHandler take_signal(int signal, SignalHandler handler) noexcept;

// Called by: main(), once.
void ignore_broken_pipes() noexcept;

// Restores SIGPIPE to its meaning at the start. Called by: a child that becomes another program.
void restore_broken_pipes() noexcept;
// Does the same for posix_spawn().
void restore_broken_pipes(posix_spawnattr_t& attributes) noexcept;

}  // namespace copse::cli
