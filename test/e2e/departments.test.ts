import { describe, expect, test } from 'bun:test'
import {
  blockDepartmentReads,
  chooseDepartmentAction,
  DEPARTMENTS_PATH,
  openDepartmentsSession,
  unblockDepartmentReads,
} from '../support/departments.ts'
import { useSession } from '../support/e2e-session.ts'
import {
  expectFocus,
  expectSettled,
  failRequests,
  fillIn,
  PHONE,
  pressButton,
  readField,
  readFieldNote,
  XSS_PAYLOAD,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

/** Browser tests are slow on a busy machine. */

const e2e = useSession(openDepartmentsSession)

describe('departments', () => {
  test('start with an explanation, and are created with a color and a description', async () => {
    const { workspaceId } = await e2e.createWorkspaceWithDepartments()
    const tab = await e2e.openDepartmentsScreen(e2e.owner.session, workspaceId)
    const { page } = tab
    await page.getByText('No departments yet').waitFor()
    await pressButton(page, 'New department')
    await fillIn(page, { Name: 'Pilots', Description: 'Fly what the builders make.\nDay and night.' })
    await pressButton(page, 'Teal')
    await expectSettled(() => readField(page, 'Color'), '#1f9c93')
    // WCAG 2.5.8
    const picker = await page.getByLabel('Color: custom').boundingBox()
    expect([picker?.width, picker?.height]).toEqual([24, 24])
    await pressButton(page, 'Create department')
    await page.getByText('Created the department “Pilots”.').waitFor()
    await page.getByRole('heading', { name: 'Pilots' }).waitFor()
    await page.getByText('No members yet.').waitFor()
    expect(await e2e.findDepartment(workspaceId, 'Pilots')).toMatchObject({
      color: '#1f9c93',
      description: 'Fly what the builders make.\nDay and night.',
    })
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })

  test('with a name that is in use show the error next to the field, and keep the input', async () => {
    await e2e.createDepartment('Crew', { description: 'As it was.' })
    await e2e.createDepartment('Air crew')
    const { page } = await e2e.openDepartmentsScreen()
    await chooseDepartmentAction(page, 'Crew', 'Name, color and description')
    await fillIn(page, { Name: '', Color: 'reddish' })
    await pressButton(page, 'Save')
    await page.getByText('Name is required.').waitFor()
    expect((await readFieldNote(page, 'Color'))[0]).toBe('true')
    await fillIn(page, { Name: 'AIR crew', Color: '', Description: 'As it should be.' })
    await pressButton(page, 'Save')
    const message = 'Name is already used by the department “Air crew”.'
    await page.getByText(message).waitFor()
    await expectSettled(() => readFieldNote(page, 'Name'), ['true', message])
    await expectFocus(page, 'name')
    await expectSettled(() => readField(page, 'Description'), 'As it should be.')
    await fillIn(page, { Name: 'Ground crew' })
    await pressButton(page, 'Save')
    await page.getByText('Saved the department “Ground crew”.').waitFor()
    expect(await e2e.findDepartment(e2e.workspaceId, 'Ground crew')).toMatchObject({
      description: 'As it should be.',
    })
  })

  test('are deleted after a confirmation that says who is affected, and restored with their members', async () => {
    const id = await e2e.createDepartment('Racers')
    await e2e.requestAsOwner('POST', `${DEPARTMENTS_PATH}/members`, {
      id,
      accountIds: await e2e.findAccountId('ash'),
    })
    const { page } = await e2e.openDepartmentsScreen()
    await chooseDepartmentAction(page, 'Racers', 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete the department “Racers”?' })
    await dialog.getByText('1 person is in it and remains a member of the workspace.').waitFor()
    await dialog.getByRole('button', { name: 'Delete department' }).click()
    await page.getByText('Deleted the department “Racers”.').waitFor()
    expect(await e2e.findDepartment(e2e.workspaceId, 'Racers')).toBeUndefined()
    const takenName = await e2e.createDepartment('RACERS')
    await page.getByRole('tab', { name: 'Deleted' }).click()
    await pressButton(page, 'Restore Racers')
    await page.getByText('“Racers” was not restored: another department is now named “RACERS”.').waitFor()
    await e2e.updateDepartment(takenName, { name: 'Horse racers' })
    await pressButton(page, 'Restore Racers')
    await page.getByText('Restored the department “Racers”. It is now last in the list.').waitFor()
    await page.getByText('No deleted departments').waitFor()
    expect((await e2e.listDepartments(e2e.workspaceId)).at(-1)?.members).toMatchObject([{ username: 'ash' }])
  })
})

describe('a concurrent change by someone else', () => {
  test('is reported and not overwritten; the input stays', async () => {
    const id = await e2e.createDepartment('Scouts', { color: '#d6453a', description: 'Look ahead.' })
    const { page } = await e2e.openDepartmentsScreen()
    await chooseDepartmentAction(page, 'Scouts', 'Name, color and description')
    await fillIn(page, { Name: 'Rangers' })
    await e2e.updateDepartment(id, { name: 'Trackers', description: 'Look behind.' })
    await pressButton(page, 'Save')
    await page.getByText('Someone else changed this department while you were editing.').waitFor()
    await expectSettled(() => readField(page, 'Name'), 'Rangers')
    await expectSettled(() => readField(page, 'Description'), 'Look behind.')
    expect(await e2e.findDepartment(e2e.workspaceId, 'Trackers')).toBeDefined()
    await pressButton(page, 'Save')
    await page.getByText('Saved the department “Rangers”.').waitFor()
    expect(await e2e.findDepartment(e2e.workspaceId, 'Rangers')).toMatchObject({
      color: '#d6453a',
      description: 'Look behind.',
    })
  })

  test('to another field does not interfere; a deleted department is reported', async () => {
    const id = await e2e.createDepartment('Cooks')
    const { page } = await e2e.openDepartmentsScreen()
    await chooseDepartmentAction(page, 'Cooks', 'Name, color and description')
    await fillIn(page, { Name: 'Bakers' })
    await e2e.requestAsOwner('POST', `${DEPARTMENTS_PATH}/members`, {
      id,
      accountIds: await e2e.findAccountId('ada'),
    })
    await pressButton(page, 'Save')
    await page.getByText('Saved the department “Bakers”.').waitFor()
    await chooseDepartmentAction(page, 'Bakers', 'Name, color and description')
    await fillIn(page, { Description: 'Bread and cake.' })
    await e2e.updateDepartment(id, { action: 'delete' })
    await pressButton(page, 'Save')
    await page.getByText('Someone else has deleted this department.').waitFor()
    await expectSettled(() => readField(page, 'Description'), 'Bread and cake.')
  })

  test('prevents the deletion of an outdated department', async () => {
    const id = await e2e.createDepartment('Divers')
    const { page } = await e2e.openDepartmentsScreen()
    await page.getByRole('heading', { name: 'Divers' }).waitFor()
    await blockDepartmentReads(page)
    await e2e.updateDepartment(id, { description: 'Twenty people rely on it.' })
    await chooseDepartmentAction(page, 'Divers', 'Delete')
    await pressButton(page, 'Delete department')
    await page.getByRole('dialog').getByText('Someone else has changed this department.').waitFor()
    expect(await e2e.findDepartment(e2e.workspaceId, 'Divers')).toBeDefined()
  })
})

describe('a role without permission to', () => {
  test('change departments can read them, on a phone too; requests are rejected', async () => {
    const { workspaceId, ids } = await e2e.createWorkspaceWithDepartments('Builders', 'Painters')
    await e2e.updateDepartment(String(ids[0]), { description: 'One line\n'.repeat(20) }, workspaceId)
    const session = await e2e.server.createMember({ ...e2e.owner, workspaceId }, 'reader', [
      'departments.view',
    ])
    const { page } = await e2e.openDepartmentsScreen(session, workspaceId, PHONE)
    await page.getByRole('heading', { name: 'Painters' }).waitFor()
    await pressButton(page, 'Show all of the description of Builders')
    await page
      .getByRole('button', { name: 'Show less of the description of Builders', expanded: true })
      .waitFor()
    for (const name of [/^Change /, /^Move /, 'New department', 'Choose members'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(await page.getByRole('tab').count()).toBe(0)
    for (const [path, body] of [
      ['/api/departments', { workspaceId, name: 'Mine' }],
      [`${DEPARTMENTS_PATH}/order`, { workspaceId, ids: ids.join(',') }],
      [`${DEPARTMENTS_PATH}/members`, { workspaceId, id: ids[0], accountIds: '' }],
    ] as const) {
      const response = await e2e.server.request('POST', path, { session, body: body })
      expect([response.status, response.body.permission]).toEqual([403, 'departments.manage'])
    }
  })

  test('read departments sees that, and no request is sent', async () => {
    const { page, requestedUrls } = await e2e.openDepartmentsScreen(e2e.staff.newcomer)
    await page.getByText('You don’t have access').waitFor()
    expect(requestedUrls.filter((url) => url.includes('/api/departments'))).toEqual([])
  })

  test('see members can still choose the lead among the current members, and remove them', async () => {
    const id = await e2e.createDepartment('Smiths')
    const accountIds = `${await e2e.findAccountId('ash')},${await e2e.findAccountId('ada')}`
    await e2e.requestAsOwner('POST', `${DEPARTMENTS_PATH}/members`, { id, accountIds })
    const permissionSet = ['departments.view', 'departments.manage'] as const
    const tab = await e2e.openDepartmentsScreen(
      await e2e.server.createMember(e2e.owner, 'foreman', permissionSet),
    )
    const { page } = tab
    await chooseDepartmentAction(page, 'Smiths', 'Members and lead')
    await page.getByText('You do not have permission to see the members of this workspace').waitFor()
    expect(tab.requestedUrls.filter((url) => url.includes('/portal/api/members'))).toEqual([])
    await pressButton(page, 'Lead: ada')
    await pressButton(page, 'Remove ash')
    await pressButton(page, 'Save')
    await page.getByText('Saved the members of “Smiths”.').waitFor()
    expect((await e2e.findDepartment(e2e.workspaceId, 'Smiths'))?.members).toMatchObject([
      { username: 'ada', isLead: 'true' },
    ])
  })
})

test('in an archived workspace departments are read-only', async () => {
  const { workspaceId } = await e2e.createWorkspaceWithDepartments('Past', 'Gone')
  const { session } = e2e.owner
  await e2e.server.requestOk('POST', '/api/workspaces', {
    session,
    body: { id: workspaceId, action: 'archive' },
  })
  const { page } = await e2e.openDepartmentsScreen(session, workspaceId)
  await page.getByRole('heading', { name: 'Past' }).waitFor()
  expect(await page.getByRole('button', { name: /^Move / }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'New department' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Change Past' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  expect(await page.getByRole('menuitem', { disabled: false }).count()).toBe(0)
})

test('scripts in texts are shown as plain text', async () => {
  await e2e.createDepartment(XSS_PAYLOAD, { description: XSS_PAYLOAD })
  const tab = await e2e.openDepartmentsScreen()
  const { page } = tab
  await page.getByRole('heading', { name: XSS_PAYLOAD }).waitFor()
  await chooseDepartmentAction(page, XSS_PAYLOAD, 'Members and lead')
  await page.getByRole('dialog', { name: `Members of “${XSS_PAYLOAD}”` }).waitFor()
  await pressButton(page, 'Cancel')
  await chooseDepartmentAction(page, XSS_PAYLOAD, 'Delete')
  await pressButton(page, 'Delete department')
  await page.getByText(`Deleted the department “${XSS_PAYLOAD}”.`).waitFor()
  expect(await page.evaluate('"planted" in globalThis')).toBe(false)
  await expectNoPageErrors(tab)
})

test('a failed read shows an error with a retry button', async () => {
  const { workspaceId } = await e2e.createWorkspaceWithDepartments('Steady')
  const { page } = await e2e.openScreen(`/w/${workspaceId}/people`, { heading: 'People' })
  await failRequests(page, '**/portal/api/departments?*')
  await page.getByRole('link', { name: 'Departments' }).click()
  await page.getByText('This failed here.').waitFor()
  await unblockDepartmentReads(page)
  await pressButton(page, 'Try again')
  await page.getByRole('heading', { name: 'Steady' }).waitFor()
})
