// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "measurement.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace trammel::bench {

MeasurementFile::MeasurementFile(const std::string& path)
    : file_(std::fopen(path.c_str(), "w"), &std::fclose) {
  if (!file_) throw std::runtime_error("cannot write " + path);
  fmt::print(file_.get(),
             "model,program,method,setting,start,error_m,cpu_s,evaluations,violation\n");
}

void MeasurementFile::add(const Measurement& m) {
  fmt::print(file_.get(), "\"{}\",\"{}\",\"{}\",{:.3g},{},{:.4g},{:.5g},{:.0f},{:.2g}\n", m.model,
             m.program, m.method, m.setting, m.start, m.error, m.cpu, m.evaluations, m.violation);
  std::fflush(file_.get());  // a bench that is stopped leaves what it has
}

}  // namespace trammel::bench
