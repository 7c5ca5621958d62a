import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectFocus, fillIn, noteOf, press, typedIn, until } from '../support/portal.ts'
import { openStaff, type Staff } from '../support/staff.ts'
import { PLANTED } from '../support/stay.ts'
import { expectCalm } from '../support/visit.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(20_000)

let at: Staff
beforeAll(async () => {
  at = await openStaff()
}, 60_000)
afterEach(() => at.leave())
afterAll(() => at?.close())

interface Shown {
  readonly id: string
  readonly name: string
  readonly color: string | null
  readonly description: string | null
  readonly members: readonly {
    readonly accountId: string
    readonly username: string
    readonly isLead: string
  }[]
}

const LIST = '/portal/api/departments'
const departments = async (workspaceId: string): Promise<Shown[]> =>
  (await at.read(LIST, { workspaceId })).departments
const named = async (workspaceId: string, name: string): Promise<Shown | undefined> =>
  (await departments(workspaceId)).find((one) => one.name === name)
const names = async (workspaceId: string): Promise<string[]> =>
  (await departments(workspaceId)).map(({ name }) => name)

const make = async (name: string, more: object = {}, workspaceId = at.workspaceId): Promise<string> =>
  (await at.asOwner('POST', '/api/departments', { name, ...more }, workspaceId)).department.id
const change = (id: string, more: object, workspaceId = at.workspaceId) =>
  at.asOwner('PATCH', '/api/departments', { id, ...more }, workspaceId)
const accountOf = async (username: string): Promise<string> => {
  const { members } = await at.read('/portal/api/members', { q: username })
  return members.find((one: { username: string }) => one.username === username).accountId
}

/** A workspace of its own with departments of these names, in this order. */
async function withDepartments(...all: string[]) {
  const workspaceId = await at.workspace(all.join(' and ') || 'Brand new')
  const ids: string[] = []
  for (const name of all) ids.push(await make(name, {}, workspaceId))
  return { workspaceId, ids }
}

const DESK = { viewport: { width: 1440, height: 900 } }
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true }

const visit = (session = at.owner.session, workspaceId = at.workspaceId, options: object = DESK) =>
  at.visit(session, `/w/${workspaceId}/departments`, 'Departments', options)

const shownNames = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Departments in their order' }).getByRole('heading').allTextContents()
const choose = async (page: Page, name: string, item: string): Promise<void> => {
  await press(page, `Change ${name}`)
  await page.getByRole('menuitem', { name: item }).click()
}
const handle = (page: Page, name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true })

/** What a browser would have to be blocked from reading to miss what somebody else does. */
const unaware = (page: Page) => page.route('**/portal/api/departments?*', (route) => route.abort())
const aware = (page: Page) => page.unroute('**/portal/api/departments?*')

