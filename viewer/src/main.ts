// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Opens the page: decodes what the program put into it and shows it.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import "./scene.css";
import { read_page } from "./data";
import { close_menus_by_themselves, h } from "./dom";
import { show_paper_page } from "./paper_page";
import { show_run_page } from "./run_page";
import { start_theme } from "./theme";

declare global {
  interface Window {
    trammel?: unknown; // for tests and for the curious
  }
}

function start(): void {
  const root = document.getElementById("page") as HTMLElement;
  start_theme();
  close_menus_by_themselves();
  try {
    const page = read_page();
    if (page.head.kind === "paper") {
      show_paper_page(page, root);
    } else {
      const { player, stage, group, board, tabs } = show_run_page(page, root);
      window.trammel = { player, stage, view: stage.view, group, page, board, tabs };
      const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      if (!calm) player.play();
      else player.request();
    }
    document.documentElement.dataset.ready = "true";
  } catch (error) {
    root.append(h("p", { class: "notice bad", role: "alert" },
                  `This page is damaged and cannot be shown: ${(error as Error).message}`));
    throw error;
  }
}

start();
