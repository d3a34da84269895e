#include "agent/program_name.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace copse::agent {
namespace {

TEST(ProgramName, IsTheMainClassOrTheJar) {
  EXPECT_EQ(program_name("com.acme.Main --verbose a/b.jar", "/w/shop"), "com.acme.Main");
  EXPECT_EQ(program_name("com.acme.Outer$Main", "/w/shop"), "com.acme.Outer$Main");
  EXPECT_EQ(program_name("com.acme/com.acme.Main x", "/w/shop"), "com.acme.Main");
  EXPECT_EQ(program_name("/opt/it/some-tool_1.2.jar run", "/w/shop"), "some-tool_1.2");
  EXPECT_EQ(program_name("some.jar", "/w/shop"), "some");
  EXPECT_EQ(program_name("/opt/some.war", "/w/shop"), "some.war");
}

TEST(ProgramName, StandsInAFilesName) {
  EXPECT_EQ(program_name("a:b*c?.jar", "/w/shop"), "a_b_c_");
  EXPECT_EQ(program_name("pkg.Größe", "/w/shop"), "pkg.Gr__e");
  EXPECT_EQ(program_name("\xff\xfe", "/w/shop"), "__");
  EXPECT_EQ(program_name(std::string(200, 'x'), "/w/shop"), std::string(80, 'x'));
}

TEST(ProgramName, OfTestsThatABuildToolStartedIsTheProjects) {
  const std::string surefire =
      "/w/shop/target/surefire/surefirebooter20251126093035123_3.jar /w/shop/target/surefire "
      "2025-11-26T09-30-34_998-jvmRun";
  EXPECT_EQ(program_name(surefire + "1 surefire1_tmp", "/w/shop"), "surefire-shop");
  EXPECT_EQ(program_name(surefire + "2 surefire1_tmp", "/w/my shop"), "surefire-my_shop-2");
  EXPECT_EQ(program_name("surefirebooter5.jar", ""), "surefire");
  EXPECT_EQ(
      program_name(
          "worker.org.gradle.process.internal.worker.GradleWorkerMain 'Gradle Test Executor 7'",
          "/w/shop"),
      "gradle-test-shop");
}

TEST(ProgramName, IsJvmWhereNothingIsKnown) {
  EXPECT_EQ(program_name("", "/w/shop"), "jvm");
  EXPECT_EQ(program_name(" x", "/w/shop"), "jvm");
  EXPECT_EQ(program_name("/opt/.jar", "/w/shop"), "jvm");
}

TEST(ProgramName, BlanksMayStandInTheJarsPath) {
  const std::string folder = testing::TempDir() + "/copse name " + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const std::string jar = folder + "/my tool.jar";
  std::ofstream(jar).close();
  EXPECT_EQ(program_name(jar, "/w/shop"), "my_tool");
  EXPECT_EQ(program_name(jar + " and other.jar", "/w/shop"), "my_tool");
  EXPECT_EQ(program_name(folder + "/absent tool.jar", "/w/shop"), "copse");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace copse::agent
