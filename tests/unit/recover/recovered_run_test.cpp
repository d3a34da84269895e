#include "recover/recovered_run.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cct/inplace/inline_trees.h"
#include "recover/kept_run_writer.h"
#include "support/call_streams.h"
#include "support/expect_fault.h"
#include "support/inline_probe.h"

namespace copse::recover {
namespace {

using test::call;
using test::CallStream;
using test::InlineProbe;

class RecoveredRunTest : public testing::Test {
 protected:
  RecoveredRunTest() {
    std::string folder = testing::TempDir() + "/copse-run-XXXXXX";
    folder_ = mkdtemp(folder.data());
    files_ = agent::KeptRunFiles::of_process(folder_, 17);
  }
  ~RecoveredRunTest() override { std::filesystem::remove_all(folder_); }

  // A run of three calls whose agent was given `options`, and that was killed.
  void leave_a_run(const std::string& options) {
    const pid_t child = fork();
    if (child == 0) {
      run_with(options);
      _exit(1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  }

  std::string folder_;
  agent::KeptRunFiles files_;

 private:
  void run_with(const std::string& options) {
    trace::ProgramInfo program;
    program.command = {"Main"};
    agent::KeptRunInfo{"/r/report.json", "Main", options, 0}.add_to(program.options);
    const auto run = KeptRunWriter::create(files_, program,
                                           {[] { return std::vector<trace::NameRow>(); },
                                            [] { return std::vector<trace::SkippedInfo>(); }});
    if (!run.ok()) return;
    cct::InlineTrees trees(
        std::uint64_t{1} << 30, [](MethodId) { return 8u; }, (*run)->memory());
    InlineProbe(trees, trees.attach(1, "main"))
        .run(CallStream{call(0, 0, 1), call(1, 2, 2), call(1, 2, 2)});
    raise(SIGKILL);  // before the trees come to an end of their own
  }
};

TEST_F(RecoveredRunTest, IsTheReportOfTheCallsThatWereCounted) {
  leave_a_run("quiet");
  const Result<RecoveredRun> run = recover_run(files_, std::nullopt);
  ASSERT_TRUE(run.ok()) << run.message();
  EXPECT_EQ(run->report.totals.calls_seen, 3u);
  EXPECT_EQ(run->report.totals.calls_lost, 0u);
  EXPECT_EQ(run->output, "/r/report.json");
}

// Which calls a tree has depends on them, so that nothing is guessed.
TEST_F(RecoveredRunTest, KnowsHowManyContextsItsReportWasToHave) {
  leave_a_run("max-contexts=7");
  const Result<RecoveredRun> run = recover_run(files_, std::nullopt);
  ASSERT_TRUE(run.ok()) << run.message();
  EXPECT_EQ(run->max_contexts, 7u);
}

TEST_F(RecoveredRunTest, IsRefusedWhenItsOptionsAreNoneOfThisCopse) {
  leave_a_run("colour=blue");
  EXPECT_FAULT(recover_run(files_, std::nullopt), kMalformed, files_.names, "colour");
}

}  // namespace
}  // namespace copse::recover
