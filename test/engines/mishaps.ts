import type { Dice } from './dice.ts'
import type { Ask } from './operation.ts'

const bodies = ['{', '[]', 'null', '""', '7', '{"a":1}}', '{"workspaceId":1e400}', '{"id":"a","id":"b"}', ' ']
const values = [
  ...[null, true, 0, -1, 1.5, 1e20, {}, [], ['a'], '', ' ', '\u0000', '\ud800'],
  ...['x'.repeat(1500), '__proto__', '😀'.repeat(101), 'ban', '[]'],
]

/** Spoils what is asked, in one of the ways in which callers do. */
export function spoilt({ pick, often }: Dice, ask: Ask): Ask {
  const spoil = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const names = Object.keys(fields)
    const name = names.length > 0 ? pick(names) : 'workspaceId'
    const { [name]: value, ...rest } = fields
    return pick([
      () => rest,
      () => ({ ...fields, [name]: pick(values) }),
      () => ({ ...rest, [name.toLowerCase()]: value ?? 'x' }),
      () => ({ ...fields, [pick(['colour', 'nmae', '__proto__x', 'limits'])]: 'x' }),
      () => ({ ...fields, workspaceId: pick(values) }),
    ])()
  }
  if (often(0.05)) return { ...ask, method: pick(['PUT', 'DELETE', 'PATCH', 'POST', 'OPTIONS']) }
  if (often(0.05)) return { ...ask, path: `${ask.path}${pick(['/', 's', '%00', '?workspaceId=x'])}` }
  if (typeof ask.body === 'object' && ask.body !== null)
    return { ...ask, body: often(0.15) ? pick(bodies) : spoil(ask.body as Record<string, unknown>) }
  const texts = Object.entries(spoil(ask.query ?? {})).map(([name, value]) => [name, String(value)])
  return { ...ask, query: Object.fromEntries(texts) }
}
