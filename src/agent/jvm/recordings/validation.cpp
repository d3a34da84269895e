#include "agent/jvm/recordings/validation.h"

#include <utility>

#include "agent/jvm/recordings/call_probes.h"
#include "agent/jvm/recordings/id_word_probes.h"
#include "agent/jvm/run_report.h"
#include "probes/id_word_probes.h"

namespace copse::jvm {

Result<std::unique_ptr<Recording>> ValidationRecording::make(const Run& run) {
  Result<std::unique_ptr<RunIds>> ids = RunIds::make(run);
  if (!ids.ok()) return ids.status();
  return std::unique_ptr<Recording>(
      std::make_unique<ValidationRecording>(run, std::move(ids).value()));
}

ValidationRecording::ValidationRecording(const Run& run, std::unique_ptr<RunIds> ids)
    : run_(run),
      ids_(std::move(ids)),
      validation_(run.jvmti, run.options, ids_->ids, ids_->methods, ids_->selected.get()),
      packets_(run) {}

Result<classfile::Rewritten> ValidationRecording::put_probes(
    const LoaderIdentity&, std::span<const std::uint8_t> bytes, classfile::ProbeHost& host,
    std::span<const classfile::NewField> new_fields) {
  const auto& options = std::get<agent::ValidateOptions>(run_.options.mode);
  classfile::IdWordProbes probes(call_probe_options(run_.options),
                                 {.mark_all = options.marks.empty(),
                                  .long_operands = options.encoder == "pcc",
                                  .vm_exceptions_record = run_.options.jdk},
                                 host, ids_->places);
  return classfile::rewrite(bytes, probes, new_fields);
}

std::optional<Recording::NativeEntry> ValidationRecording::native_entry(MethodId method,
                                                                        std::string_view class_name,
                                                                        std::string_view name) {
  std::optional<NativeEntry> entry = ids_->native_entry(method, class_name, name);
  if (entry && agent::part<agent::EncoderOptions>(run_.options)->marks.empty())
    entry->is_marked = true;
  return entry;
}

Status ValidationRecording::start(JNIEnv* jni) {
  packets_.start(shadowstack::anonymous_memory(), validation_.folders());
  const auto& options = std::get<agent::ValidateOptions>(run_.options.mode);
  const Status started = start_id_word_probes(
      run_.jvm.runtime, jni,
      {.packets = {.recorder = packets_.recorder(),
                   .methods = run_.jvm.methods,
                   .packet_bytes = packets_.packet_bytes()},
       .ids = {.ids = &ids_->ids, .recorder = &packets_.recorder(), .missing = ids_->missing()},
       .check_every = options.check_every,
       .stack_every = options.stack_every,
       .stacks = validation_.stack_check()});
  if (!started) return started;
  // With --selective, frames of a thread's start context may be missing; that is expected.
  ids_->keep_origins({.recorder = &packets_.recorder(),
                      .packet_bytes = packets_.packet_bytes(),
                      .are_checked = ids_->selected == nullptr});
  return ids_->start(jni);
}

void ValidationRecording::stop(double) { ids_->stop(); }

void ValidationRecording::finish(const End& end) {
  run_.note(agent::PathNote{agent::PathNote::Kind::kChecking, run_.output_path});
  RunToReport report = packets_.finish();
  MethodTable& methods = run_.jvm.methods;
  validation_.finish(report.tree, methods, ids_->natives(), report.threads);
  report.encoder = validation_.figures();
  report.calls_seen -= validation_.id_word_records();
  report.wall_ms = end.wall_ms;
  report.notes = validation_.notes();
  for (std::string& note : ids_->notes()) report.notes.push_back(std::move(note));
  report.notes.insert(report.notes.end(), end.notes.begin(), end.notes.end());
  const Result<RunTotals> written = write_run_report(std::move(report));
  // The findings are reported even if the report could not be written.
  for (const agent::Note& note : validation_.findings(run_.output_path)) run_.note(note);
  if (const Status status = validation_.save_ids(methods, run_.output_path); !status) {
    run_.fail_to_write(run_.output_path, status.message());
  }
  tell_of_report(run_, written);
}

}  // namespace copse::jvm
