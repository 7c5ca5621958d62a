import type { Choices } from './choices.ts'
import type { RequestTemplate } from './operation.ts'

const bodies = ['{', '[]', 'null', '""', '7', '{"a":1}}', '{"workspaceId":1e400}', '{"id":"a","id":"b"}', ' ']
const values = [
  ...[null, true, 0, -1, 1.5, 1e20, {}, [], ['a'], '', ' ', '\u0000', '\ud800'],
  ...['x'.repeat(1500), '__proto__', '😀'.repeat(101), 'ban', '[]'],
]

/** Makes a request invalid in one of the ways in which clients do. */
export function corruptRequest({ pick, chance }: Choices, request: RequestTemplate): RequestTemplate {
  const corruptFields = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const names = Object.keys(fields)
    const name = names.length > 0 ? pick(names) : 'workspaceId'
    const { [name]: value, ...otherFields } = fields
    return pick([
      () => otherFields,
      () => ({ ...fields, [name]: pick(values) }),
      () => ({ ...otherFields, [name.toLowerCase()]: value ?? 'x' }),
      () => ({ ...fields, [pick(['colour', 'nmae', '__proto__x', 'limits'])]: 'x' }),
      () => ({ ...fields, workspaceId: pick(values) }),
    ])()
  }
  if (chance(0.05)) return { ...request, method: pick(['PUT', 'DELETE', 'PATCH', 'POST', 'OPTIONS']) }
  if (chance(0.05)) return { ...request, path: `${request.path}${pick(['/', 's', '%00', '?workspaceId=x'])}` }
  if (typeof request.body === 'object' && request.body !== null)
    return {
      ...request,
      body: chance(0.15) ? pick(bodies) : corruptFields(request.body as Record<string, unknown>),
    }
  const queryTexts = Object.entries(corruptFields(request.query ?? {})).map(([name, value]) => [
    name,
    String(value),
  ])
  return { ...request, query: Object.fromEntries(queryTexts) }
}
