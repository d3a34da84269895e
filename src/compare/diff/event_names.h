// Names of rows that are no methods: events, which have classes and methods in them, "new p.T", "throw p.T at p.C.m:8"
// (report/model/event_objects.h), and threads, "[main]".
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::diff {

// Name of a class or method; its class comes first, and "" means a class alone.
using NameNow = std::function<std::string(std::string_view class_name, std::string_view method)>;

// Gives the events other names of classes and methods. Cost: a pass over the methods.
void rename_events(report::ReportModel::Methods& methods, const NameNow& now);

// Gives events that are the same by the rules one name in both reports. Where their names differ, that is the name
// without numbers (base/normal_names.h) and, where call sites do not count, without the line.
void name_events_alike(report::ReportModel::Methods& old_methods,
                       report::ReportModel::Methods& new_methods, const identity::IdRules& rules);

// Gives threads of one group (base/normal_names.h) the group's name where no name of the group is in both reports:
// "[job-*]", since such names are other ones in each run. Cost: a pass over the methods.
void name_threads_alike(report::ReportModel::Methods& old_methods,
                        report::ReportModel::Methods& new_methods);

}  // namespace copse::diff
