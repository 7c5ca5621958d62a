import { describe, expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { chooseMenuItem, DESKTOP, expectFitsWindow, PHONE, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { createWebhookLead, readWebhookState } from '../support/webhook-lead.ts'

const e2e = useSession(openE2eSession)

const VIEW_CASES = 'View bans, ban history and moderation records'

/** A workspace with a member whose role only they have, and another one who also has it but loses nothing with it. */
async function createLeads(name: string) {
  const fixture = await e2e.createWorkspaceFixture()
  const createLead = async (username: string) => {
    const lead = await createWebhookLead(e2e.server, fixture, username)
    const { roles } = await fixture.readAsOwner('/portal/api/roles')
    const { members } = await fixture.readAsOwner('/portal/api/members', { q: username })
    const roleId: string = roles.find((role: { name: string }) => role.name === lead.role).id
    return { ...lead, roleId, accountId: String(members[0].accountId) }
  }
  const [lead, other] = [await createLead(name), await createLead(`other-${name}`)]
  const roleIds = `${lead.roleId},${other.roleId}`
  await fixture.requestAsOwner('PATCH', '/portal/api/members', { accountId: other.accountId, roleIds })
  const readStates = async () => {
    const states = [lead.log, lead.bot, other.log, other.bot].map((id) =>
      readWebhookState(e2e.server, fixture, id),
    )
    return Promise.all(states)
  }
  return { ...fixture, ...lead, readStates }
}

const devices = [
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const

describe.each(devices)(
  'on a %s, the dialog lists the webhooks of those who lose a permission when',
  (device, browser) => {
    test('permissions of a role are revoked, and pauses them unless they are kept', async () => {
      const { openScreen, role, roleId, readStates } = await createLeads(`heron-${device}`)
      const tab = await openScreen('/roles?view=permissions', { heading: 'Roles', browser })
      const { page } = tab
      if (browser === PHONE) await page.getByLabel('Role', { exact: true }).selectOption(roleId)
      const prefix = browser === PHONE ? '' : `${role}: `
      await page.getByRole('checkbox', { name: prefix + VIEW_CASES, exact: true }).click()
      await pressButton(page, 'Review and save')
      const dialog = page.getByRole('dialog', { name: 'Save these changes?' })
      await dialog.getByText('2 webhooks to pause').waitFor()
      await dialog.getByText(`heron-${device} · example.com · Nothing delivered yet`).first().waitFor()
      await dialog.getByRole('checkbox', { name: `Pause Bot of heron-${device}` }).click()
      await expectFitsWindow(page)
      await expectNoPageErrors(tab)
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Saved 1 role.').waitFor()
      expect(await readStates()).toEqual(['paused', 'active', 'active', 'active'])
    })

    test('a role is deleted, and pauses them unless they are kept', async () => {
      const { openScreen, role, readStates } = await createLeads(`plover-${device}`)
      const tab = await openScreen('/roles', { heading: 'Roles', browser })
      const { page } = tab
      await chooseMenuItem(page, `Actions for ${role}`, 'Delete')
      const dialog = page.getByRole('dialog', { name: `Delete the role “${role}”?` })
      await dialog.getByText('2 webhooks to pause').waitFor()
      await dialog.getByRole('checkbox', { name: `Pause Log of plover-${device}` }).click()
      await expectFitsWindow(page)
      await expectNoPageErrors(tab)
      await dialog.getByRole('button', { name: 'Delete role' }).click()
      await page.getByText(`Deleted the role “${role}”.`).waitFor()
      expect(await readStates()).toEqual(['active', 'paused', 'active', 'active'])
    })
  },
)

test('a permission that moves to another role of the same member is not lost, so nothing is listed', async () => {
  const { openScreen, requestAsOwner, role, roleId, accountId, readStates } = await createLeads('dunlin')
  const spare = (await requestAsOwner('POST', '/portal/api/roles', { name: 'Spare', rank: '5' })).role.id
  await requestAsOwner('PATCH', '/portal/api/members', { accountId, roleIds: `${roleId},${spare}` })
  const { page } = await openScreen('/roles?view=permissions', { heading: 'Roles', browser: DESKTOP })
  for (const name of [role, 'Spare'])
    await page.getByRole('checkbox', { name: `${name}: ${VIEW_CASES}`, exact: true }).click()
  await pressButton(page, 'Review and save')
  const dialog = page.getByRole('dialog', { name: 'Save these changes?' })
  await dialog.getByText('No one gains or loses permissions at the moment.').waitFor()
  await dialog.locator('button:enabled', { hasText: 'Save' }).waitFor()
  expect(await dialog.getByText('to pause').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved 2 roles.').waitFor()
  expect(await readStates()).toEqual(['active', 'active', 'active', 'active'])
})
