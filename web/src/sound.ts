/** Wood and paper: short dry sounds made here, never a jingle. Off until the guest turns them on. */
import { settings } from './settings.svelte';

export type Sound = 'dice' | 'pencil' | 'latch' | 'tile' | 'turn' | 'end';

let context: AudioContext | null = null;

/** A burst of noise through a filter, or a falling tone: everything here is made of these two. */
interface Knock {
  at: number;
  lasts: number;
  loud: number;
  noise?: number;
  tone?: number;
}

const SOUNDS: Record<Sound, Knock[]> = {
  dice: [0, 0.07, 0.12, 0.21, 0.26, 0.33].map((at, index) => ({
    at,
    lasts: 0.045,
    loud: 0.5 - 0.06 * index,
    noise: 1500 - 130 * index,
  })),
  pencil: [
    { at: 0, lasts: 0.09, loud: 0.18, noise: 4200 },
    { at: 0.11, lasts: 0.11, loud: 0.2, noise: 3600 },
  ],
  latch: [
    { at: 0, lasts: 0.03, loud: 0.4, noise: 2600 },
    { at: 0.08, lasts: 0.12, loud: 0.5, tone: 190 },
  ],
  tile: [{ at: 0, lasts: 0.06, loud: 0.5, noise: 2100 }],
  turn: [
    { at: 0, lasts: 0.1, loud: 0.4, tone: 150 },
    { at: 0.16, lasts: 0.12, loud: 0.4, tone: 130 },
  ],
  end: [220, 277, 330].map((tone) => ({ at: 0, lasts: 0.4, loud: 0.2, tone })),
};

export function sound(name: Sound): void {
  if (!settings.sound) return;
  try {
    context ??= new AudioContext();
    void context.resume();
    for (const knock of SOUNDS[name]) play(context, knock);
  } catch {
    // A device without sound plays on in silence.
  }
}

function play(audio: AudioContext, { at, lasts, loud, noise, tone }: Knock): void {
  const start = audio.currentTime + at;
  const volume = audio.createGain();
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + lasts);
  volume.connect(audio.destination);
  const source = noise ? hiss(audio, noise, lasts, volume) : hum(audio, tone ?? 200, start, volume);
  source.start(start);
  source.stop(start + lasts);
}

function hum(audio: AudioContext, tone: number, start: number, out: AudioNode): OscillatorNode {
  const source = audio.createOscillator();
  source.type = 'triangle';
  source.frequency.setValueAtTime(tone, start);
  source.connect(out);
  return source;
}

function hiss(
  audio: AudioContext,
  pitch: number,
  lasts: number,
  out: AudioNode,
): AudioBufferSourceNode {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * lasts), audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let index = 0; index < data.length; index++) data[index] = 2 * Math.random() - 1;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  filter.Q.value = 1.4;
  source.connect(filter).connect(out);
  return source;
}

/** A short touch, where the device can and the guest wants it. */
export function vibrate(pattern: number | number[]): void {
  const mayTouch = navigator.userActivation?.hasBeenActive; // before that, browsers refuse
  if (settings.vibration && mayTouch && 'vibrate' in navigator) navigator.vibrate(pattern);
}
