import { expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { chooseMenuItem } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const PLAYER = '7654321098'

test('the menu of a player downloads everything that is stored about them', async () => {
  const workspace = await e2e.createWorkspaceFixture()
  const moderate = (body: object) => workspace.requestAsOwner('POST', '/api/moderation', body)
  await moderate({ action: 'ban', userId: PLAYER, reason: 'Exploiting', userUsername: 'Thistledown' })
  await moderate({ action: 'ban', userId: '261', reason: 'Of another' })
  await workspace.requestAsOwner('POST', '/portal/api/pinned-notes', { userId: PLAYER, text: 'Watch' })
  const tab = await workspace.openScreen(`/moderation/players/${PLAYER}`)
  const { page } = tab
  await page.getByText('Banned permanently').waitFor()
  const downloading = page.waitForEvent('download')
  await chooseMenuItem(page, 'Data of this player', 'Download data')
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^player-\d{4}-\d{2}-\d{2}\.json$/)
  const text = await Bun.file(await download.path()).text()
  expect(JSON.parse(text)).toMatchObject({
    userId: PLAYER,
    records: [{ reason: 'Exploiting', versions: [] }],
    pinnedNotes: [{ text: 'Watch' }],
    names: ['Thistledown'],
  })
  expect(text).not.toContain('Of another')
  await expectNoPageErrors(tab)
})
