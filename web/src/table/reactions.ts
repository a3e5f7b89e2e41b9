/** What a seat may say: the club's fixed set. */
export const REACTIONS = [
  'hello',
  'nice',
  'wow',
  'ouch',
  'thinking',
  'hurry',
  'thanks',
  'sorry',
  'again',
  'bye',
] as const;
