import type { Page } from 'playwright-core'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'
import { waitForJob } from '../support/workspace-jobs.ts'

const heading = 'Erasures'
let workspacePath = ''
const path = (): string => `${workspacePath}/configuration/erasures`

/** A workspace in which two players were erased, whom an archive contains and a case of another player names. */
async function prepare({ server, owner: { session } }: ScreenContext): Promise<void> {
  const { body } = await server.requestOk('POST', '/api/workspaces', {
    session,
    body: { groupName: 'Lantern Market' },
  })
  const workspaceId: string = body.workspace.id
  workspacePath = `/w/${workspaceId}`
  const send = async (requestPath: string, fields: object) =>
    (await server.requestOk('POST', requestPath, { session, body: { workspaceId, ...fields } })).body
  const moderate = (fields: object) => send('/api/moderation', fields)
  await moderate({ action: 'ban', userId: '7654321098', reason: 'Exploiting' })
  await moderate({ action: 'warn', userId: '7654321099', reason: 'Spamming the trade channel' })
  await moderate({ action: 'note', userId: '261', reason: 'Alternate account of 7654321098' })
  await moderate({ action: 'note', userId: '262', reason: 'Friend of 7654321098' })
  for (const action of ['archive', 'restore']) {
    await server.requestOk('POST', '/api/workspaces', { session, body: { id: workspaceId, action } })
  }
  const erase = async (userId: string, mode: string, reason: string) => {
    const fields = { userId, confirmUserId: userId, mode, reason }
    const { erasure } = await send('/api/moderation/erasures', fields)
    await waitForJob({ job: erasure }, async () => {
      const list = `/api/moderation/erasures?workspaceId=${workspaceId}`
      return (await server.requestOk('GET', list, { session })).body.erasures
    })
  }
  await erase('7654321098', 'erase', `Request by e-mail of 17 November. ${'W'.repeat(120)}`)
  await erase('7654321099', 'pseudonymise', 'Request of the parents')
}

const backup = { name: `reeve-${'3f9a1c'.repeat(20)}.db`, takenAt: '2026-11-01T12:00:00.000Z' }
/** The backups of each erasure, newest first. */
const knownBackups = [
  {
    backups: [{ ...backup, place: 'bucket' }],
    backupsProblem: 'The backups in the backup folder could not be listed.',
  },
  {
    backups: [
      { ...backup, place: 'folder' },
      { ...backup, place: 'bucket' },
    ],
  },
]

/** Opens the screen again as if the server had backups. */
async function showBackups(page: Page): Promise<void> {
  await page.route('**/api/moderation/erasures?*', async (route) => {
    const response = await (await route.fetch()).json()
    const erasures = response.erasures.map((erasure: object, index: number) => ({
      ...erasure,
      ...knownBackups[index],
    }))
    await route.fulfill({ json: { ...response, erasures } })
  })
  await page.reload()
  await page.getByText('in the backup folder contains the player').waitFor()
}

/** Players who were erased on request. */
export const screens: ScreenFile = {
  prepare,
  states: [
    {
      name: 'erasures',
      path,
      heading,
      async arrange(page) {
        await page.getByText('A player was erased').waitFor()
        await page.getByText('A player was put under a pseudonym').waitFor()
      },
    },
    { name: 'erasures-backups', path, heading, arrange: showBackups },
    {
      name: 'erasures-none',
      path: '/w/$/configuration/erasures',
      heading,
      arrange: (page) => page.getByText('No player was erased').waitFor(),
    },
  ],
}
