// Names without the numbers that compilers and the JVM put into them. A method keeps its normal name in every run, and
// in a build that has a lambda more.
//
// docs/report-schema.md has the rules as regular expressions; a name in which none applies stays as it is.
// A normal name is its own normal name. Cost: linear in the name.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// Returns the normal name of a class. `class_name`: as in reports, pkg.Outer$Inner. `method`: the
// called method; the initialiser identifies a class that javac made for a switch over an enum.
std::string normal_class(std::string_view class_name, std::string_view method = "");
std::string normal_method(std::string_view name);
// Makes the class names in a descriptor normal and numberless.
std::string normal_descriptor(std::string_view descriptor);

// Returns the normal name with a star for each number that counts anonymous, local and generated
// classes: Foo$* for Foo$1. Several classes share one numberless name. `of_groovy`: the class
// belongs to a Groovy loader, which numbers scripts.
std::string numberless_class(std::string_view class_name, bool of_groovy = false);

// Returns the name of the group of threads whose names differ in numbers and random ids alone: the name with a star for each number: "pool-*-thread-*" for "pool-1-thread-7". A UUID is one number, and so are
// eight hexadecimal digits and more with a letter behind a digit: "job-*" for "job-5f3a09bc".
std::string thread_group(std::string_view thread_name);

}  // namespace copse
