import { PUBLIC_URL, UNKNOWN_ID } from '../support/instance.ts'
import type { Choices } from './choices.ts'

/** Kinds of resources whose ids responses contain. */
export type ResourceKind =
  | 'record'
  | 'department'
  | 'event'
  | 'role'
  | 'workspace'
  | 'archive'
  | 'apiKey'
  | 'invitation'
  | 'member'
  | 'savedView'
  | 'template'
  | 'ladder'
  | 'appeal'
  | 'appealCode'
  | 'openAppealCode'
  | 'approval'
  | 'erasure'
  | 'batch'
  | 'link'
  | 'pinnedNote'

const kindByField: Readonly<Record<string, ResourceKind>> = {
  ...{ record: 'record', records: 'record', bans: 'record', history: 'record' },
  ...{ department: 'department', departments: 'department', event: 'event', events: 'event' },
  ...{ role: 'role', roles: 'role', workspace: 'workspace', archive: 'archive', archives: 'archive' },
  ...{ apiKey: 'apiKey', apiKeys: 'apiKey', invitation: 'invitation', invitations: 'invitation' },
  ...{ member: 'member', members: 'member', savedView: 'savedView', savedViews: 'savedView' },
  ...{ template: 'template', templates: 'template', ladder: 'ladder', ladders: 'ladder' },
  ...{ appeal: 'appeal', appeals: 'appeal', approval: 'approval', approvals: 'approval' },
  ...{ batch: 'batch', batches: 'batch', erasure: 'erasure', erasures: 'erasure' },
  ...{ link: 'link', links: 'link', pinnedNote: 'pinnedNote', pinnedNotes: 'pinnedNote' },
}

/** Credentials of a request. */
export interface Caller {
  readonly key?: string
  readonly session?: string
}

/** A workspace as known from responses. */
export interface WorkspaceState {
  readonly id: string
  /** Key and session with all permissions. */
  readonly fullAccessCallers: readonly Caller[]
  /** Callers with some permissions, or whose access ended. */
  readonly limitedCallers: Caller[]
  readonly ids: Map<ResourceKind, string[]>
}

/** Ids remembered per kind: few, so that operations often share one. */
const MAX_IDS = 40
/** Cursors, tokens and images remembered. */
const MAX_CURSORS = 20
/** Workspaces in use. */
const MAX_WORKSPACES = 4
const INVALID_IDS = [
  'x',
  ' ',
  'not-an-id',
  'x'.repeat(65),
  "'; --",
  '%',
  '00000000-0000-0000-0000-000000000000',
]

/** URL of a stored image. */
const IMAGE_URL = new RegExp(`${PUBLIC_URL}(/media/[^"]+)`)

type JsonObject = Readonly<Record<string, unknown>>

