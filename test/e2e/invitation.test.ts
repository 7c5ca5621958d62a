import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { PASSWORD } from '../support/instance.ts'
import { GROUP, OWNER } from '../support/place.ts'
import { failAt, fillIn, heading, noteOf, press, signIn, typedIn } from '../support/portal.ts'
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

/** Makes an invitation. @returns its token */
async function invite(more: object = { roleIds: at.staff.roles.moderator }): Promise<string> {
  return String((await at.asOwner('POST', '/portal/api/invitations', more)).token)
}
/** Opens a link. @param screen the heading that is there then */
const open = (token: string, session: string | null = null, screen = `Join ${GROUP}`) =>
  at.visit(session, `/invitation#${token}`, screen)
const DEAD = 'This link does not work'

const rolesOf = async (q: string): Promise<string[]> =>
  (await at.read('/portal/api/members', { q })).members.flatMap((one: { roles: { name: string }[] }) =>
    one.roles.map(({ name }) => name),
  )

describe('whoever has no account', () => {
  test('sees what the invitation gives, makes one, and is in: signed in, with the roles', async () => {
    const token = await invite({ roleIds: `${at.staff.roles.moderator},${at.staff.roles.trainer}` })
    const opening = await open(token)
    const { page, requested, context } = opening
    await page.getByText(`${OWNER} invites you to the staff of ${GROUP}.`).waitFor()
    await page.getByText('Moderator', { exact: true }).waitFor()
    await page.getByText('Trainer', { exact: true }).waitFor()
    expect(await page.title()).toBe(`Join ${GROUP} · Reeve`)
    await fillIn(page, { Username: 'kestrel', Password: PASSWORD })
    await press(page, `Join ${GROUP}`)
    await page.getByText(`Welcome to ${GROUP}.`).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/w/${at.workspaceId}`)
    await page.getByRole('button', { name: /^Signed in as kestrel/ }).waitFor()
    expect(await rolesOf('kestrel')).toEqual(['Moderator', 'Trainer'])
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['reeve_session'])
    expect(requested.filter((address) => new URL(address).hash === '' && address.includes(token))).toEqual([])
    await page.goBack()
    expect(page.url()).not.toContain(token)
    await expectCalm(opening)
    expect(opening.complaints).toEqual([])
  })

  test('is told what is wrong beside each field, and keeps what was typed', async () => {
    const { page } = await open(await invite())
    await fillIn(page, { Username: OWNER, Password: 'short' })
    await press(page, `Join ${GROUP}`)
    await page.getByText('Password must be 10 to 200 characters.').waitFor()
    expect((await noteOf(page, 'Password'))[0]).toBe('true')
    await fillIn(page, { Password: PASSWORD })
    await press(page, `Join ${GROUP}`)
    await page.getByText(/already/).waitFor()
    expect([await typedIn(page, 'Username'), await typedIn(page, 'Password')]).toEqual([OWNER, PASSWORD])
    await fillIn(page, { Username: 'merlin' })
    await press(page, `Join ${GROUP}`)
    await page.getByText(`Welcome to ${GROUP}.`).waitFor()
  })

  test('whose answer was lost on the way is told how to go on with the account that was made', async () => {
    const { page } = await open(await invite())
    await page.route('**/portal/api/invitation/sign-up', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await fillIn(page, { Username: 'plover', Password: PASSWORD })
    await press(page, `Join ${GROUP}`)
    await page.getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
    await page.unroute('**/portal/api/invitation/sign-up')
    await press(page, `Join ${GROUP}`)
    await page.getByText('most likely by your last try: sign in as plover').waitFor()
    expect(await rolesOf('plover')).toEqual(['Moderator'])
  })
})

describe('whoever has an account', () => {
  test('signs in on the spot, and joins as that', async () => {
    await at.place.account('heron')
    const opening = await open(await invite())
    const { page } = opening
    await page.getByRole('radio', { name: 'I have an account' }).press('Space')
    await signIn(page, 'heron')
    await press(page, 'Join as heron')
    await page.getByText(`Welcome to ${GROUP}.`).waitFor()
    expect(await rolesOf('heron')).toEqual(['Moderator'])
    await expectCalm(opening)
  })

  test('sees who they are before they join, and can be somebody else', async () => {
    await at.place.account('egret')
    const { page } = await open(await invite(), await at.place.session('egret'))
    await page.getByRole('button', { name: 'Join as egret' }).waitFor()
    await press(page, 'Sign out and use another account')
    await fillIn(page, { Username: 'bittern', Password: PASSWORD })
    await press(page, `Join ${GROUP}`)
    await page.getByRole('button', { name: /^Signed in as bittern/ }).waitFor()
    expect(await rolesOf('bittern')).toEqual(['Moderator'])
    expect((await at.read('/portal/api/members', { q: 'egret' })).members).toEqual([])
  })

  test('and belongs there already is told so, with the way there', async () => {
    const { page } = await open(await invite(), at.staff.lead)
    await press(page, 'Join as lee')
    await page.getByText(`You are a member of ${GROUP} already.`).waitFor()
    await page.getByRole('link', { name: 'Your workspaces' }).click()
    await heading(page, 'Your workspaces')
  })

  test('offline is told, and joins once there is a connection', async () => {
    await at.place.account('curlew')
    const { page, context } = await open(await invite(), await at.place.session('curlew'))
    await page.getByRole('button', { name: 'Join as curlew' }).waitFor()
    await context.setOffline(true)
    await press(page, 'Join as curlew')
    await page.getByText('You are offline. Try again once you are connected.').waitFor()
    await context.setOffline(false)
    await press(page, 'Join as curlew')
    await page.getByText(`Welcome to ${GROUP}.`).waitFor()
    expect(await rolesOf('curlew')).toEqual(['Moderator'])
  })
})

describe('a link that opens nothing', () => {
  test('is told alike whether it was used, withdrawn or never made, with a way out', async () => {
    const [used, withdrawn] = [await invite(), await invite({ note: 'To withdraw' })]
    await at.place.account('dunlin')
    const session = await at.place.session('dunlin')
    await at.place.must('POST', '/portal/api/invitation/accept', { session, body: { token: used } })
    const { invitations } = await at.read('/portal/api/invitations')
    const { id } = invitations.find(({ note }: { note: string | null }) => note === 'To withdraw')
    await at.place.must('DELETE', `/portal/api/invitations?workspaceId=${at.workspaceId}&id=${id}`, at.owner)
    const told = new Set<string>()
    for (const token of [used, withdrawn, 'there-never-was-one']) {
      const { page } = await open(token, null, DEAD)
      told.add(await page.getByRole('main').textContent().then(String))
    }
    expect([...told]).toEqual([expect.stringContaining('Whoever sent it to you can make a new one')])
    const { page } = await open('', null, DEAD)
    await page.getByRole('link', { name: 'Go to Reeve' }).click()
    await heading(page, 'Sign in')
  })

  test('that cannot be looked at, since Reeve fails, can be tried again', async () => {
    const token = await invite()
    const { page } = await open('', null, DEAD)
    await failAt(page, '**/portal/api/invitation')
    await page.goto(`${at.place.origin}/invitation#${token}`)
    await page.getByText('This failed here.').waitFor()
    await page.unroute('**/portal/api/invitation')
    await press(page, 'Try again')
    await heading(page, `Join ${GROUP}`)
  })
})

