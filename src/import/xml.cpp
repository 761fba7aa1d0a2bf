// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "import/xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#ifdef TRAMMEL_HAS_PUGIXML
#include <pugixml.hpp>
#endif

namespace trammel::import {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

[[maybe_unused]] std::string trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

}  // namespace

bool parse_numbers(std::string_view text, std::vector<double>& numbers) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    while (at < end && is_blank(*at)) ++at;
    if (at == end) return true;
    if (*at == '+') ++at;
    double value = 0.0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error == std::errc::result_out_of_range && next != at) {
      // subnormal numbers are numbers: too small ones are 0, too large ones no number
      const std::string word(at, next);
      value = std::strtod(word.c_str(), nullptr);
    } else if (error != std::errc()) {
      return false;
    }
    if (!std::isfinite(value) || (next < end && !is_blank(*next))) return false;
    numbers.push_back(value);
    at = next;
  }
}

#ifdef TRAMMEL_HAS_PUGIXML

namespace {
constexpr int max_depth = 200;
constexpr std::size_t max_elements = 500'000;
}  // namespace

struct XmlDocument::Own {
  std::string file;
  pugi::xml_document document;
  std::vector<std::size_t> line_starts{0};
};

namespace {

pugi::xml_node node_of(void* node) {
  return pugi::xml_node(static_cast<pugi::xml_node_struct*>(node));
}

}  // namespace

XmlDocument::XmlDocument(const std::string& text, const std::string& file)
    : own_(std::make_unique<Own>()) {
  own_->file = file;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\n') own_->line_starts.push_back(k + 1);
  }
  const auto fail = [&](std::size_t offset, const std::string& reason, const std::string& hint) {
    const SourcePlace at = place_at(offset);
    throw ModelError({Mistake{file, at.line, at.column, "", reason, hint}});
  };
  if (const std::size_t at = text.find("<!DOCTYPE"); at != std::string::npos) {
    fail(at, "document types and entities are refused", "remove the DOCTYPE declaration");
  }
  if (const std::size_t at = text.find("<!ENTITY"); at != std::string::npos) {
    fail(at, "entities are refused", "write their values out");
  }
  const pugi::xml_parse_result result = own_->document.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_trim_pcdata, pugi::encoding_utf8);
  if (!result) {
    fail(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)),
         fmt::format("not well-formed XML: {}", result.description()), "");
  }
  // depth first, without recursion
  std::size_t count = 0;
  int depth = 0;
  for (pugi::xml_node node = own_->document.document_element(); node;) {
    if (++count > max_elements) {
      fail(static_cast<std::size_t>(node.offset_debug()),
           fmt::format("more than {} XML elements", max_elements), "");
    }
    if (depth > max_depth) {
      fail(static_cast<std::size_t>(node.offset_debug()),
           fmt::format("XML elements are nested more than {} deep", max_depth), "");
    }
    if (node.first_child()) {
      node = node.first_child();
      ++depth;
      continue;
    }
    while (node && !node.next_sibling()) {
      node = node.parent();
      --depth;
      if (depth <= 0) break;
    }
    node = depth <= 0 ? pugi::xml_node() : node.next_sibling();
  }
  if (!own_->document.document_element()) fail(0, "the file has no XML element", "");
}

XmlDocument::~XmlDocument() = default;

XmlElement XmlDocument::root() const {
  return {this, own_->document.document_element().internal_object()};
}

SourcePlace XmlDocument::place_at(std::size_t offset) const {
  const auto& starts = own_->line_starts;
  const auto line = std::upper_bound(starts.begin(), starts.end(), offset) - starts.begin();
  return {own_->file, static_cast<int>(line),
          static_cast<int>(offset - starts[static_cast<std::size_t>(line) - 1]) + 1};
}

std::string XmlElement::name() const { return node_of(node_).name(); }

std::string XmlElement::text() const { return trimmed(node_of(node_).child_value()); }

SourcePlace XmlElement::place() const {
  const std::ptrdiff_t offset = node_of(node_).offset_debug();
  // pugixml gives the place of the name
  return document_->place_at(offset > 0 ? static_cast<std::size_t>(offset) - 1 : 0);
}

