import { createPng, dataUrl, pngPixels } from '../../support/images.ts'
import type { RawRequest } from './connection.ts'
import type { WorkspaceCredentials } from './populate.ts'

/** One write of a writer. It always succeeds, because no other writer changes the same data. */
export interface Write extends RawRequest {
  readonly credentialKind: 'key' | 'session'
  /** How many audit rows it adds. Default: 1. */
  readonly rows?: number
  /** The path that reads what it changed, and the field of the response. */
  readonly stateRef?: { readonly path: (body: ResponseBody) => string; readonly name: string }
  /** A path that reads something else that it changes. */
  readonly alsoChangesPath?: string
  /** Whether the resource no longer exists afterwards. */
  readonly removesState?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type ResponseBody = any

/** Endless writes, each built from the responses to those before it. */
export type Workload = Generator<Write, never, ResponseBody>

/** A year: no status changes between a response and its check. */
const ONE_YEAR_SECONDS = 31_536_000

const randomBelow = (random: () => number, max: number): number => Math.floor(random() * max)

/** Every action on moderation records, on the writer's own players. */
function* moderation({ workspaceId }: WorkspaceCredentials, name: string, random: () => number): Workload {
  const stateRef = {
    name: 'record',
    path: ({ id }: ResponseBody) => `/api/moderation?workspaceId=${workspaceId}&id=${id}`,
  }
  const createWrite = (action: string, fields: object, more: Partial<Write> = {}): Write => ({
    method: 'POST',
    path: '/api/moderation',
    headers: {},
    credentialKind: 'key',
    body: { workspaceId, action, ...fields },
    stateRef,
    ...more,
  })
  for (let round = 0; ; round++) {
    const userId = `${name}-${round}`
    const reason = `${userId} ${'at it again '.repeat(randomBelow(random, 40))}`
    const { id: first } = (yield createWrite('ban', { userId, reason, durationSeconds: ONE_YEAR_SECONDS }))
      .record
    const { id } = (yield createWrite(
      'ban',
      { userId, reason, evidence: 'https://example.com/clip' },
      { rows: 2, alsoChangesPath: stateRef.path({ id: first }) },
    )).record
    yield createWrite('edit', { id, reason: `${reason}edited`, durationSeconds: ONE_YEAR_SECONDS })
    yield createWrite('extend', { id, value: 60 })
    yield createWrite('comment', { id, value: `comment on ${userId}` })
    yield createWrite('evidence', { id, value: 'seen by two of us' })
    yield createWrite('acknowledge', { id })
    yield createWrite('unban', { userId, reason: 'appeal accepted' })
    yield createWrite('redact', { id: first, reason: 'asked to' })
    yield createWrite('mute', { userId, reason, durationSeconds: ONE_YEAR_SECONDS })
    yield createWrite('unmute', { userId })
    for (const action of ['note', 'warn', 'kick']) {
      const created = (yield createWrite(action, { userId, reason })).record
      if (action !== 'note') yield createWrite('revoke', { id: created.id, reason: 'mistaken' })
    }
  }
}

function* departments({ workspaceId }: WorkspaceCredentials, name: string): Workload {
  const stateRef = {
    name: 'department',
    path: ({ id }: ResponseBody) => `/api/departments?workspaceId=${workspaceId}&id=${id}`,
  }
  const createWrite = (method: string, fields: object, more: Partial<Write> = {}): Write => ({
    method,
    path: '/api/departments',
    headers: {},
    credentialKind: 'key',
    body: { workspaceId, ...fields },
    stateRef,
    ...more,
  })
  for (let round = 0; ; round++) {
    const { id } = (yield createWrite('POST', { name: `${name} ${round}`, color: '#336699' })).department
    yield createWrite('PATCH', { id, description: `round ${round}` })
    yield createWrite('POST', { id, action: 'delete' }, { removesState: true })
    yield createWrite('PATCH', { id, action: 'restore' })
    yield createWrite('PATCH', { id, action: 'delete' }, { removesState: true })
  }
}

/** Events with images, which fill many pages. */
function* events(
  { workspaceId }: WorkspaceCredentials,
  name: string,
  random: () => number,
  imageBytes: number,
): Workload {
  const stateRef = {
    name: 'event',
    path: ({ id }: ResponseBody) => `/api/events?workspaceId=${workspaceId}&id=${id}`,
  }
  const createWrite = (method: string, fields: object): Write => ({
    method,
    path: '/api/events',
    headers: {},
    credentialKind: 'key',
    body: { workspaceId, ...fields },
    stateRef,
  })
  for (let round = 0; ; round++) {
    const scheduledFor = '2099-03-01T18:00:00.000Z'
    const { id } = (yield createWrite('POST', { title: `${name} ${round}`, scheduledFor })).event
    const image = createPng(1000 + randomBelow(random, imageBytes))
    const pixels = pngPixels(image).fill(randomBelow(random, 256))
    for (let index = 0; index < 100; index++) pixels[index] = randomBelow(random, 256)
    yield createWrite('PATCH', { id, imageDataUrl: dataUrl(image), published: 'true' })
    yield createWrite('PATCH', { id, description: `round ${round}`, eventType: 'training' })
    yield {
      method: 'DELETE',
      path: `/api/events?workspaceId=${workspaceId}&id=${id}`,
      headers: {},
      credentialKind: 'key',
      stateRef,
      removesState: true,
    }
  }
}

/** Replaces the permissions of a role. */
function* rolePermissions({ workspaceId }: WorkspaceCredentials, name: string): Workload {
  const stateRef = {
    name: 'role',
    path: ({ id }: ResponseBody) => `/api/_workspace-permissions?workspaceId=${workspaceId}&roleId=${id}`,
  }
  const { id: roleId } = (yield {
    method: 'POST',
    path: '/portal/api/roles',
    headers: {},
    credentialKind: 'session',
    body: { workspaceId, name, rank: '1' },
    stateRef,
  }).role
  for (let round = 0; ; round++) {
    const permissions = round % 2 === 0 ? 'moderation.view,moderation.note' : ''
    yield {
      method: 'POST',
      path: '/api/_workspace-permissions',
      headers: {},
      credentialKind: 'key',
      body: { workspaceId, roleId, permissions },
      stateRef,
    }
  }
}

/** Changes that the portal makes: roles and endpoint controls. */
function* portal({ workspaceId }: WorkspaceCredentials, name: string): Workload {
  const stateRef = {
    name: 'role',
    path: ({ id }: ResponseBody) => `/api/_workspace-permissions?workspaceId=${workspaceId}&roleId=${id}`,
  }
  const createWrite = (method: string, path: string, fields: object, more: Partial<Write> = {}): Write => ({
    method,
    path,
    headers: {},
    credentialKind: 'session',
    body: { workspaceId, ...fields },
    ...more,
  })
  const roles = '/portal/api/roles'
  for (let round = 0; ; round++) {
    const { id } = (yield createWrite('POST', roles, { name: `${name} ${round}`, rank: '2' }, { stateRef }))
      .role
    yield createWrite('PATCH', roles, { id, color: '#aabbcc', permissions: 'events.view' }, { stateRef })
    yield createWrite('POST', '/portal/api/endpoint-controls', {
      endpoint: 'workspaces',
      mode: 'on',
      message: `${name} ${round}`,
    })
    yield {
      method: 'DELETE',
      path: `${roles}?workspaceId=${workspaceId}&id=${id}`,
      headers: {},
      credentialKind: 'session',
      stateRef,
      removesState: true,
    }
  }
}

/** Renames a workspace. */
function* renames({ workspaceId }: WorkspaceCredentials, name: string): Workload {
  for (let round = 0; ; round++) {
    yield {
      method: 'POST',
      path: '/api/workspaces',
      headers: {},
      credentialKind: 'key',
      body: { id: workspaceId, groupName: `${name} ${round}` },
      stateRef: { name: 'workspace', path: ({ id }: ResponseBody) => `/api/workspaces?id=${id}` },
    }
  }
}

/** Creates and renames workspaces. `faults/jobs.ts` archives and restores one. */
function* workspaces(_: WorkspaceCredentials, name: string): Workload {
  const createWrite = (fields: object): Write => ({
    method: 'POST',
    path: '/api/workspaces',
    headers: {},
    credentialKind: 'session',
    body: fields,
    stateRef: { name: 'workspace', path: ({ id }: ResponseBody) => `/api/workspaces?id=${id}` },
  })
  for (let round = 0; ; round++) {
    const { id } = (yield createWrite({ action: 'create', groupName: `${name} ${round}` })).workspace
    yield createWrite({ id, groupName: `${name} ${round} renamed` })
  }
}

type WorkloadFactory = (workspace: WorkspaceCredentials, name: string, random: () => number) => Workload

const createEventsWorkload =
  (imageBytes: number): WorkloadFactory =>
  (workspace, name, random) =>
    events(workspace, name, random, imageBytes)

/** How many of 64 writers run each workload. Only one writer per workspace renames it. */
const workloadShares: readonly (readonly [WorkloadFactory, number])[] = [
  [renames, 4],
  [workspaces, 2],
  [portal, 4],
  [rolePermissions, 4],
  [createEventsWorkload(40_000), 8],
  [departments, 8],
  [moderation, 34],
]

/** What every other writer runs in a load that should fill the WAL quickly. */
const heavyWorkload = createEventsWorkload(500_000)

/** The workload of writer number `index`. */
export function workloadFor(index: number, isHeavy: boolean): WorkloadFactory {
  if (isHeavy && index % 2 === 0) return heavyWorkload
  let remaining = index % 64
  for (const [createWorkload, writerCount] of workloadShares) {
    if (remaining < writerCount) return createWorkload
    remaining -= writerCount
  }
  return moderation
}
