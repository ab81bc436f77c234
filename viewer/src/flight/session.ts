/** The session of a page: the answers of a simulation to the viewer's messages, like the session and the handlers of
 * the live view in Python. */

import { Clock } from "./clock";
import { Control } from "./control";
import { encode } from "./encode";
import { Limit } from "./limit";
import type { Measure } from "./measuring";
import { boidAt } from "./flock";
import type { FlightData } from "./manifest";
import { Refused } from "./errors";
import { Model, withInfinity } from "./model";
import { moves, obstaclesMessage, sceneOf } from "./obstacles";
import { Observer } from "./observer";
import { PartEdits, type Edit } from "./partedits";
import { Pictures } from "./pictures";
import type { Resize } from "./resize";
import type { Push } from "./state";
import { statusOf, type Simulator } from "./simulator";
import { pointInside } from "./space";
import { toToml } from "./toml";
import { faultsOf } from "./editedrules";
import type { Values } from "./values";
import { isCount } from "../state/paths";
import type { SceneMessage } from "../wire/contracts";
import type { PageMessage, ReplyMessage, ServerMessage } from "../wire/messages";
import { t } from "../words";

export interface Out {
  json(message: ServerMessage): void;
  frame(bytes: ArrayBuffer): void;
}

const WAITS = 200; // milliseconds until the limit is checked again, unless a message arrives

type Answer = Partial<ReplyMessage> | Promise<Partial<ReplyMessage>>;

/** Makes the engine of a session. */
export type MakeSimulator = (data: FlightData, values: Values, counts: number[], seed: bigint) => Simulator;

export class Session {
  private readonly model: Model;
  private readonly clock: Clock;
  private readonly observer: Observer;
  private readonly flight: Simulator;
  private scene: SceneMessage;
  private readonly pictures = new Pictures();
  private watched = true;
  private number = ""; // of each boid, that frames hold
  private push: Push | null = null;
  private failure = "";
  private moving: boolean;
  private readonly limit = new Limit();
  private readonly wrong: string[];
  private readonly parts: PartEdits;
  private readonly data: FlightData;
  private resizing = false; // while boids join or leave, no step is made
  private readonly control: Control;

  constructor(loaded: FlightData, private readonly out: Out, private readonly clockOf: () => number, make: MakeSimulator, measure?: Measure) {
    const data = { ...loaded, starts: { ...loaded.starts } };
    this.data = data;
    this.scene = data.scene;
    const predators = data.drawing?.predators;
    this.model = new Model(data.scene, withInfinity(data), data.max_boids, faultsOf(data), predators?.founded ? predators.flock : "", data.population?.manifest.limits);
    this.parts = new PartEdits(data, this.model);
    this.wrong = this.parts.open(data);
    const { frames_per_second = 24, every = 1 } = data.scene.view;
    this.clock = new Clock(frames_per_second * every);
    this.flight = make(data, this.model.values, this.model.counts, BigInt(data.seed));
    if (data.state) this.flight.begin(data.state);
    this.control = new Control(this.flight, data.states, (steps) => this.runs(() => (steps > 0 ? this.ordered(() => this.clock.runSteps(steps)) : this.pictures.change())));
    this.scene = this.sceneNow(data.scene.scene);
    this.observer = new Observer(this.scene, (message) => this.out.json(message), measure);
    this.moving = moves(this.model.values);
  }

  /** The page watches for the first time. */
  begin(): void {
    this.out.json(this.scene);
    if (this.wrong.length > 0) this.notice("error", `${t("This page cannot apply some of the changes.")} ${this.wrong.join("; ")}`, "link");
    this.observer.begin(this.flight.flock());
    if (!this.data.paused) this.clock.play(this.clockOf());
  }

