import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { GROUP } from '../support/place.ts'
import { expectFocus, expectSoon, failAt, fillIn, heading, press, typedIn, until } from '../support/portal.ts'
import { openStaff, type Staff } from '../support/staff.ts'
import { expectCalm } from '../support/visit.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(60_000)

let at: Staff
beforeAll(async () => {
  at = await openStaff()
}, 60_000)
afterEach(() => at.leave())
afterAll(() => at?.close())

const members = async (): Promise<Record<string, string[]>> => {
  const body = await at.read('/portal/api/members')
  return Object.fromEntries(
    body.members.map(({ username, roles }: { username: string; roles: { name: string }[] }) => [
      username,
      roles.map(({ name }) => name),
    ]),
  )
}

describe('members', () => {
  test('are found by a part of the name and by role, and the address keeps what was looked for', async () => {
    const { page } = await at.openPeople(at.owner.session)
    const list = page.getByRole('list', { name: 'Members' })
    await list.getByText('ada', { exact: true }).waitFor()
    await page.getByLabel('Find a member').fill('JUN')
    await list.getByText('ada', { exact: true }).waitFor({ state: 'detached' })
    await expectSoon(() => list.getByRole('listitem').count(), 1)
    expect(new URL(page.url()).searchParams.get('q')).toBe('JUN')
    await page.getByLabel('Find a member').fill('')
    await page.getByLabel('Only those with the role').selectOption({ label: 'Trainer' })
    await list.getByText('juniper').waitFor({ state: 'detached' })
    await list.getByText('sena').waitFor()
    await list.getByText('ash').waitFor()
    await expectSoon(() => list.getByRole('listitem').count(), 2)
    await page.reload()
    await list.getByText('sena').waitFor()
    await expectSoon(() => list.getByRole('listitem').count(), 2)
    await page.getByLabel('Find a member').fill('nobody-like-that')
    await page.getByText('Nobody here is like that').waitFor()
  })

  test('get roles after it was said what they gain and lose, and it holds at once', async () => {
    const session = await at.join('mira', at.staff.roles.moderator)
    const opening = await at.openPeople(at.owner.session)
    const { page } = opening
    await press(page, 'What to do with mira')
    await page.getByRole('menuitem', { name: 'Change roles' }).click()
    const dialog = page.getByRole('dialog', { name: 'Roles of mira' })
    await expectSoon(() => dialog.getByRole('button', { name: 'Change the roles' }).isDisabled(), true)
    await dialog.getByRole('checkbox', { name: 'Moderator', exact: true }).click()
    await dialog.getByRole('checkbox', { name: 'Senior moderator' }).click()
    await dialog.getByText('mira will be able to: Ban players').waitFor()
    await dialog.getByText('mira will no longer be able to: Add notes').waitFor()
    await dialog.getByRole('button', { name: 'Change the roles' }).click()
    await page.getByText('Changed the roles of mira.').waitFor()
    expect((await members()).mira).toEqual(['Senior moderator'])
    const { body } = await at.place.must('GET', '/portal/api/me', { session })
    expect(body.workspaces[0].permissions).toContain('moderation.ban')
    await expectCalm(opening)
  })

  test('are removed after a question that names them and what they lose', async () => {
    const session = await at.join('vesper', at.staff.roles.trainer)
    const { page } = await at.openPeople(at.owner.session)
    await press(page, 'What to do with vesper')
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog', { name: `Remove vesper from ${GROUP}?` })
    await dialog.getByText('vesper loses “Trainer” and can no longer open this workspace').waitFor()
    expect(await members()).toHaveProperty('vesper')
    await dialog.getByRole('button', { name: 'Remove vesper' }).click()
    await page.getByText('vesper was removed.').waitFor()
    expect(await members()).not.toHaveProperty('vesper')
    const { body } = await at.place.must('GET', '/portal/api/me', { session })
    expect(body.workspaces).toEqual([])
  })

  test('leave by themselves, and end up where they can go on', async () => {
    const role = await at.place.member(at.owner, 'quill', ['members.view'])
    const opening = await at.openPeople(role)
    const { page } = opening
    await press(page, 'What you can do')
    await page.getByRole('menuitem', { name: 'Leave this workspace' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Leave ${GROUP}` })
      .click()
    await heading(page, 'Your workspaces')
    await page.getByText('You belong to no workspace yet').waitFor()
    expect(await members()).not.toHaveProperty('quill')
  })

  test('who may not see who is here can leave all the same', async () => {
    const session = await at.join('wisp')
    const { page } = await at.openPeople(session)
    await page.getByText('This is not for you to see').waitFor()
    await press(page, `Leave ${GROUP}`)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Leave ${GROUP}` })
      .click()
    await heading(page, 'Your workspaces')
    expect(await members()).not.toHaveProperty('wisp')
  })

  test('who has an account is added by name; a name that nobody has is told, and what was typed stays', async () => {
    await at.place.account('linnet')
    const { page } = await at.openPeople(at.owner.session)
    await press(page, 'Invite')
    await page.getByRole('radio', { name: 'By username' }).press('Space')
    await fillIn(page, { Username: 'linnnet' })
    await page.getByRole('checkbox', { name: 'Moderator', exact: true }).click()
    await press(page, 'Add')
    await page.getByText('There is no account named linnnet on this instance.').waitFor()
    await expectSoon(() => typedIn(page, 'Username'), 'linnnet')
    await expectSoon(() => page.getByRole('checkbox', { name: 'Moderator', exact: true }).isChecked(), true)
    await fillIn(page, { Username: 'linnet' })
    await press(page, 'Add')
    await page.getByText(`linnet is a member of ${GROUP} now.`).waitFor()
    expect((await members()).linnet).toEqual(['Moderator'])
  })

  test('appear as somebody else adds them', async () => {
    const { page } = await at.openPeople(at.owner.session)
    await page.getByText('juniper').waitFor()
    await at.join('tansy')
    await page.getByText('tansy').waitFor()
  })
})

