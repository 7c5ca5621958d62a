import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  blockDepartmentReads,
  chooseDepartmentAction,
  DEPARTMENTS_PATH,
  type DepartmentsSession,
  openDepartmentsSession,
  unblockDepartmentReads,
} from '../support/departments.ts'
import { XSS_PAYLOAD } from '../support/e2e-session.ts'
import {
  expectEventually,
  expectFocus,
  failRequests,
  fillIn,
  pressButton,
  readField,
  readFieldNote,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(60_000)

let e2e: DepartmentsSession
beforeAll(async () => {
  e2e = await openDepartmentsSession()
}, 60_000)
afterEach(() => e2e.closeTabs())
afterAll(() => e2e?.close())

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true }

describe('departments', () => {
  test('begin with a word on what they are, and are made with a colour and a description', async () => {
    const { workspaceId } = await e2e.createWorkspaceWithDepartments()
    const tab = await e2e.openDepartmentsScreen(e2e.owner.session, workspaceId)
    const { page } = tab
    await page.getByText('No departments yet').waitFor()
    await pressButton(page, 'New department')
    await fillIn(page, { Name: 'Pilots', Description: 'Fly what the builders make.\nDay and night.' })
    await pressButton(page, 'Teal')
    await expectEventually(() => readField(page, 'Colour'), '#1f9c93')
    await pressButton(page, 'Make the department')
    await page.getByText('Made the department “Pilots”.').waitFor()
    await page.getByRole('heading', { name: 'Pilots' }).waitFor()
    await page.getByText('Nobody is in it yet.').waitFor()
    expect(await e2e.findDepartment(workspaceId, 'Pilots')).toMatchObject({
      color: '#1f9c93',
      description: 'Fly what the builders make.\nDay and night.',
    })
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })

  test('keep what was typed where a name is taken, and say so beside the field', async () => {
    await e2e.createDepartment('Crew', { description: 'As it was.' })
    await e2e.createDepartment('Air crew')
    const { page } = await e2e.openDepartmentsScreen()
    await chooseDepartmentAction(page, 'Crew', 'Name, colour and description')
    await fillIn(page, { Name: '', Colour: 'reddish' })
    await pressButton(page, 'Save')
    await page.getByText('Name is required.').waitFor()
    expect((await readFieldNote(page, 'Colour'))[0]).toBe('true')
    await fillIn(page, { Name: 'AIR crew', Colour: '', Description: 'As it should be.' })
    await pressButton(page, 'Save')
    const message = 'Name is taken: there is a department named “Air crew” already.'
    await page.getByText(message).waitFor()
    await expectEventually(() => readFieldNote(page, 'Name'), ['true', message])
    await expectFocus(page, 'name')
    await expectEventually(() => readField(page, 'Description'), 'As it should be.')
    await fillIn(page, { Name: 'Ground crew' })
    await pressButton(page, 'Save')
    await page.getByText('Changed the department “Ground crew”.').waitFor()
    expect(await e2e.findDepartment(e2e.workspaceId, 'Ground crew')).toMatchObject({
      description: 'As it should be.',
    })
  })

  test('are deleted after it was said whom it concerns, and come back with everybody in them', async () => {
    const id = await e2e.createDepartment('Racers')
    await e2e.requestAsOwner('POST', `${DEPARTMENTS_PATH}/members`, {
      id,
      accountIds: await e2e.findAccountId('ash'),
    })
    const { page } = await e2e.openDepartmentsScreen()
    await chooseDepartmentAction(page, 'Racers', 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete the department “Racers”?' })
    await dialog.getByText('1 person is in it, and stays a member of the workspace.').waitFor()
    await dialog.getByRole('button', { name: 'Delete the department' }).click()
    await page.getByText('Deleted the department “Racers”.').waitFor()
    expect(await e2e.findDepartment(e2e.workspaceId, 'Racers')).toBeUndefined()
    const takenName = await e2e.createDepartment('RACERS')
    await page.getByRole('tab', { name: 'Deleted' }).click()
    await pressButton(page, 'Restore Racers')
    await page.getByText('“Racers” is not restored: there is a department named “RACERS” by now.').waitFor()
    await e2e.updateDepartment(takenName, { name: 'Horse racers' })
    await pressButton(page, 'Restore Racers')
    await page.getByText('Restored the department “Racers”. It is the last one now.').waitFor()
    await page.getByText('Nothing is deleted').waitFor()
    expect((await e2e.listDepartments(e2e.workspaceId)).at(-1)?.members).toMatchObject([{ username: 'ash' }])
  })
})

describe('what somebody else changed meanwhile', () => {
  test('is told and not written over; what was typed stays', async () => {
    const id = await e2e.createDepartment('Scouts', { color: '#d6453a', description: 'Look ahead.' })
    const { page } = await e2e.openDepartmentsScreen()
    await chooseDepartmentAction(page, 'Scouts', 'Name, colour and description')
    await fillIn(page, { Name: 'Rangers' })
    await e2e.updateDepartment(id, { name: 'Trackers', description: 'Look behind.' })
    await pressButton(page, 'Save')
    await page.getByText('Its name is “Trackers” now.').waitFor()
    await expectEventually(() => readField(page, 'Name'), 'Rangers')
    await expectEventually(() => readField(page, 'Description'), 'Look behind.')
    expect(await e2e.findDepartment(e2e.workspaceId, 'Trackers')).toBeDefined()
    await pressButton(page, 'Save')
    await page.getByText('Changed the department “Rangers”.').waitFor()
    expect(await e2e.findDepartment(e2e.workspaceId, 'Rangers')).toMatchObject({
      color: '#d6453a',
      description: 'Look behind.',
    })
  })

  test('is in nobody’s way where it is something else; what is gone is told', async () => {
    const id = await e2e.createDepartment('Cooks')
    const { page } = await e2e.openDepartmentsScreen()
    await chooseDepartmentAction(page, 'Cooks', 'Name, colour and description')
    await fillIn(page, { Name: 'Bakers' })
    await e2e.requestAsOwner('POST', `${DEPARTMENTS_PATH}/members`, {
      id,
      accountIds: await e2e.findAccountId('ada'),
    })
    await pressButton(page, 'Save')
    await page.getByText('Changed the department “Bakers”.').waitFor()
    await chooseDepartmentAction(page, 'Bakers', 'Name, colour and description')
    await fillIn(page, { Description: 'Bread and cake.' })
    await e2e.updateDepartment(id, { action: 'delete' })
    await pressButton(page, 'Save')
    await page.getByText('Somebody else deleted this department meanwhile.').waitFor()
    await expectEventually(() => readField(page, 'Description'), 'Bread and cake.')
  })

  test('keeps a department from being deleted unseen', async () => {
    const id = await e2e.createDepartment('Divers')
    const { page } = await e2e.openDepartmentsScreen()
    await page.getByRole('heading', { name: 'Divers' }).waitFor()
    await blockDepartmentReads(page)
    await e2e.updateDepartment(id, { description: 'Twenty people rely on it.' })
    await chooseDepartmentAction(page, 'Divers', 'Delete')
    await pressButton(page, 'Delete the department')
    await page.getByRole('dialog').getByText('Somebody else changed this department meanwhile.').waitFor()
    expect(await e2e.findDepartment(e2e.workspaceId, 'Divers')).toBeDefined()
  })
})

describe('a role that may not', () => {
  test('change departments reads them, on a phone too, and can do nothing past the page', async () => {
    const { workspaceId, ids } = await e2e.createWorkspaceWithDepartments('Builders', 'Painters')
    await e2e.updateDepartment(String(ids[0]), { description: 'One line\n'.repeat(20) }, workspaceId)
    const session = await e2e.server.createMember({ ...e2e.owner, workspaceId }, 'reader', [
      'departments.view',
    ])
    const { page } = await e2e.openDepartmentsScreen(session, workspaceId, PHONE)
    await page.getByRole('heading', { name: 'Painters' }).waitFor()
    await pressButton(page, 'Show all of what Builders is for')
    await page.getByRole('button', { name: 'Show less of what Builders is for', expanded: true }).waitFor()
    for (const name of [/^Change /, /^Move /, 'New department', 'Choose its members'])
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

  test('read departments is told so, and asks for none', async () => {
    const { page, requestedUrls } = await e2e.openDepartmentsScreen(e2e.staff.newcomer)
    await page.getByText('You don’t have access').waitFor()
    expect(requestedUrls.filter((url) => url.includes('/api/departments'))).toEqual([])
  })

  test('see members can still say who of those in a department leads, and take them out', async () => {
    const id = await e2e.createDepartment('Smiths')
    const accountIds = `${await e2e.findAccountId('ash')},${await e2e.findAccountId('ada')}`
    await e2e.requestAsOwner('POST', `${DEPARTMENTS_PATH}/members`, { id, accountIds })
    const permissionSet = ['departments.view', 'departments.manage'] as const
    const tab = await e2e.openDepartmentsScreen(
      await e2e.server.createMember(e2e.owner, 'foreman', permissionSet),
    )
    const { page } = tab
    await chooseDepartmentAction(page, 'Smiths', 'Members and lead')
    await page.getByText('You may not see who is a member of this workspace').waitFor()
    expect(tab.requestedUrls.filter((url) => url.includes('/portal/api/members'))).toEqual([])
    await pressButton(page, 'Lead: ada')
    await pressButton(page, 'Take ash out')
    await pressButton(page, 'Save')
    await page.getByText('Saved who is in “Smiths”.').waitFor()
    expect((await e2e.findDepartment(e2e.workspaceId, 'Smiths'))?.members).toMatchObject([
      { username: 'ada', isLead: 'true' },
    ])
  })
})

test('in an archived workspace departments are read, and not changed', async () => {
  const { workspaceId } = await e2e.createWorkspaceWithDepartments('Past', 'Gone')
  const { session } = e2e.owner
  await e2e.server.requestOk('POST', '/api/workspaces', {
    session,
    body: { id: workspaceId, action: 'archive' },
  })
  const { page } = await e2e.openDepartmentsScreen(session, workspaceId)
  await page.getByRole('heading', { name: 'Past' }).waitFor()
  for (const name of [/^Change /, /^Move /, 'New department'])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
})

test('texts that look like script are shown as they are, and run nothing', async () => {
  await e2e.createDepartment(XSS_PAYLOAD, { description: XSS_PAYLOAD })
  const tab = await e2e.openDepartmentsScreen()
  const { page } = tab
  await page.getByRole('heading', { name: XSS_PAYLOAD }).waitFor()
  await chooseDepartmentAction(page, XSS_PAYLOAD, 'Members and lead')
  await page.getByRole('dialog', { name: `Members of “${XSS_PAYLOAD}”` }).waitFor()
  await pressButton(page, 'Cancel')
  await chooseDepartmentAction(page, XSS_PAYLOAD, 'Delete')
  await pressButton(page, 'Delete the department')
  await page.getByText(`Deleted the department “${XSS_PAYLOAD}”.`).waitFor()
  expect(await page.evaluate('"planted" in globalThis')).toBe(false)
  await expectNoPageErrors(tab)
})

test('a read that fails is told with a way to try again', async () => {
  const { workspaceId } = await e2e.createWorkspaceWithDepartments('Steady')
  const { page } = await e2e.openScreen(e2e.owner.session, `/w/${workspaceId}/people`, 'People')
  await failRequests(page, '**/portal/api/departments?*')
  await page.getByRole('link', { name: 'Departments' }).click()
  await page.getByText('This failed here.').waitFor()
  await unblockDepartmentReads(page)
  await pressButton(page, 'Try again')
  await page.getByRole('heading', { name: 'Steady' }).waitFor()
})
