import { describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { choose, listFields, readOptions } from '../support/edit-conflicts.ts'
import { openDialog } from '../support/moderation.ts'
import { chooseMenuItem, DESKTOP, expectSettled, fillIn, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const PATH = '/configuration/reasons'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

const listNames = (page: Page, list: string) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('heading').allTextContents()

const stepField = (page: Page, field: string, step: number) =>
  page.getByLabel(`${field} of step ${step}`, { exact: true })

test('a ladder is built and simulated, and its template is created, sorted, archived and restored', async () => {
  const { openScreen, readAsOwner, requestAsOwner } = await e2e.createWorkspaceFixture()
  await requestAsOwner('POST', '/api/moderation/templates', {
    name: 'Other',
    publicReason: 'Something else.',
  })
  const tab = await openScreen(PATH, { heading: 'Reasons and ladders', ...DESKTOP })
  const { page } = tab
  await pressButton(page, 'New ladder')
  await fillIn(page, { Name: 'Chat', 'Days that a case counts': '30' })
  await stepField(page, 'Counts for days', 1).fill('10')
  await pressButton(page, 'Add step')
  await stepField(page, 'Action', 2).selectOption('mute')
  await stepField(page, 'Duration', 2).fill('')
  await pressButton(page, 'Create ladder')
  await openDialog(page)
    .getByText(/step 2: durationSeconds must be whole seconds/)
    .waitFor()
  await stepField(page, 'Duration', 2).fill('36')
  await stepField(page, 'Unit of the duration', 2).selectOption('hours')
  await fillIn(page, { 'Try it: a player has cases on these days': '0, 5, 10, 60' })
  await expectSettled(
    () => page.getByRole('list', { name: 'What happens' }).getByRole('listitem').allTextContents(),
    [
      'Day 0: Warning (step 1; 0 earlier cases count)',
      'Day 5: Mute for 1 day 12 hours (step 2; 1 earlier case counts)',
      'Day 10: Mute for 1 day 12 hours (step 2; 1 earlier case counts)',
      'Day 60: Warning (step 1; 0 earlier cases count)',
    ],
  )
  await pressButton(page, 'Create ladder')
  await page.getByText('Created the ladder “Chat”.').waitFor()
  expect((await readAsOwner('/api/moderation/ladders')).ladders).toMatchObject([
    {
      windowDays: '30',
      steps: [
        { count: '1', action: 'warn', decayDays: '10' },
        { count: '2', action: 'mute', durationSeconds: '129600', decayDays: null },
      ],
    },
  ])
  await pressButton(page, 'New template')
  await fillIn(page, { Name: 'Spamming', 'What the player reads': 'You spammed.' })
  await page.getByLabel('Ladder', { exact: true }).selectOption('Chat')
  await page.getByLabel('Severity', { exact: true }).selectOption('low')
  await fillIn(page, { 'Days until a player can appeal': '7' })
  await pressButton(page, 'Create template')
  await expectSettled(() => listNames(page, 'Templates in order'), ['Other', 'Spamming'])
  const saved = page.waitForResponse('**/api/moderation/templates')
  await page.getByRole('button', { name: 'Move Spamming', exact: true }).press('ArrowUp')
  await saved
  await expectSettled(() => listNames(page, 'Templates in order'), ['Spamming', 'Other'])
  expect((await readAsOwner('/api/moderation/templates')).templates).toMatchObject([
    { name: 'Spamming', defaultSeverity: 'low', appealAfterDays: '7', appealable: 'true' },
    { name: 'Other' },
  ])
  await chooseMenuItem(page, 'Change Other', 'Archive…')
  await pressButton(page, 'Archive template')
  await expectSettled(() => listNames(page, 'Templates in order'), ['Spamming'])
  await page.getByRole('tab', { name: 'Archived' }).click()
  await pressButton(page, 'Restore Other')
  await page.getByText('Nothing is archived').waitFor()
  await expectNoPageErrors(tab)
})

const moderator: readonly Permission[] = [
  'moderation.view',
  'moderation.note',
  'moderation.warn',
  'moderation.mute',
  'moderation.ban',
]

test('on a phone, a moderator picks a template with its key, sees the step, and needs a reason for less', async () => {
  const { openScreen, readAsOwner, requestAsOwner } = await e2e.createWorkspaceFixture(moderator)
  const steps = JSON.stringify([
    { count: 1, action: 'warn' },
    { count: 2, action: 'mute', durationSeconds: 18_000 },
  ])
  const { ladder } = await requestAsOwner('POST', '/api/moderation/ladders', { name: 'Chat', steps })
  for (const [name, ladderId] of [
    ['Other', null],
    ['Spamming', ladder.id],
  ])
    await requestAsOwner('POST', '/api/moderation/templates', { name, publicReason: `${name}!`, ladderId })
  const tab = await openScreen('/moderation/players/261', { ...PHONE, heading: '261' })
  const { page } = tab
  const records = async () => (await readAsOwner('/api/moderation', { userId: '261' })).records
  const outcome = page.getByRole('region', { name: 'What the template leads to' })
  await page.getByText('This player has no cases.').waitFor()
  await page.keyboard.press('?')
  await openDialog(page).getByText('Spamming', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await openDialog(page).waitFor({ state: 'hidden' })
  await page.keyboard.press('2')
  await outcome.getByText('Warning: step 1 of 2 of the ladder “Chat”').waitFor()
  await outcome.getByText('No earlier case counts.').waitFor()
  await outcome.getByText('The player reads: Spamming!').waitFor()
  await pressButton(page, 'Warn 261')
  await page.getByRole('list', { name: 'History' }).getByText('Spamming!').waitFor()

  await pressButton(page, 'Note')
  await page.keyboard.press('2')
  await outcome.getByText('Mute for 5 hours: step 2 of 2 of the ladder “Chat”').waitFor()
  await outcome.getByText('1 earlier case counts:').waitFor()
  const chosen = (name: string) => openDialog(page).getByRole('radio', { name, exact: true })
  await expectSettled(() => chosen('5 hours').isChecked(), true)
  await chosen('Ban').check()
  await openDialog(page)
    .getByText(/You do not have permission to choose more/)
    .waitFor()
  expect(await page.getByRole('button', { name: 'Ban 261', exact: true }).isDisabled()).toBe(true)
  await chosen('Note').check()
  await openDialog(page)
    .getByText('This is less than the ladder decides (Mute for 5 hours). Say why in the reason.')
    .waitFor()
  await pressButton(page, 'Add note to 261')
  await openDialog(page).getByText('Reason is required.').waitFor()
  expect(await records()).toHaveLength(1)
  await fillIn(page, { Reason: 'Apologised' })
  await pressButton(page, 'Add note to 261')
  await page.getByRole('list', { name: 'History' }).getByText('Apologised').waitFor()
  expect(await records()).toMatchObject([
    { action: 'note', reason: 'Apologised', publicReason: 'Spamming!', step: '2', severity: 'low' },
    { action: 'warn', reason: 'Spamming!', step: '1' },
  ])
  await page
    .getByRole('link', { name: /Case 2/ })
    .first()
    .click()
  await page.getByText('Spamming (step 2)').waitFor()
  await expectNoPageErrors(tab)
})

test('a template that decides a warning leaves the duration of a ban as it was chosen', async () => {
  const { openScreen, requestAsOwner } = await e2e.createWorkspaceFixture()
  const steps = JSON.stringify([{ count: 1, action: 'warn' }])
  const { ladder } = await requestAsOwner('POST', '/api/moderation/ladders', { name: 'Chat', steps })
  const template = { name: 'Spamming', publicReason: 'You spammed.', ladderId: ladder.id }
  await requestAsOwner('POST', '/api/moderation/templates', template)
  const { page } = await openScreen('/moderation/players/261', { heading: '261' })
  const chosen = (name: string) => openDialog(page).getByRole('radio', { name, exact: true })
  await pressButton(page, 'Ban')
  await chosen('1 hour').check()
  await chosen('Spamming').check()
  await expectSettled(() => chosen('Warn').isChecked(), true)
  await chosen('Ban').check()
  expect(await chosen('1 hour').isChecked()).toBe(true)
  await openDialog(page)
    .getByText(/^Bans 261 for 1 hour/)
    .waitFor()
})

describe('a change by someone else while editing', () => {
  test('a template is shown, and its text is saved with what is chosen', async () => {
    const { openScreen, readAsOwner, requestAsOwner } = await e2e.createWorkspaceFixture()
    const { ladder } = await requestAsOwner('POST', '/api/moderation/ladders', {
      name: 'Chat',
      steps: JSON.stringify([{ count: 1, action: 'warn' }]),
    })
    const { template } = await requestAsOwner('POST', '/api/moderation/templates', {
      name: 'Spamming',
      publicReason: 'You spammed.',
    })
    const { page } = await openScreen(PATH, { heading: 'Reasons and ladders' })
    await chooseMenuItem(page, 'Change Spamming', 'Edit')
    const text = 'You sent the same message again and again. '.repeat(9).trim()
    await fillIn(page, { 'What the player reads': text })
    await requestAsOwner('POST', '/api/moderation/templates', {
      action: 'update',
      id: template.id,
      publicReason: 'You flooded the chat.',
      ladderId: ladder.id,
      appealable: 'false',
    })
    await pressButton(page, 'Save')
    await page.getByText('Someone else changed this template while you were editing.').waitFor()
    expect(await listFields(page)).toEqual(['What the player reads', 'Ladder', 'Players can appeal'])
    expect(await readOptions(page, 'Ladder')).toEqual([
      ['Take theirs Chat', true],
      ['Keep mine None: staff choose the action', false],
    ])
    await choose(page, 'Players can appeal', /^Keep mine/)
    await pressButton(page, 'Save')
    await page.getByText('Saved the template “Spamming”.').waitFor()
    expect((await readAsOwner('/api/moderation/templates')).templates).toMatchObject([
      { publicReason: text, ladderId: ladder.id, appealable: 'true' },
    ])
  })

  test('a ladder is shown with its steps in words, and the steps of either are saved', async () => {
    const { openScreen, readAsOwner, requestAsOwner } = await e2e.createWorkspaceFixture()
    const { ladder } = await requestAsOwner('POST', '/api/moderation/ladders', {
      name: 'Chat',
      steps: JSON.stringify([{ count: 1, action: 'warn' }]),
    })
    const { page } = await openScreen(`${PATH}?tab=ladders`, { heading: 'Reasons and ladders' })
    await chooseMenuItem(page, 'Change Chat', 'Edit')
    await fillIn(page, { Name: 'Chat and voice' })
    await pressButton(page, 'Add step')
    await requestAsOwner('POST', '/api/moderation/ladders', {
      action: 'update',
      id: ladder.id,
      windowDays: '30',
      steps: JSON.stringify([
        { count: 1, action: 'warn' },
        { count: 3, action: 'mute', durationSeconds: 3600 },
      ]),
    })
    await pressButton(page, 'Save')
    await page.getByText('Someone else changed this ladder while you were editing.').waitFor()
    expect(await listFields(page)).toEqual(['Days that a case counts', 'Steps'])
    expect(await readOptions(page, 'Steps')).toEqual([
      ['Take theirs 1st to 2nd case: Warning; From the 3rd case: Mute for 1 hour', false],
      ['Keep mine 1st case: Warning; From the 2nd case: Ban for 1 day', true],
    ])
    await choose(page, 'Steps', /^Take theirs/)
    await expectSettled(() => stepField(page, 'From case', 2).inputValue(), '3')
    await pressButton(page, 'Save')
    await page.getByText('Saved the ladder “Chat and voice”.').waitFor()
    expect((await readAsOwner('/api/moderation/ladders')).ladders).toMatchObject([
      {
        name: 'Chat and voice',
        windowDays: '30',
        steps: [
          { count: '1', action: 'warn' },
          { count: '3', action: 'mute', durationSeconds: '3600' },
        ],
      },
    ])
  })
})
