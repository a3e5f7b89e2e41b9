const rooms = import.meta.glob<Record<string, unknown>>(
  ['./it/*.json', '../games/*/words/it.json'],
  { eager: true, import: 'default' },
);

export default Object.assign({}, ...Object.values(rooms)) as Record<string, unknown>;
