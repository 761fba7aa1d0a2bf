// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What the reader chose, kept in the fragment of the page's address: it survives a reload and travels
// with a copied link. Files opened from a disk have no other storage that is sure to work.

function read(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

export function get_state(key: string): string {
  return read().get(key) ?? "";
}

export function set_state(key: string, value: string): void {
  const all = read();
  if (value === "") all.delete(key);
  else all.set(key, value);
  const text = all.toString();
  try {
    history.replaceState(history.state, "", text ? `#${text}` : location.pathname + location.search);
  } catch {
    // a page inside a frame without an address of its own
  }
}
