/** The settings that a page keeps: their rows in the panel, and the comparison with one of them. */

import { Comparison, type Compared } from "../compare/comparison";
import { linked, unlinked, type Changes as LinkChanges } from "./link";
import { KeptSettings, nameOfSetting, type Kept } from "./settings";
import { SettingRows } from "../ui/settingrows";
import type { SceneMessage } from "../wire/contracts";
import { t } from "../words";

export class KeptPart {
  readonly rows: SettingRows;
  comparison: Comparison | null = null;
  private readonly kept = new KeptSettings();

  constructor(private readonly live: Compared) {
    this.rows = new SettingRows({
      keep: () => this.keep(),
      goBack: (kept) => live.changes.restore(kept),
      compare: live.comparable ? live.channel.another && ((kept) => this.compare(kept)) : undefined,
      rename: (kept, name) => {
        this.kept.rename(this.flock, kept, name);
        this.show();
      },
      remove: (kept) => {
        this.kept.remove(this.flock, kept);
        this.show();
      },
    });
  }

  private get flock(): string {
    return this.live.scene?.name ?? "";
  }

  private keep(): void {
    const { changes, scene, shell } = this.live;
    if (!scene) return;
    const { setting } = changes;
    const { name } = this.kept.keep(this.flock, setting, nameOfSetting(setting, scene, this.kept.of(this.flock).length + 1));
    this.show();
    shell.notices.announce(t("kept: {name}", { name }));
  }

  private compare(kept: Kept): void {
    this.comparison?.end();
    this.comparison = new Comparison(this.live, kept, () => (this.comparison = null));
  }

  /** What a link holds of them. */
  get inLink(): Pick<LinkChanges, "kept" | "compared"> {
    const defaults = this.live.scene?.defaults ?? {};
    const kept = this.kept.of(this.flock).map((one) => linked(one, defaults));
    return { ...(kept.length > 0 && { kept }), ...(this.comparison && { compared: linked(this.comparison.kept, defaults) }) };
  }

  /** Those of a link, as they were kept. */
  open({ kept = [], compared }: Pick<LinkChanges, "kept" | "compared">): void {
    const defaults = this.live.scene?.defaults ?? {};
    for (const one of kept) this.kept.keep(this.flock, unlinked(one, defaults), one.name);
    this.show();
    if (compared) this.compare(unlinked(compared, defaults));
  }

  private show(): void {
    this.rows.show(this.kept.of(this.flock));
  }

  /** The live view has another scene. A comparison ends with its flock, and begins again where that is
   * made of other parts now. */
  entered(scene: SceneMessage, fresh: boolean): void {
    this.show();
    const { comparison } = this;
    if (!comparison) return;
    if (fresh) comparison.end();
    else if (comparison.fits(scene)) comparison.entered();
    else this.compare(comparison.kept);
  }
}
