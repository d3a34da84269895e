// The folders of an engine, each lent to one thread at a time. There are as many as threads fold at
// once, at most `most`. A thread that finds all lent waits for one, whose holder is at work on it.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "cct/packets/folder.h"

namespace copse::cct {

class FolderSet {
 public:
  using Maker = std::function<std::unique_ptr<Folder>()>;

  // Makes one folder at once, so that take() can never fail. Throws std::bad_alloc.
  FolderSet(Maker make, std::size_t most) : make_(std::move(make)), most_(most) {
    folders_.push_back(make_());
    free_.push_back(folders_.back().get());
  }

  Folder& take() noexcept {
    std::unique_lock lock(mutex_);
    if (free_.empty() && folders_.size() < most_) add();
    returned_.wait(lock, [this] { return !free_.empty(); });
    Folder* folder = free_.back();
    free_.pop_back();
    return *folder;
  }

  void give_back(Folder& folder) noexcept {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(&folder);
    }
    returned_.notify_one();
  }

  // Calls visit(folder) for every folder. REQUIRES: none is lent.
  template <typename Visit>
  void for_each(Visit visit) {
    const std::lock_guard lock(mutex_);
    for (const auto& folder : folders_) visit(*folder);
  }

  // Calls visit(folder) for the folders that are not lent now, one after the other. The others can
  // be taken meanwhile.
  template <typename Visit>
  void for_each_free(Visit visit) {
    std::vector<Folder*> visited;
    for (;;) {
      Folder* folder = nullptr;
      {
        const std::lock_guard lock(mutex_);
        const auto next = std::find_if(free_.begin(), free_.end(), [&](const Folder* candidate) {
          return std::find(visited.begin(), visited.end(), candidate) == visited.end();
        });
        if (next == free_.end()) return;
        folder = *next;
        free_.erase(next);
      }
      visit(*folder);
      give_back(*folder);
      visited.push_back(folder);
    }
  }

 private:
  void add() noexcept {
    try {
      free_.reserve(folders_.size() + 1);  // so that give_back() never allocates
      folders_.reserve(folders_.size() + 1);
      folders_.push_back(make_());
      free_.push_back(folders_.back().get());
    } catch (const std::bad_alloc&) {
      // An existing folder will come back.
    }
  }

  const Maker make_;
  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<Folder>> folders_;
  std::vector<Folder*> free_;  // last returned, first taken: its tree may be in a cache
};

}  // namespace copse::cct