describe('what is out of reach', () => {
  test('is not shown to whoever may only look, and cannot be done past the page', async () => {
    const session = await at.place.member(at.owner, 'onlooker', ['members.view'])
    const { page } = await at.openPeople(session)
    await page.getByText('juniper').waitFor()
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
    expect(await page.getByRole('tab').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^What to do with/ }).count()).toBe(0)
    await page.goto(`${page.url()}?tab=invitations`)
    await page.getByText('juniper').waitFor()
    const refused = await at.place.call('POST', '/portal/api/invitations', {
      session,
      body: { workspaceId: at.workspaceId },
    })
    expect([refused.status, refused.body.permission]).toEqual([403, 'members.manage'])
  })

  test('is locked with why: members above, roles of a rank not below, roles that give what one lacks', async () => {
    const { page } = await at.openPeople(at.staff.lead)
    await press(page, 'What to do with ada')
    await page.getByText('The rank of ada, 500, is not below yours, 100.').waitFor()
    await expectSoon(() => page.getByRole('menuitem', { name: 'Remove' }).isDisabled(), true)
    await page.keyboard.press('Escape')
    await press(page, 'What to do with robin')
    await page.getByText('robin owns this workspace.').waitFor()
    await page.keyboard.press('Escape')
    await press(page, 'What to do with juniper')
    const menu = page.getByRole('menu', { name: 'What to do with juniper' })
    await menu.getByRole('menuitem', { name: 'Change roles' }).click()
    const dialog = page.getByRole('dialog')
    await expectSoon(() => dialog.getByRole('checkbox', { name: 'Administrator' }).isDisabled(), true)
    await dialog.getByText('Its rank, 500, is not below yours, 100.').waitFor()
    await dialog.getByText('It gives what you do not have yourself: Ban players').waitFor()
    await expectSoon(() => dialog.getByRole('checkbox', { name: 'Trainer' }).isDisabled(), false)
  })
})

test('with the keyboard alone somebody gets another role', async () => {
  await at.join('finch')
  const { page } = await at.openPeople(at.owner.session, '?q=finch')
  await page.getByRole('button', { name: 'What to do with finch' }).focus()
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Change roles')
  await page.keyboard.press('Enter')
  await until(page, 'document.activeElement.closest("[role=dialog]")')
  const isAt = () =>
    page.evaluate<boolean>('document.activeElement.labels?.[0]?.textContent.startsWith("Trainer") ?? false')
  for (let tabs = 0; tabs < 12 && !(await isAt()); tabs++) await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await page.getByText('Changed the roles of finch.').waitFor()
  expect((await members()).finch).toEqual(['Trainer'])
})

test('what cannot be read is told with a way to try again, and a write that fails stays in its dialog', async () => {
  const opening = await at.openPeople(at.owner.session)
  const { page, context } = opening
  await page.getByText('juniper').waitFor()
  await press(page, 'Invite')
  await fillIn(page, { Note: 'For later' })
  await context.setOffline(true)
  await press(page, 'Make the link')
  await page.getByText('You are offline. Try again once you are connected.').waitFor()
  await expectSoon(() => typedIn(page, 'Note'), 'For later')
  await context.setOffline(false)
  await failAt(page, '**/portal/api/members?*')
  await page.reload()
  await page.getByText('This failed here.').waitFor()
  await page.getByText('Request r-1').waitFor()
  await page.unroute('**/portal/api/members?*')
  await press(page, 'Try again')
  await page.getByText('juniper').waitFor()
})

test('an archived workspace can be read; nobody is invited, and whoever must go can be removed', async () => {
  const { workspaceId, session } = at.owner
  await at.join('basil')
  await at.place.must('POST', '/api/workspaces', { session, body: { id: workspaceId, action: 'archive' } })
  const { page } = await at.openPeople(session)
  await page.getByText('This workspace is archived').waitFor()
  await page.getByText('basil').waitFor()
  expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
  await press(page, 'What to do with basil')
  await expectSoon(() => page.getByRole('menuitem', { name: 'Change roles' }).isDisabled(), true)
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await press(page, 'Remove basil')
  await page.getByText('basil was removed.').waitFor()
  await at.place.must('POST', '/api/workspaces', { session, body: { id: workspaceId, action: 'restore' } })
})
