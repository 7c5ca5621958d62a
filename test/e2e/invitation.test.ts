import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { PASSWORD } from '../support/instance.ts'
import {
  failRequests,
  fillIn,
  pressButton,
  readField,
  readFieldNote,
  signIn,
  waitForHeading,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP, OWNER } from '../support/server.ts'
import { openStaffSession, type StaffSession } from '../support/staff-session.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(60_000)

let e2e: StaffSession
beforeAll(async () => {
  e2e = await openStaffSession()
}, 60_000)
afterEach(() => e2e.closeTabs())
afterAll(() => e2e?.close())

/** Makes an invitation. @returns its token */
async function invite(more: object = { roleIds: e2e.staff.roles.moderator }): Promise<string> {
  return String((await e2e.requestAsOwner('POST', '/portal/api/invitations', more)).token)
}
/** Opens a link. @param screen the heading that is there then */
const openInvitation = (token: string, session: string | null = null, screen = `Join ${GROUP}`) =>
  e2e.openScreen(session, `/invitation#${token}`, screen)
const INVALID_LINK_HEADING = 'This link does not work'

const listRoleNames = async (q: string): Promise<string[]> =>
  (await e2e.readAsOwner('/portal/api/members', { q })).members.flatMap(
    (member: { roles: { name: string }[] }) => member.roles.map(({ name }) => name),
  )

describe('whoever has no account', () => {
  test('sees what the invitation gives, makes one, and is in: signed in, with the roles', async () => {
    const token = await invite({ roleIds: `${e2e.staff.roles.moderator},${e2e.staff.roles.trainer}` })
    const tab = await openInvitation(token)
    const { page, requestedUrls, context } = tab
    await page.getByText(`${OWNER} invites you to the staff of ${GROUP}.`).waitFor()
    await page.getByText('Moderator', { exact: true }).waitFor()
    await page.getByText('Trainer', { exact: true }).waitFor()
    expect(await page.title()).toBe(`Join ${GROUP} · Reeve`)
    await fillIn(page, { Username: 'kestrel', Password: PASSWORD })
    await pressButton(page, `Join ${GROUP}`)
    await page.getByText(`Welcome to ${GROUP}.`).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/w/${e2e.workspaceId}`)
    await page.getByRole('button', { name: /^Signed in as kestrel/ }).waitFor()
    expect(await listRoleNames('kestrel')).toEqual(['Moderator', 'Trainer'])
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['reeve_session'])
    expect(requestedUrls.filter((url) => new URL(url).hash === '' && url.includes(token))).toEqual([])
    await page.goBack()
    expect(page.url()).not.toContain(token)
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })

  test('is told what is wrong beside each field, and keeps what was typed', async () => {
    const { page } = await openInvitation(await invite())
    await fillIn(page, { Username: OWNER, Password: 'short' })
    await pressButton(page, `Join ${GROUP}`)
    await page.getByText('Password must be 10 to 200 characters.').waitFor()
    expect((await readFieldNote(page, 'Password'))[0]).toBe('true')
    await fillIn(page, { Password: PASSWORD })
    await pressButton(page, `Join ${GROUP}`)
    await page.getByText(/already/).waitFor()
    expect([await readField(page, 'Username'), await readField(page, 'Password')]).toEqual([OWNER, PASSWORD])
    await fillIn(page, { Username: 'merlin' })
    await pressButton(page, `Join ${GROUP}`)
    await page.getByText(`Welcome to ${GROUP}.`).waitFor()
  })

  test('whose answer was lost on the way is told how to go on with the account that was made', async () => {
    const { page } = await openInvitation(await invite())
    await page.route('**/portal/api/invitation/sign-up', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await fillIn(page, { Username: 'plover', Password: PASSWORD })
    await pressButton(page, `Join ${GROUP}`)
    await page.getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
    await page.unroute('**/portal/api/invitation/sign-up')
    await pressButton(page, `Join ${GROUP}`)
    await page.getByText('most likely by your last try: sign in as plover').waitFor()
    expect(await listRoleNames('plover')).toEqual(['Moderator'])
  })
})

describe('whoever has an account', () => {
  test('signs in on the spot, and joins as that', async () => {
    await e2e.server.createAccount('heron')
    const tab = await openInvitation(await invite())
    const { page } = tab
    await page.getByRole('radio', { name: 'I have an account' }).press('Space')
    await signIn(page, 'heron')
    await pressButton(page, 'Join as heron')
    await page.getByText(`Welcome to ${GROUP}.`).waitFor()
    expect(await listRoleNames('heron')).toEqual(['Moderator'])
    await expectNoPageErrors(tab)
  })

  test('sees who they are before they join, and can be somebody else', async () => {
    await e2e.server.createAccount('egret')
    const { page } = await openInvitation(await invite(), await e2e.server.session('egret'))
    await page.getByRole('button', { name: 'Join as egret' }).waitFor()
    await pressButton(page, 'Sign out and use another account')
    await fillIn(page, { Username: 'bittern', Password: PASSWORD })
    await pressButton(page, `Join ${GROUP}`)
    await page.getByRole('button', { name: /^Signed in as bittern/ }).waitFor()
    expect(await listRoleNames('bittern')).toEqual(['Moderator'])
    expect((await e2e.readAsOwner('/portal/api/members', { q: 'egret' })).members).toEqual([])
  })

  test('and belongs there already is told so, with the way there', async () => {
    const { page } = await openInvitation(await invite(), e2e.staff.lead)
    await pressButton(page, 'Join as lee')
    await page.getByText(`You are already a member of ${GROUP}.`).waitFor()
    await page.getByRole('link', { name: 'Your workspaces' }).click()
    await waitForHeading(page, 'Your workspaces')
  })

  test('offline is told, and joins once there is a connection', async () => {
    await e2e.server.createAccount('curlew')
    const { page, context } = await openInvitation(await invite(), await e2e.server.session('curlew'))
    await page.getByRole('button', { name: 'Join as curlew' }).waitFor()
    await context.setOffline(true)
    await pressButton(page, 'Join as curlew')
    await page.getByText('You are offline. Try again once you are connected.').waitFor()
    await context.setOffline(false)
    await pressButton(page, 'Join as curlew')
    await page.getByText(`Welcome to ${GROUP}.`).waitFor()
    expect(await listRoleNames('curlew')).toEqual(['Moderator'])
  })
})

describe('a link that opens nothing', () => {
  test('is told alike whether it was used, withdrawn or never made, with a way out', async () => {
    const [usedToken, withdrawnToken] = [await invite(), await invite({ note: 'To withdraw' })]
    await e2e.server.createAccount('dunlin')
    const session = await e2e.server.session('dunlin')
    await e2e.server.requestOk('POST', '/portal/api/invitation/accept', {
      session,
      body: { token: usedToken },
    })
    const { invitations } = await e2e.readAsOwner('/portal/api/invitations')
    const { id } = invitations.find(({ note }: { note: string | null }) => note === 'To withdraw')
    await e2e.server.requestOk(
      'DELETE',
      `/portal/api/invitations?workspaceId=${e2e.workspaceId}&id=${id}`,
      e2e.owner,
    )
    const seenMessages = new Set<string>()
    for (const token of [usedToken, withdrawnToken, 'there-never-was-one']) {
      const { page } = await openInvitation(token, null, INVALID_LINK_HEADING)
      seenMessages.add(await page.getByRole('main').textContent().then(String))
    }
    expect([...seenMessages]).toEqual([expect.stringContaining('Whoever sent it to you can make a new one')])
    const { page } = await openInvitation('', null, INVALID_LINK_HEADING)
    await page.getByRole('link', { name: 'Go to Reeve' }).click()
    await waitForHeading(page, 'Sign in')
  })

  test('that cannot be looked at, since Reeve fails, can be tried again', async () => {
    const token = await invite()
    const { page } = await openInvitation('', null, INVALID_LINK_HEADING)
    await failRequests(page, '**/portal/api/invitation')
    await page.goto(`${e2e.server.origin}/invitation#${token}`)
    await page.getByText('This failed here.').waitFor()
    await page.unroute('**/portal/api/invitation')
    await pressButton(page, 'Try again')
    await waitForHeading(page, `Join ${GROUP}`)
  })
})

