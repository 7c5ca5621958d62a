import type { Api, ResultWith } from './api.ts'
import type { Schemas } from './input.ts'
import { toPlayerId, type UserId } from './input.ts'
import type { RequestOptions } from './options.ts'

const PATH = '/api/moderation/check'
/** The largest game servers have 700 players. */
const MAX_PLAYERS = 700
/** How many checks of the same players are remembered. */
const MAX_REMEMBERED = 100

/** A ban or mute in force, with the text for the player. */
export type CheckedSanction = Schemas['CheckedSanction']

/** The sanctions in force of some players. Players without one are not listed. */
export interface CheckResult {
  readonly bans: readonly CheckedSanction[]
  readonly mutes: readonly CheckedSanction[]
}

type Checked = ResultWith<typeof PATH, 'post', 'bans'>

export type CheckOptions = RequestOptions & { readonly workspaceId?: string | undefined }

/**
 * Creates the check of all players of a game server. Repeated for the same players, it asks only whether anything has changed.
 */
export function createCheck(api: Api) {
  const remembered = new Map<string, Checked>()

  async function checkPart(userIds: readonly string[], options: CheckOptions): Promise<CheckResult> {
    const { workspaceId, ...rest } = options
    const list = userIds.join(',')
    const id = `${workspaceId ?? ''} ${list}`
    const known = remembered.get(id)
    const query = { workspaceId }
    const body = { userIds: list, tag: known?.tag }
    const result = await api.request('post', PATH, { query, body }, rest)
    if (known && 'unchanged' in result) return known
    remembered.delete(id)
    remembered.set(id, result as Checked)
    const [oldest] = remembered.keys()
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
    return result as Checked
  }

  return async (userIds: Iterable<UserId>, options: CheckOptions = {}): Promise<CheckResult> => {
    const sorted = [...new Set([...userIds].map((userId) => toPlayerId('userIds', userId)))].sort()
    const parts: CheckResult[] = []
    for (let start = 0; start < sorted.length; start += MAX_PLAYERS)
      parts.push(await checkPart(sorted.slice(start, start + MAX_PLAYERS), options))
    return { bans: parts.flatMap(({ bans }) => bans), mutes: parts.flatMap(({ mutes }) => mutes) }
  }
}
