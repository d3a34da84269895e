// Probes of the JDK's executors, which tell java.lang.CopseTasks when a task is handed over and when it runs:
//
//   FutureTask, ForkJoinTask        at the end of the constructor: handsOver(this)
//   their run() and doExec(), and   at the entry: begins(this); at each end, in unwind, too: ends()
//   run() of CompletableFuture's
//   fork(); execute(), submit(),    at the entry: handsOverAgain(task)
//   invoke() and schedule() of
//   executors
//   ThreadPoolExecutor              execute(): takes(task); reject(): rejects(task)
//                                   remove(): removes(result, task); execute(), behind its call of that:
//                                   takesRemoved(result, task), since reject() follows
//                                   shutdownNow(): givesAllBack(list)
//                                   runWorker(): beginsTaken(task), directly before task.run()
//                                   getTask(), processWorkerExit(): idles()
//   its DiscardOldestPolicy         behind the call of poll(): givesBack(task)
//   its Worker                      at the end of the constructor: makes(this)
//   BaseVirtualThread               at the end of the constructor: handsOver(this)
//
// Tasks of other executors are followed if they are one of the first two.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/probe_set.h"

namespace copse::classfile {

// Returns whether a class of the boot loader gets such probes.
bool has_task_probes(std::string_view internal_name) noexcept;

class TaskProbes final : public ProbeSet {
 public:
  bool begin(const MethodView& method) override;
  std::span<const LocalKind> locals() const override { return {}; }
  void entry(CodeEmitter& code) override;
  void before_call(CodeEmitter& code, std::size_t call_index) override;
  void after_call(CodeEmitter& code, std::size_t call_index) override;
  void before_return(CodeEmitter& code) override;
  bool follows_another() const override { return true; }
  void handler_start(CodeEmitter&) override {}
  void unwind(CodeEmitter& code) override;

  // Returns whether the class had a place for each of its probes. One without is of a JDK that these probes do not know.
  bool complete() const noexcept;

  enum class Place : std::uint8_t;
  struct Row;

 private:
  void call_at(CodeEmitter& code, std::size_t call_index, Place place);

  std::span<const Row> rows_;         // of the method begun last
  std::vector<std::string> callees_;  // of its calls
  std::uint32_t found_ = 0;           // bit by row
  std::string_view class_name_;       // in the table
};

}  // namespace copse::classfile
