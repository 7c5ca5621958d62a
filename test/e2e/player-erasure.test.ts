import { expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { chooseMenuItem, fillIn, PHONE, pressButton, waitForHeading } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const PLAYER = '7654321098'

test('the owner sees what is stored about a player, erases it after typing the ID, and sees what is left to do', async () => {
  const workspace = await e2e.createWorkspaceFixture()
  const moderate = (body: object) => workspace.requestAsOwner('POST', '/api/moderation', body)
  await moderate({ action: 'ban', userId: PLAYER, reason: 'Exploiting', userUsername: 'Thistledown' })
  await moderate({ action: 'note', userId: '261', reason: `Alt of ${PLAYER}` })
  const tab = await workspace.openScreen(`/moderation/players/${PLAYER}`, { browser: PHONE })
  const { page } = tab
  await page.getByText('Banned permanently').waitFor()
  await chooseMenuItem(page, 'Data of this player', 'Erase…')
  const dialog = page.getByRole('dialog', { name: `Erase ${PLAYER}?` })
  await dialog.getByText('1 case, 0 evidence files, 0 appeals').waitFor()
  await dialog.getByText('1 ban or mute in force ends: the player can join again.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Erase player' }).isDisabled()).toBe(true)
  await fillIn(page, { Reason: `Mail of ${PLAYER}`, [`Type ${PLAYER} to confirm`]: PLAYER })
  await pressButton(page, 'Erase player')
  await dialog.getByText('must not contain the ID of the player').first().waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await fillIn(page, { Reason: 'Request by e-mail' })
  await pressButton(page, 'Erase player')
  await dialog.getByText('The player is erased: 1 case.').waitFor()
  await dialog.getByText('Texts of other players name the ID: cases 2.').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await waitForHeading(page, PLAYER)
  await page.getByText('Banned permanently').waitFor({ state: 'hidden' })
  await expectNoPageErrors(tab)
})

test('the result of an erasure is listed under Configuration, also for somebody who has the list open meanwhile', async () => {
  const workspace = await e2e.createWorkspaceFixture()
  const moderate = (body: object) => workspace.requestAsOwner('POST', '/api/moderation', body)
  await moderate({ action: 'ban', userId: PLAYER, reason: 'Exploiting', userUsername: 'Thistledown' })
  await moderate({ action: 'note', userId: '261', reason: `Alt of ${PLAYER}` })
  const list = await workspace.openScreen('/configuration/erasures', { heading: 'Erasures', browser: PHONE })
  await list.page.getByText('No player was erased').waitFor()

  const tab = await workspace.openScreen(`/moderation/players/${PLAYER}`)
  const { page } = tab
  await page.getByText('Banned permanently').waitFor()
  await chooseMenuItem(page, 'Data of this player', 'Erase…')
  const dialog = page.getByRole('dialog', { name: `Erase ${PLAYER}?` })
  await dialog.getByLabel('Bans, without texts and names').check()
  await dialog.getByText('still matches when a game server checks the player').waitFor()
  await fillIn(page, { Reason: 'Request by e-mail', [`Type ${PLAYER} to confirm`]: PLAYER })
  await pressButton(page, 'Erase player')
  await dialog.getByText('The player is erased: 1 case.').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()

  const rows = list.page.getByRole('list', { name: 'Erasures' })
  await rows.getByText('A player was put under a pseudonym').waitFor()
  await rows.getByText('Request by e-mail').waitFor()
  await rows.getByText('contain the player until they are deleted').waitFor()
  expect(await list.page.getByText(PLAYER).count()).toBe(0)
  expect(await list.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await rows.getByRole('link', { name: '2', exact: true }).click()
  await list.page.getByText(`Alt of ${PLAYER}`).first().waitFor()

  // The ban still matches, under the pseudonym.
  const { bans } = await workspace.readAsOwner('/api/moderation', { banList: 'true', userId: PLAYER })
  expect(bans).toMatchObject([{ reason: null }])
  await page.reload()
  await waitForHeading(page, PLAYER)
  expect(await page.getByText('Thistledown').count()).toBe(0)
  expect(await page.getByText('Exploiting').count()).toBe(0)
  await page.getByText('Banned permanently').waitFor()
  // The list of bans finds it. All cases do not, and do not refer to themselves.
  const bansOfPlayer = await workspace.openScreen(`/moderation/bans?userId=${PLAYER}`)
  await bansOfPlayer.page.getByText('Redacted', { exact: true }).waitFor()
  const casesOfPlayer = await workspace.openScreen(`/moderation/records?userId=${PLAYER}`)
  await casesOfPlayer.page.getByText('No cases match these filters').waitFor()
  await casesOfPlayer.page.getByText('Clear a filter to see more.').waitFor()
  await pressButton(page, 'Ban')
  const ban = page.getByRole('dialog')
  await fillIn(page, { Reason: 'Back again' })
  await ban.getByRole('button', { name: `Ban ${PLAYER}` }).click()
  await page.getByText('Back again').first().waitFor()
  await expectNoPageErrors(tab)
  await expectNoPageErrors(list)
})
