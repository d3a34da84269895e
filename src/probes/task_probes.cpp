#include "probes/task_probes.h"

#include <algorithm>
#include <array>

#include "classfile/opcodes.h"
#include "probes/runtime_classes.h"

namespace copse::classfile {

// kResult: at each end, with the result. kWhole: at the entry; ends() at each end, by exceptions too.
enum class TaskProbes::Place : std::uint8_t {
  kEntry,
  kEnd,
  kWhole,
  kResult,
  kBeforeCall,
  kAfterCall
};

struct TaskProbes::Row {
  std::string_view class_name, method;
  Place place;
  std::string_view probe;
  std::int32_t argument = 0;     // local; -1: none
  std::string_view callee = {};  // of the last two places, which pass on its receiver or result
  bool is_bool = false;          // the result, which then stands before the argument
};

namespace {

using Place = TaskProbes::Place;
constexpr std::string_view kPool = "java/util/concurrent/ThreadPoolExecutor";
constexpr std::string_view kForkJoinPool = "java/util/concurrent/ForkJoinPool";
constexpr std::array<TaskProbes::Row, 24> kRows = {{
    {"java/util/concurrent/FutureTask", "<init>", Place::kEnd, "handsOver"},
    {"java/util/concurrent/FutureTask", "run", Place::kWhole, "begins"},
    {"java/util/concurrent/ForkJoinTask", "<init>", Place::kEnd, "handsOver"},
    {"java/util/concurrent/ForkJoinTask", "fork", Place::kEntry, "handsOverAgain"},
    {"java/util/concurrent/ForkJoinTask", "doExec", Place::kWhole, "begins"},
    {"java/util/concurrent/CompletableFuture$AsyncSupply", "run", Place::kWhole, "begins"},
    {"java/util/concurrent/CompletableFuture$AsyncRun", "run", Place::kWhole, "begins"},
    {"java/util/concurrent/CompletableFuture$Completion", "run", Place::kWhole, "begins"},
    {"java/util/concurrent/AbstractExecutorService", "submit", Place::kEntry, "handsOverAgain", 1},
    {"java/util/concurrent/ScheduledThreadPoolExecutor", "schedule", Place::kEntry,
     "handsOverAgain", 1},
    {kForkJoinPool, "execute", Place::kEntry, "handsOverAgain", 1},
    {kForkJoinPool, "submit", Place::kEntry, "handsOverAgain", 1},
    {kForkJoinPool, "invoke", Place::kEntry, "handsOverAgain", 1},
    {kPool, "execute", Place::kEntry, "takes", 1},
    {kPool, "execute", Place::kAfterCall, "takesRemoved", 1, "remove", true},
    {kPool, "reject", Place::kEntry, "rejects", 1},
    {kPool, "remove", Place::kResult, "removes", 1, "", true},
    {kPool, "shutdownNow", Place::kResult, "givesAllBack", -1},
    {kPool, "runWorker", Place::kBeforeCall, "beginsTaken", -1, "run"},
    {kPool, "getTask", Place::kEntry, "idles", -1},
    {kPool, "processWorkerExit", Place::kEntry, "idles", -1},
    {"java/util/concurrent/ThreadPoolExecutor$DiscardOldestPolicy", "rejectedExecution",
     Place::kAfterCall, "givesBack", -1, "poll"},
    {"java/util/concurrent/ThreadPoolExecutor$Worker", "<init>", Place::kEnd, "makes"},
    {"java/lang/BaseVirtualThread", "<init>", Place::kEnd, "handsOver"},
}};
static_assert(kRows.size() <= 32);

void call(CodeEmitter& code, std::string_view probe, std::int32_t argument) {
  if (argument >= 0) code.load_own(static_cast<std::uint32_t>(argument), 'L');
  code.invoke_static(kTasksClass, probe, argument < 0 ? "()V" : "(Ljava/lang/Object;)V");
}

// Calls the probe with the value on the stack, which stays there.
void call_with_value(CodeEmitter& code, const TaskProbes::Row& row) {
  code.op(opcode::kDup);
  if (row.argument >= 0) code.load_own(static_cast<std::uint32_t>(row.argument), 'L');
  code.invoke_static(kTasksClass, row.probe,
                     row.is_bool ? "(ZLjava/lang/Object;)V" : "(Ljava/lang/Object;)V");
}

}  // namespace

bool has_task_probes(std::string_view internal_name) noexcept {
  return std::ranges::find(kRows, internal_name, &TaskProbes::Row::class_name) != kRows.end();
}

bool TaskProbes::begin(const MethodView& method) {
  rows_ = {};
  callees_.clear();
  for (const CallSiteView& site : method.calls) callees_.emplace_back(site.name);
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    const Row& row = kRows[i];
    if (row.class_name != method.class_name) continue;
    class_name_ = row.class_name;
    if (row.method != method.name) continue;
    const bool is_at_call = row.place == Place::kBeforeCall || row.place == Place::kAfterCall;
    if (is_at_call && std::ranges::find(callees_, row.callee) == callees_.end()) continue;
    rows_ = {rows_.empty() ? &row : rows_.data(), &row + 1};
    found_ |= 1u << i;
  }
  return !rows_.empty();
}

void TaskProbes::entry(CodeEmitter& code) {
  for (const Row& row : rows_) {
    if (row.place == Place::kEntry || row.place == Place::kWhole) {
      call(code, row.probe, row.argument);
    }
  }
}

void TaskProbes::before_call(CodeEmitter& code, std::size_t call_index) {
  call_at(code, call_index, Place::kBeforeCall);
}

void TaskProbes::after_call(CodeEmitter& code, std::size_t call_index) {
  call_at(code, call_index, Place::kAfterCall);
}

void TaskProbes::call_at(CodeEmitter& code, std::size_t call_index, Place place) {
  for (const Row& row : rows_) {
    if (row.place == place && row.callee == callees_[call_index]) call_with_value(code, row);
  }
}

void TaskProbes::before_return(CodeEmitter& code) {
  for (const Row& row : rows_) {
    if (row.place == Place::kEnd) call(code, row.probe, row.argument);
    if (row.place == Place::kResult) call_with_value(code, row);
  }
  unwind(code);
}

void TaskProbes::unwind(CodeEmitter& code) {
  for (const Row& row : rows_) {
    if (row.place == Place::kWhole) call(code, "ends", -1);
  }
}

bool TaskProbes::complete() const noexcept {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].class_name == class_name_ && (found_ >> i & 1) == 0) return false;
  }
  return true;
}

}  // namespace copse::classfile
