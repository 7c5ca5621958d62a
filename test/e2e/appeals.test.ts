import { expect, test } from 'bun:test'
import { openBan, submitAppeal } from '../support/appeal-page.ts'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { expectFitsWindow, fillIn, PHONE, pressButton, waitForHeading } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(() => openE2eSession())

/** A file that a person chooses in a form. */
const toUpload = (name: string, content: string) => ({ name, mimeType: '', buffer: Buffer.from(content) })

test('a banned player appeals on a phone without an account and without JavaScript, and staff decide in the portal', async () => {
  const workspace = await e2e.createWorkspaceFixture([
    'appeals.view',
    'appeals.decide',
    'moderation.view',
    'moderation.evidence',
    'moderation.configure',
  ])
  const settings = await workspace.openScreen('/configuration/appeals', { heading: 'Appeal form' })
  await fillIn(settings.page, {
    Introduction: 'Be honest.',
    Questions: 'Why were you banned?\nWho was it? (optional)',
  })
  await settings.page.getByRole('switch', { name: 'Players can send files with an appeal' }).check()
  await pressButton(settings.page, 'Save')
  await settings.page.getByText('Saved how appeals work.').waitFor()

  const { record } = await workspace.requestAsOwner('POST', '/api/moderation', {
    action: 'ban',
    userId: '261',
    userUsername: 'Builderman',
    reason: 'Exploiting',
  })
  const player = await e2e.openScreen('/appeal', {
    session: null,
    heading: 'Appeal a ban',
    browser: { ...PHONE, javaScriptEnabled: false },
  })
  const { page } = player
  await page.getByLabel('Appeal code').fill('00000 00000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').getByText('No ban has this code.').waitFor()
  await openBan(page, String(record.appealCode).toLowerCase().replace('-', ' '))
  await page.getByText('Exploiting').waitFor()
  expect(new URL(page.url()).search).toBe('')
  await expectFitsWindow(page)
  await submitAppeal(page, 'It was my <brother>.', { 'Why were you banned?': 'They said that I cheated.' })

  await page.getByLabel('Add a file').setInputFiles(toUpload('program.exe', 'MZ\0\0'))
  await page.getByRole('button', { name: 'Send the file' }).click()
  await page.getByRole('alert').getByText('Your file').waitFor()
  await page.getByLabel('Add a file').setInputFiles(toUpload('chat.txt', 'It was my brother.'))
  await page.getByRole('button', { name: 'Send the file' }).click()
  await page.getByText('chat.txt').waitFor()
  await page.getByText('You can send 4 more.').waitFor()

  const inbox = await workspace.openScreen('/appeals', { heading: 'Appeals' })
  await inbox.page.getByRole('link', { name: /Builderman 261/ }).click()
  await waitForHeading(inbox.page, 'Appeal of Builderman')
  await inbox.page.getByText('They said that I cheated.').waitFor()
  await inbox.page.getByText('Banned now').waitFor()
  expect(await inbox.page.getByRole('link', { name: /Builderman.* \(261\)/ }).getAttribute('href')).toMatch(
    /\/moderation\/players\/261$/,
  )
  const download = inbox.page.waitForEvent('download')
  await pressButton(inbox.page, 'Download chat.txt')
  expect(await Bun.file(await (await download).path()).text()).toBe('It was my brother.')
  await pressButton(inbox.page, 'Claim for 15 minutes')
  await inbox.page.getByText('You work on it until').waitFor()
  await fillIn(inbox.page, { 'Internal message': 'PlantedNote' })
  await pressButton(inbox.page, 'Add message')
  await inbox.page.getByText('PlantedNote').waitFor()
  await page.reload()
  await page.getByText('Under review.').waitFor()
  await page.getByLabel('Add a message').fill('Please hurry.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Please hurry.').waitFor()
  await inbox.page.getByText('Please hurry.').waitFor()
  await inbox.page.getByLabel('Shorten the ban').check()
  await inbox.page.getByLabel('The ban ends').selectOption('7')
  await inbox.page.getByText(/Builderman.* \(261\): The ban is shortened\. It ends on/).waitFor()
  await fillIn(inbox.page, { 'Message to the player (optional)': 'A week is enough.' })
  await pressButton(inbox.page, 'Shorten the ban of 261')
  await inbox.page.getByText('Decided by').waitFor()
  // The message was sent.
  await inbox.page.getByLabel('Message to the player').waitFor({ state: 'detached' })

  await page.reload()
  await page.getByText('Your ban was shortened.').waitFor()
  await page.getByText('A week is enough.').waitFor()
  const text = await page.content()
  for (const word of ['PlantedNote', workspace.username, record.actorUsername])
    expect(text).not.toContain(word)
  await expectFitsWindow(page)
  await page.getByRole('button', { name: 'Use another code' }).click()
  await waitForHeading(page, 'Appeal a ban')

  await inbox.page.getByRole('link', { name: 'All appeals' }).click()
  await inbox.page.locator('dl div').filter({ hasText: 'Ban shortened' }).getByText('100%').waitFor()
  await expectNoPageErrors(inbox)
})
