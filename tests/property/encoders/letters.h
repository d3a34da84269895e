// Call graphs and contexts written with capital letters for methods, A = 1, as the papers draw
// them.
#pragma once

#include <string_view>

#include "encoders/replay/encoder.h"
#include "graph/call_graph.h"

namespace copse::encoders {

constexpr MethodId letter(char name) {
  return MethodId{static_cast<std::uint32_t>(name - 'A' + 1)};
}

// "AB": A calls B at its site `site`.
constexpr EdgeKey edge(std::string_view names, std::uint16_t site = 1) {
  return edge_key({letter(names[0]), SiteOrdinal{site}}, letter(names[1]));
}

// The methods of a context, "ACFG".
inline std::string letters(const CallPath& path) {
  std::string names;
  for (const EdgeKey step : path) {
    names += static_cast<char>('A' + static_cast<int>(raw(callee_of(step))) - 1);
  }
  return names;
}

inline std::string decoded_letters(const auto& encoder, const Token& token) {
  const Result<CallPath> path = encoder.decode(token);
  return path.ok() ? letters(*path) : path.message();
}

// Starts thread 0 and walks down a context, one edge per step; gives the thread's state.
template <typename E>
typename E::Thread& enter(E& encoder, char entry, std::initializer_list<EdgeKey> steps) {
  typename E::Thread& thread = encoder.thread(ThreadIndex{0});
  encoder.start(thread);
  encoder.call(thread, entry_edge(letter(entry)));
  for (const EdgeKey step : steps) encoder.call(thread, step);
  return thread;
}

template <typename E>
Token token_of(E& encoder, typename E::Thread& thread) {
  Token token;
  encoder.token(thread, token);
  return token;
}

}  // namespace copse::encoders
