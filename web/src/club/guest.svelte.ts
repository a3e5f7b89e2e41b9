/** Who we are to the club: a name and a cookie that only the club can read. */
import { t } from '../words/index.svelte';
import { api } from './api';
import { club } from './socket.svelte';

class Guest {
  /** Our name, or null while the club does not know us. */
  name = $state<string | null>(null);
  /** Whether the name was given by the club and not chosen. */
  isNameless = $derived(this.name === null);

  #asked: Promise<void> | null = null;

  /** Ask the club once whether it knows us. */
  load(): Promise<void> {
    this.#asked ??= api
      .me()
      .then(({ name }) => {
        this.name = name;
      })
      .catch((error: unknown) => {
        this.#asked = null;
        throw error;
      });
    return this.#asked;
  }

  /** Tell the club our name, new or changed. */
  async introduce(name: string): Promise<void> {
    const isNew = this.name === null;
    this.name = (await api.introduce(name)).name;
    if (isNew) club.renew();
  }

  /** Make sure that the club knows us, under a plain name if need be, and return the name. */
  async ensure(): Promise<string> {
    await this.load();
    if (this.name === null) await this.introduce(t('guest.plain'));
    return this.name ?? t('guest.plain');
  }
}

export const guest = new Guest();

/** The longest name that the club takes. */
export const LONGEST_NAME = 24;
