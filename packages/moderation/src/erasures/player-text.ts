/** Finds the id of a player in texts and in the JSON of the audit log. */

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Creates a function that tells whether a text contains one of these ids, not as a part of a longer one.
 * @param userIds every form under which a player is stored
 */
export function createIdFinder(userIds: readonly string[]): (text: string) => boolean {
  const forms = listSpellings(userIds).map(escapePattern)
  const pattern = new RegExp(`(?<![A-Za-z0-9])(?:${forms.join('|')})(?![A-Za-z0-9])`)
  return (text) => pattern.test(text)
}

/** The ids, and how they are written in the query string of a saved view. */
const listSpellings = (userIds: readonly string[]): readonly string[] => [
  ...new Set(userIds.flatMap((id) => [id, encodeURIComponent(id)])),
]

type Fields = Record<string, unknown>

/** The fields by which an entry names the player that it is about. */
const PLAYER_FIELDS = ['userId', 'linkedUserId'] as const

/**
 * Creates a function that removes a player from the JSON of an entry of the audit log. Of an entry about the player nothing stays; an entry about
 * something else loses the texts that contain the id. One about the record of another player only loses the id where it is a value of its
 * own, because the record still has its texts. The salt goes with it, so that nobody can guess what was removed from its hash.
 * @returns returns the same text if the player is not in it
 */
export function createChangesEraser(
  userIds: readonly string[],
): (json: string, targetKind: string) => string {
  const ids: ReadonlySet<unknown> = new Set(userIds)
  const spellings = listSpellings(userIds)
  const containsId = createIdFinder(userIds)
  const isId = (value: unknown): boolean => ids.has(value)
  const hasId = (value: unknown): boolean => typeof value === 'string' && containsId(value)
  const namesPlayer = (fields: unknown): boolean =>
    typeof fields === 'object' &&
    fields !== null &&
    PLAYER_FIELDS.some((field) => ids.has((fields as Fields)[field]))
  return (json, targetKind) => {
    if (!spellings.some((spelling) => json.includes(spelling))) return json
    const { salt: _, ...changes } = JSON.parse(json) as Fields
    const { before, after, target } = changes
    if (namesPlayer(before) || namesPlayer(after) || namesPlayer(target))
      return JSON.stringify({ before: before && {}, after: after && {} })
    const erased = JSON.stringify(removeValues(changes, targetKind === 'record' ? isId : hasId))
    return erased === JSON.stringify(changes) ? json : erased
  }
}

/** Replaces values by null, and leaves them out of lists. */
function removeValues(value: unknown, isRemoved: (value: unknown) => boolean): unknown {
  if (isRemoved(value)) return null
  if (Array.isArray(value))
    return value.filter((item) => !isRemoved(item)).map((item) => removeValues(item, isRemoved))
  if (typeof value !== 'object' || value === null) return value
  // With the person whom an API key acted for goes their name.
  const isActor = isRemoved((value as Fields).actorPlatformUserId)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isActor && name === 'actorUsername' ? null : removeValues(item, isRemoved),
    ]),
  )
}
