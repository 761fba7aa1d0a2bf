// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A soft shadow on the ground: the bodies are drawn once more, seen from below, into a small texture that
// tells how near to the ground they are; the ground takes a blurred sample of it.
import {
  Color, Mesh, OrthographicCamera, PlaneGeometry, Scene, ShaderMaterial, Vector3, WebGLRenderTarget,
} from "three";
import type { Object3D, WebGLRenderer } from "three";
import type { Quaternion, Vec3 } from "./data";
import * as math from "./math";

const SIZE = 512;

const CASTER_VERTEX = `
  varying float v_height;
  void main() {
    vec4 local = vec4(position, 1.0);
    #ifdef USE_INSTANCING
      local = instanceMatrix * local;
    #endif
    gl_Position = projectionMatrix * modelViewMatrix * local;
    v_height = 0.5 + 0.5 * gl_Position.z;
  }`;
const CASTER_FRAGMENT = `
  varying float v_height;
  void main() {
    float near = 1.0 - clamp(v_height, 0.0, 1.0);
    gl_FragColor = vec4(vec3(0.25 + 0.75 * near), 1.0);
  }`;

const GROUND_VERTEX = `
  varying vec2 v_uv;
  void main() {
    v_uv = vec2(uv.x, uv.y);
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;
const GROUND_FRAGMENT = `
  uniform sampler2D map;
  uniform vec3 color;
  uniform float strength;
  uniform float spread;
  varying vec2 v_uv;
  void main() {
    float sum = texture2D(map, v_uv, 2.0).r;
    float weight = 1.0;
    for (int ring = 1; ring <= 2; ++ring) {
      float r = float(ring);
      float w = ring == 1 ? 0.8 : 0.4;
      for (int k = 0; k < 8; ++k) {
        float angle = 0.7853982 * (float(k) + 0.5 * r);
        sum += w * texture2D(map, v_uv + spread * r * vec2(cos(angle), sin(angle)), 2.0).r;
        weight += w;
      }
    }
    vec2 margin = smoothstep(vec2(0.0), vec2(0.06), min(v_uv, 1.0 - v_uv));
    gl_FragColor = vec4(color, strength * sum / weight * margin.x * margin.y);
    #include <colorspace_fragment>
  }`;

export class Shadow {
  readonly mesh: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly target = new WebGLRenderTarget(SIZE, SIZE, { generateMipmaps: true, minFilter: 1008 });
  private readonly camera: OrthographicCamera;
  private readonly caster = new ShaderMaterial({
    vertexShader: CASTER_VERTEX, fragmentShader: CASTER_FRAGMENT, side: 2,
  });
  private readonly scene = new Scene();
  private readonly clear = new Color();

  // The plane of a ground at `center` whose frame is `turn`, as wide as `reach` to every side; things up
  // to `height` above it cast a shadow, moved by `lean` × their height.
  constructor(center: Vec3, turn: Quaternion, reach: number, height: number, lean: [number, number]) {
    this.mesh = new Mesh(new PlaneGeometry(2 * reach, 2 * reach), new ShaderMaterial({
      vertexShader: GROUND_VERTEX, fragmentShader: GROUND_FRAGMENT,
      transparent: true, depthWrite: false, side: 2,
      uniforms: {
        map: { value: this.target.texture },
        color: { value: new Color() },
        strength: { value: 0.4 },
        spread: { value: 0.012 },
      },
    }));
    this.mesh.renderOrder = -2;
    this.mesh.position.set(...center);
    this.mesh.quaternion.set(turn[1], turn[2], turn[3], turn[0]);
    // from the ground upwards, with the texture's x and y along those of the plane: a mirrored camera
    const camera = new OrthographicCamera(-reach, reach, reach, -reach, 0, height);
    const up = math.rotate(turn, [0, 0, 1]);
    camera.position.set(...center);
    camera.up.set(...math.rotate(turn, [0, 1, 0]));
    camera.lookAt(new Vector3(...center).add(new Vector3(...up)));
    camera.updateMatrixWorld();
    const m = camera.projectionMatrix.elements;
    m[0] = -(m[0] as number); // looking upwards mirrors x
    // lean: clip x and y change with height, which is −z of the camera
    m[8] = -lean[0] / reach;
    m[9] = -lean[1] / reach;
    camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
    this.camera = camera;
    this.scene.overrideMaterial = this.caster;
    this.scene.matrixWorldAutoUpdate = false;
  }

  set_color(hex: string, strength: number): void {
    const { uniforms } = this.mesh.material;
    (uniforms.color as { value: Color }).value.set(hex);
    (uniforms.strength as { value: number }).value = strength;
  }

  // Draws the casters into the texture.
  update(renderer: WebGLRenderer, casters: Object3D[]): void {
    const before = renderer.getClearColor(this.clear).clone();
    const alpha = renderer.getClearAlpha();
    this.scene.children = casters; // borrowed: they stay in the scene that is shown
    renderer.setRenderTarget(this.target);
    renderer.setClearColor(0x000000, 1);
    renderer.clear();
    renderer.render(this.scene, this.camera);
    renderer.setRenderTarget(null);
    renderer.setClearColor(before, alpha);
    this.scene.children = [];
  }

  dispose(): void {
    this.target.dispose();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.caster.dispose();
  }
}
