// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results → HDF5 during the run. The file with the final name is closed and complete at every
// moment (alternating_file.hpp). Unless the user sets an interval, there is about one update per second,
// and updates take at most a fiftieth of the time however slow the disk is.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "format/alternating_file.hpp"
#include "format/hdf5_driver.hpp"
#include "format/results_file.hpp"
#include "record/quantities.hpp"
#include "trammel/trammel.hpp"

namespace trammel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds usual_interval{1};
constexpr int least_ratio = 50;  // time between updates to the time of an update

// The bytes of a new file, made in memory: it reaches the disk in one write.
std::string make_image(const Results& results, bool with_rows) {
  std::string image;
  const hdf5::Handle access = hdf5::make_access();
  hdf5::use_storage(access, {&image});
  hdf5::Handle file(H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, "make it");
  write_frame(file, results);
  if (with_rows) append_new_rows(file, results);
  write_state(file, results);
  file.close();
  return image;
}

class Hdf5Sink : public ResultsSink {
 public:
  Hdf5Sink(const std::string& path, const Hdf5Settings& settings)
      : path_(path), settings_(settings), file_(path) {}

  void start(const Results& results) override {
    const hdf5::Session session;
    Results running = results;
    running.status = {Outcome::running, 0.0, "the run had not ended"};
    guard([&] {
      file_.make_back(make_image(running, true));
      file_.publish(false);
    });
    rows_published_ = static_cast<std::int64_t>(results.time.size());
    schedule(Clock::now(), Clock::now());
  }

  bool is_due() override { return Clock::now() >= due_; }

  void update(Results& results) override {
    const hdf5::Session session;
    const Clock::time_point begin = Clock::now();
    try {
      const std::int64_t published = rows_published_;
      bring_up_to_date(results, false);
      // the next back has the rows of the front before this one
      const std::int64_t spare = std::min(published, rows_published_ - 1) - results.first_row;
      if (!settings_.keep_rows && spare > 0) drop_rows(results, static_cast<std::size_t>(spare));
    } catch (const FileError&) {
      // all rows are still here: the next update, or finish, tries again
    }
    schedule(begin, Clock::now());
  }

  void finish(const Results& results) override {
    const hdf5::Session session;
    if (!file_.is_published()) guard([&] { file_.make_back(make_image(results, false)); });
    bring_up_to_date(results, true);
  }

 private:
  // Rows, steps and state into the back; it becomes the front.
  void bring_up_to_date(const Results& results, bool last) {
    int error = 0;
    const int descriptor = file_.open_back();
    guard([&] {
      const hdf5::Handle access = hdf5::make_access();
      hdf5::use_storage(access, {nullptr, descriptor, &error});
      hdf5::Handle file(H5Fopen("back", H5F_ACC_RDWR, access), H5Fclose, "open it again");
      append_new_rows(file, results);
      write_state(file, results);
      file.close();
    });
    if (error != 0) file_.fail(error);
    file_.publish(last);
    rows_published_ = results.first_row + static_cast<std::int64_t>(results.time.size());
  }

  template <typename Work>
  void guard(Work work) {
    try {
      work();
    } catch (const hdf5::Failure& failure) {
      file_.discard_back();
      throw FileError(fmt::format("{}: cannot be written: {}", path_, failure.what()));
    }
  }

  void schedule(Clock::time_point begin, Clock::time_point end) {
    using Seconds = std::chrono::duration<double>;
    const Clock::duration asked =
        std::chrono::duration_cast<Clock::duration>(Seconds(settings_.flush_interval));
    const Clock::duration usual =
        std::max<Clock::duration>(usual_interval, least_ratio * (end - begin));
    due_ = end + (settings_.flush_interval > 0.0 ? asked : usual);
  }

  std::string path_;
  Hdf5Settings settings_;
  AlternatingFile file_;
  Clock::time_point due_{};
  std::int64_t rows_published_ = 0;
};

}  // namespace

std::unique_ptr<ResultsSink> make_hdf5_sink(const std::string& path, const Hdf5Settings& settings) {
  return std::make_unique<Hdf5Sink>(path, settings);
}

void write_hdf5(const Results& results, const std::string& path) {
  Hdf5Sink(path, {}).finish(results);
}

}  // namespace trammel
