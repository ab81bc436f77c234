/** A comparison: a second flight beside the page's own, of a setting that was kept. The first half shows
 * the kept setting, the second the present one. */

import type { Channel } from "../channel/channel";
import type { Relay } from "../channel/relay";
import type { Changes } from "../page/changes";
import { drawnNow } from "../drawing/drawnnow";
import { Pointer } from "../scene/pointer";
import type { Requests } from "../page/requests";
import { changesTo, differencesOf, nameOfSetting, wordsOf, type Kept } from "../page/settings";
import type { Shell } from "../page/shell";
import { Feed } from "../state/feed";
import { CompareBar } from "../ui/comparebar";
import { Viewport } from "../scene/viewport";
import type { ViewSettings } from "../scene/viewsettings";
import { decodeFrame } from "../wire/frame";
import type { SceneMessage, StatusMessage } from "../wire/contracts";
import type { ServerMessage } from "../wire/messages";
import { Pair } from "./pair";
import { mark, t, tv } from "../words";

/** The parts of the live view that a comparison needs. */
export interface Compared {
  readonly shell: Shell;
  readonly channel: Relay;
  readonly requests: Requests;
  readonly changes: Changes;
  readonly settings: ViewSettings;
  readonly viewport: Viewport | null;
  readonly scene: SceneMessage | null;
  readonly status: StatusMessage | null;
  readonly comparable: boolean;
}

const PRESENT = mark("now");

export class Comparison {
  viewport: Viewport | null = null;
  private readonly bar: CompareBar;
  private readonly pair: Pair;
  private readonly other: Channel;
  private readonly feed: Feed;
  /** The other flight's scene, whose values are kept as they are. */
  private scene: SceneMessage | null = null;
  kept: Kept;

  constructor(private readonly live: Compared, kept: Kept, private readonly ended: () => void) {
    this.kept = { ...kept };
    this.other = live.channel.another!();
    this.feed = new Feed((frames) => this.other.send({ type: "credit", frames }));
    this.bar = new CompareBar({ swap: () => this.swap(), end: () => this.end() });
    this.pair = new Pair(live.channel, this.other, live.status, {
      frame: (data) => this.feed.push(decodeFrame(data), performance.now()),
      other: (message) => this.receive(message),
      again: () => this.again(),
    });
    this.other.onState((state) => {
      const { extra } = live.settings;
      if (state === "open" && (extra.neighbours || extra.number)) this.other.send({ type: "extra", ...extra });
    });
  }

  end(): void {
    this.pair.end();
    this.bar.element.remove();
    this.live.shell.charts.compare(null);
    this.live.shell.setBeside(null);
    this.ended();
  }

  /** Exchange the kept setting and the present one. */
  private swap(): void {
    const { changes, scene } = this.live;
    const present = changes.setting;
    changes.restore(this.kept);
    this.kept = { ...present, name: scene ? nameOfSetting(present, scene, 1) : tv(PRESENT) };
    this.live.shell.charts.compare([tv(PRESENT), this.kept.name]);
    this.again();
    this.updateCaption();
  }

  /** Both begin from the same seed: the other flight with its setting. */
  private again(): void {
    if (!this.scene) return;
    const missing = Object.entries(this.live.scene ? drawnNow(this.live.scene) : {}).filter(([part]) => !(part in (this.scene!.drawn ?? {})));
    if (missing.length > 0) this.other.send({ type: "edit", values: Object.fromEntries(missing), places: {} });
    const wanted = changesTo(this.kept, this.scene);
    if (wanted) this.other.send({ type: "set", ...wanted });
    void this.live.requests.send({ type: "restart" });
  }

  private receive(message: ServerMessage): void {
    const { shell } = this.live;
    switch (message.type) {
      case "scene": return this.enter(message);
      case "values":
        if (!this.scene) return;
        this.scene.off = message.off;
        Object.assign(this.scene.values, message.values);
        return this.updateCaption();
      case "obstacles": return this.viewport?.setObstacles(message.obstacles);
      case "measures": return shell.charts.push(message.points, message.begin, 1);
      case "notice":
        // messages about a file or a link are shown by the page's own flock already
        if (message.about !== "file" && message.about !== "link") shell.notices.receive({ ...message, about: `compared-${message.about}` });
        return;
      case "reply":
        if (!message.ok) shell.notices.say(message.error ?? t("the request was refused"), { level: "error", about: "compared" });
        return;
      case "bye":
        shell.notices.say(`${t("The comparison has ended.")} ${message.reason ?? ""}`, { level: "warning", about: "compared" });
        return this.end();
    }
  }

  private enter(scene: SceneMessage): void {
    const { shell, settings } = this.live;
    const main = this.live.viewport;
    if (!main) return;
    this.scene = scene;
    this.feed.enter(scene.scene, scene.flocks.map((flock) => flock.max_boids));
    if (this.viewport) this.viewport.enter(scene, false);
    else {
      this.viewport = new Viewport(
        { take: (at, refresh) => this.feed.take(at, refresh), drawn: (isNew) => isNew && this.feed.drawn() },
        scene,
      );
      new Pointer(this.viewport, {});
      shell.charts.compare([tv(PRESENT), this.kept.name]);
      shell.frame.append(this.bar.element);
      shell.setBeside(this.viewport, (parts) => this.bar.place(parts));
      shell.notices.announce(t("two simulations side by side: {one}, and {other}", { one: this.kept.name, other: tv(PRESENT) }));
    }
    this.viewport.seeAs(main);
    settings.choose({});
    this.updateCaption();
  }

  /** What differs, over both halves. */
  updateCaption(): void {
    const { changes, scene } = this.live;
    if (!this.scene || !scene) return;
    const differences = differencesOf(this.kept, changes.setting, scene.schemas);
    const words = (which: "one" | "other"): string => wordsOf(differences, which) || t("the same setting");
    this.bar.say([this.kept.name, words("one")], [tv(PRESENT), words("other")]);
  }

  /** Whether the other flight is made of the same parts as a scene. */
  fits(scene: SceneMessage): boolean {
    const parts = (of: SceneMessage): string => Object.keys(of.values).sort().join();
    return this.scene === null || parts(this.scene) === parts(scene);
  }

  /** The page's own flight has another scene. */
  entered(): void {
    if (this.live.viewport) this.viewport?.seeAs(this.live.viewport);
    this.updateCaption();
  }
}

