#include "graph/classes/class_hierarchy.h"

#include <gtest/gtest.h>

namespace copse::graph {
namespace {

using classfile::MethodSummary;

MethodSummary method(const std::string& name) { return {.name = name, .descriptor = "()V"}; }
MethodSummary abstract(const std::string& name) {
  return {.name = name, .descriptor = "()V", .access = classfile::kAccAbstract};
}

ClassCalls class_of(const std::string& name, std::vector<MethodSummary> methods,
                    const std::string& super = "java/lang/Object",
                    std::vector<std::string> interfaces = {}) {
  ClassCalls made;
  made.name = name;
  made.super_name = super;
  made.interfaces = std::move(interfaces);
  made.methods = std::move(methods);
  return made;
}
ClassCalls interface_of(const std::string& name, std::vector<MethodSummary> methods,
                        std::vector<std::string> above = {}) {
  ClassCalls made = class_of(name, std::move(methods), "java/lang/Object", std::move(above));
  made.access = classfile::kAccInterface | classfile::kAccAbstract;
  return made;
}

class Targets : public testing::Test {
 protected:
  std::string of(CallKind kind, const std::string& owner, const std::string& name) {
    std::string text;
    for (const ClassHierarchy::Method target : hierarchy_.targets({0, kind, owner, name + "()V"})) {
      const ClassCalls& in_class = hierarchy_.classes()[target.in_class];
      text += (text.empty() ? "" : " ") + in_class.name + "." + hierarchy_.method(target).name;
    }
    return text;
  }

  static std::vector<ClassCalls> shapes() {
    std::vector<ClassCalls> classes;
    classes.push_back(interface_of("Shape", {abstract("draw"), method("name")}));
    classes.push_back(
        class_of("Base", {abstract("draw"), method("id")}, "java/lang/Object", {"Shape"}));
    classes.back().access = classfile::kAccAbstract;
    classes.push_back(class_of("Circle", {method("draw")}, "Base"));
    classes.push_back(class_of("Square", {method("draw"), method("name")}, "Base"));
    classes.push_back(class_of("Dot", {}, "Circle"));
    classes.push_back(class_of("Other", {method("draw")}));
    return classes;
  }

  ClassHierarchy hierarchy_{shapes()};
};

TEST_F(Targets, OfAVirtualCallAreWhatTheReceiversSelect) {
  EXPECT_EQ(of(CallKind::kVirtual, "Shape", "draw"), "Circle.draw Square.draw");
  EXPECT_EQ(of(CallKind::kVirtual, "Circle", "draw"), "Circle.draw");
  EXPECT_EQ(of(CallKind::kVirtual, "Dot", "draw"), "Circle.draw") << "inherited";
  EXPECT_EQ(of(CallKind::kVirtual, "Shape", "name"), "Shape.name Square.name")
      << "a default method";
  EXPECT_EQ(of(CallKind::kVirtual, "Base", "id"), "Base.id") << "of a class without instances";
}

TEST_F(Targets, OfAStaticOrSpecialCallAreTheOneThatIsNamed) {
  EXPECT_EQ(of(CallKind::kSpecial, "Dot", "draw"), "Circle.draw");
  EXPECT_EQ(of(CallKind::kStatic, "Square", "id"), "Base.id");
  EXPECT_EQ(of(CallKind::kSpecial, "Base", "draw"), "") << "it has no code";
}

TEST_F(Targets, OfOwnersThatAreNotHereAreTheirSubclassesThatAre) {
  EXPECT_EQ(of(CallKind::kVirtual, "java/lang/Object", "draw"),
            "Circle.draw Square.draw Other.draw");
  EXPECT_EQ(of(CallKind::kVirtual, "java/util/List", "draw"), "");
  EXPECT_EQ(of(CallKind::kStatic, "java/lang/Math", "draw"), "");
}

TEST_F(Targets, OfPrivateMethodsAreNotOverridden) {
  std::vector<ClassCalls> classes;
  classes.push_back(class_of("A", {method("m")}));
  classes.back().methods[0].access = classfile::kAccPrivate;
  classes.push_back(class_of("B", {method("m")}, "A"));
  hierarchy_ = ClassHierarchy(std::move(classes));
  EXPECT_EQ(of(CallKind::kVirtual, "A", "m"), "A.m");
  EXPECT_EQ(of(CallKind::kVirtual, "B", "m"), "B.m");
}

TEST_F(Targets, AreFoundThoughClassesExtendEachOther) {
  std::vector<ClassCalls> classes;
  classes.push_back(class_of("A", {}, "B", {"A"}));
  classes.push_back(class_of("B", {method("m")}, "A"));
  hierarchy_ = ClassHierarchy(std::move(classes));
  EXPECT_EQ(of(CallKind::kVirtual, "A", "m"), "B.m");
  EXPECT_EQ(of(CallKind::kVirtual, "A", "none"), "");
}

TEST_F(Targets, AreOfTheFirstClassOfAName) {
  std::vector<ClassCalls> classes;
  classes.push_back(class_of("A", {method("m")}));
  classes.push_back(class_of("A", {method("n")}));
  hierarchy_ = ClassHierarchy(std::move(classes));
  EXPECT_EQ(of(CallKind::kStatic, "A", "m"), "A.m");
  EXPECT_EQ(of(CallKind::kStatic, "A", "n"), "");
}

TEST_F(Targets, AreAlsoKnownBySupertypesOfSupertypes) {
  EXPECT_TRUE(hierarchy_.is_subtype(4, "Shape"));  // Dot
  EXPECT_TRUE(hierarchy_.is_subtype(4, "java/lang/Object"));
  EXPECT_FALSE(hierarchy_.is_subtype(5, "Shape"));
}

}  // namespace
}  // namespace copse::graph
