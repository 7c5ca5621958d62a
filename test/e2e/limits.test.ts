import { expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { chooseOption, DAY, openDialog, openModerationSession } from '../support/moderation.ts'
import { expectFitsWindow, fillIn, pressButton } from '../support/page-actions.ts'

const e2e = useSession(openModerationSession)

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true }

/** A workspace with a template whose ladder mutes for a day, and a moderator with limits. */
async function openLimitedWorkspace() {
  const workspace = await e2e.createModerationWorkspace()
  const { workspaceId } = workspace
  const { ladder } = await e2e.requestAsOwner(
    'POST',
    '/api/moderation/ladders',
    {
      name: 'Chat',
      windowDays: '30',
      steps: JSON.stringify([
        { count: '1', action: 'mute', durationSeconds: String(DAY), decayDays: null },
        { count: '2', action: 'ban', durationSeconds: String(2 * DAY), decayDays: null },
      ]),
    },
    workspaceId,
  )
  const { template } = await e2e.requestAsOwner(
    'POST',
    '/api/moderation/templates',
    { name: 'Spamming', publicReason: 'Spam', defaultSeverity: 'low', ladderId: ladder.id },
    workspaceId,
  )
  const moderator = await workspace.createMember(
    'moderation.view',
    'moderation.warn',
    'moderation.mute',
    'moderation.ban',
    'moderation.edit',
    'moderation.bulk',
  )
  const { roles } = await e2e.readAsOwner('/portal/api/roles', {}, workspaceId)
  const role = roles.find(
    ({ permissions }: { permissions: string }) =>
      permissions.includes('moderation.bulk') && permissions.length < 150,
  )
  await e2e.requestAsOwner(
    'PATCH',
    '/portal/api/roles',
    {
      id: role.id,
      longestBanSeconds: String(3 * DAY),
      highestSeverity: 'medium',
      bansPerHour: '2',
    },
    workspaceId,
  )
  return { ...workspace, moderator, roleId: role.id as string, templateId: template.id as string }
}

test('limits and the step of the ladder are shown before the expiry of a sanction changes', async () => {
  const { moderate, moderator, toPath, templateId } = await openLimitedWorkspace()
  const ban = await moderate({
    action: 'ban',
    userId: '261',
    reason: 'Exploiting',
    durationSeconds: String(DAY),
  })
  const mute = await moderate({ userId: '262', templateId })
  const open = async (id: string) => {
    const { page } = await e2e.openScreen(toPath(`/cases/${id}`), {
      session: moderator.session,
      browser: NARROW,
    })
    await pressButton(page, 'Change expiry')
    return { page, dialog: openDialog(page) }
  }
  const { page, dialog } = await open(ban.id)
  await dialog.getByText('Limits of your roles: bans up to 3 days.').waitFor()
  await chooseOption(page, '7 days longer')
  await dialog.getByText('The longest ban that your roles allow is 3 days.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Change expiry' }).isDisabled()).toBe(true)
  await expectFitsWindow(page)
  await chooseOption(page, '1 day longer')
  await dialog.getByText('The longest ban').waitFor({ state: 'detached' })
  expect(await dialog.getByRole('button', { name: 'Change expiry' }).isDisabled()).toBe(false)

  const other = await open(mute.id)
  await other.dialog.getByText('The ladder decided: Mute for 1 day. More needs another permission.').waitFor()
  await chooseOption(other.page, '1 day longer')
  await other.dialog.getByText('This is more than the ladder decided (Mute for 1 day).').waitFor()
  expect(await other.dialog.getByRole('button', { name: 'Change expiry' }).isDisabled()).toBe(true)
})

test('limits that change while a form is open are those of the form', async () => {
  const { moderate, moderator, roleId, toPath, workspaceId } = await openLimitedWorkspace()
  const ban = { action: 'ban', userId: '261', reason: 'Exploiting', durationSeconds: String(DAY) }
  const { id } = await moderate(ban)
  const { page } = await e2e.openScreen(toPath(`/cases/${id}`), { session: moderator.session })
  await pressButton(page, 'Change expiry')
  const dialog = openDialog(page)
  await chooseOption(page, '7 days longer')
  const refusal = dialog.getByText('The longest ban that your roles allow is 3 days.')
  await refusal.waitFor()
  const longestBanSeconds = String(30 * DAY)
  await e2e.requestAsOwner('PATCH', '/portal/api/roles', { id: roleId, longestBanSeconds }, workspaceId)
  await refusal.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Change expiry' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('limits are shown before a case is edited', async () => {
  const { moderate, moderator, toPath } = await openLimitedWorkspace()
  const { id } = await moderate({ action: 'warn', userId: '261', reason: 'Spam', severity: 'low' })
  const { page } = await e2e.openScreen(toPath(`/cases/${id}`), {
    session: moderator.session,
    browser: NARROW,
  })
  await pressButton(page, 'Edit')
  const dialog = openDialog(page)
  await dialog.getByText('Limits of your roles: severity up to medium.').waitFor()
  await chooseOption(page, 'High')
  await dialog.getByText('The highest severity that your roles allow is medium.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await chooseOption(page, 'Medium')
  await pressButton(page, 'Save')
  await dialog.waitFor({ state: 'detached' })
})

test('a batch shows the limits, and by template the step of each player', async () => {
  const { moderate, moderator, workspaceId, templateId, listRecords } = await openLimitedWorkspace()
  await moderate({ userId: '7002', templateId })
  const { page } = await e2e.openScreen(`/w/${workspaceId}/batches?new=action`, {
    session: moderator.session,
    heading: 'Batches',
    browser: NARROW,
  })
  await page.getByText('Limits of your roles: bans up to 3 days, 2 bans per hour').waitFor()
  await page.getByRole('combobox', { name: 'Duration' }).click()
  await page.getByRole('option', { name: 'Permanent' }).click()
  await page.getByText('The longest ban that your roles allow is 3 days.').waitFor()
  await fillIn(page, { 'IDs of players': '7001 7002 7003' })
  await page.getByRole('combobox', { name: 'Duration' }).click()
  await page.getByRole('option', { name: '1 day' }).click()
  await page.getByText('Your roles allow 2 more bans in this hour: the others will be refused.').waitFor()
  await expectFitsWindow(page)
  await page.getByRole('combobox', { name: 'Template' }).click()
  await page.getByRole('option', { name: 'Spamming' }).click()
  await page.getByText('For bans, limits of your roles: bans up to 3 days').waitFor()
  await pressButton(page, 'Preview')
  const preview = page.getByRole('table', { name: 'Preview' })
  await preview.getByText('Ban for 2 days: step 2 of the ladder').waitFor()
  expect(await preview.getByText('Mute for 1 day: step 1 of the ladder').count()).toBe(2)
  await expectFitsWindow(page)
  await pressButton(page, 'Start: 3 targets')
  await page.getByText('By ladder · 3 targets').first().waitFor()
  await page.getByText('Finished: 3 changed').waitFor()
  expect((await listRecords('7002'))[0]).toMatchObject({ action: 'ban', step: '2', templateId })
})
