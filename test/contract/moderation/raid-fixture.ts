import { permissions } from '@reeve/core'
import type { Instance } from '../../support/instance.ts'
import { openBatchFixture } from './batch-fixture.ts'

export type RaidFixture = Awaited<ReturnType<typeof openRaidFixture>>

/** A new workspace with a member whose actions a test undoes. */
export async function openRaidFixture(instance: Instance) {
  const fixture = await openBatchFixture(instance)
  const raider = await instance.member(fixture.id, permissions)
  const toUndo = (since: string) => ({
    action: 'undo',
    actorUserId: raider.accountId,
    since,
    reason: 'Raid',
  })
  return {
    ...fixture,
    raider,
    /** Acts as the raider. */
    raid: (body: Record<string, string>) => fixture.actAs(raider.session, body),
    /** The request for the undo of everything that the raider has done since a time. */
    toUndo,
    undo: (since: string) => fixture.runBatch(toUndo(since)),
  }
}