XmlElement XmlElement::parent() const {
  const pugi::xml_node up = node_of(node_).parent();
  if (!up || up.type() != pugi::node_element) return {};
  return {document_, up.internal_object()};
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> result;
  for (const pugi::xml_node node : node_of(node_).children()) {
    if (node.type() == pugi::node_element) {
      result.push_back(XmlElement(document_, node.internal_object()));
    }
  }
  return result;
}

XmlElement XmlElement::child(std::string_view name) const {
  for (const pugi::xml_node node : node_of(node_).children()) {
    if (node.type() == pugi::node_element && name == node.name()) {
      return {document_, node.internal_object()};
    }
  }
  return {};
}

bool XmlElement::has(const char* attribute) const {
  return !node_of(node_).attribute(attribute).empty();
}

std::string XmlElement::get(const char* attribute, const std::string& otherwise) const {
  const pugi::xml_attribute found = node_of(node_).attribute(attribute);
  return found.empty() ? otherwise : std::string(found.value());
}

std::vector<std::string> XmlElement::attribute_names() const {
  std::vector<std::string> names;
  for (const pugi::xml_attribute attribute : node_of(node_).attributes()) {
    names.emplace_back(attribute.name());
  }
  return names;
}

#else

struct XmlDocument::Own {};
XmlDocument::XmlDocument(const std::string&, const std::string& file) {
  throw ModelError(
      {Mistake{file, 0, 0, "", "this Trammel was built without pugixml and cannot read XML",
               "install libpugixml-dev and build again"}});
}
XmlDocument::~XmlDocument() = default;
XmlElement XmlDocument::root() const { return {}; }
SourcePlace XmlDocument::place_at(std::size_t) const { return {}; }
std::string XmlElement::name() const { return {}; }
std::string XmlElement::text() const { return {}; }
SourcePlace XmlElement::place() const { return {}; }
XmlElement XmlElement::parent() const { return {}; }
std::vector<XmlElement> XmlElement::children() const { return {}; }
XmlElement XmlElement::child(std::string_view) const { return {}; }
bool XmlElement::has(const char*) const { return false; }
std::string XmlElement::get(const char*, const std::string& otherwise) const { return otherwise; }
std::vector<std::string> XmlElement::attribute_names() const { return {}; }

#endif

std::vector<XmlElement> XmlElement::children(std::string_view name) const {
  std::vector<XmlElement> result;
  for (const XmlElement& element : children()) {
    if (name == element.name()) result.push_back(element);
  }
  return result;
}

std::optional<std::vector<double>> XmlElement::numbers(const char* attribute,
                                                       ImportLog& log) const {
  if (!has(attribute)) return std::nullopt;
  std::vector<double> values;
  if (!parse_numbers(get(attribute), values)) {
    log.report(place(), path(),
               fmt::format("{} must be finite numbers separated by blanks, got '{}'", attribute,
                           get(attribute).substr(0, 60)));
    return std::nullopt;
  }
  return values;
}

std::optional<double> XmlElement::number(const char* attribute, ImportLog& log) const {
  const auto values = numbers(attribute, log);
  if (!values) return std::nullopt;
  if (values->size() == 1) return values->front();
  log.report(place(), path(),
             fmt::format("{} must be a number, got '{}'", attribute, get(attribute).substr(0, 60)));
  return std::nullopt;
}

std::optional<Vec3> XmlElement::vector(const char* attribute, ImportLog& log) const {
  const auto values = numbers(attribute, log);
  if (!values) return std::nullopt;
  if (values->size() == 3) return Vec3{(*values)[0], (*values)[1], (*values)[2]};
  log.report(place(), path(),
             fmt::format("{} must be 3 numbers, got {}", attribute, values->size()));
  return std::nullopt;
}

std::string XmlElement::need(const char* attribute, ImportLog& log) const {
  const std::string value = get(attribute);
  if (value.empty()) log.report(place(), path(), fmt::format("needs the attribute {}", attribute));
  return value;
}

std::string XmlElement::path() const {
  const XmlElement up = parent();
  const std::string own = has("name") ? name() + "[" + get("name").substr(0, 80) + "]" : name();
  return up && up.parent() ? up.path() + "." + own : own;
}

}  // namespace trammel::import
