#include "report/model/event_objects.h"

#include <array>

namespace copse::report {
namespace {

struct KindOfObject {
  std::string_view beginning;
  std::string_view kind;
};
constexpr std::string_view kException = "exception";
// As the agent spells them (agent/jvm/measures/event_objects.h).
constexpr std::array kKindsOfObjects = {
    KindOfObject{"new ", "allocation"}, KindOfObject{"throw ", kException},
    KindOfObject{"synchronized ", "contention"}, KindOfObject{"park ", "parked"}};
constexpr std::string_view kAt = " at ";

}  // namespace

std::optional<EventObject> event_object_of(const ReportModel::Methods& methods, std::size_t row) {
  if (!methods.class_name[row].empty() || !methods.descriptor[row].empty()) return std::nullopt;
  const std::string_view name = methods.name[row];
  for (const KindOfObject& known : kKindsOfObjects) {
    if (!name.starts_with(known.beginning)) continue;
    EventObject object{known.kind, name.substr(known.beginning.size()), ""};
    if (const std::size_t at = object.class_name.find(kAt);
        known.kind == kException && at != std::string_view::npos) {
      object.place = object.class_name.substr(at + kAt.size());
      object.class_name = object.class_name.substr(0, at);
    }
    return object;
  }
  return std::nullopt;
}

}  // namespace copse::report
