/** Gives a sentence to others: by the device's own way of sharing, else by the clipboard. */
import { copy } from '../shell/clipboard';

export async function send(text: string, url: string): Promise<'shared' | 'copied' | 'failed'> {
  const device: Partial<Pick<Navigator, 'share' | 'clipboard'>> = navigator;
  const whole = [text, url].filter(Boolean).join(' ');
  try {
    if (device.share) {
      await device.share(url ? { text, url } : { text });
      return 'shared';
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'shared'; // thought better
  }
  return (await copy(whole)) ? 'copied' : 'failed';
}
