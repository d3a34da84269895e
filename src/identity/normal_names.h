// Names without the numbers that compilers and the JVM put into them: those of one method in two
// runs, or in two builds of which one has a lambda more, are the same then.
//
// docs/formats.md has the rules as regular expressions; a name in which none applies stays as it is.
// A normal name is its own normal name. Cost: linear in the name.
#pragma once

#include <string>
#include <string_view>

namespace copse::identity {

// `class_name`: as in reports, pkg.Outer$Inner. `method`: what is called of it; a class that javac made
// for a switch over an enum is known by its initialiser.
std::string normal_class(std::string_view class_name, std::string_view method = "");
std::string normal_method(std::string_view name);
// Of the classes in it.
std::string normal_descriptor(std::string_view descriptor);

}  // namespace copse::identity
