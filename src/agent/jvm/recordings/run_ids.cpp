#include "agent/jvm/recordings/run_ids.h"

#include <utility>

#include "agent/jvm/id_numbering.h"
#include "agent/jvm/id_report.h"
#include "agent/memory_bound.h"

namespace copse::jvm {

Result<std::unique_ptr<RunIds>> RunIds::make(const Run& run) {
  auto numbering = make_numbering(run.options, run.jvm.methods);
  if (!numbering.ok()) return numbering.status();
  return std::make_unique<RunIds>(run, std::move(numbering).value());
}

RunIds::RunIds(const Run& its_run, std::unique_ptr<encoders::CodeNumbering> numbering)
    : run(its_run),
      ids(std::move(numbering), agent::memory_bound(run.options)),
      methods(run.jvmti, run.jvm.methods,
              [&loaders = run.jvm.loaders](JNIEnv* jni, jobject loader) {
                return loaders.identify(jni, loader).id;
              }),
      places(ids, run.options.marks) {}

void RunIds::doubt_graph() const {
  if (!decode()) return;
  const std::string doubt = doubt_about_graph(run.options.graph, ids.tables()->stats().graph);
  if (doubt.empty()) return;
  run.note(agent::TextNote{agent::TextNote::Kind::kWarning, doubt});
  run.say(doubt);
}

}  // namespace copse::jvm
