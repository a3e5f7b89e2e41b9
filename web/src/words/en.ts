const rooms = import.meta.glob<Record<string, unknown>>(
  ['./en/*.json', '../games/*/words/en.json'],
  { eager: true, import: 'default' },
);

export default Object.assign({}, ...Object.values(rooms)) as Record<string, unknown>;