test('names that look like script are shown as they are, and run nothing', async () => {
  const script = '<img src=x onerror=planted=1>'
  const { session } = e2e.owner
  const { body } = await e2e.server.requestOk('POST', '/api/workspaces', {
    session,
    body: { groupName: script },
  })
  const workspaceId = body.workspace.id
  const { role } = await e2e.requestAsOwner('POST', '/portal/api/roles', {
    workspaceId,
    name: `${script}!`,
    rank: '5',
  })
  const token = await invite({ workspaceId, roleIds: role.id })
  const tab = await openInvitation(token, null, `Join ${script}`)
  await tab.page.getByText(`${script}!`, { exact: true }).waitFor()
  expect(await tab.page.evaluate('"planted" in globalThis')).toBe(false)
  await expectNoPageErrors(tab)
})

test('to an archived workspace it says that it can be accepted later, and offers nothing that would fail', async () => {
  const { session } = e2e.owner
  const token = await invite()
  await e2e.server.requestOk('POST', '/api/workspaces', {
    session,
    body: { id: e2e.workspaceId, action: 'archive' },
  })
  const { page } = await openInvitation(token)
  await page.getByText(`${GROUP} is archived at present.`).waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
  await e2e.server.requestOk('POST', '/api/workspaces', {
    session,
    body: { id: e2e.workspaceId, action: 'restore' },
  })
  await page.reload()
  await page.getByRole('button', { name: `Join ${GROUP}` }).waitFor()
})
