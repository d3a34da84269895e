#include "agent/program_name.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace copse::agent {
namespace {

TEST(ProgramName, IsTheMainClassOrTheJar) {
  EXPECT_EQ(program_name("com.acme.Main --verbose a/b.jar"), "com.acme.Main");
  EXPECT_EQ(program_name("com.acme.Outer$Main"), "com.acme.Outer$Main");
  EXPECT_EQ(program_name("com.acme/com.acme.Main x"), "com.acme.Main");
  EXPECT_EQ(program_name("/opt/it/some-tool_1.2.jar run"), "some-tool_1.2");
  EXPECT_EQ(program_name("some.jar"), "some");
  EXPECT_EQ(program_name("/opt/some.war"), "some.war");
}

TEST(ProgramName, StandsInAFilesName) {
  EXPECT_EQ(program_name("a:b*c?.jar"), "a_b_c_");
  EXPECT_EQ(program_name("pkg.Größe"), "pkg.Gr__e");
  EXPECT_EQ(program_name("\xff\xfe"), "__");
  EXPECT_EQ(program_name(std::string(200, 'x')), std::string(80, 'x'));
}

TEST(ProgramName, IsJvmWhereNothingIsKnown) {
  EXPECT_EQ(program_name(""), "jvm");
  EXPECT_EQ(program_name(" x"), "jvm");
  EXPECT_EQ(program_name("/opt/.jar"), "jvm");
}

TEST(ProgramName, BlanksMayStandInTheJarsPath) {
  const std::string folder = testing::TempDir() + "/copse name " + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const std::string jar = folder + "/my tool.jar";
  std::ofstream(jar).close();
  EXPECT_EQ(program_name(jar), "my_tool");
  EXPECT_EQ(program_name(jar + " and other.jar"), "my_tool");
  EXPECT_EQ(program_name(folder + "/absent tool.jar"), "copse");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace copse::agent
