/** HTML that is safe to put into a page. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | Html | null | false | readonly Html[]

function render(value: Value): string {
  if (value === null || value === false) return ''
  if (typeof value === 'string') return Bun.escapeHTML(value)
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('')
}

/** Builds HTML: every value that is not `Html` is escaped. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.reduce((text, part, index) => text + render(values[index - 1] ?? null) + part))
