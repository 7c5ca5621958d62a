import { expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import {
  DESKTOP,
  expectSettled,
  fillIn,
  PHONE,
  pressButton,
  readField,
  waitForHeading,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const UUID = '069a79f444e94726a5befca90e38aaf5'

test('a workspace chooses its platform, and its staff find players of every platform by any form of their ID', async () => {
  const workspace = await e2e.createWorkspaceFixture()
  const note = (userId: string) =>
    workspace.requestAsOwner('POST', '/api/moderation', { action: 'note', userId, reason: 'Seen' })
  await note('steam:STEAM_0:0:11101')
  await note(`minecraft:${UUID}`)
  const settings = await workspace.openScreen('/configuration/workspace', {
    heading: 'Workspace',
    browser: PHONE,
  })
  expect(await readField(settings.page, 'Default platform')).toBe('roblox')
  await fillIn(settings.page, { 'Default platform': 'steam' })
  await pressButton(settings.page, 'Use Steam profiles')
  await pressButton(settings.page, 'Save')
  await settings.page.getByText('Saved the workspace').waitFor()
  expect(await settings.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await expectNoPageErrors(settings)

  await note('76561197960287930')
  const tab = await workspace.openScreen('/moderation', { heading: 'Moderation', browser: DESKTOP })
  const { page } = tab
  const search = async (text: string) => {
    await page.getByLabel('Player ID or name', { exact: true }).fill(text)
    await page.keyboard.press('Enter')
  }
  await search('[U:1:22202]')
  await waitForHeading(page, '76561197960287930')
  await page.getByText('2 cases').waitFor()
  const link = page.getByRole('link', {
    name: 'Profile of 76561197960287930, on steamcommunity.com, in a new tab',
  })
  expect(await link.textContent()).toContain('Steam profile')
  expect(await link.getAttribute('href')).toBe('https://steamcommunity.com/profiles/76561197960287930')
  await page.goBack()
  await search('069A79F4-44E9-4726-A5BE-FCA90E38AAF5')
  await waitForHeading(page, `minecraft:${UUID}`)
  await expectSettled(
    () => page.getByRole('link', { name: /^Profile of 069a/ }).getAttribute('href'),
    `https://namemc.com/profile/${UUID}`,
  )
  expect(tab.listCrossOriginRequests()).toEqual([])
  await expectNoPageErrors(tab)
})
