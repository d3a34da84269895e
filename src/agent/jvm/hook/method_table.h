// Names of everything that has an id: methods, their call sites, classes, loaders. Filled while classes are
// rewritten, read when the report is made. Names are kept here and never asked of the JVM again, so unloading a
// class loses none.
//
// A class that is rewritten again (retransformed, redefined) gets the same method ids. Its call sites get the
// same ordinals if bytecode index and line agree; new ones follow. A class of the same bytes from another
// loader of the same name gets the same ids too, because no report tells the two apart. A program that makes a
// loader per request or script thus needs no more names, ids and contexts.
//
// Threads: any; one mutex, held for a few look-ups at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/program_names.h"
#include "report/model/program_tables.h"
#include "trace/table_blocks.h"
#include "trace/trace.h"

namespace copse::jvm {

class MethodTable {
 public:
  enum class ClassId : std::uint32_t {};

  // `fixed_sites`: a class that is rewritten again gets no new call sites, because nodes of its methods already
  // have all their slots. New calls have no call site.
  explicit MethodTable(bool fixed_sites = false) : fixed_sites_(fixed_sites) {}

  struct ClassOrigin {
    std::uint64_t loader = 0;           // tells equal class names apart
    std::string_view loader_name = "";  // for the report
    std::uint64_t content = 0;          // hash of the class file; 0: never shared by loaders
    bool again = false;                 // the class exists and gets another body
    std::string_view stable_name = "";  // MethodName::stable_class
  };
  ClassId open_class(const ClassOrigin& origin, std::string_view internal_name,
                     std::string_view source_file);
  // Returns kNoMethod when the ids up to kLastMethodId are used up.
  MethodId method(ClassId owner, std::string_view name, std::string_view descriptor);
  // Returns the id of a method that the program does not have; its only name is `name`.
  MethodId stand_in(std::string_view name) { return method(open_class({}, "", ""), name, ""); }
  // Returns kNoSite when the method's 16-bit ordinals are used up.
  SiteOrdinal site(MethodId caller, std::uint32_t bci, std::int32_t line);

  // Sets where a call site is in the code with probes.
  void moved_site(MethodId caller, SiteOrdinal site, std::uint32_t bci);
  // Returns the call site at that place; kNoSite if there is none.
  SiteOrdinal site_at(MethodId caller, std::uint32_t moved_bci) const;

  // Sets whether the method's probe leaves the context word alone (a leaf probe).
  void has_leaf_probe(MethodId method, bool has);
  // Sets the callee of a call site.
  void calls(MethodId caller, SiteOrdinal site, std::string_view name, std::string_view descriptor);
  // Returns whether the callee has a leaf probe and may be called by the site itself. False for a method that
  // the site's callee calls back. May be wrong for a method overloaded by one whose name and descriptor have
  // the same hash.
  bool is_leaf_of(MethodId caller, SiteOrdinal site, MethodId callee) const;

  // Sets the constructor that a constructor calls by super() or this(). `site`: kNoSite where call sites are not told apart.
  void constructs(MethodId constructor, SiteOrdinal site, std::string_view internal_class_name,
                  std::string_view descriptor);
  // Returns whether this site of a method is the call of super() or this() that calls the other. May be wrong where names
  // have the same hash, and for classes of one name. Cost: some ten ns.
  bool constructs(MethodId caller, SiteOrdinal site, MethodId called) const;

  // Returns whether the class of this loader was opened.
  bool knows_class(std::uint64_t loader, std::string_view internal_name) const;

  // Adds a class or method without (all of) its probes. Repeated reports of the same are kept once.
  void skipped(std::string_view internal_class_name, std::string_view method,
               std::string_view reason);

  // Returns the method if it has an id and is not skipped; else kNoMethod.
  MethodId find_with_probes(std::uint64_t loader, std::string_view internal_class_name,
                            std::string_view name, std::string_view descriptor) const;

  // Copies names and sites into the report's tables.
  void export_to(report::ProgramTables& tables) const;
  // Returns the name without call sites.
  MethodName name_of(MethodId method) const;
  std::int32_t site_bci(MethodId method, SiteOrdinal site) const;  // REQUIRES: not kNoSite
  // Returns index and line -1 if there is no such site.
  SiteName site_name(MethodId method, SiteOrdinal site) const;
  using EachName = std::function<void(std::string_view, std::string_view, std::string_view)>;
  // Calls `tell` with class, name and descriptor of each method after the first `known`, in order of ids. Holds
  // the mutex meanwhile, like each_skipped().
  void each_behind(std::size_t known, const EachName& tell) const;
  // Calls `tell` with class, method and reason of everything skipped.
  void each_skipped(const EachName& tell) const;
  std::uint32_t site_count(MethodId method) const;

  // Returns, for a trace, the methods and call sites that earlier calls did not return, new methods in order of
  // ids. Cost: one load when there is nothing new.
  std::vector<trace::NameRow> take_new_names();
  // Has everything count as not returned yet, for the file of a later recording.
  void forget_taken();
  // Returns what was skipped and not returned by earlier calls.
  std::vector<trace::SkippedInfo> take_new_skips();

 private:
  struct Class {
    std::string name;  // dotted
    std::string source;
    std::string loader;
    std::string stable_name;
    std::unordered_map<std::string, MethodId> methods = {};  // name + descriptor
  };
  struct Site {
    std::uint32_t bci;
    std::int32_t line;
    std::uint32_t callee = 0;     // hash of the callee given to calls()
    std::uint32_t moved_bci = 0;  // in the code with probes; 0: unknown
  };
  struct Method {
    ClassId owner;
    std::string name;
    std::string descriptor;
    std::vector<Site> sites;  // by ordinal - 1, in order of first rewriting
    std::size_t most_sites = 0xffff;
    std::size_t next_site = 0;  // where the rewriting under way expects its next site
    bool is_taken = false;      // returned by take_new_names(), with its first sites_taken sites
    bool is_changed = true;     // since it was taken
    bool has_leaf_probe = false;
    // As given to constructs(): the site, and a hash of class and descriptor; 0: none.
    SiteOrdinal constructs_at = kNoSite;
    std::uint32_t constructs = 0;
    std::size_t sites_taken = 0;
  };
  struct Skip {
    std::string class_name, method, reason;
  };

  MethodName name_without_sites(const Method& method) const;
  const ClassId* find_class(std::uint64_t loader, const std::string& dotted_name) const;
  void mark_changed(Method& method, MethodId id);
  trace::NameRow take(Method& method, MethodId id);

  const bool fixed_sites_;
  mutable std::mutex mutex_;
  std::vector<Class> classes_;
  std::unordered_map<std::string, ClassId> class_ids_;  // by loader or content, and name
  std::unordered_map<std::uint64_t, std::unordered_map<std::string, ClassId>>
      of_loader_;                  // the latest class of each name
  std::vector<Method> methods_;    // by id - 1
  std::vector<MethodId> changed_;  // methods with is_changed
  std::atomic<bool> any_changed_{false};
  std::unordered_map<std::string, std::size_t> skip_ids_;
  std::vector<Skip> skips_;
  std::atomic<std::size_t> skips_left_{0};  // number of last skips_ that are not taken yet
};

}  // namespace copse::jvm
