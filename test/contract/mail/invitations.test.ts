import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openInstance, type TestResponse } from '../../support/instance.ts'
import { type MailInstance, openMailInstance } from '../../support/mail-instance.ts'
import { readMailToken } from '../../support/received-mail.ts'

let mail: MailInstance
let workspace: Awaited<ReturnType<MailInstance['workspace']>>

beforeAll(async () => {
  mail = await openMailInstance()
  workspace = await mail.workspace('Night Shift')
})
afterAll(() => mail.close())

const invite = (fields: object): Promise<TestResponse> =>
  mail.request('POST', '/portal/api/invitations', {
    session: workspace.ownerSession,
    body: { workspaceId: workspace.id, ...fields },
  })

test('a link is sent to the address that it was created for, and works', async () => {
  const { status, body } = await invite({ email: 'new@example.com', note: 'Secret note' })
  expect(status).toBe(200)
  await mail.deliver()
  const received = await mail.server.waitForMail('new@example.com')
  expect(received.subject).toBe('Invitation to Night Shift')
  expect(received.source).not.toContain('Secret note')
  const token = readMailToken(received)
  expect(token).toBe(body.token)
  const read = await mail.request('POST', '/portal/api/invitation', { body: { token } })
  expect(read.body.invitation.groupName).toBe('Night Shift')
})

test('an account that is invited by its username gets a mail, and the response does not tell who has one', async () => {
  await mail.mailAccount('Robin', 'robin@example.com')
  await mail.account('Silent')
  const before = mail.server.mails.length
  const responses = []
  for (const username of ['Robin', 'Silent', 'Nobody']) {
    const { status, body } = await invite({ username })
    const { id: _id, username: _name, createdAt: _at, expiresAt: _until, ...rest } = body.invitation
    responses.push(JSON.stringify([status, rest, body.token]))
  }
  expect(new Set(responses).size).toBe(1)
  await mail.deliver()
  const sent = mail.server.mails.slice(before)
  expect(sent.map(({ recipients, subject }) => [recipients, subject])).toEqual([
    [['robin@example.com'], 'Invitation to Night Shift'],
  ])
  expect(sent[0]?.text).toContain('Sign in to accept or decline')
})

test('links that an account has sent do not keep it from getting mails, nor mails that it got from sending links', async () => {
  const { id: workspaceId, ownerSession: session } = await mail.workspace('Busy Shift')
  await mail.setEmail(session, 'busy@example.com')
  const { username } = (await mail.request('GET', '/portal/api/me', { session })).body.account
  let sent = 0
  const sendLink = async () => {
    const body = { workspaceId, email: `friend${++sent}@example.com` }
    return (await mail.request('POST', '/portal/api/invitations', { session, body })).status
  }
  for (let count = 0; count < 5; count += 1) expect(await sendLink()).toBe(200)
  for (let count = 0; count < 5; count += 1) {
    const { id, ownerSession } = await mail.workspace(`Inviting ${count}`)
    await mail.request('POST', '/portal/api/invitations', {
      session: ownerSession,
      body: { workspaceId: id, username },
    })
  }
  await mail.deliver()
  const received = mail.subjectsTo('busy@example.com').filter((subject) => subject.startsWith('Invitation'))
  expect(received.sort()).toEqual([0, 1, 2, 3, 4].map((count) => `Invitation to Inviting ${count}`))
  for (let count = 0; count < 15; count += 1) expect(await sendLink()).toBe(200)
  expect(await sendLink()).toBe(429)
})

test('nobody sends more than twenty links a day, and an address needs an instance that sends mails', async () => {
  const other = await mail.workspace('Spammers')
  const statuses = []
  for (let count = 0; count < 21; count += 1)
    statuses.push(
      (
        await mail.request('POST', '/portal/api/invitations', {
          session: other.ownerSession,
          body: { workspaceId: other.id, email: `victim${count}@example.com` },
        })
      ).status,
    )
  expect(statuses.filter((status) => status === 200)).toHaveLength(20)
  expect(statuses.at(-1)).toBe(429)
  const both = await invite({ email: 'robin@example.com', username: 'Kim' })
  expect([both.status, both.body.details[0].field]).toEqual([400, 'email'])
  const silent = await openInstance()
  try {
    const { id, ownerSession: session } = await silent.workspace()
    const body = { workspaceId: id, email: 'robin@example.com' }
    const response = await silent.request('POST', '/portal/api/invitations', { session, body })
    expect([response.status, response.body.details[0].field]).toEqual([400, 'email'])
  } finally {
    await silent.close()
  }
})
