import { PUBLIC_URL, UNKNOWN_ID } from '../support/instance.ts'
import type { RandomSource } from './random-source.ts'

/** What answers show and later operations are about. */
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

const kindByField: Readonly<Record<string, ResourceKind>> = {
  ...{ record: 'record', records: 'record', bans: 'record', history: 'record' },
  ...{ department: 'department', departments: 'department', event: 'event', events: 'event' },
  ...{ role: 'role', roles: 'role', workspace: 'workspace', archive: 'archive', archives: 'archive' },
  ...{ apiKey: 'apiKey', apiKeys: 'apiKey', invitation: 'invitation', invitations: 'invitation' },
  ...{ member: 'member', members: 'member' },
}

/** Who calls. */
export interface Caller {
  readonly key?: string
  readonly session?: string
}

/** A workspace that operations are about, as far as its callers have been told of it. */
export interface WorkspaceState {
  readonly id: string
  /** Whoever may do anything, by key and by session. */
  readonly fullAccessCallers: readonly Caller[]
  /** Whoever may do something, or could once. */
  readonly limitedCallers: Caller[]
  readonly ids: Map<ResourceKind, string[]>
}

/** How many of a kind are remembered: few, so that operations meet on them. */
const MAX_IDS = 40
/** How many cursors, tokens and images are. */
const MAX_CURSORS = 20
/** How many workspaces are asked about. */
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

/** Where an image is that an instance keeps. */
const IMAGE_URL = new RegExp(`${PUBLIC_URL}(/media/[^"]+)`)

type JsonObject = Readonly<Record<string, unknown>>

/** What has been seen in answers. */
export function createKnownState(random: RandomSource, workspaces: WorkspaceState[]) {
  const { chance, pick } = random
  const versions = new Map<string, string>()
  const archived = new Set<string>()
  const [tokens, cursors, images]: [string[], string[], string[]] = [[], [], []]

  const addCapped = (list: string[], entry: string, max: number) => {
    if (list.includes(entry)) return
    list.push(entry)
    if (list.length > max) list.splice(random.intBelow(max), 1)
  }

  function recordResource(
    kind: ResourceKind,
    { id, accountId, workspaceId, version, status }: JsonObject,
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
    const pickKnownId = workspace.ids.get(kind) ?? []
    workspace.ids.set(kind, pickKnownId)
    addCapped(pickKnownId, name, MAX_IDS)
  }

  /** A workspace that was made, or copied from an archive, is asked about too: its owner is whoever owns the one it came from. */
  function recordCreatedWorkspace({ id }: JsonObject, requestedWorkspaceId: string): void {
    const source = workspaces.find((entry) => entry.id === requestedWorkspaceId)
    if (typeof id !== 'string' || !source || workspaces.length >= MAX_WORKSPACES) return
    if (workspaces.some((entry) => entry.id === id)) return
    const fullAccessCallers = source.fullAccessCallers.filter(({ session }) => session !== undefined)
    workspaces.push({ id, fullAccessCallers, limitedCallers: [...source.limitedCallers], ids: new Map() })
  }

  /** An id of a kind in a place; undefined where none has been seen. */
  const pickKnownId = (kind: ResourceKind, { id, ids }: WorkspaceState): string | undefined => {
    if (kind === 'workspace') return id
    const list = ids.get(kind) ?? []
    return list.length > 0 ? pick(list) : undefined
  }

  return {
    /** Takes in what an answer shows. @param at the workspace that was asked about */
    recordResponse(text: string, requestedWorkspaceId: string): void {
      const body: JsonObject = text.startsWith('{') ? JSON.parse(text) : {}
      recordCreatedWorkspace((body.workspace ?? {}) as JsonObject, requestedWorkspaceId)
      const image = IMAGE_URL.exec(text)?.[1]
      if (image !== undefined) addCapped(images, image, MAX_CURSORS)
      for (const [name, value] of Object.entries(body)) {
        const kind = kindByField[name]
        if (kind)
          for (const entry of [value].flat()) recordResource(kind, entry as JsonObject, requestedWorkspaceId)
      }
      const { secret, token, nextCursor } = body
      if (typeof nextCursor === 'string') addCapped(cursors, nextCursor, MAX_CURSORS)
      if (typeof token === 'string') addCapped(tokens, token, MAX_CURSORS)
      const workspace = workspaces.find(({ id }) => id === requestedWorkspaceId)
      if (typeof secret === 'string') workspace?.limitedCallers.push({ key: secret })
    },

    /** An id: mostly one that is or was in the place, else of another place, of another kind, or of nothing. */
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

    /** `If-Match` for what has this id: mostly its version. */
    pickIfMatch(id: string): string {
      const version = versions.get(id) ?? '1'
      return chance(0.7)
        ? `"${version}"`
        : pick([`"${Number(version) - 1}"`, `"${version}0"`, '*', 'x', version])
    },
    /** Whether a workspace was archived when it was seen last. */
    isArchived: (id: string): boolean => archived.has(id),
    image: (): string => (images.length > 0 && chance(0.8) ? pick(images) : '/media/x.png'),
    token: (): string => (tokens.length > 0 && chance(0.8) ? pick(tokens) : 'x'.repeat(43)),
    cursor: (): string => (cursors.length > 0 && chance(0.8) ? pick(cursors) : pick(['WyJ4Il0', 'x', ''])),
  }
}

export type KnownState = ReturnType<typeof createKnownState>

/** What the asks of an endpoint are made from. */
export interface GeneratorContext {
  readonly random: RandomSource
  readonly state: KnownState
  readonly workspace: WorkspaceState
  /** Epoch milliseconds of the instances. */
  readonly now: number
}
