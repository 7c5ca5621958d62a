import { expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { expectSettled, fillIn, pressButton, readField, readFieldNote } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

test('a workspace sets the link to players’ profiles, which loads nothing until it is clicked', async () => {
  const workspace = await e2e.createWorkspaceFixture()
  await workspace.requestAsOwner('POST', '/api/moderation', { action: 'note', userId: '261', reason: 'Seen' })
  const settings = await workspace.openScreen('/configuration/workspace', { heading: 'Workspace' })
  await fillIn(settings.page, { 'Player profiles': 'https://example.com/users' })
  await pressButton(settings.page, 'Save')
  await settings.page.getByText('Player profiles must contain {id} exactly once').waitFor()
  expect((await readFieldNote(settings.page, 'Player profiles'))[0]).toBe('true')
  await fillIn(settings.page, { 'Player profiles': '' })
  await pressButton(settings.page, 'Use Roblox profiles')
  await expectSettled(
    () => readField(settings.page, 'Player profiles'),
    'https://www.roblox.com/users/{id}/profile',
  )
  await pressButton(settings.page, 'Save')
  await settings.page.getByText('Saved the workspace').waitFor()

  const tab = await workspace.openScreen('/moderation/players/261', { heading: '261' })
  const { page } = tab
  const link = page.getByRole('link', { name: /^Profile of 261, on www\.roblox\.com/ })
  await link.waitFor()
  expect([
    await link.getAttribute('href'),
    await link.getAttribute('rel'),
    await link.getAttribute('target'),
  ]).toEqual(['https://www.roblox.com/users/261/profile', 'noopener noreferrer nofollow', '_blank'])
  await link.hover()
  await pressButton(page, 'Ban')
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^Profile of 261/ })
    .waitFor()
  expect(tab.listCrossOriginRequests()).toEqual([])
  await expectNoPageErrors(tab)

  const requests: string[] = []
  await page.context().route('https://www.roblox.com/**', (route) => {
    requests.push(route.request().url())
    return route.fulfill({ body: 'profile' })
  })
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page
      .getByRole('dialog')
      .getByRole('link', { name: /^Profile of 261/ })
      .click(),
  ])
  await popup.waitForLoadState()
  expect(requests).toEqual(['https://www.roblox.com/users/261/profile'])
})

test('without a profile link in the workspace, players have none', async () => {
  const workspace = await e2e.createWorkspaceFixture()
  const { page } = await workspace.openScreen('/moderation/players/261', { heading: '261' })
  await page.getByRole('button', { name: 'Copy: player ID' }).waitFor()
  await expectSettled(() => page.getByRole('link', { name: /^Profile/ }).count(), 0)
})