describe('departments', () => {
  test('begin with a word on what they are, and are made with a colour and a description', async () => {
    const { workspaceId } = await withDepartments()
    const opening = await visit(at.owner.session, workspaceId)
    const { page } = opening
    await page.getByText('No departments yet').waitFor()
    await press(page, 'New department')
    await fillIn(page, { Name: 'Pilots', Description: 'Fly what the builders make.\nDay and night.' })
    await press(page, 'Teal')
    expect(await typedIn(page, 'Colour')).toBe('#1f9c93')
    await press(page, 'Make the department')
    await page.getByText('Made the department “Pilots”.').waitFor()
    await page.getByRole('heading', { name: 'Pilots' }).waitFor()
    await page.getByText('Nobody is in it yet.').waitFor()
    expect(await named(workspaceId, 'Pilots')).toMatchObject({
      color: '#1f9c93',
      description: 'Fly what the builders make.\nDay and night.',
    })
    await expectCalm(opening)
    expect(opening.complaints).toEqual([])
  })

  test('keep what was typed where a name is taken, and say so beside the field', async () => {
    await make('Crew', { description: 'As it was.' })
    await make('Air crew')
    const { page } = await visit()
    await choose(page, 'Crew', 'Name, colour and description')
    await fillIn(page, { Name: '', Colour: 'reddish' })
    await press(page, 'Save')
    await page.getByText('Name is required.').waitFor()
    expect((await noteOf(page, 'Colour'))[0]).toBe('true')
    await fillIn(page, { Name: 'AIR crew', Colour: '', Description: 'As it should be.' })
    await press(page, 'Save')
    const sentence = 'Name is taken: there is a department named “Air crew” already.'
    await page.getByText(sentence).waitFor()
    expect(await noteOf(page, 'Name')).toEqual(['true', sentence])
    await expectFocus(page, 'name')
    expect(await typedIn(page, 'Description')).toBe('As it should be.')
    await fillIn(page, { Name: 'Ground crew' })
    await press(page, 'Save')
    await page.getByText('Changed the department “Ground crew”.').waitFor()
    expect(await named(at.workspaceId, 'Ground crew')).toMatchObject({ description: 'As it should be.' })
  })

  test('are deleted after it was said whom it concerns, and come back with everybody in them', async () => {
    const id = await make('Racers')
    await at.asOwner('POST', `${LIST}/members`, { id, accountIds: await accountOf('ash') })
    const { page } = await visit()
    await choose(page, 'Racers', 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete the department “Racers”?' })
    await dialog.getByText('1 person is in it, and stays a member of the workspace.').waitFor()
    await dialog.getByRole('button', { name: 'Delete the department' }).click()
    await page.getByText('Deleted the department “Racers”.').waitFor()
    expect(await named(at.workspaceId, 'Racers')).toBeUndefined()
    const taken = await make('RACERS')
    await page.getByRole('tab', { name: 'Deleted' }).click()
    await press(page, 'Restore Racers')
    await page.getByText('“Racers” is not restored: there is a department named “RACERS” by now.').waitFor()
    await change(taken, { name: 'Horse racers' })
    await press(page, 'Restore Racers')
    await page.getByText('Restored the department “Racers”. It is the last one now.').waitFor()
    await page.getByText('Nothing is deleted').waitFor()
    expect((await departments(at.workspaceId)).at(-1)?.members).toMatchObject([{ username: 'ash' }])
  })
})

describe('who is in a department', () => {
  test('is found by name among the members, and one of them leads', async () => {
    await make('Rescue')
    const { page } = await visit()
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
    expect((await named(at.workspaceId, 'Rescue'))?.members).toMatchObject([
      { username: 'sena', isLead: 'true' },
      { username: 'juniper', isLead: 'false' },
    ])
  })

  test('is put together where somebody else changed it meanwhile', async () => {
    const id = await make('Choir')
    const [ash, ada, lee] = await Promise.all(['ash', 'ada', 'lee'].map(accountOf))
    await at.asOwner('POST', `${LIST}/members`, { id, accountIds: `${ash},${ada}`, leadId: ash })
    const { page } = await visit()
    await choose(page, 'Choir', 'Members and lead')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Take ada out' }).click()
    await at.asOwner('POST', `${LIST}/members`, { id, accountIds: `${ash},${ada},${lee}`, leadId: lee })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Somebody else changed who is in this department meanwhile.').waitFor()
    const leads = dialog.getByRole('button', { name: 'Lead: lee' })
    expect(await leads.getAttribute('aria-pressed')).toBe('true')
    expect((await named(at.workspaceId, 'Choir'))?.members.length).toBe(3)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved who is in “Choir”.').waitFor()
    expect((await named(at.workspaceId, 'Choir'))?.members).toMatchObject([
      { username: 'lee', isLead: 'true' },
      { username: 'ash', isLead: 'false' },
    ])
  })
})

describe('what somebody else changed meanwhile', () => {
  test('is told and not written over; what was typed stays', async () => {
    const id = await make('Scouts', { color: '#d6453a', description: 'Look ahead.' })
    const { page } = await visit()
    await choose(page, 'Scouts', 'Name, colour and description')
    await fillIn(page, { Name: 'Rangers' })
    await change(id, { name: 'Trackers', description: 'Look behind.' })
    await press(page, 'Save')
    await page.getByText('Its name is “Trackers” now.').waitFor()
    expect(await typedIn(page, 'Name')).toBe('Rangers')
    expect(await typedIn(page, 'Description')).toBe('Look behind.')
    expect(await named(at.workspaceId, 'Trackers')).toBeDefined()
    await press(page, 'Save')
    await page.getByText('Changed the department “Rangers”.').waitFor()
    expect(await named(at.workspaceId, 'Rangers')).toMatchObject({
      color: '#d6453a',
      description: 'Look behind.',
    })
  })

  test('is in nobody’s way where it is something else; what is gone is told', async () => {
    const id = await make('Cooks')
    const { page } = await visit()
    await choose(page, 'Cooks', 'Name, colour and description')
    await fillIn(page, { Name: 'Bakers' })
    await at.asOwner('POST', `${LIST}/members`, { id, accountIds: await accountOf('ada') })
    await press(page, 'Save')
    await page.getByText('Changed the department “Bakers”.').waitFor()
    await choose(page, 'Bakers', 'Name, colour and description')
    await fillIn(page, { Description: 'Bread and cake.' })
    await change(id, { action: 'delete' })
    await press(page, 'Save')
    await page.getByText('Somebody else deleted this department meanwhile.').waitFor()
    expect(await typedIn(page, 'Description')).toBe('Bread and cake.')
  })

  test('keeps a department from being deleted unseen', async () => {
    const id = await make('Divers')
    const { page } = await visit()
    await page.getByRole('heading', { name: 'Divers' }).waitFor()
    await unaware(page)
    await change(id, { description: 'Twenty people rely on it.' })
    await choose(page, 'Divers', 'Delete')
    await press(page, 'Delete the department')
    await page.getByRole('dialog').getByText('Somebody else changed this department meanwhile.').waitFor()
    expect(await named(at.workspaceId, 'Divers')).toBeDefined()
  })
})

describe('the order', () => {
  test('is changed with the arrow keys on a handle, which keeps the focus, and is read out', async () => {
    const { workspaceId } = await withDepartments('One', 'Two', 'Three', 'Four')
    const opening = await visit(at.owner.session, workspaceId)
    const { page } = opening
    await handle(page, 'One').focus()
    const saved = page.waitForResponse(`**${LIST}/order`)
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key)
    await page.getByRole('status').getByText('“One” is now 2 of 4.').waitFor()
    await expectFocus(page, 'Move One')
    expect(await shownNames(page)).toEqual(['Two', 'One', 'Three', 'Four'])
    await saved
    expect(await names(workspaceId)).toEqual(['Two', 'One', 'Three', 'Four'])
    const again = page.waitForResponse(`**${LIST}/order`)
    await page.keyboard.press('End')
    await page.keyboard.press('End')
    await page.getByRole('status').getByText('“One” is last already.').waitFor()
    await again
    expect(await names(workspaceId)).toEqual(['Two', 'Three', 'Four', 'One'])
    const third = page.waitForResponse(`**${LIST}/order`)
    await choose(page, 'Four', 'Move up')
    await page.getByRole('status').getByText('“Four” is now 2 of 4.').waitFor()
    await third
    expect(await names(workspaceId)).toEqual(['Two', 'Four', 'Three', 'One'])
    await expectCalm(opening)
  })

  test('is changed by dragging, which Escape takes back', async () => {
    const { workspaceId } = await withDepartments('Red', 'Green', 'Blue')
    const { page } = await visit(at.owner.session, workspaceId)
    const middle = async (name: string) => {
      const box = await handle(page, name).boundingBox()
      if (!box) throw new Error(`no handle of ${name} is in sight`)
      return [box.x + box.width / 2, box.y + box.height / 2] as const
    }
    const drag = async () => {
      await handle(page, 'Blue').waitFor()
      await page.mouse.move(...(await middle('Red')))
      const [x, y] = await middle('Blue')
      await page.mouse.down()
      await page.mouse.move(x, y, { steps: 4 })
      await page.locator('[data-held]').waitFor()
    }
    await drag()
    await page.keyboard.press('Escape')
    await page.locator('[data-held]').waitFor({ state: 'detached' })
    await page.mouse.up()
    expect(await shownNames(page)).toEqual(['Red', 'Green', 'Blue'])
    const saved = page.waitForResponse(`**${LIST}/order`)
    await drag()
    await page.mouse.up()
    await page.getByRole('status').getByText('“Red” is now 3 of 3.').waitFor()
    await saved
    expect(await names(workspaceId)).toEqual(['Green', 'Blue', 'Red'])
  })

  test('stays as it was where somebody else made a department meanwhile, and says so', async () => {
    const { workspaceId } = await withDepartments('North', 'South')
    const { page } = await visit(at.owner.session, workspaceId)
    await handle(page, 'South').focus()
    await unaware(page)
    await make('East', {}, workspaceId)
    await page.keyboard.press('ArrowUp')
    await page
      .getByText('The order is not saved: somebody else made or deleted a department meanwhile.')
      .waitFor()
    await aware(page)
    expect(await names(workspaceId)).toEqual(['North', 'South', 'East'])
    expect((await shownNames(page)).slice(0, 2)).toEqual(['North', 'South'])
  })

  test('offline stays as it was, and is told', async () => {
    const { workspaceId } = await withDepartments('Early', 'Late')
    const { page, context } = await visit(at.owner.session, workspaceId)
    await handle(page, 'Late').focus()
    await context.setOffline(true)
    await page.keyboard.press('ArrowUp')
    await page.getByText('The order is not saved: You are offline.').waitFor()
    expect(await shownNames(page)).toEqual(['Early', 'Late'])
    await context.setOffline(false)
  })
})

