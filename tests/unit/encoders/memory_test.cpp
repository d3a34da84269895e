// Every encoder's memory figures are checked against what operator new really handed out.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "encoders/replay/registry.h"
#include "random_program.h"

namespace {

std::uint64_t live_bytes = 0;

// The size is kept in front of each block, which stays aligned for any type.
constexpr std::size_t kHeader = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t size) {
  void* block = std::malloc(size + kHeader);
  if (!block) throw std::bad_alloc();
  *static_cast<std::size_t*>(block) = size;
  live_bytes += size;
  return static_cast<char*>(block) + kHeader;
}
// Also the form that std::stable_sort's buffer asks for: a sanitizer has one of its own, and what
// it hands out has no size in front.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* pointer) noexcept {
  if (!pointer) return;
  void* block = static_cast<char*>(pointer) - kHeader;
  live_bytes -= *static_cast<std::size_t*>(block);
  std::free(block);
}
void operator delete(void* pointer, std::size_t) noexcept { operator delete(pointer); }
void operator delete(void* pointer, const std::nothrow_t&) noexcept { operator delete(pointer); }

namespace copse::encoders {
namespace {

template <typename E>
void feed(E& encoder, const TraceEvent& event, Token& token) {
  auto& thread = encoder.thread(event.thread);
  switch (event.kind) {
    case TraceEvent::Kind::kStart:
      encoder.start(thread);
      break;
    case TraceEvent::Kind::kCall:
      encoder.call(thread, event.edge);
      break;
    case TraceEvent::Kind::kReturn:
      encoder.ret(thread);
      break;
    case TraceEvent::Kind::kUnwind:
      encoder.unwind(thread, event.frames);
      break;
    case TraceEvent::Kind::kEnd:
      encoder.end(thread);
      break;
    case TraceEvent::Kind::kToken:
      token.clear();
      encoder.token(thread, token);
      break;
  }
}

TEST(EncoderMemory, FiguresEqualWhatWasAllocated) {
  ProgramShape shape;
  shape.threads = 3;
  shape.events = 2000;
  shape.recursion = 0.3;
  const RandomProgram program(17, shape);
  for (const EncoderInfo& info : all_encoders()) {
    for (const std::uint64_t max_codes : {std::uint64_t{16}, std::uint64_t{1} << 62}) {
      EncoderConfig config;
      config.graph = program.graph.without([](MethodId m) { return raw(m) == 4; });
      config.max_codes = max_codes;
      Token token;
      for (int i = 0; i < 1 << 14; ++i) token.put(0, 8);  // so that it does not grow below
      visit_encoder(info.name, config, [&](auto make) {
        const std::uint64_t before = live_bytes;
        auto encoder = make();
        EXPECT_EQ(live_bytes - before, encoder.memory().total()) << info.name << ", empty";
        std::uint64_t wrong = 0;
        for (const TraceEvent& event : program.trace) {
          feed(encoder, event, token);
          wrong += live_bytes - before != encoder.memory().total();
        }
        EXPECT_EQ(wrong, 0u) << info.name << " with " << max_codes << " codes; at the end "
                             << live_bytes - before << " allocated, " << encoder.memory().total()
                             << " accounted for";
      });
    }
  }
}

}  // namespace
}  // namespace copse::encoders
