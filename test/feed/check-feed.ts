import { seededRandom } from '../bench/seeded-random.ts'
import { pollUntil } from '../support/poll.ts'
import type { Deployment } from './deployment.ts'
import { Follower, type Read, roundUp, type Sanctions } from './follower.ts'
import { createRandomChanges } from './random-changes.ts'
import { startWaitingFollower, Unreachable } from './waiting-follower.ts'

/** How long another process may need to notice a change, and a follower that waits to get it. */
const MAX_DELAY_MS = 1000
/** How many times longer a run may be, so that everything happens that must. */
const MAX_EXTENSION = 10
const JOB_MS = 30_000
/** One of so many steps is a kill, a backup, a restore, an expiry or a change of the whole workspace. */
const STEPS_PER_INCIDENT = 8

type Body = Readonly<Record<string, string>>

/** What one run did. */
export interface FeedResult {
  readonly counts: Readonly<Record<string, number>>
  readonly snapshots: number
  /** What differed between the followers and the sanctions in force; null if nothing did. */
  readonly failure: string | null
}

/** What is in force by the time of the server. The server has read it between two times, in epoch milliseconds. */
interface InForce {
  readonly sanctions: Sanctions
  readonly from: number
  readonly until: number
}

/**
 * Changes sanctions at random, kills servers while they write, restores and rolls back, and compares three followers with the sanctions in
 * force after every step: one that waits for changes at any server, one that asks any server for them, and one that reads the feed only now
 * and then.
 * @param options.mustHappen what a run shows little without; it goes on until each has happened
 */
