// Queries of the PTQL report, and shorter ways to a query and its plan.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>

#include "ptql/language/query.h"
#include "ptql/plan/explain.h"
#include "ptql/plan/plan.h"

namespace copse::ptql::testing {

inline Query query_of(const std::string& text) {
  std::variant<Query, Problem> parsed = parse_query(text);
  if (const auto* problem = std::get_if<Problem>(&parsed)) {
    ADD_FAILURE() << text << ": " << to_text(*problem);
    return query_of("SELECT x.startTime FROM MethodInvocation x");
  }
  return std::move(std::get<Query>(parsed));
}

inline Plan plan_of(const std::string& text) { return make_plan(query_of(text)); }

// Unclosed timings of a strategy, as "d.START < s.START, s.START < d.END".
inline std::string unclosed_text(const Plan& plan, std::size_t strategy = 0) {
  return edges_text(plan.query, plan.strategies[strategy].unclosed);
}
inline std::string post_dominator_text(const Plan& plan, std::size_t strategy = 0) {
  const auto& node = plan.strategies[strategy].post_dominator;
  return node ? node_text(plan.query, *node) : "none";
}

// Section 1: does a transaction sleep?
inline const std::string kTransactionSleeps =
    "SELECT d.startTime, s.startTime FROM MethodInvocation d, MethodInvocation s "
    "WHERE d.methodName = 'doTransaction' AND d.declaringClass = 'DB' "
    "AND s.methodName = 'sleep' AND s.declaringClass = 'B' AND d.thread = s.thread "
    "AND d.startTime < s.startTime AND s.endTime < d.endTime";

// Section 4.2. Queries that the report gives in words alone are written from these words.
inline const std::string kHashCodeConsistent =
    "SELECT first.result, second.result "
    "FROM MethodInvocation first, MethodInvocation second, ObjectAllocation obj "
    "WHERE first.methodName = 'hashCode' AND second.methodName = 'hashCode' "
    "AND first.receiver = obj.receiver AND second.receiver = obj.receiver "
    "AND first.result != second.result";

inline std::string equal_objects(const std::string& result, const std::string& hash_codes) {
  return "SELECT eq.receiver, eq.param0 FROM MethodInvocation eq, MethodInvocation xh, "
         "MethodInvocation yh, ObjectAllocation x, ObjectAllocation y "
         "WHERE eq.methodName = 'equals' AND xh.methodName = 'hashCode' "
         "AND yh.methodName = 'hashCode' AND eq.receiver = x.receiver "
         "AND xh.receiver = x.receiver AND eq.param0 = y.receiver AND yh.receiver = y.receiver "
         "AND eq.result = " +
         result + " AND xh.result " + hash_codes + " yh.result";
}

// A chain of `length` conversions.
inline std::string string_concats(int length) {
  std::string from;
  std::string where;
  for (int i = 1; i <= length; ++i) {
    const std::string ts = "ts" + std::to_string(i);
    const std::string c = "c" + std::to_string(i);
    from += std::string(i == 1 ? "" : ", ") + "MethodInvocation " + ts + ", MethodInvocation " + c;
    where += std::string(i == 1 ? "" : " AND ") + ts + ".methodName = 'toString' AND " + ts +
             ".implementingClass = 'StringBuffer' AND " + c + ".methodName = '<init>' AND " + c +
             ".implementingClass = 'StringBuffer' AND " + ts + ".result = " + c + ".param0 AND " +
             ts + ".endTime < " + c + ".startTime";
    if (i == length) break;
    const std::string next = "ts" + std::to_string(i + 1);
    where += " AND " + c + ".receiver = " + next + ".receiver AND " + c + ".endTime < " + next +
             ".startTime";
  }
  return "SELECT c" + std::to_string(length) + ".param0 FROM " + from + " WHERE " + where;
}

inline const std::string kDelayedClose =
    "SELECT close.receiver "
    "FROM MethodInvocation rw, NEGATIVE MethodInvocation norw, MethodInvocation close "
    "WHERE close.methodName = 'close' AND close.implementingClass =~ 'org.apache.*' "
    "AND rw.methodName =~ 'read|write' AND rw.implementingClass =~ 'org.apache.*' "
    "AND norw.methodName =~ 'read|write' AND norw.implementingClass =~ 'org.apache.*' "
    "AND rw.receiver = norw.receiver AND rw.receiver = close.receiver "
    "AND rw.endTime < norw.endTime AND norw.endTime < close.startTime "
    "AND close.realStartTime > rw.realEndTime + 10000";

inline const std::string kCompareToReflexive =
    "SELECT c.receiver FROM MethodInvocation c "
    "WHERE c.methodName = 'compareTo' AND c.receiver = c.param0 AND c.result != 0";

inline const std::string kCompareToAntisymmetric =
    "SELECT a.receiver, a.param0 FROM MethodInvocation a, MethodInvocation b "
    "WHERE a.methodName = 'compareTo' AND b.methodName = 'compareTo' AND a.receiver = b.param0 "
    "AND a.param0 = b.receiver AND a.result < 0 AND b.result < 1 AND a.endTime < b.endTime";

inline const std::string kCompareToTransitive =
    "SELECT xy.receiver, yz.receiver, zx.receiver "
    "FROM MethodInvocation xy, MethodInvocation yz, MethodInvocation zx "
    "WHERE xy.methodName = 'compareTo' AND yz.methodName = 'compareTo' "
    "AND zx.methodName = 'compareTo' AND xy.param0 = yz.receiver AND yz.param0 = zx.receiver "
    "AND zx.param0 = xy.receiver AND xy.result > 0 AND yz.result > -1 AND zx.result > -1 "
    "AND yz.endTime < xy.endTime AND zx.endTime < xy.endTime";

}  // namespace copse::ptql::testing
