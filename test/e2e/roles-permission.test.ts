import { describe, expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { DESKTOP } from '../support/page-actions.ts'
import { openStaffSession } from '../support/staff-session.ts'

const e2e = useSession(openStaffSession)

const openRolesScreen = (session: string) =>
  e2e.openScreen(`/w/${e2e.workspaceId}/roles`, { session, heading: 'Roles', browser: DESKTOP })

describe('a user who cannot', () => {
  test('change roles can view them, and the API refuses changes as well', async () => {
    const session = await e2e.server.createMember(e2e.owner, 'bookworm', ['roles.view'])
    const { page } = await openRolesScreen(session)
    await page.getByText('Senior moderator', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'New role' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Actions for / }).count()).toBe(0)
    await page.getByRole('tab', { name: 'Permissions' }).click()
    await page.getByText('You can view permissions but not change them.').waitFor()
    await page.getByRole('checkbox', { name: 'Moderator: Record kicks', exact: true }).click({ force: true })
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0)
    const response = await e2e.server.request('PATCH', '/portal/api/roles', {
      session,
      body: { workspaceId: e2e.workspaceId, id: e2e.staff.roles.moderator, permissions: '' },
    })
    expect([response.status, response.body.permission]).toEqual([403, 'roles.manage'])
  })

  test('view roles is told so, and the page requests none', async () => {
    const { page, requestedUrls } = await openRolesScreen(e2e.staff.newcomer)
    await page.getByText('You don’t have access').waitFor()
    expect(requestedUrls.filter((url) => url.includes('/portal/api/roles'))).toEqual([])
  })
})
