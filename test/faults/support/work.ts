import { dataUrl, pngOf } from '../../support/images.ts'
import type { Request } from './connection.ts'
import type { Place } from './population.ts'

/** One write of a writer. It succeeds whenever it is carried out: nobody else touches what it is about. */
export interface Write extends Request {
  readonly as: 'key' | 'session'
  /** How many rows it leaves in the audit log; 1 by default. */
  readonly rows?: number
  /** Where what it changed is read, and under which name its answer holds it. */
  readonly state?: { readonly path: (answered: Answered) => string; readonly name: string }
  /** Where something else is read that it changes too. */
  readonly alsoChanges?: string
  /** Whether nothing is found there afterwards. */
  readonly removes?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Answered = any

/** Writes for ever, each made from the answers to those before it. */
export type Work = Generator<Write, never, Answered>

/** A year: long enough that no status changes between an answer and its check. */
const LONG = 31_536_000

const random = (chance: () => number, most: number): number => Math.floor(chance() * most)

/** Everything that can become of moderation records, on players of the writer's own. */
function* moderation({ workspaceId }: Place, name: string, chance: () => number): Work {
  const state = {
    name: 'record',
    path: ({ id }: Answered) => `/api/moderation?workspaceId=${workspaceId}&id=${id}`,
  }
  const act = (action: string, fields: object, more: Partial<Write> = {}): Write => ({
    method: 'POST',
    path: '/api/moderation',
    headers: {},
    as: 'key',
    body: { workspaceId, action, ...fields },
    state,
    ...more,
  })
  for (let round = 0; ; round++) {
    const userId = `${name}-${round}`
    const reason = `${userId} ${'at it again '.repeat(random(chance, 40))}`
    const { id: first } = (yield act('ban', { userId, reason, durationSeconds: LONG })).record
    const { id } = (yield act(
      'ban',
      { userId, reason, evidence: 'https://example.com/clip' },
      { rows: 2, alsoChanges: state.path({ id: first }) },
    )).record
    yield act('edit', { id, reason: `${reason}edited`, durationSeconds: LONG })
    yield act('extend', { id, value: 60 })
    yield act('comment', { id, value: `comment on ${userId}` })
    yield act('evidence', { id, value: 'seen by two of us' })
    yield act('acknowledge', { id })
    yield act('unban', { userId, reason: 'appeal accepted' })
    yield act('redact', { id: first, reason: 'asked to' })
    yield act('mute', { userId, reason, durationSeconds: LONG })
    yield act('unmute', { userId })
    for (const action of ['note', 'warn', 'kick']) {
      const added = (yield act(action, { userId, reason })).record
      if (action !== 'note') yield act('revoke', { id: added.id, reason: 'mistaken' })
    }
  }
}

function* departments({ workspaceId }: Place, name: string): Work {
  const state = {
    name: 'department',
    path: ({ id }: Answered) => `/api/departments?workspaceId=${workspaceId}&id=${id}`,
  }
  const act = (method: string, fields: object, more: Partial<Write> = {}): Write => ({
    method,
    path: '/api/departments',
    headers: {},
    as: 'key',
    body: { workspaceId, ...fields },
    state,
    ...more,
  })
  for (let round = 0; ; round++) {
    const { id } = (yield act('POST', { name: `${name} ${round}`, color: '#336699' })).department
    yield act('PATCH', { id, description: `round ${round}` })
    yield act('POST', { id, action: 'delete' }, { removes: true })
    yield act('PATCH', { id, action: 'restore' })
    yield act('PATCH', { id, action: 'delete' }, { removes: true })
  }
}

/** Events, each with an image, which fills many pages. */
function* events({ workspaceId }: Place, name: string, chance: () => number, imageBytes: number): Work {
  const state = {
    name: 'event',
    path: ({ id }: Answered) => `/api/events?workspaceId=${workspaceId}&id=${id}`,
  }
  const act = (method: string, fields: object): Write => ({
    method,
    path: '/api/events',
    headers: {},
    as: 'key',
    body: { workspaceId, ...fields },
    state,
  })
  for (let round = 0; ; round++) {
    const scheduledFor = '2099-03-01T18:00:00.000Z'
    const { id } = (yield act('POST', { title: `${name} ${round}`, scheduledFor })).event
    const image = pngOf(1000 + random(chance, imageBytes)).fill(random(chance, 256), 100)
    for (let at = 100; at < 200; at++) image[at] = random(chance, 256)
    yield act('PATCH', { id, imageDataUrl: dataUrl(image), published: 'true' })
    yield act('PATCH', { id, description: `round ${round}`, eventType: 'training' })
    yield {
      method: 'DELETE',
      path: `/api/events?workspaceId=${workspaceId}&id=${id}`,
      headers: {},
      as: 'key',
      state,
      removes: true,
    }
  }
}

/** The permissions of a role, replaced again and again. */
function* rolePermissions({ workspaceId }: Place, name: string): Work {
  const state = {
    name: 'role',
    path: ({ id }: Answered) => `/api/_workspace-permissions?workspaceId=${workspaceId}&roleId=${id}`,
  }
  const { id: roleId } = (yield {
    method: 'POST',
    path: '/portal/api/roles',
    headers: {},
    as: 'session',
    body: { workspaceId, name, rank: '1' },
    state,
  }).role
  for (let round = 0; ; round++) {
    const permissions = round % 2 === 0 ? 'moderation.view,moderation.note' : ''
    yield {
      method: 'POST',
      path: '/api/_workspace-permissions',
      headers: {},
      as: 'key',
      body: { workspaceId, roleId, permissions },
      state,
    }
  }
}

/** What the portal changes: roles and switches. */
function* portal({ workspaceId }: Place, name: string): Work {
  const state = {
    name: 'role',
    path: ({ id }: Answered) => `/api/_workspace-permissions?workspaceId=${workspaceId}&roleId=${id}`,
  }
  const act = (method: string, path: string, fields: object, more: Partial<Write> = {}): Write => ({
    method,
    path,
    headers: {},
    as: 'session',
    body: { workspaceId, ...fields },
    ...more,
  })
  const roles = '/portal/api/roles'
  for (let round = 0; ; round++) {
    const { id } = (yield act('POST', roles, { name: `${name} ${round}`, rank: '2' }, { state })).role
    yield act('PATCH', roles, { id, color: '#aabbcc', permissions: 'events.view' }, { state })
    yield act('POST', '/portal/api/endpoint-controls', {
      endpoint: 'workspaces',
      mode: 'on',
      message: `${name} ${round}`,
    })
    yield {
      method: 'DELETE',
      path: `${roles}?workspaceId=${workspaceId}&id=${id}`,
      headers: {},
      as: 'session',
      state,
      removes: true,
    }
  }
}

/** A workspace's name, changed again and again. */
function* renames({ workspaceId }: Place, name: string): Work {
  for (let round = 0; ; round++) {
    yield {
      method: 'POST',
      path: '/api/workspaces',
      headers: {},
      as: 'key',
      body: { id: workspaceId, groupName: `${name} ${round}` },
      state: { name: 'workspace', path: ({ id }: Answered) => `/api/workspaces?id=${id}` },
    }
  }
}

/** Whole workspaces: made, archived, taken back into use. */
function* workspaces(_: Place, name: string): Work {
  const act = (fields: object): Write => ({
    method: 'POST',
    path: '/api/workspaces',
    headers: {},
    as: 'session',
    body: fields,
    state: { name: 'workspace', path: ({ id }: Answered) => `/api/workspaces?id=${id}` },
  })
  for (let round = 0; ; round++) {
    const { id } = (yield act({ action: 'create', groupName: `${name} ${round}` })).workspace
    yield act({ action: 'archive', id })
    yield act({ action: 'restore', id })
  }
}

type Kind = (place: Place, name: string, chance: () => number) => Work

const eventsWith =
  (imageBytes: number): Kind =>
  (place, name, chance) =>
    events(place, name, chance, imageBytes)

/** How many of 64 writers do what. Renaming is for one writer of a place alone. */
const shares: readonly (readonly [Kind, number])[] = [
  [renames, 4],
  [workspaces, 2],
  [portal, 4],
  [rolePermissions, 4],
  [eventsWith(40_000), 8],
  [departments, 8],
  [moderation, 34],
]

/** In a load that is to fill the log soon, every other writer does this. */
const heavy = eventsWith(500_000)

/** What writer number `index` does. */
export function workOf(index: number, isHeavy: boolean): Kind {
  if (isHeavy && index % 2 === 0) return heavy
  let left = index % 64
  for (const [kind, share] of shares) {
    if (left < share) return kind
    left -= share
  }
  return moderation
}
