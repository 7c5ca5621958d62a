import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import { openE2eSession } from './e2e-session.ts'

export const TEST_PLAYER = { userId: '261', userUsername: 'StormRider' }
export const DAY = 86_400

/** An e2e session in which each test moderates in its own workspace. */
export async function openModerationSession() {
  const e2e = await openE2eSession()
  const { session } = e2e.owner
  let memberCount = 0

  return {
    ...e2e,
    /** Creates a workspace with helpers for moderation through the API. */
    async createModerationWorkspace() {
      const workspaceId = await e2e.createWorkspace('Night Shift')
      return {
        session,
        workspaceId,
        toPath: (path = '') => `/w/${workspaceId}/moderation${path}`,
        /** Creates or changes a record. @returns the record */
        async moderate(body: Readonly<Record<string, string>>, moderatorSession = session) {
          const response = await e2e.server.requestOk('POST', '/api/moderation', {
            session: moderatorSession,
            body: { workspaceId, ...body },
          })
          return response.body.record
        },
        /** The records of a player, newest first. */
        async listRecords(userId: string) {
          return (await e2e.readAsOwner('/api/moderation', { userId }, workspaceId)).records
        },
        /** One record, with its comments and evidence. */
        async readRecord(id: string) {
          return (await e2e.readAsOwner('/api/moderation', { id }, workspaceId)).record
        },
        /** Creates a member with exactly these permissions. */
        async createMember(...permissions: readonly Permission[]) {
          memberCount += 1
          const name = `kim${memberCount}`
          return { name, session: await e2e.server.createMember({ workspaceId, session }, name, permissions) }
        },
      }
    },
  }
}

export const openDialog = (page: Page) => page.getByRole('dialog')

/** The active sanctions on a player's page. */
export const activeSanctions = (page: Page) => page.getByRole('region', { name: 'Active sanctions' })

/** Chooses an option in the dialog. */
export const chooseOption = (page: Page, name: string) =>
  openDialog(page).getByRole('radio', { name, exact: true }).check()
