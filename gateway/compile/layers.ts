/**
 * The settings that hold for a call lie in layers: the server's defaults, the
 * backend's own, those of a sub-URL. Here it stands, once, which layer decides.
 */
import type { BackendSettings, SettingName, SubSettings } from "../records/settings.ts";

/** Where a setting's value comes from; `server`: nobody says anything, so what is built in. */
export type LayerName = "sub_url" | "backend" | "default" | "server";

/** Settings that were stored before there was a field lack it. */
export type StoredSettings = Partial<SubSettings>;

export class Layers {
  readonly #layers: readonly (readonly [LayerName, StoredSettings])[];

  /** `sub`: null for calls that no sub-URL setting is for. */
  constructor(
    readonly defaults: StoredSettings,
    readonly backend: StoredSettings,
    readonly sub: StoredSettings | null = null,
  ) {
    this.#layers = [
      ...(sub === null ? [] : [["sub_url", sub] as const]),
      ["backend", backend],
      ["default", defaults],
    ];
  }

  /** The value of the nearest layer that has one; an empty list or text is none. */
  value<Name extends SettingName>(name: Name): NonNullable<BackendSettings[Name]> | undefined {
    return this.nearest(name)?.[name] as NonNullable<BackendSettings[Name]> | undefined; // it is set
  }

  /** The nearest layer that has a value for this one. */
  nearest(name: SettingName): StoredSettings | undefined {
    return this.#layers.find(([, settings]) => isSet(settings[name]))?.[1];
  }

  /** The nearest layer of which this holds. */
  find(
    holds: (settings: StoredSettings) => boolean,
  ): readonly [LayerName, StoredSettings] | undefined {
    return this.#layers.find(([, settings]) => holds(settings));
  }

  /** The nearest layer that has a value for one of these. */
  sourceOf(...names: readonly SettingName[]): LayerName {
    return this.#layers.find(([, settings]) => names.some((name) => isSet(settings[name])))?.[0] ??
      "server";
  }

  /** The value that each layer has, the weakest one first; for settings that add up. */
  all<Name extends SettingName>(name: Name): NonNullable<BackendSettings[Name]>[] {
    return this.#layers.toReversed().map(([, settings]) => settings[name])
      .filter(isSet) as NonNullable<BackendSettings[Name]>[]; // as above
  }

  /**
   * Roles of a sub-URL are needed besides the backend's, unless it says that its own
   * stand in their place: none, if it has none.
   */
  requiredRoles(): readonly string[] {
    const own = this.sub?.required_roles ?? [];
    if (this.sub?.required_roles_override === true) return own;
    const rest = new Layers(this.defaults, this.backend).value("required_roles") ?? [];
    return [...new Set([...rest, ...own])];
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" &&
    !(Array.isArray(value) && value.length === 0);
}
