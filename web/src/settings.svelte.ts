/** What a guest has set on this device. */

export type Theme = 'system' | 'light' | 'dark';

interface Stored {
  theme: Theme;
  language: string | null;
  sound: boolean;
  vibration: boolean;
  notifications: boolean;
  bot: string;
}

const KEY = 'qlub';
const USUAL: Stored = {
  theme: 'system',
  language: null,
  sound: false,
  vibration: true,
  notifications: false,
  bot: 'club',
};

function read(): Stored {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Stored>) };
  } catch {
    return USUAL;
  }
}

class Settings {
  #stored = $state(read());

  get theme(): Theme {
    return this.#stored.theme;
  }
  set theme(theme: Theme) {
    this.#stored.theme = theme;
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    this.#save();
  }
  get language(): string | null {
    return this.#stored.language;
  }
  set language(language: string | null) {
    this.#stored.language = language;
    this.#save();
  }
  get sound(): boolean {
    return this.#stored.sound;
  }
  set sound(on: boolean) {
    this.#stored.sound = on;
    this.#save();
  }
  get vibration(): boolean {
    return this.#stored.vibration;
  }
  set vibration(on: boolean) {
    this.#stored.vibration = on;
    this.#save();
  }
  get notifications(): boolean {
    return this.#stored.notifications;
  }
  set notifications(on: boolean) {
    this.#stored.notifications = on;
    this.#save();
  }
  /** The bot that the guest has chosen last. */
  get bot(): string {
    return this.#stored.bot;
  }
  set bot(bot: string) {
    this.#stored.bot = bot;
    this.#save();
  }

  /** Whether the lamp is on now, by the switch or by the system. */
  get isDark(): boolean {
    if (this.#stored.theme !== 'system') return this.#stored.theme === 'dark';
    return matchMedia('(prefers-color-scheme: dark)').matches;
  }

  #save(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#stored));
    } catch {
      // Without storage the settings last as long as the page.
    }
  }
}

export const settings = new Settings();

export function reducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
