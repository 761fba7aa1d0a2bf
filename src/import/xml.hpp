// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// XML for the importers: the only file pair that knows pugixml. Document types (entities, external files) are
// refused, and so are files that are too large or too deeply nested.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/geometry.hpp"
#include "import/log.hpp"

namespace trammel::import {

class XmlDocument;

// An element. Cheap to copy; the document must live as long.
class XmlElement {
 public:
  XmlElement() = default;
  explicit operator bool() const { return document_ != nullptr; }
  std::string name() const;
  std::string text() const;  // of the element, without surrounding blanks
  SourcePlace place() const;

  XmlElement parent() const;
  std::vector<XmlElement> children() const;
  std::vector<XmlElement> children(std::string_view name) const;
  XmlElement child(std::string_view name) const;  // the first, or none

  bool has(const char* attribute) const;
  std::string get(const char* attribute, const std::string& otherwise = {}) const;
  std::vector<std::string> attribute_names() const;

  // Numbers of an attribute, separated by blanks; errors are reported. None where it is not there.
  std::optional<std::vector<double>> numbers(const char* attribute, ImportLog& log) const;
  std::optional<double> number(const char* attribute, ImportLog& log) const;
  std::optional<Vec3> vector(const char* attribute, ImportLog& log) const;
  // The attribute, or an error and "".
  std::string need(const char* attribute, ImportLog& log) const;
  std::string path() const;  // "robot.joint[knee]", for messages

 private:
  friend class XmlDocument;
  XmlElement(const XmlDocument* document, void* node) : document_(document), node_(node) {}
  const XmlDocument* document_ = nullptr;
  void* node_ = nullptr;
};

class XmlDocument {
 public:
  // Throws ModelError.
  XmlDocument(const std::string& text, const std::string& file);
  ~XmlDocument();
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  XmlElement root() const;

 private:
  friend class XmlElement;
  struct Own;
  SourcePlace place_at(std::size_t offset) const;
  std::unique_ptr<Own> own_;
};

// Numbers in a text, separated by blanks. False where there is something else.
bool parse_numbers(std::string_view text, std::vector<double>& numbers);

}  // namespace trammel::import
