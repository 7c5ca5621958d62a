/** Finds the id of a player in texts, in JSON of the API and in that of the audit log. */

/**
 * Creates a function that tells whether a text contains one of these ids, not as a part of a longer one.
 * @param userIds every form under which a player is stored
 */
export function createIdFinder(userIds: readonly string[]): (text: string) => boolean {
  const forms = listSpellings(userIds).map(RegExp.escape)
  const pattern = new RegExp(`(?<![A-Za-z0-9])(?:${forms.join('|')})(?![A-Za-z0-9])`)
  return (text) => pattern.test(text)
}

/** The ids, and how they are written in the query string of a saved view. */
const listSpellings = (userIds: readonly string[]): readonly string[] => [
  ...new Set(userIds.flatMap((id) => [id, encodeURIComponent(id)])),
]

type Fields = Record<string, unknown>

/** The fields by which something names the player that it is about. */
const PLAYER_FIELDS = ['userId', 'linkedUserId'] as const

/** The fields with a person whom an API key acted for: the field with their name, by that with their id. */
const NAME_OF_ID: Readonly<Record<string, string>> = {
  actorPlatformUserId: 'actorUsername',
  revokedByPlatformUserId: 'revokedByUsername',
}

const ID_FIELDS: ReadonlySet<string> = new Set([...PLAYER_FIELDS, ...Object.keys(NAME_OF_ID), 'userIds'])

/** The fields with what people have written about a player, which can be a number. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['reason', 'revokeReason', 'evidence', 'text'])

/** Other values that are a number or a time, which can look like the id of a player or a text with it. */
const NUMBER_OR_TIME = /^(?:\d+|\d{4}-\d\d-\d\dT[\d:.]+Z)$/

/** The form of the ids of Reeve, of which a part can look like the id of a player, and of those of some platforms. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Creates a function that tells whether a JSON text of the API names a player: in a field for the ids of players, or in a text of people.
 * A case number, a duration or a time that has the same digits is not the player.
 * @param userIds every form under which a player is stored
 */
export function createJsonFinder(userIds: readonly string[]): (json: string) => boolean {
  const ids: ReadonlySet<string> = new Set(userIds)
  const containsId = createIdFinder(userIds)
  const namesPlayer = (value: unknown, name: string): boolean => {
    if (typeof value === 'string') {
      if (ID_FIELDS.has(name) || UUID.test(value)) return ids.has(value)
      return (TEXT_FIELDS.has(name) || !NUMBER_OR_TIME.test(value)) && containsId(value)
    }
    if (Array.isArray(value)) return value.some((item) => namesPlayer(item, name))
    if (typeof value !== 'object' || value === null) return false
    return Object.entries(value).some(
      // The message of a record is made of its other fields, and has times.
      ([field, item]) => !(field === 'message' && 'caseNumber' in value) && namesPlayer(item, field),
    )
  }
  return (json) => namesPlayer(JSON.parse(json), '')
}

/** The filters of a saved view that can contain the id of a player. */
const PLAYER_FILTERS = ['userId', 'player', 'text'] as const

/** Creates a function that tells whether a saved view filters by a player or names them. */
export function createViewFinder(
  userIds: readonly string[],
): (view: { readonly name?: unknown; readonly filters?: unknown }) => boolean {
  const containsId = createIdFinder(userIds)
  return ({ name, filters }) => {
    const values = new URLSearchParams(String(filters ?? ''))
    return [String(name ?? ''), ...PLAYER_FILTERS.map((filter) => values.get(filter) ?? '')].some(containsId)
  }
}

/**
 * Creates a function that removes a player from the JSON of an entry of the audit log. Of an entry about the player nothing stays, nor of
 * one about a saved view that filters by them; other entries lose the id and the name only where they are those of a player or a person.
 * Their texts, numbers and times stay, because they also stay in the rows, which are compared with the log. The salt goes with what is
 * removed, so that nobody can guess it from its hash.
 * @returns returns the same text if nothing is removed
 */
export function createChangesEraser(
  userIds: readonly string[],
): (json: string, targetKind: string) => string {
  const ids: ReadonlySet<unknown> = new Set(userIds)
  const spellings = listSpellings(userIds)
  const isOfPlayer = createViewFinder(userIds)
  const isAboutPlayer = (fields: Fields | null | undefined, targetKind: string): boolean =>
    !!fields &&
    (PLAYER_FIELDS.some((field) => ids.has(fields[field])) ||
      (targetKind === 'saved_view' && isOfPlayer(fields)))
  return (json, targetKind) => {
    if (!spellings.some((spelling) => json.includes(spelling))) return json
    const { salt: _, ...changes }: Record<string, Fields | null> = JSON.parse(json)
    const { before, after, target } = changes
    if ([before, after, target].some((fields) => isAboutPlayer(fields, targetKind)))
      return JSON.stringify({ before: before && {}, after: after && {} })
    const erased = JSON.stringify(removePeople(changes, ids))
    return erased === JSON.stringify(changes) ? json : erased
  }
}

/** Removes players who are a person whom an API key acted for, and those who are a member. */
function removePeople(value: unknown, ids: ReadonlySet<unknown>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = value as Fields
  const removed = Object.entries(NAME_OF_ID).flatMap(([id, name]) => (ids.has(fields[id]) ? [id, name] : []))
  return Object.fromEntries(
    Object.entries(fields).map(([name, item]) => {
      if (removed.includes(name)) return [name, null]
      if (name === 'players' && Array.isArray(item)) return [name, item.filter((player) => !ids.has(player))]
      return [name, removePeople(item, ids)]
    }),
  )
}
