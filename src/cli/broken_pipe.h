// Readers that go before everything is written to them, as in `copse ... | head -1`. Writes to them fail with EPIPE; they do
// not end the process, which may have files to write and to remove. Programs that it starts know nothing of this.
#pragma once

#include <spawn.h>

namespace copse::cli {

// Called by: main(), once.
void ignore_broken_pipes() noexcept;

// Gives SIGPIPE the meaning that it had for us at the start. Called by: a child that becomes another program.
void restore_broken_pipes() noexcept;
// The same for posix_spawn().
void restore_broken_pipes(posix_spawnattr_t& attributes) noexcept;

}  // namespace copse::cli
