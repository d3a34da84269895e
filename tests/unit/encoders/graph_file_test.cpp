#include "encoders/graph_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "encoders/crc32.h"
#include "random_program.h"

namespace copse::encoders {
namespace {

std::vector<std::uint8_t> file_of(std::string_view scheme, const StateWriter& state,
                                  const EncoderConfig& config = {}) {
  return graph_file_bytes(*find_encoder(scheme), config, state, {});
}

std::string complaint(std::span<const std::uint8_t> bytes) {
  const Result<GraphFile> file = load_graph_file(bytes);
  return file.ok() ? "accepted" : file.message();
}

class GraphFileOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "copse_graph_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ + '/' + name; }

  std::string folder_;
};

TEST(Crc32, GivesTheCheckValueOfTheStandard) {
  const std::string_view text = "123456789";
  EXPECT_EQ(crc32({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}), 0xCBF43926u);
}

TEST_F(GraphFileOnDisk, IsReadBackAndIsPrivate) {
  const ExactCctEncoder encoder;
  ASSERT_TRUE(save_graph_file(path("a.graph"), *find_encoder("cct"), {}, encoder).ok());
  struct ::stat info {};
  ASSERT_EQ(::stat(path("a.graph").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
  const Result<GraphFile> file = read_graph_file(path("a.graph"));
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_TRUE(file->methods.empty());
}

TEST_F(GraphFileOnDisk, SaysWhyItCannotBeReadOrWritten) {
  EXPECT_EQ(read_graph_file(path("none")).message(),
            path("none") + ": cannot be read: No such file or directory");
  EXPECT_EQ(read_graph_file(folder_).message(), folder_ + ": cannot be read: Is a directory");
  const ExactCctEncoder encoder;
  EXPECT_EQ(save_graph_file(folder_, *find_encoder("cct"), {}, encoder).message(),
            folder_ + ": Is a directory");
}

TEST_F(GraphFileOnDisk, OfAHashIsRefused) {
  const Pcc32Encoder encoder;
  EXPECT_EQ(save_graph_file(path("a.graph"), *find_encoder("pcc32"), {}, encoder).message(),
            "pcc32: a hash, which no file can decode");
}

// /dev/zero never ends.
TEST_F(GraphFileOnDisk, ThatIsForeignIsNotReadToItsEnd) {
  EXPECT_EQ(read_graph_file("/dev/zero").message(),
            "/dev/zero: at byte 0: not a file of copse.graph/1");
}

TEST(GraphFileLoader, NamesTheByteThatIsWrong) {
  EXPECT_EQ(complaint({}), "at byte 0: not a file of copse.graph/1");
  StateWriter state;
  ExactCctEncoder().save_state(state);
  std::vector<std::uint8_t> bytes = file_of("cct", state);
  EXPECT_EQ(complaint(bytes), "accepted");
  EXPECT_EQ(complaint({bytes.data(), bytes.size() - 1}),
            "at byte " + std::to_string(bytes.size() - 16) + ": the file ends within this section");
  bytes.push_back(0);
  EXPECT_EQ(complaint(bytes),
            "at byte " + std::to_string(bytes.size() - 1) + ": bytes behind the last section");
  bytes.pop_back();
  bytes[30] ^= 1;
  EXPECT_EQ(complaint(bytes), "at byte 14: this section's checksum does not fit its content");
}

TEST(GraphFileLoader, RefusesStateThatIsShortLongOrOutOfRange) {
  const auto says = [](const std::string& message, const char* why) {
    return message.find(why) != std::string::npos;
  };
  StateWriter longer;
  ExactCctEncoder().save_state(longer);
  longer.byte(0);
  EXPECT_TRUE(says(complaint(file_of("cct", longer)), "bytes are left over in this section"));

  StateWriter too_many;
  too_many.number(std::uint64_t{1} << 40);
  EXPECT_TRUE(says(complaint(file_of("cct", too_many)), "items is missing"));

  StateWriter own_parent;
  own_parent.number(1);
  own_parent.number(0);
  own_parent.edge(entry_edge(MethodId{1}));
  EXPECT_TRUE(says(complaint(file_of("cct", own_parent)), "a node is its own parent"));

  StateWriter late_parent;
  late_parent.number(1);
  late_parent.number(2);
  late_parent.edge(entry_edge(MethodId{1}));
  EXPECT_TRUE(says(complaint(file_of("cct", late_parent)), "parent 2 is out of range"));
}

TEST(GraphFileLoader, RefusesAStaticSchemeWithoutItsGraph) {
  EncoderInfo without_graph = *find_encoder("pcce");
  without_graph.needs_graph = false;
  const auto bytes = graph_file_bytes(without_graph, {}, StateWriter(), {});
  EXPECT_NE(complaint(bytes).find("a section is missing before this"), std::string::npos);
}

// Code 1 of method 1 comes from method 2, and the other way round.
TEST(GraphFileLoader, SegmentsThatFormACycleEndInAnError) {
  StateWriter state;
  state.number(2);
  state.edge(edge_key({MethodId{2}, SiteOrdinal{1}}, MethodId{1}));
  state.edge(edge_key({MethodId{1}, SiteOrdinal{1}}, MethodId{2}));
  state.number(3);
  state.number(0);  // ROOT has no ranges
  for (const std::uint64_t edge : {0, 1}) {
    for (const std::uint64_t number :
         {std::uint64_t{1}, edge, std::uint64_t{1}, std::uint64_t{1}}) {
      state.number(number);  // one range: edge, first code of the caller, length
    }
  }
  state.number(1);  // one epoch
  state.number(0);  // without pieces
  const Result<GraphFile> file = load_graph_file(file_of("segment", state));
  ASSERT_TRUE(file.ok()) << file.message();
  Token token;
  token.put(context_id(1, MethodId{1}), 8);
  EXPECT_EQ(file->encoder->decode(token).message(), "segment token: the path does not end");
}

TEST(StateIo, NumbersOfEverySizeComeBack) {
  std::vector<std::uint64_t> values = {0, ~std::uint64_t{0}};
  for (int shift = 0; shift < 64; ++shift) {
    values.push_back(std::uint64_t{1} << shift);
    values.push_back((std::uint64_t{1} << shift) - 1);
  }
  StateWriter out;
  for (const std::uint64_t value : values) out.number(value);
  StateReader in(out.bytes(), 0);
  for (const std::uint64_t value : values) EXPECT_EQ(in.number(), value);
  EXPECT_TRUE(in.ok() && in.at_end());
}

TEST(StateIo, ANumberOfMoreThan64BitsIsAnError) {
  for (const std::uint8_t last : {std::uint8_t{0x02}, std::uint8_t{0x80}}) {
    std::vector<std::uint8_t> bytes(9, 0x80);
    bytes.push_back(last);
    StateReader in(bytes, 100);
    in.number();
    EXPECT_EQ(in.status().message(), "at byte 100: a number takes more than 64 bits");
  }
}

TEST(StateIo, TheFirstFailureIsKept) {
  const std::vector<std::uint8_t> bytes = {5, 9};
  StateReader in(bytes, 0);
  in.number();
  in.number_below(9, "index");
  in.number();
  in.edge();
  EXPECT_EQ(in.status().message(), "at byte 1: index 9 is out of range");
}

TEST(CallGraphState, ComesBackInTheSameOrderWithMethodsThatHaveNoEdge) {
  const RandomProgram program(7, {});
  const CallGraph graph = program.graph.without([](MethodId m) { return raw(m) % 2 == 0; });
  StateWriter out;
  graph.save(out);
  StateReader in(out.bytes(), 0);
  CallGraph again;
  again.load(in);
  ASSERT_TRUE(in.ok() && in.at_end()) << in.status().message();
  ASSERT_EQ(again.edges().size(), graph.edges().size());
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    EXPECT_EQ(again.edges()[e].key, graph.edges()[e].key);
    EXPECT_EQ(again.edges()[e].calls, graph.edges()[e].calls);
  }
  for (std::uint32_t m = 0; m < graph.method_limit() + 8; ++m) {
    EXPECT_EQ(again.contains(MethodId{m}), graph.contains(MethodId{m})) << m;
  }
}

}  // namespace
}  // namespace copse::encoders
