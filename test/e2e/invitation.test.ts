import { describe, expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import {
  expectSettled,
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
import { openStaffSession } from '../support/staff-session.ts'

/** Browser tests are slow on a busy machine. */

const e2e = useSession(openStaffSession)

/** Creates an invitation. @returns its token */
async function invite(more: object = { roleIds: e2e.staff.roles.moderator }): Promise<string> {
  return String((await e2e.requestAsOwner('POST', '/portal/api/invitations', more)).token)
}
/** Opens an invitation link. @param screen the expected heading */
const openInvitation = (token: string, session: string | null = null, screen = `Join ${GROUP}`) =>
  e2e.openScreen(`/invitation#${token}`, { session, heading: screen })
const INVALID_LINK_HEADING = 'This link does not work'

const listRoleNames = async (q: string): Promise<string[]> =>
  (await e2e.readAsOwner('/portal/api/members', { q })).members.flatMap(
    (member: { roles: { name: string }[] }) => member.roles.map(({ name }) => name),
  )

describe('a visitor without an account', () => {
  test('sees the roles, signs up, and is a signed-in member with these roles', async () => {
    const token = await invite({ roleIds: `${e2e.staff.roles.moderator},${e2e.staff.roles.trainer}` })
    const tab = await openInvitation(token)
    const { page, requestedUrls, context } = tab
    await page.getByText(`${OWNER} has invited you to join the staff of ${GROUP}.`).waitFor()
    await page.getByText('Moderator', { exact: true }).waitFor()
    await page.getByText('Trainer', { exact: true }).waitFor()
    await expectSettled(() => page.title(), `Join ${GROUP} · Reeve`)
    await fillIn(page, { Username: 'kestrel', Password: PASSWORD })
    await pressButton(page, `Join ${GROUP}`)
    await page.getByText(`Welcome to ${GROUP}.`).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/w/${e2e.workspaceId}`)
    await page.getByRole('button', { name: /^Signed in as kestrel/ }).waitFor()
    expect(await listRoleNames('kestrel')).toEqual(['Moderator', 'Trainer'])
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['reeve_session', 'reeve_device'])
    expect(requestedUrls.filter((url) => new URL(url).hash === '' && url.includes(token))).toEqual([])
    await page.goBack()
    expect(page.url()).not.toContain(token)
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })

  test('sees errors next to the fields, and the input stays', async () => {
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

  test('whose response was lost learns how to continue with the created account', async () => {
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
    await page.getByText('most likely by your previous attempt. Sign in as plover').waitFor()
    expect(await listRoleNames('plover')).toEqual(['Moderator'])
  })
})

describe('a visitor with an account', () => {
  test('signs in on the page and joins', async () => {
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

  test('sees the current account before joining, and can switch to another one', async () => {
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

  test('who is already a member sees that, with a link to the workspace', async () => {
    const { page } = await openInvitation(await invite(), e2e.staff.lead)
    await pressButton(page, 'Join as lee')
    await page.getByText(`You are already a member of ${GROUP}.`).waitFor()
    await page.getByRole('link', { name: 'Your workspaces' }).click()
    await waitForHeading(page, 'Your workspaces')
  })

  test('sees that they are offline, and joins once connected', async () => {
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

describe('an invalid link', () => {
  test('shows the same message whether it was used, withdrawn or never existed', async () => {
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
    expect([...seenMessages]).toEqual([
      expect.stringContaining('Ask the person who sent you the link for a new one'),
    ])
    const { page } = await openInvitation('', null, INVALID_LINK_HEADING)
    await page.getByRole('link', { name: 'Go to Reeve' }).click()
    await waitForHeading(page, 'Sign in')
  })

  test('can be retried after a server error', async () => {
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

test('scripts in names are shown as plain text', async () => {
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

test('an invitation to an archived workspace says that it can be accepted later, and offers no button', async () => {
  const { session } = e2e.owner
  const token = await invite()
  await e2e.server.requestOk('POST', '/api/workspaces', {
    session,
    body: { id: e2e.workspaceId, action: 'archive' },
  })
  const { page } = await openInvitation(token)
  await page.getByText(`${GROUP} is archived.`).waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
  await e2e.server.requestOk('POST', '/api/workspaces', {
    session,
    body: { id: e2e.workspaceId, action: 'restore' },
  })
  await page.reload()
  await page.getByRole('button', { name: `Join ${GROUP}` }).waitFor()
})
