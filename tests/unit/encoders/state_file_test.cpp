#include "encoders/replay/state_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "base/wire/block_writer.h"
#include "support/expect_fault.h"

namespace copse::encoders {
namespace {

std::vector<std::uint8_t> file_of(std::string_view scheme, const wire::StateWriter& state,
                                  const EncoderConfig& config = {}) {
  return state_file(*find_encoder(scheme), config, state, {}).file();
}

Result<StateFile> load(std::vector<std::uint8_t> bytes) {
  return read_state_file(wire::bytes_in_memory("x.state", std::move(bytes)));
}

class StateFileOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "copse_state_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ + '/' + name; }

  std::string folder_;
};

TEST_F(StateFileOnDisk, IsReadBackAndIsPrivate) {
  const ExactCctEncoder encoder;
  ASSERT_TRUE(save_state_file(path("a.state"), *find_encoder("cct"), {}, encoder).ok());
  struct ::stat info {};
  ASSERT_EQ(::stat(path("a.state").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
  const Result<StateFile> file = read_state_file(path("a.state"));
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_TRUE(file->methods.empty());
}

TEST_F(StateFileOnDisk, SaysWhyItCannotBeReadOrWritten) {
  EXPECT_FAULT(read_state_file(path("none")), kSystem, path("none") + ": No such file");
  EXPECT_FAULT(read_state_file(folder_), kSystem, folder_ + ": Is a directory");
  const ExactCctEncoder encoder;
  EXPECT_FAULT(save_state_file(folder_, *find_encoder("cct"), {}, encoder), kSystem,
               folder_ + ": Is a directory");
}

TEST_F(StateFileOnDisk, OfAHashIsRefused) {
  const Pcc32Encoder encoder;
  EXPECT_FAULT(save_state_file(path("a.state"), *find_encoder("pcc32"), {}, encoder), kUnsupported,
               "pcc32");
}

// /dev/zero never ends.
TEST_F(StateFileOnDisk, ThatIsForeignIsNotReadToItsEnd) {
  EXPECT_FAULT(read_state_file("/dev/zero"), kMalformed, "/dev/zero: at byte 0: ");
}

TEST(StateFileLoader, NamesTheByteThatIsWrong) {
  EXPECT_FAULT(load({}), kMalformed, "x.state: at byte 0: ");
  wire::StateWriter state;
  ExactCctEncoder().save_state(state);
  std::vector<std::uint8_t> bytes = file_of("cct", state);
  EXPECT_TRUE(load(bytes).ok());
  const std::string end = std::to_string(bytes.size());
  const std::string last = std::to_string(bytes.size() - wire::kBlockHeaderBytes);
  EXPECT_FAULT(load({bytes.begin(), bytes.end() - 1}), kMalformed,
               "x.state: at byte " + last + ": ");
  EXPECT_FAULT(load({bytes.begin(), bytes.end() - wire::kBlockHeaderBytes}), kMalformed,
               "x.state: at byte " + last + ": ");
  std::vector<std::uint8_t> longer = bytes;
  wire::append_block(longer, 1, {});
  EXPECT_FAULT(load(longer), kMalformed, "x.state: at byte " + end + ": ");
  bytes[30] ^= 1;
  EXPECT_FAULT(load(bytes), kMalformed, "x.state: at byte 16: ");
}

TEST(StateFileLoader, SaysWhichVersionItReads) {
  std::vector<std::uint8_t> bytes = file_of("cct", wire::StateWriter());
  bytes[12] = '9';
  EXPECT_FAULT(load(bytes), kMalformed, "x.state: at byte 0: ", "copse.state/1");
}

TEST(StateFileLoader, RefusesStateThatIsShortLongOrOutOfRange) {
  wire::StateWriter longer;
  ExactCctEncoder().save_state(longer);
  longer.byte(0);
  EXPECT_FAULT(load(file_of("cct", longer)), kMalformed, "left over");

  wire::StateWriter too_many;
  too_many.number(std::uint64_t{1} << 40);
  EXPECT_FAULT(load(file_of("cct", too_many)), kMalformed, "items");

  wire::StateWriter own_parent;
  own_parent.number(1);
  own_parent.number(0);
  own_parent.edge(entry_edge(MethodId{1}));
  EXPECT_FAULT(load(file_of("cct", own_parent)), kMalformed, "parent");

  wire::StateWriter late_parent;
  late_parent.number(1);
  late_parent.number(2);
  late_parent.edge(entry_edge(MethodId{1}));
  EXPECT_FAULT(load(file_of("cct", late_parent)), kMalformed, "parent 2 ");
}

TEST(StateFileLoader, RefusesAStaticSchemeWithoutItsGraph) {
  EncoderInfo without_graph = *find_encoder("pcce");
  without_graph.needs_graph = false;
  const auto bytes = state_file(without_graph, {}, wire::StateWriter(), {}).file();
  EXPECT_FAULT(load(bytes), kMalformed, "missing");
}

// Code 1 of method 1 comes from method 2, and the other way round.
TEST(StateFileLoader, SegmentsThatFormACycleEndInAnError) {
  wire::StateWriter state;
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
  const Result<StateFile> file = load(file_of("segment", state));
  ASSERT_TRUE(file.ok()) << file.message();
  Token token;
  token.put(context_id(1, MethodId{1}), 8);
  EXPECT_FAULT(file->encoder->decode(token), kMalformed, "segment");
}

}  // namespace
}  // namespace copse::encoders
