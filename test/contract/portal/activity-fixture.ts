import { createActivityJob } from '@reeve/api/jobs/activity'
import { appendAuditEntry } from '@reeve/audit'
import { type Actor, anonymousActor } from '@reeve/core'
import { createTestClock, createTestPorts } from '../../support/clock.ts'
import { idLiteral } from '../../support/engine.ts'
import { openInstance } from '../../support/instance.ts'
import type { Workspace } from '../workspaces/fixture.ts'

/** Thousands of audit entries take a while on PostgreSQL. */
export const ACTIVITY_TIMEOUT_MS = 60_000

/** Daylight saving time ends in Berlin and begins in Lord Howe, by half an hour, in the month before. */
export const NOW = Date.UTC(2026, 9, 30, 21, 40)

interface Action {
  readonly action: string
  readonly at: number
  readonly by?: string
}

/** The person who does something in a workspace. */
export const createActor = (workspaceId: string, id: string, name: string): Actor => ({
  ...anonymousActor,
  kind: 'account',
  id,
  name,
  workspaceId,
})

export const repeat = (count: number, action: (index: number) => Action): Action[] =>
  Array.from({ length: count }, (_, index) => action(index))

/** An instance at `NOW`. */
export async function openActivityFixture() {
  const instance = await openInstance({ clock: createTestClock(NOW) })
  return {
    instance,
    /** Appends actions to the audit log of a workspace, as the API does. */
    async act(workspaceId: string, actions: readonly Action[]): Promise<void> {
      for (let index = 0; index < actions.length; index += 250) {
        await instance.db.write(async (tx) => {
          for (const { action, at, by = 'robin' } of actions.slice(index, index + 250)) {
            const actor = createActor(workspaceId, by, `Name of ${by}`)
            const ports = createTestPorts(createTestClock(at))
            await appendAuditEntry(tx, ports, actor, { action, target: { kind: 'record', id: 'r' } })
          }
        })
      }
    },
    /** Reads the activity as the owner of a workspace. */
    async readActivity({ id, ownerSession }: Workspace, timeZone = 'UTC') {
      const search = new URLSearchParams({ workspaceId: id, timeZone })
      const { body } = await instance.request('GET', `/portal/api/overview?${search}`, {
        session: ownerSession,
      })
      return body.done as {
        readonly from: string
        readonly to: string
        readonly count: string
        readonly actions: readonly { action: string; count: string }[]
        readonly actors: readonly { actorKind: string; actorId: string; actorName: string; count: string }[]
        readonly days: readonly { from: string; to: string; bans: string; warnings: string }[]
      }
    },
    runJob: (db = instance.db): Promise<void> => createActivityJob(db).run(AbortSignal.timeout(60_000)),
    /** Reads up to which audit entry the job has summarized the activity of a workspace. */
    async countSummarized({ id }: Workspace): Promise<number> {
      const rows = await instance.storage.query<{ sequence: number | string }>(
        `select sequence from activity_progress where workspace_id = ${idLiteral(id)}`,
      )
      return Number(rows[0]?.sequence ?? 0)
    },
  }
}

export type ActivityFixture = Awaited<ReturnType<typeof openActivityFixture>>
