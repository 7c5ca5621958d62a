import { beforeEach, describe, expect, test } from 'bun:test'
import { DAY_MS } from '@reeve/core'
import type { BrowserContextOptions } from 'playwright-core'
import { useInstancePerTest } from '../support/e2e-session.ts'
import { DESKTOP, PHONE, pressButton, readField, waitForHeading } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { enrolAuthenticator, readAuthenticator } from '../support/totp.ts'

const server = useInstancePerTest()
let workspace: Awaited<ReturnType<typeof server.instance.workspace>>
beforeEach(async () => {
  workspace = await server.instance.workspace('Night shift')
})

const openPage = (path: string, session: string | null, browser: BrowserContextOptions = DESKTOP) =>
  server.openScreen(path, { session, browser })

const moderator = () => server.instance.member(workspace.id, ['moderation.view', 'departments.view'])

describe('requiring second factors in a workspace', () => {
  test('is offered once the owner has one, and then shows who has none', async () => {
    await moderator()
    const settings = `/w/${workspace.id}/configuration/workspace`
    const before = await openPage(settings, workspace.ownerSession)
    await before.page.getByText('Your own account has no second factor yet').waitFor()
    expect(await before.page.getByRole('button', { name: 'Require second factors…' }).count()).toBe(0)
    await expectNoPageErrors(before)

    await enrolAuthenticator(server.instance, workspace.ownerSession)
    const tab = await openPage(settings, workspace.ownerSession)
    const { page } = tab
    await pressButton(page, 'Require second factors…')
    const dialog = page.getByRole('dialog', { name: 'Require second factors' })
    await dialog.getByRole('group', { name: 'Moderation' }).getByRole('checkbox').first().check()
    await dialog.getByRole('combobox', { name: 'Grace period' }).selectOption('7 days')
    await dialog.getByRole('button', { name: 'Require second factors' }).click()
    await page.getByText('They have 7 days to add one.').waitFor()
    await page.getByRole('link', { name: '1 member who needs one has none' }).click()
    await waitForHeading(page, 'People')
    await page.getByText('No second factor', { exact: true }).last().waitFor()
    const rows = page.getByRole('list', { name: 'Members' }).getByRole('listitem')
    expect(await rows.count()).toBe(1)
    await expectNoPageErrors(tab)
  })
})

describe('a workspace that requires a second factor', () => {
  test('says until when on Home, then leads through adding one, and back to the page that was asked for', async () => {
    const { accountId, session } = await moderator()
    const other = await moderator()
    await enrolAuthenticator(server.instance, workspace.ownerSession)
    const policy = { workspaceId: workspace.id, permissions: '["moderation.view"]', graceDays: '3' }
    const set = await server.instance.request('PATCH', '/portal/api/second-factor-policy', {
      session: workspace.ownerSession,
      body: policy,
    })
    expect(set.status).toBe(200)
    const early = await openPage(`/w/${workspace.id}`, session, PHONE)
    await early.page.getByText('This workspace requires a second factor').waitFor()
    await early.page.getByRole('link', { name: 'Add a second factor' }).waitFor()

    // The page is still open when the grace period ends.
    server.instance.clock.advance(3 * DAY_MS)
    await early.page.getByRole('link', { name: 'Moderation' }).first().click()
    await early.page.getByText('Night shift requires a second factor').waitFor()

    // Somebody who does not want a second factor can leave instead.
    const unwilling = await openPage(`/w/${workspace.id}/departments`, other.session, DESKTOP)
    await unwilling.page.getByText('Night shift requires a second factor').waitFor()
    await pressButton(unwilling.page, 'Leave Night shift')
    await unwilling.page
      .getByRole('dialog', { name: 'Leave Night shift?' })
      .getByRole('button', { name: 'Leave Night shift' })
      .click()
    await unwilling.page.getByText('You left Night shift.').waitFor()
    await expectNoPageErrors(unwilling)

    const tab = await openPage(
      `/w/${workspace.id}/departments`,
      await server.instance.session(accountId),
      PHONE,
    )
    const { page } = tab
    await page.getByText('Night shift requires a second factor').waitFor()
    await pressButton(page, 'Add an app')
    const secret = (await readField(page, 'Key to enter in the app')).replaceAll(' ', '')
    const code = page.getByRole('textbox', { name: 'Code', exact: true })
    await code.fill(readAuthenticator(secret, server.instance.clock.now()))
    await pressButton(page, 'I have stored them')
    await waitForHeading(page, 'Departments')
    expect(new URL(page.url()).pathname).toBe(`/w/${workspace.id}/departments`)
  })
})
