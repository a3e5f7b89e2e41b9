/** Gives a sentence to others: by the device's own way of sharing, else by the clipboard. */

export async function send(text: string, url: string): Promise<'shared' | 'copied' | 'failed'> {
  const device: Partial<Pick<Navigator, 'share' | 'clipboard'>> = navigator;
  const whole = [text, url].filter(Boolean).join(' ');
  try {
    if (device.share) {
      await device.share(url ? { text, url } : { text });
      return 'shared';
    }
    if (device.clipboard) await device.clipboard.writeText(whole);
    else if (!copyBySelection(whole)) return 'failed';
    return 'copied';
  } catch (error) {
    const hasThoughtBetter = error instanceof DOMException && error.name === 'AbortError';
    return hasThoughtBetter ? 'shared' : 'failed';
  }
}

/** On plain http there is no clipboard for scripts, only the old way. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.className = 'visually-hidden';
  field.value = text;
  document.body.append(field);
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  return isDone;
}
