#include "random_query.h"

#include <algorithm>

namespace copse::ptql::testing {
namespace {

struct RandomIdentifier {
  std::string name;
  bool is_method;
  bool negative;
};

class QueryMaker {
 public:
  explicit QueryMaker(Random& random) : random_(random) {
    const std::size_t count = 2 + random.below(3);
    for (std::size_t i = 0; i < count; ++i) {
      identifiers_.push_back(
          {std::string(1, static_cast<char>('a' + i)), random.below(100) < 72, random.once_in(7)});
    }
    identifiers_[random.below(count)].negative = false;
  }

  std::string make() {
    for (const RandomIdentifier& x : identifiers_) {
      if (random_.below(100) < 60) add(on_names(x));
      if (random_.once_in(4)) add(on_one(x));
    }
    for (std::size_t i = identifiers_.size() - 1 + random_.below(3); i > 0; --i) add(on_two());
    if (!random_.once_in(20)) {
      for (const std::string& equality : equal_in_several()) add(equality);
    }
    std::string text = select() + " FROM ";
    for (std::size_t i = 0; i < identifiers_.size(); ++i) {
      const RandomIdentifier& x = identifiers_[i];
      text += std::string(i == 0 ? "" : ", ") + (x.negative ? "NEGATIVE " : "") +
              (x.is_method ? "MethodInvocation " : "ObjectAllocation ") + x.name;
    }
    for (std::size_t i = 0; i < predicates_.size(); ++i) {
      text += (i == 0 ? " WHERE " : " AND ") + predicates_[i];
    }
    return text + groups_;
  }

 private:
  void add(const std::string& predicate) {
    if (!predicate.empty()) predicates_.push_back(predicate);
  }
  std::string time(const RandomIdentifier& x) {
    return x.name + (random_.once_in(2) ? ".startTime" : ".endTime");
  }
  std::string real_time(const RandomIdentifier& x) {
    return x.name + (random_.once_in(2) ? ".realStartTime" : ".realEndTime");
  }
  std::string number() { return std::to_string(random_.below(6)); }
  std::string order() { return random_.of<std::string>({" < ", " > "}); }
  std::string comparison() {
    return random_.of<std::string>({" = ", " = ", " != ", " < ", " > ", " <= ", " >= "});
  }

  std::string select() {
    const auto field = [this] {
      const RandomIdentifier& x = positive();
      if (!x.is_method) {
        return x.name + random_.of<std::string>({".startTime", ".receiver", ".dynamicType",
                                                 ".allocThread", ".endTime", ".hashCodeClass"});
      }
      return x.name +
             random_.of<std::string>({".startTime", ".startTime", ".methodName", ".thread",
                                      ".receiver", ".endTime", ".result", ".thrown.type", ".param0",
                                      ".param0.text", ".implementingClass", ".param0.value",
                                      ".result.value", ".result.ignored", ".caller"});
    };
    if (random_.once_in(6)) {
      const RandomIdentifier& x = positive();
      const std::string number_field =
          x.name + (x.is_method ? random_.of<std::string>({".param0", ".result", ".param0.value",
                                                           ".startTime", ".endTime"})
                                : ".startTime");
      const std::string combined =
          random_.once_in(2)
              ? "COUNT(*)"
              : random_.of<std::string>({"SUM(", "MIN(", "MAX(", "AVG("}) + number_field + ")";
      if (random_.once_in(2)) return "SELECT " + combined;
      const std::string group = field();
      groups_ = " GROUP BY " + group;
      if (random_.once_in(2)) {
        groups_ +=
            " HAVING " + (random_.once_in(3) ? "COUNT(*)" : combined) + comparison() + number();
      }
      return "SELECT " + combined + ", " + group;
    }
    if (random_.once_in(10)) return "SELECT *";
    std::string text = "SELECT " + field();
    for (std::size_t i = random_.below(3); i > 0; --i) text += ", " + field();
    return text;
  }

  const RandomIdentifier& positive() {
    while (true) {
      const RandomIdentifier& x = random_.of(identifiers_);
      if (!x.negative) return x;
    }
  }

  std::string on_names(const RandomIdentifier& x) {
    if (!x.is_method) {
      return x.name + random_.of<std::string>({".dynamicType = 'p.B'", ".dynamicType = 'p.S'",
                                               ".equalsClass = 'p.B'", ".compareToClass = 'p.A'"});
    }
    switch (random_.below(9)) {
      case 8:
        return x.name + ".parameters" + comparison() + random_.of<std::string>({"0", "1", "2"});
      case 0:
        return x.name + random_.of<std::string>({".methodName =~ 'a|b'", ".methodName !~ 's|t'"});
      case 1:
        return x.name + ".implementingClass GLOB 'p.*'";
      case 2:
        return x.name + ".methodName != '<init>'";
      case 3:
        return x.name + ".declaringClass = 'p.A'";
      default:
        return x.name + ".methodName = " +
               random_.of<std::string>({"'a'", "'a'", "'b'", "'s'", "'t'", "'<init>'"});
    }
  }