  /** Make and show the steps that are due. Returns the milliseconds until there is more to do. */
  advance(): number {
    const now = this.clockOf();
    // A simulation with a limit continues even if its page is hidden.
    if (!this.watched || (!this.limit.waitedFor && this.pictures.unseen(now))) {
      this.clock.reset(now);
      return 200;
    }
    const [due, wait] = this.clock.due(now);
    const allowed = this.clock.playing ? Math.min(due, this.limit.steps(this.flight)) : due;
    const steps = this.resizing ? 0 : Math.min(allowed, this.flight.room);
    if (steps > 0) this.runSteps(steps);
    const reached = this.limit.reached(this.flight, this.clock);
    if (reached) this.out.json(reached);
    const after = this.clockOf();
    this.clock.count(after);
    if (this.pictures.wait(after) === 0 && this.flight.look(after)) this.publish(after);
    this.observer.look(after, this.model.values, () => this.flight.flock(), () => statusOf(this.clock, this.flight), (boid) => this.flight.wants(boid));
    if (steps > 0) return 0;
    return Math.min(due > 0 ? WAITS : wait, this.pictures.wait(after));
  }

  private runSteps(steps: number): void {
    const begin = this.clockOf();
    try {
      if (this.push) this.flight.push(this.scene, this.push, steps);
      this.flight.run(steps);
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      this.ordered(() => this.clock.pause());
      this.control.stop(this.failure);
      this.notice("error", this.failure, "run");
    }
    this.clock.advance(steps, this.flight.took(steps, this.clockOf() - begin));
    this.pictures.move();
    this.control.reached(this.flight.step);
  }

  private publish(now: number): void {
    this.pictures.sent(now);
    if (this.moving) this.tellObstacles();
    if (!this.flight.current) this.pictures.move(); // a later state is under way
    const flock = this.flight.flock();
    const counts = this.observer.counts(flock, this.model.values);
    const shown = this.flight.shown(this.scene, this.data.states, this.number);
    this.flight.setColours?.(counts, shown && { ...shown, rows: this.rowsOf(this.number) });
    this.out.frame(encode(flock, this.scene, this.clock.perSecond, counts, shown));
  }

  /** The row of a state that boids keep, for each flock; -1 where it does not keep it. */
  private rowsOf(name: string): number[] {
    return this.scene.flocks.map((flock) => (this.data.states[flock.name] ?? []).indexOf(name));
  }

  private notice(level: "error" | "clear", text: string, about: string): void {
    this.out.json({ type: "notice", level, text, about, sticky: true });
  }

  private tellObstacles(): void {
    this.out.json(obstaclesMessage(this.scene, this.model.values, this.flight.time));
  }

  // --- messages of the page

  handle(message: PageMessage & { id?: number }): void {
    const reply = (answer: Partial<ReplyMessage>): void => {
      if (message.id !== undefined) this.out.json({ type: "reply", to: message.id, ok: true, ...answer });
    };
    try {
      const answer = this.answer(message) ?? {};
      if (answer instanceof Promise) void answer.then(reply);
      else reply(answer);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      reply({ ok: false, error: error.message });
    }
  }

  private answer(message: PageMessage): Answer | undefined {
    const now = this.clockOf();
    switch (message.type) {
      case "credit": return void this.pictures.allow(message.frames, now);
      case "watch":
        this.watched = message.on;
        this.clock.reset(now);
        return;
      case "play": return this.runs(() => this.ordered(() => this.clock.play(now)));
      case "pause": return this.ordered(() => (this.control.stop("the page was paused"), this.clock.pause()));
      case "control": return this.control.answer(message, this.scene);
      case "step": return this.runs(() => this.ordered(() => this.clock.runSteps(message.steps)));
      case "until": return this.runs(() => this.limit.set(message, this.flight, this.clock, now));
      case "rate": return void this.clock.setRate(message.steps_per_second, now);
      case "restart": return this.restart(message.seed === undefined ? this.flight.seed : BigInt(message.seed));
      case "set": return this.take(this.model.set(message.values, message.off));
      case "switch": return this.take(this.model.switchRule(message.rule, message.on));
      case "reset": return this.reset();
      case "prepare": return; // the page is compiled with room for drawn parts
      case "draw": return this.edit({ parts: this.parts.tables(message.shape, this.flight.flock()) });
      case "place": return this.edit(this.parts.predator(pointInside(this.scene, message.position)));
      case "remove": return this.edit({ parts: this.parts.removal(message.flock), leaving: boidAt(this.scene, this.flight.flock(), message) });
      case "edit": return this.edit({ parts: message.values, places: message.places });
      case "choose": return void this.observer.choose(boidAt(this.scene, this.flight.flock(), message) < 0 ? null : [message.flock!, message.boid!], now);
      case "extra": return this.changed(() => ([this.observer.neighbours, this.number] = [message.neighbours, message.number ?? ""]));
      case "move": return this.changed(() => this.move(boidAt(this.scene, this.flight.flock(), message), message.position));
      case "shoo": return void (this.push = message.position && { position: message.position, radius: message.radius, sign: message.call ? -1 : 1 });
      case "state": {
        const state = this.flight.state();
        return state instanceof Promise ? state.then((value) => ({ state: value })) : { state };
      }
      case "toml": return { toml: toToml(this.model.now) };
      default: throw new Refused(t("this page cannot do that: it needs Python"));
    }
  }

