const rooms = import.meta.glob<Record<string, unknown>>(
  ['./de/*.json', '../games/*/words/de.json'],
  { eager: true, import: 'default' },
);

export default Object.assign({}, ...Object.values(rooms)) as Record<string, unknown>;