test('names that look like script are shown as they are, and run nothing', async () => {
  const script = '<img src=x onerror=planted=1>'
  const { session } = at.owner
  const { body } = await at.place.must('POST', '/api/workspaces', { session, body: { groupName: script } })
  const workspaceId = body.workspace.id
  const { role } = await at.asOwner('POST', '/portal/api/roles', {
    workspaceId,
    name: `${script}!`,
    rank: '5',
  })
  const token = await invite({ workspaceId, roleIds: role.id })
  const opening = await open(token, null, `Join ${script}`)
  await opening.page.getByText(`${script}!`, { exact: true }).waitFor()
  expect(await opening.page.evaluate('"planted" in globalThis')).toBe(false)
  await expectCalm(opening)
})

test('to an archived workspace it says that it can be accepted later, and offers nothing that would fail', async () => {
  const { session } = at.owner
  const token = await invite()
  await at.place.must('POST', '/api/workspaces', { session, body: { id: at.workspaceId, action: 'archive' } })
  const { page } = await open(token)
  await page.getByText(`${GROUP} is archived at present.`).waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
  await at.place.must('POST', '/api/workspaces', { session, body: { id: at.workspaceId, action: 'restore' } })
  await page.reload()
  await page.getByRole('button', { name: `Join ${GROUP}` }).waitFor()
})
