/** Fills in a text: `{name}` is replaced, and a text with several forms is chosen by its `{n}`. */

export type Form = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Values = Record<string, string | number>;

const rules = new Map<string, Intl.PluralRules>();

function formOf(language: string, n: number): Intl.LDMLPluralRule {
  let rule = rules.get(language);
  if (!rule) rules.set(language, (rule = new Intl.PluralRules(language)));
  return rule.select(n);
}

export function fill(form: Form, values: Values, language: string): string {
  const n = Number(values.n ?? 0);
  const text = typeof form === 'string' ? form : (form[formOf(language, n)] ?? form.other ?? '');
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? value.toLocaleString(language).replace('-', '−') : value;
  });
}