export async function checkFeed(
  deployment: Deployment,
  options: { readonly seed: number; readonly steps: number; readonly mustHappen?: readonly string[] },
): Promise<FeedResult> {
  const random = seededRandom(options.seed)
  // Followers choose servers and formats with numbers of their own, so that the same seed makes the same changes.
  const followerRandom = seededRandom(options.seed + 1)
  const { workspaceId, apiKey } = deployment
  const counts: Record<string, number> = {}
  const count = (name: string, times = 1) => {
    counts[name] = (counts[name] ?? 0) + times
  }

  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  async function send(path: string, init: RequestInit = {}, choose = random) {
    const urls = deployment.listUrls()
    const url = urls[Math.floor(choose() * urls.length)]
    const response = await fetch(`${url}${path}`, { ...init, headers })
    // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
    return { status: response.status, body: (await response.json()) as any }
  }
  const toPath = (path: string, query: Body) => `${path}?${new URLSearchParams({ workspaceId, ...query })}`
  const read: Read = (path, query) => send(toPath(path, query))
  const readAsFollower: Read = (path, query) => send(toPath(path, query), {}, followerRandom)
  const post = (path: string, body: Body) => send(path, { method: 'POST', body: JSON.stringify(body) })

  /** Reads for the follower that waits while servers are killed and start again. */
  const readWhileRunning =
    (signal: AbortSignal): Read =>
    async (path, query) => {
      try {
        const response = await send(toPath(path, query), { signal }, followerRandom)
        if (response.status !== 503) return response
      } catch {
        // The connection was refused or closed.
      }
      throw new Unreachable()
    }

  const readNow = async () =>
    Date.parse((await post('/api/moderation/check', { workspaceId, userIds: '1' })).body.now)

  async function listInForce(): Promise<InForce> {
    const sanctions = new Map<string, string | null>()
    const from = await readNow()
    for (const action of ['ban', 'mute'])
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = { action, status: 'active', limit: '200', ...(cursor && { cursor }) }
        const { body } = await read('/api/moderation', query)
        for (const { userId, expiresAt } of body.records)
          sanctions.set(`${action} ${userId}`, roundUp(expiresAt))
        cursor = body.nextCursor
      }
    return { sanctions, from, until: await readNow() }
  }

  const changes = createRandomChanges({ workspaceId, random, read, post, count })

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
    for (let more = Math.floor(random() * 20); more > 0; more--) await changes.moderate()
  }

  /** Kills a server while it writes. What it has acknowledged must be in force; the rest may have happened or not. */
  async function kill(): Promise<void> {
    const writes = await changes.startWrites()
    // In some rounds before any of them, and in the others after the first.
    if (random() < 0.5) await Promise.race(writes.map(({ acknowledged }) => acknowledged))
    await deployment.kill(Math.floor(random() * deployment.listUrls().length))
    const { sanctions } = await listInForce()
    for (const { name, isSet, acknowledged } of writes) {
      const isAcknowledged = await acknowledged
      count(isAcknowledged ? 'acknowledged at a kill' : 'not acknowledged at a kill')
      if (isAcknowledged && sanctions.has(name) !== isSet)
        throw new Error(`the acknowledged ${isSet ? 'ban' : 'unban'} of ${name} is lost after a kill`)
    }
  }

  /** Gives a follower a sanction that ends soon, and waits until it has ended. */
  async function expire(): Promise<void> {
    const name = await changes.banForSeconds()
    const failure = await findDifference('the follower', eager)
    if (failure !== null) throw new Error(failure)
    await pollUntil(async () => !(await listInForce()).sanctions.has(name), 'the sanction has ended')
  }

  const incidents = [
    ['kill', kill],
    ['archive', archive],
    ['backup', deployment.backUp],
    ['roll-back', rollBack],
    ['restore', restore],
    ['expiry', expire],
  ] as const

  async function step(done: number): Promise<void> {
    if (done % STEPS_PER_INCIDENT < STEPS_PER_INCIDENT - 1) return changes.moderate()
    // Each in turn at first, so that a short run has all of them.
    const turn = Math.floor(done / STEPS_PER_INCIDENT)
    const [name, cause] =
      incidents[turn] ?? incidents[Math.floor(random() * incidents.length)] ?? incidents[0]
    await cause()
    count(name)
  }

  /** Compares what a follower has with what is in force. @returns null if they are the same */
  function compare(name: string, followed: Sanctions, inForce: InForce): string | null {
    const { sanctions, from, until } = inForce
    // It expires while the list is read: the time of a follower is up to a second later.
    const isUndecided = (expiresAt: string | null) =>
      expiresAt !== null && Date.parse(expiresAt) >= from && Date.parse(expiresAt) - 1000 <= until
    const isOver = (expiresAt: string | null) => expiresAt !== null && Date.parse(expiresAt) < from
    const expired = [...followed].filter(([, expiresAt]) => isOver(expiresAt))
    const expected = describe([...sanctions].filter(([, expiresAt]) => !isUndecided(expiresAt)))
    const actual = describe(
      [...followed].filter(([, expiresAt]) => !isUndecided(expiresAt) && !isOver(expiresAt)),
    )
    if (expected !== actual) return `${name} has ${actual} instead of ${expected}`
    count('expiries that a follower applied', expired.length)
    return null
  }

  const isShared = deployment.listUrls().length > 1

  /** Compares a follower that has just read all changes, until another process must have noticed the last one. */
  async function findDifference(name: string, follower: Follower): Promise<string | null> {
    const changedAt = performance.now()
    for (;;) {
      const begunAt = performance.now()
      await follower.catchUp(followerRandom() < 0.5)
      const difference = compare(name, follower.listSanctions(), await listInForce())
      if (difference === null || !isShared || begunAt - changedAt > MAX_DELAY_MS) return difference
    }
  }

  /** Compares the follower that waits, until a server must have sent it the last change. */
  async function findDifferenceOfWaiting(): Promise<string | null> {
    const changedAt = performance.now()
    for (;;) {
      const [requestedAt, upToDateAt] = [waiting.getRequestedAt(), waiting.getUpToDateAt()]
      const now = performance.now()
      const difference = compare('the waiting follower', waiting.listSanctions(), await listInForce())
      const isIgnored = now - Math.max(requestedAt, changedAt) > MAX_DELAY_MS
      const isMisled = upToDateAt - changedAt > MAX_DELAY_MS
      if (difference === null || isIgnored || isMisled) return difference
    }
  }

  const [eager, lazy] = [new Follower(readAsFollower), new Follower(readAsFollower)]
  const waiting = startWaitingFollower(readWhileRunning)
  let failure: string | null = null
  try {
    // What happens during a kill depends on the machine.
    const hasShown = () => (options.mustHappen ?? []).every((name) => (counts[name] ?? 0) > 0)
    const mayContinue = (done: number) =>
      done < options.steps || (done < MAX_EXTENSION * options.steps && !hasShown())
    for (let done = 0; mayContinue(done) && failure === null; done++) {
      await step(done)
      failure =
        (await findDifferenceOfWaiting()) ??
        (await findDifference('the follower', eager)) ??
        (random() < 0.1 ? await findDifference('the late follower', lazy) : null)
      if (failure !== null) failure = `after step ${done}: ${failure}`
    }
  } finally {
    await waiting.stop()
  }
  return { counts, snapshots: eager.snapshots, failure }
}

const describe = (sanctions: Iterable<readonly [string, string | null]>): string =>
  [...sanctions]
    .map(([name, expiresAt]) => (expiresAt === null ? name : `${name} until ${expiresAt}`))
    .sort()
    .join(', ')
