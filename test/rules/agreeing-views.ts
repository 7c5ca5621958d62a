import { expect } from 'bun:test'
import { findStorageDrift } from '@reeve/metering'
import { compareRecords, type RecordDifference } from '@reeve/moderation'
import fc from 'fast-check'
import { Follower, roundUp } from '../feed/follower.ts'
import type { Instance } from '../support/instance.ts'
import { type Desk, type ListedRecord, openDesk } from './desk.ts'
import { history, PLAYERS, type Step } from './desk-steps.ts'
import type { Property } from './property.ts'

/** Words of the texts that desk.ts writes. */
const WORDS = ['raided', 'Edited', 'imported', 'seen']
/** How many earlier states are compared with `asOf` after each step. */
const EARLIER = 4
/** Steps after which the past is not what it was, as docs/api.md says of `asOf`. */
const REWRITING: ReadonlySet<Step['kind']> = new Set(['import', 'erase', 'roll back', 'retain'])

/** Every view of a workspace agrees with every other: who is banned and muted, the cases, the log, the counters. */
export const agreeingViews: Property = {
  name: 'all views of a workspace agree, whatever happens in it',
  async check(instance, parameters) {
    const counts: Record<string, number> = {}
    const count = (name: string) => {
      counts[name] = (counts[name] ?? 0) + 1
    }
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const desk = await openDesk(instance, count)
        const views = createViews(instance, desk)
        for (const step of steps) {
          await desk.apply(step)
          if (REWRITING.has(step.kind)) views.forgetEarlier()
          await views.compare()
        }
        await views.compareStored()
      }),
      parameters,
    )
    return counts
  },
}

