// Tokens written by one encoder decode in another that knows nothing but the state file.
#include <gtest/gtest.h>

#include <utility>

#include "encoders/replay/state_file.h"
#include "random_program.h"
#include "support/test_scale.h"

namespace copse::encoders {
namespace {

constexpr std::uint64_t kSavedRuns = 30;

std::unique_ptr<Encoder> make(std::string_view name, const EncoderConfig& config) {
  return std::move(make_encoder(name, config)).value();
}

void feed(Encoder& encoder, const Trace& trace, std::vector<Token>& tokens) {
  for (const TraceEvent& event : trace) {
    switch (event.kind) {
      case TraceEvent::Kind::kStart:
        encoder.start(event.thread);
        break;
      case TraceEvent::Kind::kCall:
        encoder.call(event.thread, site_of(event.edge), callee_of(event.edge));
        break;
      case TraceEvent::Kind::kReturn:
        encoder.ret(event.thread);
        break;
      case TraceEvent::Kind::kUnwind:
        encoder.unwind(event.thread, event.frames);
        break;
      case TraceEvent::Kind::kEnd:
        encoder.end(event.thread);
        break;
      case TraceEvent::Kind::kToken:
        encoder.token(event.thread, tokens.emplace_back());
        break;
    }
  }
}

std::vector<std::uint8_t> saved(const EncoderInfo& scheme, const EncoderConfig& config,
                                const Encoder& encoder) {
  wire::StateWriter state;
  encoder.save_state(state);
  return state_file(scheme, config, state, {}).file();
}

Result<StateFile> load(std::vector<std::uint8_t> bytes) {
  return read_state_file(wire::bytes_in_memory("x.state", std::move(bytes)));
}

struct Case {
  std::string_view scheme;
  std::uint64_t max_codes;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.scheme << " with " << c.max_codes << " codes";
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const EncoderInfo& info : all_encoders()) {
    if (!info.decodes) continue;
    for (const std::uint64_t codes : {std::uint64_t{16}, std::uint64_t{1} << 62}) {
      all.push_back({info.name, codes});
    }
  }
  return all;
}

class SavedState : public testing::TestWithParam<Case> {
 protected:
  static EncoderConfig config_for(const RandomProgram& program) {
    EncoderConfig config;
    config.graph = program.graph.without([](MethodId method) { return raw(method) == 5; });
    config.max_codes = GetParam().max_codes;
    config.breadcrumbs.hot_threshold = 20;
    config.method_key = [](MethodId method) { return site_constant(raw(method)); };
    return config;
  }
};

TEST_P(SavedState, DecodesEveryTokenAsItsWriterDoes) {
  const EncoderInfo& scheme = *find_encoder(GetParam().scheme);
  ProgramShape shape;
  shape.threads = 2;
  shape.several_entries = true;
  std::uint64_t decoded = 0;
  for (std::uint64_t seed = 1; seed <= kSavedRuns * test::test_scale(); ++seed) {
    const RandomProgram program(seed, shape);
    const EncoderConfig config = config_for(program);
    const auto writer = make(scheme.name, config);
    std::vector<Token> tokens;
    feed(*writer, program.trace, tokens);

    const std::vector<std::uint8_t> bytes = saved(scheme, config, *writer);
    const Result<StateFile> file = load(bytes);
    ASSERT_TRUE(file.ok()) << "seed " << seed << ": " << file.message();
    EXPECT_EQ(file->scheme, &scheme);
    for (const Token& token : tokens) {
      const Result<CallPath> expected = writer->decode(token);
      const Result<CallPath> got = file->encoder->decode(token);
      ASSERT_EQ(got.ok(), expected.ok()) << "seed " << seed << ", token " << token.hex();
      if (!got.ok()) {
        EXPECT_EQ(got.message(), expected.message());
        continue;
      }
      ASSERT_EQ(to_string(*got), to_string(*expected)) << "seed " << seed;
      ++decoded;
    }
  }
  EXPECT_GT(decoded, kSavedRuns);
}

TEST_P(SavedState, GivesTheTrueContextWhereTheSchemeClaimsTo) {
  const EncoderInfo& scheme = *find_encoder(GetParam().scheme);
  if (!scheme.claims_precision()) GTEST_SKIP() << "does not claim precision";
  ProgramShape shape;
  shape.events = 400;
  shape.max_depth = 60;
  for (std::uint64_t seed = 1; seed <= kSavedRuns * test::test_scale(); ++seed) {
    const RandomProgram program(seed, shape);
    const EncoderConfig config = config_for(program);
    const auto writer = make(scheme.name, config);
    const auto oracle = make("walk", config);
    std::vector<Token> tokens, truths;
    feed(*writer, program.trace, tokens);
    feed(*oracle, program.trace, truths);
    const Result<StateFile> file = load(saved(scheme, config, *writer));
    ASSERT_TRUE(file.ok()) << "seed " << seed << ": " << file.message();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const CallPath truth = *oracle->decode(truths[i]);
      const Result<CallPath> got = file->encoder->decode(tokens[i]);
      ASSERT_TRUE(got.ok()) << "seed " << seed << ": " << got.message();
      ASSERT_EQ(to_string(*got), to_string(file->encoder->expected(truth))) << "seed " << seed;
    }
  }
}

// One byte changed is found by a checksum; the same with the checksum made to fit may pass, but
// must end in a message or a harmless encoder.
TEST_P(SavedState, SurvivesAnyByteChanged) {
  const EncoderInfo& scheme = *find_encoder(GetParam().scheme);
  ProgramShape shape;
  shape.events = 60;
  const RandomProgram program(3, shape);
  const EncoderConfig config = config_for(program);
  const auto writer = make(scheme.name, config);
  std::vector<Token> tokens;
  feed(*writer, program.trace, tokens);
  const std::vector<std::uint8_t> bytes = saved(scheme, config, *writer);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::vector<std::uint8_t> damaged = bytes;
    damaged[i] ^= static_cast<std::uint8_t>(1u << (i % 8));
    const Result<StateFile> file = load(damaged);
    ASSERT_FALSE(file.ok()) << "byte " << i;
    EXPECT_EQ(file.message().rfind("x.state: at byte ", 0), 0u) << file.message();
  }
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(load({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}).ok())
        << length << " bytes";
  }
}

INSTANTIATE_TEST_SUITE_P(, SavedState, testing::ValuesIn(cases()), [](const auto& instance) {
  std::string name(instance.param.scheme);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name + (instance.param.max_codes == 16 ? "_16_codes" : "_62_bits");
});

}  // namespace
}  // namespace copse::encoders
