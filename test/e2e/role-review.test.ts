import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { DESKTOP, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { createWebhook, readWebhookState } from '../support/webhook-lead.ts'

const e2e = useSession(openE2eSession)

const LIST = '**/portal/api/roles?*'
const SAVE = '**/portal/api/roles/permissions'
const VIEW_CASES = 'View bans, ban history and moderation records'

/** Two members whose roles only they have, with an API key and a webhook each, and a review that takes a permission from both roles. */
async function openReview(name: string) {
  const fixture = await e2e.createWorkspaceFixture()
  const { server } = e2e
  const createLead = async (username: string) => {
    const session = await server.createMember(fixture, username, [
      'moderation.view',
      'webhooks.manage',
      'api_keys.manage',
    ])
    const { workspaceId } = fixture
    const body = { workspaceId, name: `Key of ${username}`, permissions: 'moderation.view' }
    const key = await server.requestOk('POST', '/portal/api/api-keys', { session, body })
    return {
      role: `Role of ${username}`,
      secret: String(key.body.secret),
      webhook: await createWebhook(server, { workspaceId, session }, `Log of ${username}`),
    }
  }
  const leads = [await createLead(`first-${name}`), await createLead(`second-${name}`)] as const
  const listRoles = async (): Promise<Record<'id' | 'name' | 'permissions', string>[]> =>
    (await fixture.readAsOwner('/portal/api/roles')).roles
  const ids = new Map((await listRoles()).map(({ id, name: role }) => [role, id]))
  const readState = async () => {
    const roles = await listRoles()
    return {
      canView: leads.map(({ role }) => roles.find((one) => one.name === role)?.permissions.includes('.view')),
      keys: await Promise.all(
        leads.map(async ({ secret }) => (await fixture.requestWithKey(secret, 'moderation')).status),
      ),
      webhooks: await Promise.all(leads.map(({ webhook }) => readWebhookState(server, fixture, webhook))),
    }
  }
  const tab = await fixture.openScreen('/roles?view=permissions', { heading: 'Roles', browser: DESKTOP })
  const { page } = tab
  for (const { role } of leads)
    await page.getByRole('checkbox', { name: `${role}: ${VIEW_CASES}`, exact: true }).click()
  await pressButton(page, 'Review and save')
  const dialog = page.getByRole('dialog', { name: 'Save these changes?' })
  await dialog.getByText('2 API keys to revoke').waitFor()
  await dialog.getByText('2 webhooks to pause').waitFor()
  const [first, second] = leads.map(({ role }) => ({ role, id: ids.get(role) ?? '' }))
  if (!first || !second) throw new Error('There are two leads.')
  return { ...fixture, tab, page, dialog, readState, first, second }
}

const save = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
const UNCHANGED = { canView: [true, true], keys: [200, 200], webhooks: ['active', 'active'] }

describe('a review of several roles', () => {
  test('is saved in one request, with what its dialog ends for all of them', async () => {
    const { tab, page, dialog, readState } = await openReview('heron')
    await dialog.getByRole('checkbox', { name: 'Revoke Key of second-heron' }).click()
    await dialog.getByRole('checkbox', { name: 'Pause Log of first-heron' }).click()
    await expectNoPageErrors(tab)
    await save(page)
    await page.getByText('Saved 2 roles. The changes apply immediately.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0)
    expect(await readState()).toEqual({
      canView: [false, false],
      keys: [401, 200],
      webhooks: ['active', 'paused'],
    })
    expect(tab.requestedUrls.filter((url) => url.endsWith('/roles/permissions'))).toHaveLength(1)
  })

  test('of which somebody has changed a role is not saved at all, says which, and can be saved after looking again', async () => {
    const { page, dialog, readState, requestAsOwner, second } = await openReview('plover')
    // Keeps the page from learning of the change before it saves.
    await page.route(LIST, (route) => route.abort())
    await requestAsOwner('PATCH', '/portal/api/roles', { id: second.id, color: '#336699' })
    await save(page)
    const alert = dialog.getByRole('alert')
    await alert
      .getByText(
        `Nothing was saved. “${second.role}” was changed by someone else in the meantime. Review the changes, then save again.`,
      )
      .waitFor()
    expect(await readState()).toEqual(UNCHANGED)
    await page.unroute(LIST)
    await pressButton(page, 'Keep editing')
    await page.getByText('2 unsaved changes in 2 roles').waitFor()
    await pressButton(page, 'Review and save')
    await dialog.getByText('2 API keys to revoke').waitFor()
    const refetched = page.waitForResponse(LIST)
    await save(page)
    await refetched
    await alert.getByText('Nothing was saved.').waitFor()
    await save(page)
    await page.getByText('Saved 2 roles.').waitFor()
    expect(await readState()).toEqual({
      canView: [false, false],
      keys: [401, 401],
      webhooks: ['paused', 'paused'],
    })
  })

  test('of which somebody has deleted a role is not saved, and the rest can be', async () => {
    const { page, dialog, readState, readAsOwner, first, second, workspaceId } = await openReview('dunlin')
    await page.route(LIST, (route) => route.abort())
    await e2e.server.requestOk('DELETE', `/portal/api/roles?workspaceId=${workspaceId}&id=${second.id}`, {
      session: e2e.owner.session,
    })
    await page.route(SAVE, async (route) => {
      await page.unroute(LIST)
      await route.continue()
    })
    await save(page)
    await dialog
      .getByText(`Nothing was saved. “${second.role}” was deleted by someone else in the meantime.`)
      .waitFor()
    expect((await readState()).keys).toEqual([200, 200])
    await dialog.getByRole('region', { name: second.role }).waitFor({ state: 'detached' })
    await dialog.getByText('1 API key to revoke').waitFor()
    await save(page)
    await page.getByText('Saved 1 role.').waitFor()
    const { role } = await readAsOwner('/portal/api/roles', { id: first.id })
    expect(role.permissions).not.toContain('moderation.view')
  })

  test('whose response is lost does not claim that nothing was saved', async () => {
    const { page, dialog, readState } = await openReview('godwit')
    await page.route(SAVE, (route) => route.abort())
    await save(page)
    await dialog.getByRole('alert').getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
    expect(await dialog.getByText('Nothing was saved').count()).toBe(0)
    expect(await readState()).toEqual(UNCHANGED)
  })
})

test('the dialogs say who created the keys and webhooks: only permissions matter for webhooks', async () => {
  const { page, dialog, first } = await openReview('curlew')
  const texts = [
    'Members who lose permissions or rank created these keys',
    'Members who lose permissions created these webhooks',
  ]
  for (const text of texts) await dialog.getByText(text).waitFor()
  await pressButton(page, 'Keep editing')
  await pressButton(page, 'Discard')
  await page.getByRole('tab', { name: 'By rank' }).click()
  await pressButton(page, `Actions for ${first.role}`)
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const deletion = page.getByRole('dialog', { name: `Delete the role “${first.role}”?` })
  for (const text of texts) await deletion.getByText(text).waitFor()
})