function createViews(instance: Instance, desk: Desk) {
  const { listAll, check, getRecord } = desk
  let earlier: { readonly asOf: string; readonly bans: readonly string[] }[] = []
  let checked = { tag: '', sanctions: '' }
  const follower = new Follower((path, query) =>
    instance.request('GET', `${path}?${new URLSearchParams({ workspaceId: desk.id, ...query })}`, {
      key: desk.key,
    }),
  )

  /** The lists of who is banned and muted. */
  async function compareLists(records: readonly ListedRecord[]): Promise<void> {
    for (const action of ['ban', 'mute']) {
      const inForce = listInForce(records, action)
      expect(new Set(inForce.map(({ userId }) => userId)).size).toBe(inForce.length)
      expect((await listAll({ action, status: 'active' })).map(toName).sort()).toEqual(
        inForce.map(toName).sort(),
      )
    }
    expect((await listAll({ banList: 'true' }, 'bans')).map(toName).sort()).toEqual(
      listInForce(records, 'ban').map(toName).sort(),
    )
    for (const status of ['active', 'expired', 'revoked', 'superseded'])
      expect((await listAll({ status })).map(toId)).toEqual(
        records.filter((record) => record.status === status).map(toId),
      )
  }

  /** The check of a game server. It finds pseudonymised players as well, whom the lists do not name. */
  async function compareCheck(records: readonly ListedRecord[]): Promise<void> {
    const userIds = listKnownIds(records).join()
    const fresh = await check({ userIds })
    if (fresh.status !== 200) throw new Error(fresh.text)
    const hidden = new Set(records.filter(isPseudonymised).map(toId))
    const found: { recordId: string; expiresAt: string | null }[] = [...fresh.body.bans, ...fresh.body.mutes]
    const inForce = [...listInForce(records, 'ban'), ...listInForce(records, 'mute')]
    expect(
      found
        .filter(({ recordId }) => !hidden.has(recordId))
        .map(({ recordId, expiresAt }) => `${recordId} until ${expiresAt}`)
        .sort(),
    ).toEqual(
      inForce
        .filter((record) => !isPseudonymised(record))
        .map(({ id, expiresAt }) => `${id} until ${expiresAt}`)
        .sort(),
    )
    await compareTag()
  }

  /** A check with the tag of the last one. */
  async function compareTag(): Promise<void> {
    const userIds = PLAYERS.join()
    const { bans, mutes } = (await check({ userIds })).body
    const { body } = await check({ userIds, tag: checked.tag })
    const sanctions = JSON.stringify([bans, mutes])
    expect(body.unchanged === 'true' ? checked.sanctions : JSON.stringify([body.bans, body.mutes])).toBe(
      sanctions,
    )
    checked = { tag: body.tag, sanctions }
  }

  /** What a program knows that follows the changes. Its times are rounded up to seconds. */
  async function compareFeed(records: readonly ListedRecord[]): Promise<void> {
    const now = instance.clock.now()
    await follower.catchUp(now % 2 === 0)
    const isDecided = (expiresAt: string | null) => expiresAt === null || Date.parse(expiresAt) - 1000 > now
    const inForce = [...listInForce(records, 'ban'), ...listInForce(records, 'mute')]
    const expected = inForce.map(
      ({ action, userId, expiresAt }) => [`${action} ${userId}`, roundUp(expiresAt)] as const,
    )
    const followed = [...follower.listSanctions()].map(([name, at]) => [name, roundUp(at)] as const)
    const format = (sanctions: readonly (readonly [string, string | null])[]) =>
      sanctions
        .filter(([, expiresAt]) => isDecided(expiresAt))
        .map(([name, expiresAt]) => `${name} until ${expiresAt}`)
        .sort()
    expect(format(followed)).toEqual(format(expected))
  }

  /** Each record by its id, the records of each player, and those with a text. */
  async function compareRecordsThemselves(records: readonly ListedRecord[]): Promise<void> {
    const texts = new Map<string, string>()
    for (const listed of records) {
      const { evidence, evidenceFiles, comments, ...record } = (await getRecord(listed.id)).record
      const { waitsForApproval: _, ...summary } = listed
      expect(summary).toEqual({
        ...record,
        commentCount: `${comments.length}`,
        evidenceCount: `${evidence.length}`,
        evidenceFileCount: `${evidenceFiles.length}`,
      })
      texts.set(listed.id, JSON.stringify([record, comments]).toLowerCase())
    }
    for (const userId of new Set(records.map((record) => record.userId)))
      expect((await listAll({ userId })).map(toId)).toEqual(
        records.filter((record) => record.userId === userId).map(toId),
      )
    for (const text of WORDS)
      expect([text, (await listAll({ text })).map(toId)]).toEqual([
        text,
        records.map(toId).filter((id) => texts.get(id)?.includes(text.toLowerCase())),
      ])
  }

  /** The bans at the times of earlier comparisons. */
  async function compareEarlier(records: readonly ListedRecord[]): Promise<void> {
    const bans = listInForce(records, 'ban').filter((record) => !isPseudonymised(record))
    earlier.push({ asOf: new Date(instance.clock.now()).toISOString(), bans: bans.map(toName).sort() })
    const hidden = new Set(records.filter(isPseudonymised).map(toId))
    const userId = listKnownIds(records).join()
    for (const then of earlier.slice(-EARLIER)) {
      const found = await listAll({ banList: 'true', userId, asOf: then.asOf }, 'bans')
      const names = found.filter(({ id }) => !hidden.has(id)).map(toName)
      expect({ asOf: then.asOf, bans: names.sort() }).toEqual({ ...then, bans: [...then.bans] })
    }
  }

  return {
    /** After a step that changes the past. */
    forgetEarlier(): void {
      earlier = []
    },
    /** Compares what everybody reads. */
    async compare(): Promise<void> {
      const records = await listAll()
      await compareLists(records)
      await compareCheck(records)
      await compareFeed(records)
      await compareRecordsThemselves(records)
      await compareEarlier(records)
      expect(instance.unexpectedErrors).toEqual([])
    },
    /** Compares what `reeve doctor` reads. */
    async compareStored(): Promise<void> {
      const differences: RecordDifference[] = []
      await compareRecords(instance.db.read, {
        onDifference: (difference) => {
          if (difference.workspaceId === desk.id) differences.push(difference)
        },
      })
      expect(differences).toEqual([])
      expect(await desk.faults()).toEqual([])
      const { drifts } = await findStorageDrift(instance.db.read, () => {})
      expect(drifts).toEqual([])
    },
  }
}

const toId = ({ id }: ListedRecord): string => id
const toName = ({ id, userId, expiresAt }: ListedRecord): string => `${id} ${userId} until ${expiresAt}`
const isPseudonymised = ({ userId }: ListedRecord): boolean => userId.startsWith('pseudonym:')
const listInForce = (records: readonly ListedRecord[], action: string): ListedRecord[] =>
  records.filter((record) => record.action === action && record.status === 'active')
/** The ids that requests can name. */
const listKnownIds = (records: readonly ListedRecord[]): string[] => [
  ...new Set([...PLAYERS, ...records.filter((r) => !isPseudonymised(r)).map(({ userId }) => userId)]),
]
