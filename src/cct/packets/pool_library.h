// Functions of libcopse-parallel.so, which has the threads of a WorkerPool.
//
// Plain functions and pointers: the library and what loads it have a C++ library each, so neither
// an exception nor memory of one may reach the other.
#pragma once

namespace copse::cct {

// Name of the library, beside the agent, and of its only symbol, a PoolFunctions. The symbol's
// number changes with the struct.
inline constexpr const char* kPoolLibrary = "libcopse-parallel.so";
inline constexpr const char* kPoolFunctions = "copse_pool_functions_1";

struct PoolFunctions {
  // Makes a pool whose threads call work(with). Returns nullptr without memory.
  void* (*make)(unsigned workers, void (*work)(void*), void* with) noexcept;
  bool (*start_one)(void* pool) noexcept;  // WorkerPool::start_one()
  void (*end)(void* pool) noexcept;        // WorkerPool::stop(), and frees the pool
};

}  // namespace copse::cct