  std::string on_one(const RandomIdentifier& x) {
    if (!x.is_method) {
      return random_.once_in(2) ? x.name + ".endTime - " + x.name + ".startTime > " + number()
                                : "under(" + x.name + ".context, 'p.A')";
    }
    switch (random_.below(16)) {
      case 15:
        return x.name + random_.of<std::string>({".caller = 'p.A.a'", ".caller GLOB 'p.A.*'"});
      case 14:
        return x.name + ".result.ignored = " + random_.of<std::string>({"true", "false"});
      case 11:
        return x.name + ".receiver" + comparison() + random_.of<std::string>({"1", "1.5", "0"});
      case 12:
        return x.name + random_.of<std::string>({".param0", ".param0.value", ".receiver"}) +
               " != " + random_.of<std::string>({"true", "1"});
      case 13:
        return x.name + ".param0 + 1" + comparison() + number();
      case 0:
        return x.name + ".result" + comparison() + number();
      case 1:
        return x.name + ".param0 = " + x.name + ".receiver";
      case 2:
        return x.name + ".param0 = 'x'";
      case 3:
        return x.name + ".thrown != null";
      case 4:
        return x.name + ".thrown.type = 'p.E'";
      case 5:
        return "under(" + x.name + ".context, 'p.*.a')";
      case 6:
        return x.name + ".thread.name = 'w-1'";
      case 7:
        return x.name + ".endTime > " + x.name + ".startTime + " + number();
      case 8:
        return x.name + ".result = " + random_.of<std::string>({"true", "null", "1.5"});
      case 9:
        return x.name + random_.of<std::string>({".param0.text != 'x'", ".result.text =~ 'a|b'"});
      default:
        return x.name + ".context GLOB 'p.A.a**'";
    }
  }

  // An object that one of the method's fields is.
  std::string tie(const RandomIdentifier& method, const RandomIdentifier& object) {
    return method.name +
           random_.of<std::string>({".receiver", ".receiver", ".param0", ".result", ".thrown"}) +
           " = " + object.name + ".receiver";
  }

  // Equalities of two or three fields of two methods.
  std::vector<std::string> equal_in_several() {
    const RandomIdentifier& x = random_.of(identifiers_);
    const RandomIdentifier& y = random_.of(identifiers_);
    if (!x.is_method || !y.is_method || x.name == y.name || (x.negative && y.negative)) return {};
    const std::vector<std::string> fields = {".receiver", ".thread", ".methodName",
                                             random_.once_in(4) ? ".param0.text" : ".param0",
                                             ".result"};
    const std::size_t first = random_.below(fields.size());
    std::vector<std::string> equalities;
    for (std::size_t i = 0; i < 2 + random_.below(2); ++i) {
      const std::string& field = fields[(first + i) % fields.size()];
      equalities.push_back(x.name + field + " = " + y.name + field);
    }
    return equalities;
  }

  std::string on_two() {
    RandomIdentifier x = random_.of(identifiers_);
    RandomIdentifier y = random_.of(identifiers_);
    if (x.name == y.name || (x.negative && y.negative)) return "";
    if (x.is_method != y.is_method && random_.below(3) != 0) {
      return x.is_method ? tie(x, y) : tie(y, x);
    }
    if (x.is_method != y.is_method && random_.once_in(3)) {
      return (x.is_method ? x : y).name + ".implementingClass = " + (x.is_method ? y : x).name +
             random_.of<std::string>({".compareToClass", ".equalsClass", ".dynamicType"});
    }
    switch (random_.below(x.is_method && y.is_method ? 19 : 5)) {
      case 18:
        return x.name + ".parameters" + comparison() + y.name +
               random_.of<std::string>({".parameters", ".param0", ".result"});
      case 14:
        return x.name + random_.of<std::string>({".param0", ".result"}) + comparison() + y.name +
               random_.of<std::string>({".param0", ".result"});
      case 15:
        return x.name + random_.of<std::string>({".param0.value", ".result.value"}) + comparison() +
               y.name + random_.of<std::string>({".param0", ".result", ".param0.value"});
      case 16:
        return x.name + ".receiver = " + y.name +
               random_.of<std::string>({".param0.value", ".result"});
      case 17:
        return x.name + ".param0 + " + number() + " = " + y.name +
               random_.of<std::string>({".param0", ".receiver", ".result.value"});
      case 0:
      case 1:
      case 2:
        return time(x) + order() + time(y);
      case 3:
        return real_time(x) + " > " + real_time(y) + " + " + number();
      case 4:
        return x.name + ".startTime != " + y.name + ".startTime";
      case 5:
      case 6:
        return x.name + ".thread = " + y.name + ".thread";
      case 7:
        return x.name + ".receiver = " + y.name + ".receiver";
      case 8:
        return x.name + ".receiver = " + y.name + ".param0";
      case 9:
        return x.name + ".result" + comparison() + y.name + ".result";
      case 10:
        return x.name + ".result = " + y.name + ".param0";
      case 11:
        return x.name + ".param0.text" + comparison() + y.name +
               random_.of<std::string>({".param0.text", ".param0.text", ".result.text", ".param0"});
      case 12:
        return x.name + ".methodName = " + y.name +
               (random_.once_in(2) ? ".methodName" : ".param0");
      default:
        return time(x) + " + " + number() + " < " + time(y);
    }
  }

  Random& random_;
  std::vector<RandomIdentifier> identifiers_;
  std::vector<std::string> predicates_;
  std::string groups_;
};

}  // namespace

std::string random_query(Random& random) { return QueryMaker(random).make(); }

}  // namespace copse::ptql::testing
