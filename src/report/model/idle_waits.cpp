#include "report/model/idle_waits.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/glob.h"
#include "report/model/display_names.h"
#include "report/model/event_objects.h"
#include "report/model/per_call.h"
#include "report/model/quantity.h"
#include "report/model/row.h"
#include "report/model/typed_name.h"

namespace copse::report {
namespace {

constexpr std::array<std::string_view, 37> kWaitsForWork = {
    // JDK
    "java.util.concurrent.ThreadPoolExecutor.getTask",
    "java.util.concurrent.ForkJoinPool.awaitWork", "java.util.concurrent.ForkJoinPool.deactivate",
    "java.util.TimerThread.mainLoop", "java.lang.ref.ReferenceQueue.remove*",
    "java.lang.ref.Reference.waitForReferencePendingList",
    "java.lang.ref.Reference.processPendingReferences", "java.lang.ref.NativeReferenceQueue.*",
    "java.lang.ref.Finalizer$FinalizerThread.run", "jdk.internal.ref.CleanerImpl.run",
    "sun.nio.ch.*Selector*.doSelect", "sun.nio.ch.EPollPort.poll", "java.net.ServerSocket.accept",
    "java.net.ServerSocket.implAccept", "java.net.*SocketImpl.accept",
    "sun.nio.ch.ServerSocketChannelImpl.accept", "sun.nio.ch.ServerSocketChannelImpl.implAccept",
    "sun.nio.ch.ServerSocketAdaptor.accept", "sun.nio.ch.NioSocketImpl.accept",
    "sun.nio.ch.Net.accept", "java.util.concurrent.Executors$*.take",
    // Servers and libraries
    "org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask",
    "org.apache.tomcat.util.threads.TaskQueue.*",
    "org.apache.tomcat.util.net.NioEndpoint$Poller.run", "org.apache.tomcat.util.net.Acceptor.run",
    "org.apache.tomcat.util.net.*Endpoint.serverSocketAccept",
    "org.apache.catalina.core.StandardServer.await",
    "org.eclipse.jetty.util.thread.QueuedThreadPool*.idleJobPoll",
    "org.eclipse.jetty.util.BlockingArrayQueue.*",
    "org.eclipse.jetty.io.ManagedSelector$SelectorProducer.select",
    "org.eclipse.jetty.server.ServerConnector.accept", "io.netty.channel.nio.NioEventLoop.select",
    "io.netty.channel.epoll.EpollEventLoop.epollWait*",
    "io.netty.util.concurrent.*EventExecutor.takeTask",
    "io.netty.util.HashedWheelTimer$Worker.waitForNextTick",
    "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.*park",
    "org.xnio.nio.WorkerThread.run"};

constexpr std::array<std::string_view, 7> kQueues = {
    "java.util.concurrent.*Queue.take",     "java.util.concurrent.*Queue.poll",
    "java.util.concurrent.*Deque.take",     "java.util.concurrent.*Deque.takeFirst",
    "java.util.concurrent.*Deque.takeLast", "java.util.concurrent.*Deque.poll*",
    "sun.nio.fs.AbstractWatchService.*"};

// Part of a method in idle contexts.
enum class WaitForWork : std::uint8_t {
  kNo,
  kBegins,
  kTakes,   // where it is called by the thread's only method of the program, and as kGoesOn
  kGoesOn,  // a method of the JDK: where a method that called it is idle
  kEvent,   // where its caller is idle
  kOutside,  // a thread in no recorded method, or a row of threads; of what it calls only events are idle
};

constexpr std::string_view kWallTime = "wall_ns";
constexpr std::array<std::string_view, 2> kBusyStates = {"runnable_ns", "blocked_ns"};
constexpr std::array<std::string_view, 4> kWaitingStates = {"native_ns", "waiting_ns", "parked_ns",
                                                            "sleeping_ns"};

// Returns true for rows that stand for a thread in no recorded method, or for threads (--by-thread).
bool is_outside(const ReportModel::Methods& methods, std::size_t row) {
  const std::string_view name = methods.name[row];
  if (!methods.class_name[row].empty() || !methods.descriptor[row].empty()) return false;
  return name == kNoRecordedCaller || (name.starts_with('[') && name.ends_with(']'));
}

bool is_of_jdk(const ReportModel::Methods& methods, std::size_t row) {
  const std::string& loader = methods.loader[row];
  return loader == "boot" || loader == "platform";
}

// By row of `methods`.
std::vector<WaitForWork> waits_for_work(const ReportModel::Methods& methods,
                                        const std::vector<std::string>& names) {
  std::vector<WaitForWork> waits(methods.name.size(), WaitForWork::kNo);
  std::vector<bool> begins(waits.size());
  for (const std::string& name : names) {
    const std::vector<bool> named = TypedName(name).rows(methods);
    std::transform(named.begin(), named.end(), begins.begin(), begins.begin(), std::logical_or<>());
  }
  for (std::size_t row = 0; row < waits.size(); ++row) {
    const WaitsFor known = waits_for(methods.class_name[row], methods.name[row]);
    if (begins[row] || known == WaitsFor::kWork) {
      waits[row] = WaitForWork::kBegins;
    } else if (known == WaitsFor::kQueue) {
      waits[row] = WaitForWork::kTakes;
    } else if (is_outside(methods, row)) {
      waits[row] = WaitForWork::kOutside;
    } else if (event_object_of(methods, row).has_value()) {
      waits[row] = WaitForWork::kEvent;
    } else if (is_of_jdk(methods, row)) {
      waits[row] = WaitForWork::kGoesOn;
    }
  }
  return waits;
}

std::vector<bool> idle_contexts(const ReportModel& model, const std::vector<std::string>& names) {
  const std::vector<WaitForWork> waits = waits_for_work(model.methods, names);
  std::vector<bool> is_idle(model.nodes.parent.size());
  // By row: methods of the program on the path; the row's own is one.
  std::vector<std::uint32_t> depth(is_idle.size());
  const auto is_of_program = [&](std::size_t row) {
    return row != 0 && waits[at(model.nodes.method[row])] == WaitForWork::kNo;
  };
  const auto is_outside_at = [&](std::size_t row) {
    return row != 0 && waits[at(model.nodes.method[row])] == WaitForWork::kOutside;
  };
  for (std::size_t row = 1; row < is_idle.size(); ++row) {
    const std::size_t parent = at(model.nodes.parent[row]);
    depth[row] = depth[parent] + (is_of_program(row) ? 1 : 0);
    switch (waits[at(model.nodes.method[row])]) {
      case WaitForWork::kNo:
        break;
      case WaitForWork::kBegins:
      case WaitForWork::kOutside:
        is_idle[row] = true;
        break;
      case WaitForWork::kTakes:
        is_idle[row] = (is_of_program(parent) && depth[parent] == 1) ||
                       (is_idle[parent] && !is_outside_at(parent));
        break;
      case WaitForWork::kGoesOn:
        is_idle[row] = is_idle[parent] && !is_outside_at(parent);
        break;
      case WaitForWork::kEvent:
        is_idle[row] = is_idle[parent];
        break;
    }
  }
  return is_idle;
}

// Returns true for that time, or for the number of its samples.
bool is_of_time(std::string_view measure, std::string_view time) {
  return measure == time || measure == samples_of(time);
}

bool is_of_waiting_state(std::string_view measure) {
  return std::ranges::any_of(kWaitingStates,
                             [&](std::string_view time) { return is_of_time(measure, time); });
}

// Returns the times in which a thread was busy, or their samples, of a view of wall-clock time or of its samples.
std::vector<const ReportModel::Measure*> busy_times(const ReportModel& model,
                                                    const std::string& view) {
  const bool is_samples = view == samples_of(view);
  std::vector<const ReportModel::Measure*> times;
  for (const std::string_view name : kBusyStates) {
    const auto* measure = model.find_measure(is_samples ? samples_of(name) : std::string(name));
    if (measure != nullptr) times.push_back(measure);
  }
  return times;
}

}  // namespace

WaitsFor waits_for(std::string_view class_name, std::string_view method) {
  static const GlobList work({kWaitsForWork.begin(), kWaitsForWork.end()});
  static const GlobList queues({kQueues.begin(), kQueues.end()});
  if (work.name_method(class_name, method)) return WaitsFor::kWork;
  return queues.name_method(class_name, method) ? WaitsFor::kQueue : WaitsFor::kNothing;
}

IdleWaits idle_waits(const ReportModel& model) {
  IdleWaits waits{{},
                  kWallTime,
                  {kWaitingStates.begin(), kWaitingStates.end()},
                  {kBusyStates.begin(), kBusyStates.end()}};
  const bool may_wait =
      std::ranges::any_of(model.measures, [](const ReportModel::Measure& measure) {
        return measure.name == kWallTime ||
               std::ranges::find(kWaitingStates, measure.name) != kWaitingStates.end();
      });
  if (!may_wait) return waits;
  const std::vector<bool> is_idle = idle_contexts(model, {});
  for (std::size_t row = 1; row < is_idle.size(); ++row) {
    if (is_idle[row]) waits.rows.push_back(static_cast<std::int32_t>(row));
  }
  return waits;
}

NumberColumn idle_amounts(const ReportModel& model, const MeasureView& view,
                          const std::vector<std::string>& names) {
  const bool is_wall = is_of_time(view.name, kWallTime);
  if (!is_wall && !is_of_waiting_state(view.name)) return {};
  const std::vector<const ReportModel::Measure*> busy = busy_times(model, view.name);
  // A report without states does not tell waits from work.
  if (is_wall && busy.empty()) return {};
  const std::vector<bool> is_idle = idle_contexts(model, names);
  NumberColumn idle(is_idle.size());
  bool any = false;
  for (std::size_t row = 1; row < idle.size(); ++row) {
    if (!is_idle[row]) continue;
    std::uint64_t busy_time = 0;
    if (is_wall) {
      for (const ReportModel::Measure* measure : busy) busy_time += measure->values[row];
    }
    idle[row] = view.of(row) - std::min(busy_time, view.of(row));
    any = any || idle[row] != 0;
  }
  return any ? idle : NumberColumn();
}

void take_idle_out(ReportModel& model, const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, NumberColumn>> idle;  // by measure
  for (const MeasureView& view : measures_on_offer(model)) {
    idle.emplace_back(view.name, idle_amounts(model, view, names));
  }
  for (const auto& [name, amounts] : idle) {
    if (amounts.empty()) continue;
    const auto measure = std::ranges::find(model.measures, name, &ReportModel::Measure::name);
    for (std::size_t row = 0; row < amounts.size(); ++row) measure->values[row] -= amounts[row];
    measure->of_threads.clear();
  }
  const auto shown = std::ranges::find(idle, model.shown, [](const auto& of) { return of.first; });
  if (shown == idle.end() || shown->second.empty()) return;
  const std::uint64_t sum =
      std::accumulate(shown->second.begin(), shown->second.end(), std::uint64_t{0});
  model.notes.push_back("Without " + in_words(shown_measure(model).unit, sum) +
                        " in which threads waited for work; --all has them.");
}

}  // namespace copse::report
