/** The clipboard, also where browsers give scripts none. */

/** Put a text into the clipboard, and say whether that worked. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
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
