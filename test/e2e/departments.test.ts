import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { aware, choose, type Departments, LIST, openDepartments, unaware } from '../support/departments.ts'
import { expectFocus, expectSoon, failAt, fillIn, noteOf, press, typedIn } from '../support/portal.ts'
import { PLANTED } from '../support/stay.ts'
import { expectCalm } from '../support/visit.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(60_000)

let at: Departments
beforeAll(async () => {
  at = await openDepartments()
}, 60_000)
afterEach(() => at.leave())
afterAll(() => at?.close())

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true }

describe('departments', () => {
  test('begin with a word on what they are, and are made with a colour and a description', async () => {
    const { workspaceId } = await at.withDepartments()
    const opening = await at.open(at.owner.session, workspaceId)
    const { page } = opening
    await page.getByText('No departments yet').waitFor()
    await press(page, 'New department')
    await fillIn(page, { Name: 'Pilots', Description: 'Fly what the builders make.\nDay and night.' })
    await press(page, 'Teal')
    await expectSoon(() => typedIn(page, 'Colour'), '#1f9c93')
    await press(page, 'Make the department')
    await page.getByText('Made the department “Pilots”.').waitFor()
    await page.getByRole('heading', { name: 'Pilots' }).waitFor()
    await page.getByText('Nobody is in it yet.').waitFor()
    expect(await at.named(workspaceId, 'Pilots')).toMatchObject({
      color: '#1f9c93',
      description: 'Fly what the builders make.\nDay and night.',
    })
    await expectCalm(opening)
    expect(opening.complaints).toEqual([])
  })

  test('keep what was typed where a name is taken, and say so beside the field', async () => {
    await at.make('Crew', { description: 'As it was.' })
    await at.make('Air crew')
    const { page } = await at.open()
    await choose(page, 'Crew', 'Name, colour and description')
    await fillIn(page, { Name: '', Colour: 'reddish' })
    await press(page, 'Save')
    await page.getByText('Name is required.').waitFor()
    expect((await noteOf(page, 'Colour'))[0]).toBe('true')
    await fillIn(page, { Name: 'AIR crew', Colour: '', Description: 'As it should be.' })
    await press(page, 'Save')
    const sentence = 'Name is taken: there is a department named “Air crew” already.'
    await page.getByText(sentence).waitFor()
    await expectSoon(() => noteOf(page, 'Name'), ['true', sentence])
    await expectFocus(page, 'name')
    await expectSoon(() => typedIn(page, 'Description'), 'As it should be.')
    await fillIn(page, { Name: 'Ground crew' })
    await press(page, 'Save')
    await page.getByText('Changed the department “Ground crew”.').waitFor()
    expect(await at.named(at.workspaceId, 'Ground crew')).toMatchObject({ description: 'As it should be.' })
  })

  test('are deleted after it was said whom it concerns, and come back with everybody in them', async () => {
    const id = await at.make('Racers')
    await at.asOwner('POST', `${LIST}/members`, { id, accountIds: await at.accountOf('ash') })
    const { page } = await at.open()
    await choose(page, 'Racers', 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete the department “Racers”?' })
    await dialog.getByText('1 person is in it, and stays a member of the workspace.').waitFor()
    await dialog.getByRole('button', { name: 'Delete the department' }).click()
    await page.getByText('Deleted the department “Racers”.').waitFor()
    expect(await at.named(at.workspaceId, 'Racers')).toBeUndefined()
    const taken = await at.make('RACERS')
    await page.getByRole('tab', { name: 'Deleted' }).click()
    await press(page, 'Restore Racers')
    await page.getByText('“Racers” is not restored: there is a department named “RACERS” by now.').waitFor()
    await at.change(taken, { name: 'Horse racers' })
    await press(page, 'Restore Racers')
    await page.getByText('Restored the department “Racers”. It is the last one now.').waitFor()
    await page.getByText('Nothing is deleted').waitFor()
    expect((await at.departments(at.workspaceId)).at(-1)?.members).toMatchObject([{ username: 'ash' }])
  })
})

describe('what somebody else changed meanwhile', () => {
  test('is told and not written over; what was typed stays', async () => {
    const id = await at.make('Scouts', { color: '#d6453a', description: 'Look ahead.' })
    const { page } = await at.open()
    await choose(page, 'Scouts', 'Name, colour and description')
    await fillIn(page, { Name: 'Rangers' })
    await at.change(id, { name: 'Trackers', description: 'Look behind.' })
    await press(page, 'Save')
    await page.getByText('Its name is “Trackers” now.').waitFor()
    await expectSoon(() => typedIn(page, 'Name'), 'Rangers')
    await expectSoon(() => typedIn(page, 'Description'), 'Look behind.')
    expect(await at.named(at.workspaceId, 'Trackers')).toBeDefined()
    await press(page, 'Save')
    await page.getByText('Changed the department “Rangers”.').waitFor()
    expect(await at.named(at.workspaceId, 'Rangers')).toMatchObject({
      color: '#d6453a',
      description: 'Look behind.',
    })
  })

  test('is in nobody’s way where it is something else; what is gone is told', async () => {
    const id = await at.make('Cooks')
    const { page } = await at.open()
    await choose(page, 'Cooks', 'Name, colour and description')
    await fillIn(page, { Name: 'Bakers' })
    await at.asOwner('POST', `${LIST}/members`, { id, accountIds: await at.accountOf('ada') })
    await press(page, 'Save')
    await page.getByText('Changed the department “Bakers”.').waitFor()
    await choose(page, 'Bakers', 'Name, colour and description')
    await fillIn(page, { Description: 'Bread and cake.' })
    await at.change(id, { action: 'delete' })
    await press(page, 'Save')
    await page.getByText('Somebody else deleted this department meanwhile.').waitFor()
    await expectSoon(() => typedIn(page, 'Description'), 'Bread and cake.')
  })

  test('keeps a department from being deleted unseen', async () => {
    const id = await at.make('Divers')
    const { page } = await at.open()
    await page.getByRole('heading', { name: 'Divers' }).waitFor()
    await unaware(page)
    await at.change(id, { description: 'Twenty people rely on it.' })
    await choose(page, 'Divers', 'Delete')
    await press(page, 'Delete the department')
    await page.getByRole('dialog').getByText('Somebody else changed this department meanwhile.').waitFor()
    expect(await at.named(at.workspaceId, 'Divers')).toBeDefined()
  })
})

describe('a role that may not', () => {
  test('change departments reads them, on a phone too, and can do nothing past the page', async () => {
    const { workspaceId, ids } = await at.withDepartments('Builders', 'Painters')
    await at.change(String(ids[0]), { description: 'One line\n'.repeat(20) }, workspaceId)
    const session = await at.place.member({ ...at.owner, workspaceId }, 'reader', ['departments.view'])
    const { page } = await at.open(session, workspaceId, PHONE)
    await page.getByRole('heading', { name: 'Painters' }).waitFor()
    await press(page, 'Show all of what Builders is for')
    await page.getByRole('button', { name: 'Show less of what Builders is for', expanded: true }).waitFor()
    for (const name of [/^Change /, /^Move /, 'New department', 'Choose its members'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(await page.getByRole('tab').count()).toBe(0)
    for (const [path, given] of [
      ['/api/departments', { workspaceId, name: 'Mine' }],
      [`${LIST}/order`, { workspaceId, ids: ids.join(',') }],
      [`${LIST}/members`, { workspaceId, id: ids[0], accountIds: '' }],
    ] as const) {
      const refused = await at.place.call('POST', path, { session, body: given })
      expect([refused.status, refused.body.permission]).toEqual([403, 'departments.manage'])
    }
  })

  test('read departments is told so, and asks for none', async () => {
    const { page, requested } = await at.open(at.staff.newcomer)
    await page.getByText('This is not for you to see').waitFor()
    expect(requested.filter((address) => address.includes('/api/departments'))).toEqual([])
  })

  test('see members can still say who of those in a department leads, and take them out', async () => {
    const id = await at.make('Smiths')
    const accountIds = `${await at.accountOf('ash')},${await at.accountOf('ada')}`
    await at.asOwner('POST', `${LIST}/members`, { id, accountIds })
    const may = ['departments.view', 'departments.manage'] as const
    const opening = await at.open(await at.place.member(at.owner, 'foreman', may))
    const { page } = opening
    await choose(page, 'Smiths', 'Members and lead')
    await page.getByText('You may not see who is a member of this workspace').waitFor()
    expect(opening.requested.filter((address) => address.includes('/portal/api/members'))).toEqual([])
    await press(page, 'Lead: ada')
    await press(page, 'Take ash out')
    await press(page, 'Save')
    await page.getByText('Saved who is in “Smiths”.').waitFor()
    expect((await at.named(at.workspaceId, 'Smiths'))?.members).toMatchObject([
      { username: 'ada', isLead: 'true' },
    ])
  })
})

test('in an archived workspace departments are read, and not changed', async () => {
  const { workspaceId } = await at.withDepartments('Past', 'Gone')
  const { session } = at.owner
  await at.place.must('POST', '/api/workspaces', { session, body: { id: workspaceId, action: 'archive' } })
  const { page } = await at.open(session, workspaceId)
  await page.getByRole('heading', { name: 'Past' }).waitFor()
  for (const name of [/^Change /, /^Move /, 'New department'])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
})

test('texts that look like script are shown as they are, and run nothing', async () => {
  await at.make(PLANTED, { description: PLANTED })
  const opening = await at.open()
  const { page } = opening
  await page.getByRole('heading', { name: PLANTED }).waitFor()
  await choose(page, PLANTED, 'Members and lead')
  await page.getByRole('dialog', { name: `Members of “${PLANTED}”` }).waitFor()
  await press(page, 'Cancel')
  await choose(page, PLANTED, 'Delete')
  await press(page, 'Delete the department')
  await page.getByText(`Deleted the department “${PLANTED}”.`).waitFor()
  expect(await page.evaluate('"planted" in globalThis')).toBe(false)
  await expectCalm(opening)
})

test('a read that fails is told with a way to try again', async () => {
  const { workspaceId } = await at.withDepartments('Steady')
  const { page } = await at.visit(at.owner.session, `/w/${workspaceId}/people`, 'People')
  await failAt(page, '**/portal/api/departments?*')
  await page.getByRole('link', { name: 'Departments' }).click()
  await page.getByText('This failed here.').waitFor()
  await aware(page)
  await press(page, 'Try again')
  await page.getByRole('heading', { name: 'Steady' }).waitFor()
})
