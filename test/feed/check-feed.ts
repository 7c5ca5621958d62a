import { seededRandom } from '../bench/seeded-random.ts'
import type { Deployment } from './deployment.ts'
import { Follower, roundUp, type Sanctions } from './follower.ts'

const PLAYERS = 12
/** How long another process may need to notice a change, and a follower to see it. */
const MAX_DELAY_MS = 5000
const JOB_MS = 30_000
/** One of so many steps is a kill, a backup, a restore or a change of the whole workspace. */
const STEPS_PER_INCIDENT = 8

type Body = Readonly<Record<string, string>>

/** What one run did. */
export interface FeedResult {
  readonly counts: Readonly<Record<string, number>>
  readonly snapshots: number
  /** What differed between the followers and the sanctions in force; null if nothing did. */
  readonly failure: string | null
}

/**
 * Changes sanctions at random, kills, restores and rolls back, and compares two followers with the sanctions in force after
 * every step: one that waits for changes at any server, and one that reads the feed only now and then.
 */
export async function checkFeed(
  deployment: Deployment,
  options: { readonly seed: number; readonly steps: number },
): Promise<FeedResult> {
  const random = seededRandom(options.seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const { workspaceId, apiKey } = deployment
  const counts: Record<string, number> = {}
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1
  }

  const authorization = { authorization: `Bearer ${apiKey}` }
  async function send(path: string, init: RequestInit = {}) {
    const response = await fetch(`${pick(deployment.listUrls())}${path}`, {
      ...init,
      headers: { ...authorization, 'content-type': 'application/json' },
    })
    // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
    return { status: response.status, body: (await response.json()) as any }
  }
  const read = (path: string, query: Body) =>
    send(`${path}?${new URLSearchParams({ workspaceId, ...query })}`)
  const post = (path: string, body: Body) => send(path, { method: 'POST', body: JSON.stringify(body) })

  async function listInForce(): Promise<Sanctions> {
    const sanctions = new Map<string, string | null>()
    for (const action of ['ban', 'mute'])
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = { action, status: 'active', limit: '200', ...(cursor && { cursor }) }
        const { body } = await read('/api/moderation', query)
        for (const { userId, expiresAt } of body.records)
          sanctions.set(`${action} ${userId}`, roundUp(expiresAt))
        cursor = body.nextCursor
      }
    return sanctions
  }

  async function moderate(): Promise<void> {
    const userId = String(1 + Math.floor(random() * PLAYERS))
    const kind = pick(['ban', 'mute'])
    const duration = random() < 0.3 ? { durationSeconds: '100000' } : {}
    const impose = { action: kind, userId, reason: 'Exploiting', ...duration }
    const [current] = (await read('/api/moderation', { userId, action: kind, status: 'active' })).body.records
    const change = current
      ? pick<Body>([
          impose,
          { action: `un${kind}`, userId },
          { action: `un${kind}`, userId },
          { action: 'revoke', id: current.id, reason: 'Mistake' },
          { action: 'edit', id: current.id, durationSeconds: '200000' },
          { action: 'comment', id: current.id, value: 'Seen' },
        ])
      : pick<Body>([impose, impose, { action: 'note', userId, reason: 'Seen' }])
    const { status } = await post('/api/moderation', { workspaceId, ...change })
    count(`${change.action} ${status}`)
  }

  async function changeWorkspace(body: Body): Promise<{ archive?: { id: string } }> {
    const started = await post('/api/workspaces', { id: workspaceId, ...body })
    if (started.status !== 200) throw new Error(JSON.stringify(started.body))
    for (const startedAt = performance.now(); performance.now() - startedAt < JOB_MS; ) {
      const { job } = (await send(`/api/workspaces?id=${workspaceId}`)).body
      if (job === null || job.state === 'succeeded') return started.body
      if (!['queued', 'running'].includes(job.state)) throw new Error(JSON.stringify(job))
    }
    throw new Error('the job did not end')
  }

  let archiveId: string | null = null
  async function archive(): Promise<void> {
    const started = await changeWorkspace({ action: 'archive' })
    await changeWorkspace({ action: 'restore' })
    archiveId = started.archive?.id ?? null
  }

  async function rollBack(): Promise<void> {
    if (archiveId === null) return archive()
    await changeWorkspace({ action: 'archive' })
    await changeWorkspace({ fromArchive: archiveId })
  }

  /** Afterwards, the sequence may be higher than before. */
  async function restore(): Promise<void> {
    if (!(await deployment.restore())) return deployment.backUp()
    archiveId = null
    for (let more = Math.floor(random() * 20); more > 0; more--) await moderate()
  }

  const incidents = [
    ['kill', () => deployment.kill(Math.floor(random() * deployment.listUrls().length))],
    ['archive', archive],
    ['backup', deployment.backUp],
    ['roll-back', rollBack],
    ['restore', restore],
  ] as const

  async function step(done: number): Promise<void> {
    if (done % STEPS_PER_INCIDENT < STEPS_PER_INCIDENT - 1) return moderate()
    // Each in turn at first, so that a short run has all of them.
    const turn = Math.floor(done / STEPS_PER_INCIDENT)
    const [name, cause] = incidents[turn] ?? pick(incidents)
    await cause()
    count(name)
  }

  /** Compares a follower with what is in force, until another process must have noticed the last change. */
  async function findDifference(name: string, follower: Follower): Promise<string | null> {
    const isShared = deployment.listUrls().length > 1
    for (const startedAt = performance.now(); ; ) {
      await follower.catchUp(random() < 0.5)
      const expected = describe(await listInForce())
      const actual = describe(follower.listInForce())
      if (expected === actual) return null
      if (!isShared || performance.now() - startedAt > MAX_DELAY_MS)
        return `${name} has ${actual} instead of ${expected}`
    }
  }

  const eager = new Follower(read)
  const lazy = new Follower(read)
  let failure: string | null = null
  for (let done = 0; done < options.steps && failure === null; done++) {
    await step(done)
    failure = await findDifference('the follower', eager)
    if (failure === null && random() < 0.1) failure = await findDifference('the late follower', lazy)
    if (failure !== null) failure = `after step ${done}: ${failure}`
  }
  return { counts, snapshots: eager.snapshots, failure }
}

const describe = (sanctions: Sanctions): string =>
  [...sanctions]
    .map(([name, expiresAt]) => (expiresAt === null ? name : `${name} until ${expiresAt}`))
    .sort()
    .join(', ')
