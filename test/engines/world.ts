import { NEVER_WAS, PUBLIC_URL } from '../support/instance.ts'
import type { Dice } from './dice.ts'

/** What answers show and later operations are about. */
export type Kind =
  | 'record'
  | 'department'
  | 'event'
  | 'role'
  | 'workspace'
  | 'archive'
  | 'apiKey'
  | 'invitation'
  | 'member'

const kinds: Readonly<Record<string, Kind>> = {
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
export interface Place {
  readonly id: string
  /** Whoever may do anything, by key and by session. */
  readonly entitled: readonly Caller[]
  /** Whoever may do something, or could once. */
  readonly others: Caller[]
  readonly ids: Map<Kind, string[]>
}

/** How many of a kind are remembered: few, so that operations meet on them. */
const MOST_IDS = 40
/** How many cursors, tokens and images are. */
const MOST_CURSORS = 20
/** How many workspaces are asked about. */
const MOST_PLACES = 4
const JUNK = ['x', ' ', 'not-an-id', 'x'.repeat(65), "'; --", '%', '00000000-0000-0000-0000-000000000000']

/** Where an image is that an instance keeps. */
const IMAGE = new RegExp(`${PUBLIC_URL}(/media/[^"]+)`)

type Shown = Readonly<Record<string, unknown>>

/** What has been seen in answers. */
export function worldOf(dice: Dice, places: Place[]) {
  const { often, pick } = dice
  const versions = new Map<string, string>()
  const archived = new Set<string>()
  const [tokens, cursors, images]: [string[], string[], string[]] = [[], [], []]

  const remember = (list: string[], one: string, most: number) => {
    if (list.includes(one)) return
    list.push(one)
    if (list.length > most) list.splice(dice.below(most), 1)
  }

  function seeOne(kind: Kind, { id, accountId, workspaceId, version, status }: Shown, at: string): void {
    const own = kind === 'workspace' ? id : (workspaceId ?? at)
    const place = places.find((one) => one.id === own)
    const name = kind === 'member' ? accountId : id
    if (typeof name !== 'string') return
    if (typeof version === 'string') versions.set(name, version)
    if (status === 'archived') archived.add(name)
    else archived.delete(name)
    if (!place) return
    const known = place.ids.get(kind) ?? []
    place.ids.set(kind, known)
    remember(known, name, MOST_IDS)
  }

  /** A workspace that was made, or copied from an archive, is asked about too: its owner is whoever owns the one it came from. */
  function seeMade({ id }: Shown, at: string): void {
    const from = places.find((one) => one.id === at)
    if (typeof id !== 'string' || !from || places.length >= MOST_PLACES) return
    if (places.some((one) => one.id === id)) return
    const entitled = from.entitled.filter(({ session }) => session !== undefined)
    places.push({ id, entitled, others: [...from.others], ids: new Map() })
  }

  /** An id of a kind in a place; undefined where none has been seen. */
  const known = (kind: Kind, { id, ids }: Place): string | undefined => {
    if (kind === 'workspace') return id
    const list = ids.get(kind) ?? []
    return list.length > 0 ? pick(list) : undefined
  }

  return {
    /** Takes in what an answer shows. @param at the workspace that was asked about */
    see(text: string, at: string): void {
      const body: Shown = text.startsWith('{') ? JSON.parse(text) : {}
      seeMade((body.workspace ?? {}) as Shown, at)
      const image = IMAGE.exec(text)?.[1]
      if (image !== undefined) remember(images, image, MOST_CURSORS)
      for (const [name, value] of Object.entries(body)) {
        const kind = kinds[name]
        if (kind) for (const one of [value].flat()) seeOne(kind, one as Shown, at)
      }
      const { secret, token, nextCursor } = body
      if (typeof nextCursor === 'string') remember(cursors, nextCursor, MOST_CURSORS)
      if (typeof token === 'string') remember(tokens, token, MOST_CURSORS)
      const place = places.find(({ id }) => id === at)
      if (typeof secret === 'string') place?.others.push({ key: secret })
    },

    /** An id: mostly one that is or was in the place, else of another place, of another kind, or of nothing. */
    id(kind: Kind, place: Place): string {
      const own = known(kind, place) ?? NEVER_WAS
      return dice.weighed<() => string>([
        [80, () => own],
        [3, () => own.toUpperCase()],
        [6, () => known(kind, pick(places)) ?? NEVER_WAS],
        [4, () => known(pick(Object.values(kinds)), place) ?? NEVER_WAS],
        [4, () => NEVER_WAS],
        [3, () => pick(JUNK)],
      ])()
    },

    /** `If-Match` for what has this id: mostly its version. */
    matchFor(id: string): string {
      const version = versions.get(id) ?? '1'
      return often(0.7)
        ? `"${version}"`
        : pick([`"${Number(version) - 1}"`, `"${version}0"`, '*', 'x', version])
    },
    /** Whether a workspace was archived when it was seen last. */
    isArchived: (id: string): boolean => archived.has(id),
    image: (): string => (images.length > 0 && often(0.8) ? pick(images) : '/media/x.png'),
    token: (): string => (tokens.length > 0 && often(0.8) ? pick(tokens) : 'x'.repeat(43)),
    cursor: (): string => (cursors.length > 0 && often(0.8) ? pick(cursors) : pick(['WyJ4Il0', 'x', ''])),
  }
}

export type World = ReturnType<typeof worldOf>

/** What the asks of an endpoint are made from. */
export interface Asking {
  readonly dice: Dice
  readonly world: World
  readonly place: Place
  /** Epoch milliseconds of the instances. */
  readonly now: number
}
