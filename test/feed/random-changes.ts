import type { Read, ReadResponse } from './follower.ts'

const PLAYERS = 12
/** How many writes are in progress when a server is killed. */
const WRITES_AT_KILL = 6

type Body = Readonly<Record<string, string>>

interface Dependencies {
  readonly workspaceId: string
  readonly random: () => number
  readonly read: Read
  readonly post: (path: string, body: Body) => Promise<ReadResponse>
  readonly count: (name: string) => void
}

/** A write that a kill may interrupt. */
interface InterruptedWrite {
  /** The sanction, as followers name it. */
  readonly name: string
  readonly isSet: boolean
  /** Whether a server has confirmed it. */
  readonly acknowledged: Promise<boolean>
}

/** Random changes of the sanctions of a few players. */
export function createRandomChanges({ workspaceId, random, read, post, count }: Dependencies) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

  const findCurrent = async (kind: string, userId: string) =>
    (await read('/api/moderation', { userId, action: kind, status: 'active' })).body.records[0]

  /** Most are permanent or end during the next steps. */
  function pickDuration(): Body {
    const choice = random()
    if (choice < 0.5) return {}
    return { durationSeconds: choice < 0.9 ? pick(['1', '2', '3']) : '100000' }
  }

  /** Changes a sanction, or something else about a player. */
  async function moderate(): Promise<void> {
    const userId = String(1 + Math.floor(random() * PLAYERS))
    const kind = pick(['ban', 'mute'])
    const impose = { action: kind, userId, reason: 'Exploiting', ...pickDuration() }
    const current = await findCurrent(kind, userId)
    const change = current
      ? pick<Body>([
          impose,
          { action: `un${kind}`, userId },
          { action: `un${kind}`, userId },
          { action: 'revoke', id: current.id, reason: 'Mistake' },
          { action: 'edit', id: current.id, durationSeconds: pick(['5', '200000']) },
          { action: 'comment', id: current.id, value: 'Seen' },
        ])
      : pick<Body>([impose, impose, { action: 'note', userId, reason: 'Seen' }])
    const { status } = await post('/api/moderation', { workspaceId, ...change })
    count(`${change.action} ${status}`)
  }

  /** Bans a player for so long that followers hear of it before it ends. @returns the sanction, as followers name it */
  async function banForSeconds(): Promise<string> {
    const userId = String(1 + Math.floor(random() * PLAYERS))
    const ban = { action: 'ban', userId, reason: 'Exploiting', durationSeconds: '2' }
    const { status, body } = await post('/api/moderation', { workspaceId, ...ban })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return `ban ${userId}`
  }

  /** Sends writes about different players at once, and returns before their responses. */
  async function startWrites(): Promise<readonly InterruptedWrite[]> {
    const first = Math.floor(random() * PLAYERS)
    const players = Array.from({ length: WRITES_AT_KILL }, (_, index) =>
      String(1 + ((first + index) % PLAYERS)),
    )
    const current = await Promise.all(players.map((userId) => findCurrent('ban', userId)))
    return players.map((userId, index) => {
      // One that ends by itself is replaced by one that does not.
      const isSet = current[index]?.expiresAt !== null
      const change = isSet ? { action: 'ban', userId, reason: 'Exploiting' } : { action: 'unban', userId }
      const acknowledged = post('/api/moderation', { workspaceId, ...change }).then(
        ({ status }) => status === 200,
        () => false,
      )
      return { name: `ban ${userId}`, isSet, acknowledged }
    })
  }

  return { moderate, banForSeconds, startWrites }
}
