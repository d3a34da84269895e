#include "cli/profile/running_jvms.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/profile/attach_protocol.h"
#include "support/expect_fault.h"

namespace copse::cli {
namespace {

using namespace std::string_literals;

std::string bytes_of(std::uint32_t number) {
  std::string bytes(sizeof number, '\0');
  __builtin_memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

// A file of counters with texts by name, as HotSpot writes it.
std::string counters(const std::vector<std::pair<std::string, std::string>>& texts) {
  constexpr std::uint32_t kEntryHead = 20, kPrologue = 32;
  std::string file = "\xca\xfe\xc0\xc0\x01\x02\x00\x01"s + std::string(16, '\0') +
                     bytes_of(kPrologue) + bytes_of(static_cast<std::uint32_t>(texts.size()));
  for (const auto& [name, value] : texts) {
    const auto value_at = static_cast<std::uint32_t>(kEntryHead + name.size() + 1);
    const auto length = static_cast<std::uint32_t>(value_at + value.size() + 1);
    file += bytes_of(length) + bytes_of(kEntryHead) + bytes_of(0) + "B\0\0\1"s +
            bytes_of(value_at) + name + '\0' + value + '\0';
  }
  return file;
}

constexpr std::string_view kCommand = "sun.rt.javaCommand";

TEST(TextOfCounter, IsAmongTheCounters) {
  EXPECT_EQ(
      text_of_counter(
          counters({{"sun.rt.javaHome", "/jdk"}, {"sun.rt.javaCommand", "shop.Main 7"}}), kCommand),
      "shop.Main 7");
  EXPECT_EQ(text_of_counter(counters({{"sun.rt.javaHome", "/jdk"}}), kCommand), "");
}

TEST(TextOfCounter, IsNowhereInBytesThatAreNoCountersOrEndEarly) {
  const std::string whole = counters({{"sun.rt.javaHome", "/jdk"}, {"sun.rt.javaCommand", "Main"}});
  const std::size_t value = whole.rfind("Main");
  for (std::size_t length = 0; length < value; ++length) {
    EXPECT_EQ(text_of_counter(std::string_view(whole).substr(0, length), kCommand), "") << length;
  }
  std::string other_order = whole;
  other_order[4] = 0;
  EXPECT_EQ(text_of_counter(other_order, kCommand), "");
  std::string no_length = whole;
  no_length.replace(32, 4, 4, '\0');
  EXPECT_EQ(text_of_counter(no_length, kCommand), "") << "must not stay at the same entry for ever";
}

TEST(FindJvm, DoesNotFindAProcessThatDoesNotExist) {
  EXPECT_FAULT(find_jvm(std::numeric_limits<pid_t>::max()), kNotFound, "2147483647");
}

const std::vector<RunningJvm> kTwo = {{.pid = 41, .program = "shop.Main"},
                                      {.pid = 42, .program = "indexer"}};

TEST(PidOf, IsThatOfTheOnlyJvmThatRunsAProgramOfTheName) {
  for (const std::string_view name : {"shop.Main", "Main"}) {
    const Result<std::int64_t> pid = pid_of(name, kTwo);
    ASSERT_TRUE(pid.ok()) << pid.message();
    EXPECT_EQ(*pid, 41);
  }
  EXPECT_EQ(*pid_of("indexer", kTwo), 42);
}

TEST(PidOf, OfANameThatNoneOrSeveralHaveIsAnErrorThatNamesThem) {
  EXPECT_FAULT(pid_of("zzz", kTwo), kNotFound, "zzz: ", "41 (shop.Main), 42 (indexer)");
  EXPECT_FAULT(pid_of("i", kTwo), kNotFound, "41 (shop.Main), 42 (indexer)");
  EXPECT_FAULT(pid_of("Main", {}), kNotFound, "Main: ");
  std::vector<RunningJvm> three = kTwo;
  three.push_back({.pid = 43, .program = "bank.Main"});
  EXPECT_FAULT(pid_of("Main", three), kNotFound, "41 (shop.Main), 43 (bank.Main)");
  EXPECT_EQ(*pid_of("bank.Main", three), 43);
}

TEST(PidOf, APartOfTheNameIsEnoughUnlessAProgramHasItAsItsName) {
  EXPECT_EQ(*pid_of("INDEX", kTwo), 42);
  EXPECT_EQ(*pid_of("shop.m", kTwo), 41);
  const std::vector<RunningJvm> two = {{.pid = 1, .program = "shop.Main"},
                                       {.pid = 2, .program = "shop.MainTest"}};
  EXPECT_EQ(*pid_of("Main", two), 1);
}

TEST(PidOf, AProcessIdIsTakenAsItIs) { EXPECT_EQ(*pid_of("4711"), 4711); }

TEST(TableOfJvms, HasALineForEach) {
  using std::chrono::seconds;
  EXPECT_EQ(
      table_of({{41, "shop.Main", seconds(7), false}, {4711, "indexer", seconds(93'784), true}}),
      "   process   running for  program\n"
      "        41           7 s  shop.Main\n"
      "      4711       1 d 2 h  indexer  (has Copse)\n");
  EXPECT_EQ(table_of({}), "no JVM of yours runs here that can be attached to\n");
}

}  // namespace
}  // namespace copse::cli