  private changed(work: () => unknown): undefined {
    work();
    this.pictures.change();
  }

  private ordered(work: () => unknown): undefined {
    this.limit.ordered();
    this.changed(work);
  }

  private runs(work: () => void): undefined {
    if (this.failure) throw new Refused(t("the simulation stopped and must be restarted: {reason}", { reason: this.failure }));
    work();
  }

  private restart(seed: bigint): Partial<ReplyMessage> {
    this.control.stop("the flock was restarted");
    this.flight.restart(this.model.counts, seed);
    this.clock.restart(this.clockOf());
    this.limit.restart();
    if (this.failure) {
      this.failure = "";
      this.notice("clear", "", "run");
      this.ordered(() => this.clock.play(this.clockOf()));
    }
    this.observer.begin(this.flight.flock());
    this.pictures.change();
    return { seed: Number(seed) };
  }

  /** Changed values apply from the next step on; a changed number of boids restarts. */
  private take(values: Values): undefined {
    const { model, flight } = this;
    flight.setValues(model.values);
    this.moving = moves(model.values);
    this.pictures.change();
    if (setsCounts(values)) return this.enterScene();
    this.out.json({ type: "values", values, off: [...model.off.keys()] });
    if (Object.keys(values).some((path) => /^(obstacles|rules)\./.test(path))) this.tellObstacles();
  }

  /** The scene with the values as they are now. */
  private sceneNow(number: number, time = 0): SceneMessage {
    return sceneOf(this.data.scene, this.model, number, time);
  }

  private edit(edit: Edit): Answer {
    const { changed, resize } = this.parts.edit(edit);
    return this.showParts({ changed }, resize);
  }

  private reset(): undefined | Answer {
    const { drawn, counts } = this.model;
    const had = drawn.size > 0;
    const values = this.model.reset();
    this.take(values);
    if (!had) return;
    const same = String(counts) === String(this.model.counts) || setsCounts(values);
    return this.showParts({}, same ? null : { counts: this.model.counts, places: [] });
  }

  /** Parts or boids were added or removed: they act from the next step on. */
  private showParts(reply: Partial<ReplyMessage>, resize: Resize | null): Answer {
    this.flight.setValues(this.model.values);
    const show = (): Partial<ReplyMessage> => {
      this.resizing = false;
      this.scene = this.sceneNow(this.scene.scene + (resize ? 1 : 0), this.flight.time);
      if (resize) this.observer.enter(this.scene);
      this.moving = moves(this.model.values);
      this.pictures.change();
      this.out.json(this.scene);
      return reply;
    };
    this.resizing = resize !== null;
    const later = resize && this.flight.resize(resize);
    return later ? later.then(show) : show();
  }

  private enterScene(): undefined {
    this.scene = this.sceneNow(this.scene.scene + 1);
    this.observer.enter(this.scene);
    this.restart(this.flight.seed);
    this.out.json(this.scene);
  }

  private move(id: number, position: number[]): void {
    this.flight.move(id, [...pointInside(this.scene, position), 0].slice(0, 3));
  }
}

/** Whether numbers of boids are among values. */
const setsCounts = (values: Values): boolean => Object.keys(values).some(isCount);
