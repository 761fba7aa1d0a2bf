// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A file that grows and is complete at every moment, whatever happens to the program. There are two
// copies: the front has the final name and is never written; the back is brought up to date next to
// it and then takes the name, and the old front becomes the next back.
//
//   back:   run.h5.4711-0.part ─ rows 1 … n appended, closed ─┐ link(front, spare)
//   front:  run.h5 ◀──────────────── rename(back, front) ─────┘ the spare is the next back
//
// A program killed at any point leaves the front as it was or as it becomes, and perhaps a .part.
// Every row is written twice, however many updates there are; the whole file is copied only once, at
// the second update. Where a reader has locked the old front (HDF5 readers do), or the file system has no links,
// the next back is a copy of the front.
#pragma once

#include <string>
#include <string_view>

namespace trammel {

class AlternatingFile {
 public:
  // Every member throws FileError, which names `path` and the reason.
  explicit AlternatingFile(const std::string& path);
  ~AlternatingFile();  // the front stays, the back goes
  AlternatingFile(const AlternatingFile&) = delete;
  AlternatingFile& operator=(const AlternatingFile&) = delete;

  // Is there a front of ours?
  bool is_published() const { return front_ >= 0; }

  // A back with this content, in one write.
  void make_back(std::string_view content);

  // The back, open for reading and writing: an earlier state of the front, a copy of it, or what
  // make_back made. Valid until publish or discard_back.
  int open_back();

  // The back becomes the front. `last`: no further back is needed.
  void publish(bool last);

  // Something went wrong with it.
  void discard_back() noexcept;

  [[noreturn]] void fail(int error);

 private:
  void copy_front();
  bool is_front(const std::string& name) const;  // is it the file that was published?

  std::string path_;     // as the user wrote it, for messages
  std::string target_;   // symbolic links followed
  std::string back_;     // empty: there is none
  int descriptor_ = -1;  // of the back
  int front_ = -1;       // of the front, for reading: whatever becomes of its name, it is there
};

}  // namespace trammel
