const rooms = import.meta.glob<Record<string, unknown>>(
  ['./fr/*.json', '../games/*/words/fr.json'],
  { eager: true, import: 'default' },
);

export default Object.assign({}, ...Object.values(rooms)) as Record<string, unknown>;
