#include "probes/task_probes.h"

#include <algorithm>
#include <array>

#include "classfile/opcodes.h"
#include "probes/runtime_classes.h"

namespace copse::classfile {

struct TaskProbes::Row {
  enum class Place : std::uint8_t { kEntry, kEnd, kWhole, kCallOfRun };
  std::string_view class_name, method;
  Place place;
  std::string_view probe;
  std::int32_t argument = 0;  // local; -1: none
};

namespace {

using Place = TaskProbes::Row::Place;
constexpr std::string_view kPool = "java/util/concurrent/ThreadPoolExecutor";
constexpr std::array<TaskProbes::Row, 14> kRows = {{
    {"java/util/concurrent/FutureTask", "<init>", Place::kEnd, "handsOver"},
    {"java/util/concurrent/FutureTask", "run", Place::kWhole, "begins"},
    {"java/util/concurrent/ForkJoinTask", "<init>", Place::kEnd, "handsOver"},
    {"java/util/concurrent/ForkJoinTask", "doExec", Place::kWhole, "begins"},
    {"java/util/concurrent/CompletableFuture$AsyncSupply", "run", Place::kWhole, "begins"},
    {"java/util/concurrent/CompletableFuture$AsyncRun", "run", Place::kWhole, "begins"},
    {"java/util/concurrent/CompletableFuture$Completion", "run", Place::kWhole, "begins"},
    {kPool, "execute", Place::kEntry, "takes", 1},
    {kPool, "reject", Place::kEntry, "rejects", 1},
    {kPool, "runWorker", Place::kCallOfRun, "beginsTaken"},
    {kPool, "getTask", Place::kEntry, "idles", -1},
    {kPool, "processWorkerExit", Place::kEntry, "idles", -1},
    {"java/util/concurrent/ThreadPoolExecutor$Worker", "<init>", Place::kEnd, "makes"},
    {"java/lang/BaseVirtualThread", "<init>", Place::kEnd, "handsOver"},
}};
static_assert(kRows.size() <= 32);

void call(CodeEmitter& code, std::string_view probe, std::int32_t argument) {
  if (argument >= 0) code.load_own(static_cast<std::uint32_t>(argument), 'L');
  code.invoke_static(kTasksClass, probe, argument < 0 ? "()V" : "(Ljava/lang/Object;)V");
}

}  // namespace

bool has_task_probes(std::string_view internal_name) noexcept {
  return std::ranges::find(kRows, internal_name, &TaskProbes::Row::class_name) != kRows.end();
}

bool TaskProbes::begin(const MethodView& method) {
  row_ = nullptr;
  runs_at_.reset();
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].class_name != method.class_name) continue;
    class_name_ = kRows[i].class_name;
    if (kRows[i].method != method.name) continue;
    if (kRows[i].place == Place::kCallOfRun) {
      for (std::size_t at = 0; at < method.calls.size(); ++at) {
        const CallSiteView& site = method.calls[at];
        if (site.owner == "java/lang/Runnable" && site.name == "run") runs_at_ = at;
      }
      if (!runs_at_) continue;
    }
    row_ = &kRows[i];
    found_ |= 1u << i;
  }
  return row_ != nullptr;
}

void TaskProbes::entry(CodeEmitter& code) {
  if (row_->place == Place::kEntry || row_->place == Place::kWhole) {
    call(code, row_->probe, row_->argument);
  }
}

void TaskProbes::before_call(CodeEmitter& code, std::size_t call_index) {
  if (runs_at_ != call_index) return;
  code.op(opcode::kDup);
  code.invoke_static(kTasksClass, row_->probe, "(Ljava/lang/Object;)V");
}

void TaskProbes::before_return(CodeEmitter& code) {
  if (row_->place == Place::kEnd) call(code, row_->probe, row_->argument);
  if (row_->place == Place::kWhole) call(code, "ends", -1);
}

void TaskProbes::unwind(CodeEmitter& code) {
  if (row_->place == Place::kWhole) call(code, "ends", -1);
}

bool TaskProbes::complete() const noexcept {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].class_name == class_name_ && (found_ >> i & 1) == 0) return false;
  }
  return true;
}

}  // namespace copse::classfile
