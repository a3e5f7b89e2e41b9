/** Fills in a text: `{name}` is replaced, and a text with several forms is chosen by its `{n}`. */

export type Form = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Values = Record<string, string | number>;

const rules = new Map<string, Intl.PluralRules>();

function formOf(language: string, n: number): Intl.LDMLPluralRule {
  let rule = rules.get(language);
  if (!rule) rules.set(language, (rule = new Intl.PluralRules(language)));
  return rule.select(n);
}

const formats = new Map<string, Intl.NumberFormat>();

/** A number in the guest's language, with a true minus. */
function digits(language: string, n: number): string {
  let format = formats.get(language);
  if (!format) formats.set(language, (format = new Intl.NumberFormat(language)));
  return format.format(n).replace('-', '−');
}

export function fill(form: Form, values: Values, language: string): string {
  const n = Number(values.n ?? 0);
  const text = typeof form === 'string' ? form : (form[formOf(language, n)] ?? form.other ?? '');
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? digits(language, value) : value;
  });
}
