// Pieces of machine code that a JIT compiler makes and drops, and what each instruction in them is of.
//
// Thread-safe: one mutex.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "shadowstack/inlined_calls.h"

namespace copse::sampling {

class CompiledCode {
 public:
  // The code that an instruction is of.
  struct Origin {
    bool is_own = false;  // a probe
    shadowstack::InlinedCalls::Chain chain = 0;

    bool operator==(const Origin&) const = default;
  };

  // Builds a piece of code, in ascending order.
  class Piece {
   public:
    // `begin`, `end`: addresses; `end` is exclusive.
    Piece(std::uint64_t begin, std::uint64_t end) : begin_(begin), end_(end) {}

    // Sets the origin of the instructions behind the last ones that were added, up to and including the one that begins
    // at `last`. Throws std::bad_alloc.
    void add(std::uint64_t last, const Origin& origin);
    shadowstack::InlinedCalls& calls() noexcept { return calls_; }

   private:
    friend CompiledCode;
    struct Run {
      std::uint32_t end;  // from the piece's begin
      Origin origin;
    };

    std::uint64_t begin_, end_;
    std::vector<Run> runs_;
    shadowstack::InlinedCalls calls_;
  };

  // Adds a piece of code. Removes the pieces that it overlaps. Throws std::bad_alloc.
  void put(Piece piece);
  // Removes the piece that begins at `begin`.
  void remove(std::uint64_t begin) noexcept;
  void clear() noexcept;

  struct Place {
    Origin origin;
    std::shared_ptr<const shadowstack::InlinedCalls> calls;  // of the piece
  };
  // Returns std::nullopt outside all pieces. Cost: two searches.
  std::optional<Place> place_of(std::uint64_t address) const noexcept;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<const Piece>> pieces_;  // by begin
};

}  // namespace copse::sampling
