import { describe, expect, test } from 'bun:test'
import { chooseDepartmentAction, DEPARTMENTS_PATH, openDepartmentsSession } from '../support/departments.ts'
import { useSession } from '../support/e2e-session.ts'
import { expectFocus, expectSettled } from '../support/page-actions.ts'

/** Browser tests are slow on a busy machine. */

const e2e = useSession(openDepartmentsSession)

describe('the members of a department', () => {
  test('are found by name, and one of them is the lead', async () => {
    await e2e.createDepartment('Rescue')
    const { page } = await e2e.openDepartmentsScreen()
    const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Rescue' }) })
    await row.getByRole('button', { name: 'Choose members' }).click()
    const dialog = page.getByRole('dialog', { name: 'Members of “Rescue”' })
    for (const name of ['juniper', 'sena', 'ada']) {
      await dialog.getByRole('combobox', { name: 'Add a member' }).fill(name)
      await page.getByRole('option', { name, exact: true }).click()
    }
    await dialog.getByRole('button', { name: 'Lead: sena' }).click()
    await dialog.getByRole('button', { name: 'Remove ada' }).click()
    await dialog.getByText('2 people').waitFor()
    await expectFocus(page, '2 people')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved the members of “Rescue”.').waitFor()
    await page.getByRole('list', { name: 'In Rescue' }).getByText('Lead').waitFor()
    expect((await e2e.findDepartment(e2e.workspaceId, 'Rescue'))?.members).toMatchObject([
      { username: 'sena', isLead: 'true' },
      { username: 'juniper', isLead: 'false' },
    ])
  })

  test('are merged with concurrent changes by someone else', async () => {
    const id = await e2e.createDepartment('Choir')
    const [ash, ada, lee] = await Promise.all(['ash', 'ada', 'lee'].map(e2e.findAccountId))
    await e2e.requestAsOwner('POST', `${DEPARTMENTS_PATH}/members`, {
      id,
      accountIds: `${ash},${ada}`,
      leadId: ash,
    })
    const { page } = await e2e.openDepartmentsScreen()
    await chooseDepartmentAction(page, 'Choir', 'Members and lead')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Remove ada' }).click()
    await e2e.requestAsOwner('POST', `${DEPARTMENTS_PATH}/members`, {
      id,
      accountIds: `${ash},${ada},${lee}`,
      leadId: lee,
    })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog
      .getByText('Someone else changed the members of this department while you were editing.')
      .waitFor()
    const leads = dialog.getByRole('button', { name: 'Lead: lee' })
    await expectSettled(() => leads.getAttribute('aria-pressed'), 'true')
    expect((await e2e.findDepartment(e2e.workspaceId, 'Choir'))?.members.length).toBe(3)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved the members of “Choir”.').waitFor()
    expect((await e2e.findDepartment(e2e.workspaceId, 'Choir'))?.members).toMatchObject([
      { username: 'lee', isLead: 'true' },
      { username: 'ash', isLead: 'false' },
    ])
  })

  test('are saved as they were when the dialog opened, if someone else has changed them since', async () => {
    const id = await e2e.createDepartment('Stage')
    const [ash, ada, lee] = await Promise.all(['ash', 'ada', 'lee'].map(e2e.findAccountId))
    const setMembers = (accountIds: string) =>
      e2e.requestAsOwner('POST', `${DEPARTMENTS_PATH}/members`, { id, accountIds, leadId: ash })
    await setMembers(`${ash},${ada}`)
    const { page } = await e2e.openDepartmentsScreen()
    await chooseDepartmentAction(page, 'Stage', 'Members and lead')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Remove ada' }).click()
    await setMembers(`${ash},${ada},${lee}`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Remove lee' }).click()
    await dialog.getByRole('combobox', { name: 'Add a member' }).fill('ada')
    await page.getByRole('option', { name: 'ada', exact: true }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await e2e.findDepartment(e2e.workspaceId, 'Stage'))?.members).toMatchObject([
      { username: 'ash', isLead: 'true' },
      { username: 'ada', isLead: 'false' },
    ])
  })
})
