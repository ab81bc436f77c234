/** The hand: the pointer on the scene of a live view, and its tool. */

import { Pointer, type PointerCalls, type PointerTool } from "./pointer";
import { ShooTool, type Beckoning } from "./shootool";
import type { Viewport } from "./viewport";
import type { Vec3 } from "../wire/frame";

export interface HandCalls extends PointerCalls {
  shoo(position: Vec3 | null, radius: number, call: boolean): void;
}

export class Hand {
  private pointer: Pointer | null = null;
  private tools: Record<Beckoning, ShooTool> | null = null;
  /** Commands of keys and buttons. */
  readonly acts = {
    shoo: (on: boolean) => this.hold("shoo", on),
    call: (on: boolean) => this.hold("call", on),
  };
  private drawing: PointerTool | null = null;
  private held: Beckoning | null = null;

  constructor(
    /** Show whether it shoos or calls. */
    private readonly shown: (tool: Beckoning | null) => void,
  ) {}

  /** The scene has arrived. */
  attach(viewport: Viewport, calls: HandCalls): void {
    this.pointer = new Pointer(viewport, calls);
    const tool = (name: Beckoning): ShooTool => new ShooTool(name, viewport, (position, radius, call) => calls.shoo(position, radius, call));
    this.tools = { shoo: tool("shoo"), call: tool("call") };
  }

  /** Switch shooing or calling on or off. */
  private hold(name: Beckoning, on: boolean): void {
    if (on) this.held = name;
    else if (this.held === name) this.held = null;
    this.use();
  }

  /** The tool that draws; null: none. */
  draw(tool: PointerTool | null): void {
    this.drawing = tool;
    this.use();
  }

  private use(): void {
    this.pointer?.use(this.held && this.tools ? this.tools[this.held] : this.drawing);
    this.shown(this.held);
  }
}
