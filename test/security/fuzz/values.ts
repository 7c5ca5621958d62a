import { exampleIds, examplePlayers } from '@reeve/api/openapi/example-ids'
import { wire } from '@reeve/core'
import { PASSWORD } from '../../support/instance.ts'
import type { FuzzField } from './operations.ts'

/** Ids of the responses so far, by the name of what they belong to. */
export type IdPool = Map<string, string[]>

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/
const MAX_IDS = 40

/**
 * Remembers the ids in a response body, but not that of `operator`, without whom there are no new workspaces: those of `departments[0]` and `department` are
 * departments.
 */
export function collectIds(pool: IdPool, value: unknown, operator: string, name = ''): void {
  if (Array.isArray(value)) for (const item of value) collectIds(pool, item, operator, name.replace(/s$/, ''))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [key, child] of Object.entries(value)) {
    if (typeof child !== 'string') collectIds(pool, child, operator, key)
    else if (UUID.test(child) && child !== operator)
      addId(pool, key === 'id' ? name : key.replace(/Id$/, ''), child)
    else if (key === 'nextCursor') addId(pool, 'cursor', child)
    else if (key === 'epoch' || key === 'appealCode') addId(pool, key, child)
  }
}

function addId(pool: IdPool, kind: string, id: string): void {
  const ids = (pool.get(kind) ?? []).filter((other) => other !== id)
  pool.set(kind, [...ids, id].slice(-MAX_IDS))
}

const pick = <T>(list: readonly T[], choice: number): T | undefined => list[choice % Math.max(1, list.length)]

/** Whether a field is documented as one id of this service. */
export const isId = ({ description }: FuzzField): boolean =>
  description.endsWith('A UUIDv7 issued by this service')

/** An id that the field may mean: of a kind that its description or name contains, if there is one. */
function pickId(pool: IdPool, { name, description }: FuzzField, choice: number): string {
  const text = `${name} ${description}`.toLowerCase()
  const kinds = [...pool].filter(([kind]) => text.includes(kind.replace(/^apiKey$/, 'key').toLowerCase()))
  const ids = (kinds.length > 0 ? kinds : [...pool]).flatMap(([, known]) => known)
  return pick(ids, choice) ?? wire.id.example
}

/** A value that the documentation describes as valid; empty if neither description nor example says which. */
export function createValidValue(pool: IdPool, field: FuzzField, choice: number): string {
  const { name, description } = field
  let { example } = field
  if (/password/i.test(name)) return PASSWORD
  if (name === 'workspaceId') return pick(pool.get('own') ?? [], 0) ?? example
  if (name === 'cursor' || name === 'epoch') return pick(pool.get(name) ?? [], choice) ?? example
  if (/appeal code/i.test(description)) return pick(pool.get('appealCode') ?? [], choice) ?? example
  // Queries of the public document have few examples.
  if (example === '' && isId(field)) return pickId(pool, field, choice)
  // The lowest, because `wait` is how many seconds the response takes.
  if (example === '') example = /Whole number from (\d+)/.exec(description)?.[1] ?? ''
  if (example.includes(wire.id.example)) return example.replace(wire.id.example, pickId(pool, field, choice))
  const choices = [...description.matchAll(/`([A-Za-z_0-9]+)`/g)].map(([, value = '']) => value)
  if (/One of `/.test(description)) return pick(choices, choice) ?? example
  if (/`true` or `false`/.test(description)) return choice % 2 === 0 ? 'true' : 'false'
  // Names are unique, and every response is worth more with another one.
  if (/^(?:name|title|groupName|username)$/.test(name)) return `${example} ${choice}`
  return example
}

/** The example ids of the documentation, replaced by ids of the same kind. */
export function replaceExampleIds(text: string, pool: IdPool): string {
  const kinds: Readonly<Record<keyof typeof exampleIds, string>> = {
    workspace: 'own',
    archivedWorkspace: 'archived',
    approval: 'approval',
    archive: 'archive',
    role: 'role',
    department: 'department',
    deletedDepartment: 'department',
    event: 'event',
    ban: 'record',
    archiveOfArchived: 'archive',
    epoch: 'epoch',
    webhook: 'webhook',
    delivery: 'delivery',
    appealCode: 'appealCode',
    openAppealCode: 'appealCode',
    template: 'template',
    ladder: 'ladder',
    link: 'link',
  }
  return Object.entries(exampleIds).reduce((replaced, [name, id]) => {
    const kind = kinds[name as keyof typeof exampleIds]
    return replaced.replaceAll(id, pool.get(kind)?.at(-1) ?? id)
  }, text)
}

/** Texts that have broken other programs. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e',
  "' or 1=1 --",
  '<script>',
  '../../etc/passwd',
  '%00',
  '1e400',
  '-0',
  'NaN',
  '9'.repeat(40),
  'x'.repeat(5000),
  '__proto__',
  'constructor',
  '0000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  'data:image/png;base64,####',
  '[]',
  '{}',
  'null',
  examplePlayers.other,
] as const

/** A text that the field may or may not accept. */
export const pickHostileText = (choice: number): string => pick(HOSTILE_TEXTS, choice) ?? ''