/** What is known from the responses so far. */
export function createKnownState(random: Choices, workspaces: WorkspaceState[]) {
  const { chance, pick } = random
  const versions = new Map<string, string>()
  const archived = new Set<string>()
  const [tokens, cursors, images]: [string[], string[], string[]] = [[], [], []]

  const addCapped = (list: string[], entry: string, max: number) => {
    if (list.includes(entry)) return
    list.push(entry)
    if (list.length > max) list.shift()
  }

  function recordResource(
    kind: ResourceKind,
    { id, accountId, workspaceId, version, status, appealCode }: JsonObject,
    requestedWorkspaceId: string,
  ): void {
    const ownWorkspaceId = kind === 'workspace' ? id : (workspaceId ?? requestedWorkspaceId)
    const workspace = workspaces.find((entry) => entry.id === ownWorkspaceId)
    const name = kind === 'member' ? accountId : id
    if (typeof name !== 'string') return
    if (typeof version === 'string') versions.set(name, version)
    if (status === 'archived') archived.add(name)
    else archived.delete(name)
    if (!workspace) return
    remember(workspace, kind, name)
    if (typeof appealCode === 'string') remember(workspace, 'appealCode', appealCode)
  }

  function remember({ ids }: WorkspaceState, kind: ResourceKind, name: string): void {
    const known = ids.get(kind) ?? []
    ids.set(kind, known)
    addCapped(known, name, MAX_IDS)
  }

  /** Adds a created or restored workspace. It has the owner of the workspace that the request named. */
  function recordCreatedWorkspace({ id }: JsonObject, requestedWorkspaceId: string): void {
    const source = workspaces.find((entry) => entry.id === requestedWorkspaceId)
    if (typeof id !== 'string' || !source || workspaces.length >= MAX_WORKSPACES) return
    if (workspaces.some((entry) => entry.id === id)) return
    const fullAccessCallers = source.fullAccessCallers.filter(({ session }) => session !== undefined)
    workspaces.push({ id, fullAccessCallers, limitedCallers: [...source.limitedCallers], ids: new Map() })
  }

  /** A known id of this kind in the workspace, or undefined. */
  const pickKnownId = (kind: ResourceKind, { id, ids }: WorkspaceState): string | undefined => {
    if (kind === 'workspace') return id
    const list = ids.get(kind) ?? []
    return list.length > 0 ? pick(list) : undefined
  }

  return {
    /** Records the ids, versions and tokens of a response. */
    recordResponse(text: string, requestedWorkspaceId: string): void {
      const body: JsonObject = text.startsWith('{') ? JSON.parse(text) : {}
      recordCreatedWorkspace((body.workspace ?? {}) as JsonObject, requestedWorkspaceId)
      const image = IMAGE_URL.exec(text)?.[1]
      if (image !== undefined) addCapped(images, image, MAX_CURSORS)
      for (const [name, value] of Object.entries(body)) {
        const kind = kindByField[name]
        if (kind)
          for (const entry of [value].flat())
            if (entry !== null) recordResource(kind, entry as JsonObject, requestedWorkspaceId)
      }
      const { secret, token, nextCursor } = body
      if (typeof nextCursor === 'string') addCapped(cursors, nextCursor, MAX_CURSORS)
      if (typeof token === 'string') addCapped(tokens, token, MAX_CURSORS)
      const workspace = workspaces.find(({ id }) => id === requestedWorkspaceId)
      if (typeof secret === 'string') workspace?.limitedCallers.push({ key: secret })
    },

    /** An id: mostly one of this workspace, otherwise of another workspace, another kind, or unknown. */
    id(kind: ResourceKind, workspace: WorkspaceState): string {
      const ownWorkspaceId = pickKnownId(kind, workspace) ?? UNKNOWN_ID
      return random.pickWeighted<() => string>([
        [80, () => ownWorkspaceId],
        [3, () => ownWorkspaceId.toUpperCase()],
        [6, () => pickKnownId(kind, pick(workspaces)) ?? UNKNOWN_ID],
        [4, () => pickKnownId(pick(Object.values(kindByField)), workspace) ?? UNKNOWN_ID],
        [4, () => UNKNOWN_ID],
        [3, () => pick(INVALID_IDS)],
      ])()
    },

    /** `If-Match` for the resource with this id: mostly its current version. */
    pickIfMatch(id: string): string {
      const version = versions.get(id) ?? '1'
      return chance(0.7)
        ? `"${version}"`
        : pick([`"${Number(version) - 1}"`, `"${version}0"`, '*', 'x', version])
    },
    /** Whether the workspace was archived in the last response about it. */
    isArchived: (id: string): boolean => archived.has(id),
    image: (): string => (images.length > 0 && chance(0.8) ? pick(images) : '/media/x.png'),
    token: (): string => (tokens.length > 0 && chance(0.8) ? pick(tokens) : 'x'.repeat(43)),
    cursor: (): string => (cursors.length > 0 && chance(0.8) ? pick(cursors) : pick(['WyJ4Il0', 'x', ''])),
  }
}

export type KnownState = ReturnType<typeof createKnownState>

/** What request generators use. */
export interface GeneratorContext {
  readonly random: Choices
  readonly state: KnownState
  readonly workspace: WorkspaceState
  /** Epoch milliseconds of the instances. */
  readonly now: number
}
