// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The grid on the ground: thin lines at round distances that fade out around the mechanism.
import { Color, Mesh, PlaneGeometry, ShaderMaterial } from "three";

const VERTEX = `
  uniform vec2 shift;
  varying vec2 v_place;
  varying vec2 v_local;
  void main() {
    v_local = position.xy;
    v_place = position.xy + shift;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const FRAGMENT = `
  uniform vec3 color;
  uniform float cell;
  uniform float reach;
  uniform float strength;
  varying vec2 v_place;
  varying vec2 v_local;
  float lines(float size) {
    vec2 x = v_place / size;
    vec2 d = abs(fract(x - 0.5) - 0.5) / max(fwidth(x), vec2(1e-6));
    return 1.0 - smoothstep(0.3, 1.3, min(d.x, d.y));
  }
  void main() {
    float fade = 1.0 - smoothstep(0.25, 1.0, length(v_local) / reach);
    float line = max(0.45 * lines(cell), lines(5.0 * cell));
    gl_FragColor = vec4(color, strength * line * fade);
    #include <colorspace_fragment>
  }`;

export class Grid {
  readonly mesh: Mesh<PlaneGeometry, ShaderMaterial>;

  // The plane's own x and y are those of the grid; `shift` is where the world's origin lies in it.
  constructor(readonly cell: number, reach: number, shift_x: number, shift_y: number) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: 2,
      uniforms: {
        color: { value: new Color() },
        cell: { value: cell },
        reach: { value: reach },
        strength: { value: 0.6 },
        shift: { value: [shift_x % (5 * cell), shift_y % (5 * cell)] },
      },
    });
    this.mesh = new Mesh(new PlaneGeometry(2 * reach, 2 * reach), material);
    this.mesh.renderOrder = -1;
  }

  set_color(hex: string): void {
    (this.mesh.material.uniforms.color as { value: Color }).value.set(hex);
  }
}
