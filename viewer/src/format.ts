// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers as people read them.

const SUPERSCRIPT: Record<string, string> = {
  "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴",
  "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹",
};

export function power_of_ten(exponent: number): string {
  return "10" + [...String(exponent)].map((digit) => SUPERSCRIPT[digit] ?? digit).join("");
}

// A few significant digits; a true minus sign; powers of ten where the number is far from one.
export function short(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(Math.max(0, digits - 2)).split("e");
    const m = (mantissa ?? "").replace(/\.?0+$/, "").replace("-", "−");
    const power = power_of_ten(Number(exponent));
    return m === "1" ? power : m === "−1" ? `−${power}` : `${m}·${power}`;
  }
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

// Time with as many decimals as the length of the run asks for, so that it does not jump about.
export function make_time_format(duration: number): (t: number) => string {
  const decimals = duration > 0 ? Math.min(9, Math.max(2, 3 - Math.floor(Math.log10(duration)))) : 2;
  return (t) => t.toFixed(decimals).replace("-", "−");
}

export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");
}

// "1 body", "3 bodies"
export function plural(n: number, one: string, many: string): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

// A field of a CSV file: quoted where it must be (RFC 4180).
export function csv_field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