describe('a role that may not', () => {
  test('change departments reads them, on a phone too, and can do nothing past the page', async () => {
    const { workspaceId, ids } = await withDepartments('Builders', 'Painters')
    await change(String(ids[0]), { description: 'One line\n'.repeat(20) }, workspaceId)
    const session = await at.place.member({ ...at.owner, workspaceId }, 'reader', ['departments.view'])
    const { page } = await visit(session, workspaceId, PHONE)
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
    const { page, requested } = await visit(at.staff.newcomer)
    await page.getByText('This is not for you to see').waitFor()
    expect(requested.filter((address) => address.includes('/api/departments'))).toEqual([])
  })

  test('see members can still say who of those in a department leads, and take them out', async () => {
    const id = await make('Smiths')
    const accountIds = `${await accountOf('ash')},${await accountOf('ada')}`
    await at.asOwner('POST', `${LIST}/members`, { id, accountIds })
    const may = ['departments.view', 'departments.manage'] as const
    const opening = await visit(await at.place.member(at.owner, 'foreman', may))
    const { page } = opening
    await choose(page, 'Smiths', 'Members and lead')
    await page.getByText('You may not see who is a member of this workspace').waitFor()
    expect(opening.requested.filter((address) => address.includes('/portal/api/members'))).toEqual([])
    await press(page, 'Lead: ada')
    await press(page, 'Take ash out')
    await press(page, 'Save')
    await page.getByText('Saved who is in “Smiths”.').waitFor()
    expect((await named(at.workspaceId, 'Smiths'))?.members).toMatchObject([
      { username: 'ada', isLead: 'true' },
    ])
  })
})

test('in an archived workspace departments are read, and not changed', async () => {
  const { workspaceId } = await withDepartments('Past', 'Gone')
  const { session } = at.owner
  await at.place.must('POST', '/api/workspaces', { session, body: { id: workspaceId, action: 'archive' } })
  const { page } = await visit(session, workspaceId)
  await page.getByRole('heading', { name: 'Past' }).waitFor()
  for (const name of [/^Change /, /^Move /, 'New department'])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
})

test('texts that look like script are shown as they are, and run nothing', async () => {
  await make(PLANTED, { description: PLANTED })
  const opening = await visit()
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
  const { workspaceId } = await withDepartments('Steady')
  const { page } = await at.visit(at.owner.session, `/w/${workspaceId}/people`, 'People')
  const body = JSON.stringify({ error: 'This failed here.', code: 'internal_error', requestId: 'r-1' })
  const broken = { status: 500, contentType: 'application/json', body }
  await page.route('**/portal/api/departments?*', (route) => route.fulfill(broken))
  await page.getByRole('link', { name: 'Departments' }).click()
  await page.getByText('This failed here.').waitFor()
  await aware(page)
  await press(page, 'Try again')
  await page.getByRole('heading', { name: 'Steady' }).waitFor()
})
