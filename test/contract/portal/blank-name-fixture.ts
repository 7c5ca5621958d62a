import { expect } from 'bun:test'
import { createJobLease } from '@reeve/api/jobs/lease'
import { createNameBlankingJob } from '@reeve/api/jobs/name-blanking'
import { runJob } from '@reeve/api/jobs/scheduler'
import { permissions } from '@reeve/core'
import { idLiteral } from '../../support/engine.ts'
import type { Instance } from '../../support/instance.ts'
import { findDifferences } from '../../support/log-differences.ts'
import { readLastJob } from '../../support/workspace-jobs.ts'
import { openAppeals } from '../appeals/fixture.ts'
import { archiveWorkspace } from '../workspaces/fixture.ts'

export type Fields = Readonly<Record<string, unknown>>

export const NAME = 'Thistledown'

export function runBlankingJob(instance: Instance, db = instance.db) {
  instance.clock.advance(60_000)
  const { ports } = instance
  return runJob(createNameBlankingJob(db, ports), createJobLease(db, ports), AbortSignal.timeout(60_000))
}

/** A workspace with the requests of its owner. */
export async function openWorkspace(instance: Instance) {
  const appeals = await openAppeals(instance)
  const { workspaceId: id, ownerSession: session, key } = appeals
  const send = async (path: string, body: Fields, from = session) => {
    const response = await instance.request('POST', path, { session: from, body })
    expect(response.status, response.text).toBe(200)
    return response.body
  }
  return {
    appeals,
    id,
    credentials: { id, ownerSession: session },
    /** Adds a member whose name will be blanked. */
    async addMember() {
      const member = await instance.member(id, permissions, 900)
      await instance.storage.query(
        `update account set username = '${NAME}', username_key = 'thistledown' where id = ${idLiteral(member.accountId)}`,
      )
      return {
        ...member,
        deleteAccount: () => send('/portal/api/account/delete', {}, member.session),
        /** Blanks the name of the deleted account. */
        async blank(workspaceId = id) {
          const { accountId } = member
          await send('/portal/api/deleted-members/blank-name', { workspaceId, accountId })
          await runBlankingJob(instance)
        },
      }
    },
    post: (path: string, body: Fields, from = session) => send(path, { workspaceId: id, ...body }, from),
    get: async (path: string, workspaceId = id) =>
      (await instance.request('GET', `${path}?workspaceId=${workspaceId}`, { session })).body,
    listDeleted: async (workspaceId = id) =>
      (await instance.request('GET', `/portal/api/deleted-members?workspaceId=${workspaceId}`, { session }))
        .body.deletedMembers,
    async restore(body: Fields) {
      const restored = await send('/api/workspaces', body)
      expect(await readLastJob(instance, { id, ownerSession: session })).toMatchObject({ state: 'succeeded' })
      return restored.workspace.id as string
    },
    /** Archives the workspace, and makes it active again unless it stays archived. @returns the ID of the archive */
    async archive({ staysArchived = false } = {}) {
      const archive = await archiveWorkspace(instance, { id, key, ownerSession: session } as never)
      if (!staysArchived) await send('/api/workspaces', { id, archive: 'false' })
      return archive.id
    },
  }
}

/** What the doctor reports as changed in a workspace. The log has nothing about its roles, which tests insert. */
export const findChanged = async (instance: Instance, workspaceId: string) =>
  (await findDifferences(instance, workspaceId)).filter((difference) => difference.length > 1)

export const readStoredRows = async (instance: Instance, table: string, workspaceId: string) =>
  JSON.stringify(
    await instance.storage.query(`select * from "${table}" where workspace_id = ${idLiteral(workspaceId)}`),
  )
