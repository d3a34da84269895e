// Weak references to virtual threads, in their headers (ThreadHeader::self). Another thread finds a virtual thread
// by its header with them. They are weak, because no other reference to the thread may be left.
//
// Thread-safe.
#pragma once

#include <jni.h>

#include <mutex>
#include <unordered_set>
#include <vector>

#include "shadowstack/thread_header.h"

namespace copse::jvm {

class VirtualReferences {
 public:
  // Keeps a reference to the header's thread. `is_listed`: all() lists the header from now on. Without memory the
  // thread is not found.
  void add(JNIEnv* jni, jobject thread, shadowstack::ThreadHeader& header, bool is_listed);
  // Drops the reference, if there is one.
  void drop(JNIEnv* jni, shadowstack::ThreadHeader& header);
  // Drops no reference, but lists no header any more.
  void clear();

  // Throws std::bad_alloc.
  std::vector<const shadowstack::ThreadHeader*> all() const;
  // Returns the thread with this header, a local reference; nullptr if it has ended.
  jobject thread_of(JNIEnv* jni, const shadowstack::ThreadHeader& header) const;

 private:
  // Guards ThreadHeader::self. Held while another thread uses the reference, and when it is freed.
  mutable std::mutex mutex_;
  std::unordered_set<const shadowstack::ThreadHeader*> listed_;  // guarded by mutex_
};

}  // namespace copse::jvm
