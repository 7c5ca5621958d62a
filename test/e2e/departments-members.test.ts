import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { choose, type Departments, LIST, openDepartments } from '../support/departments.ts'
import { expectFocus, expectSoon } from '../support/portal.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(60_000)

let at: Departments
beforeAll(async () => {
  at = await openDepartments()
}, 60_000)
afterEach(() => at.leave())
afterAll(() => at?.close())

describe('who is in a department', () => {
  test('is found by name among the members, and one of them leads', async () => {
    await at.make('Rescue')
    const { page } = await at.open()
    const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Rescue' }) })
    await row.getByRole('button', { name: 'Choose its members' }).click()
    const dialog = page.getByRole('dialog', { name: 'Members of “Rescue”' })
    for (const name of ['juniper', 'sena', 'ada']) {
      await dialog.getByRole('combobox', { name: 'Add a member of the workspace' }).fill(name)
      await page.getByRole('option', { name, exact: true }).click()
    }
    await dialog.getByRole('button', { name: 'Lead: sena' }).click()
    await dialog.getByRole('button', { name: 'Take ada out' }).click()
    await dialog.getByText('2 people').waitFor()
    await expectFocus(page, '2 people')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved who is in “Rescue”.').waitFor()
    await page.getByRole('list', { name: 'In Rescue' }).getByText('Lead').waitFor()
    expect((await at.named(at.workspaceId, 'Rescue'))?.members).toMatchObject([
      { username: 'sena', isLead: 'true' },
      { username: 'juniper', isLead: 'false' },
    ])
  })

  test('is put together where somebody else changed it meanwhile', async () => {
    const id = await at.make('Choir')
    const [ash, ada, lee] = await Promise.all(['ash', 'ada', 'lee'].map(at.accountOf))
    await at.asOwner('POST', `${LIST}/members`, { id, accountIds: `${ash},${ada}`, leadId: ash })
    const { page } = await at.open()
    await choose(page, 'Choir', 'Members and lead')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Take ada out' }).click()
    await at.asOwner('POST', `${LIST}/members`, { id, accountIds: `${ash},${ada},${lee}`, leadId: lee })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Somebody else changed who is in this department meanwhile.').waitFor()
    const leads = dialog.getByRole('button', { name: 'Lead: lee' })
    await expectSoon(() => leads.getAttribute('aria-pressed'), 'true')
    expect((await at.named(at.workspaceId, 'Choir'))?.members.length).toBe(3)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved who is in “Choir”.').waitFor()
    expect((await at.named(at.workspaceId, 'Choir'))?.members).toMatchObject([
      { username: 'lee', isLead: 'true' },
      { username: 'ash', isLead: 'false' },
    ])
  })
})
