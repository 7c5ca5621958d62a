import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { databaseImageStore } from '@reeve/api/images/database-store'
import { databaseEvidenceStore } from '@reeve/api/images/evidence-store'
import { createCleanupJob } from '@reeve/api/jobs/cleanup'
import { claimMail, queueMail, readMailQueue } from '@reeve/auth'
import { statement } from '@reeve/db'
import { type MailInstance, openMailInstance } from '../../support/mail-instance.ts'
import { startMailServer } from '../../support/mail-server.ts'

let mail: MailInstance
const MINUTE = 60_000
const HOUR = 60 * MINUTE

beforeAll(async () => {
  mail = await openMailInstance()
})
afterAll(() => mail.close())
beforeEach(async () => {
  await mail.server.setFault('none')
  await mail.deliver()
  mail.outcomes.length = 0
})

let count = 0
/** Queues a mail to an address of its own. */
async function queue(lifetimeMs = 24 * HOUR): Promise<string> {
  const to = `person${++count}@example.com`
  const content = {
    kind: 'invitation',
    groupName: `Group ${count}`,
    invitedBy: 'robin',
    token: null,
  } as const
  const expiresAt = mail.clock.now() + lifetimeMs
  await mail.db.write((tx) =>
    queueMail(tx, mail.ports, { accountId: null, to, lifetimeMs, content: { ...content, expiresAt } }),
  )
  return to
}

describe('a mail server that', () => {
  for (const [fault, problem] of [
    ['refuse', 'the mail server cannot be reached (ECONNREFUSED)'],
    ['silent', 'the mail server does not respond in time'],
    ['temporary', 'the mail server rejects the sender or the recipient (status 450)'],
    ['cut', 'the mail server closed the connection'],
  ] as const)
    test(`fails (${fault}) gets the mail later, once`, async () => {
      await mail.server.setFault(fault)
      const to = await queue()
      await mail.deliver()
      expect(mail.outcomes).toEqual([{ result: 'postponed', kind: 'invitation', attempts: 1, problem }])
      await mail.server.setFault('none')
      // Not at once, so that a server that is overloaded is not loaded more.
      await mail.deliver()
      expect(mail.subjectsTo(to)).toEqual([])
      mail.clock.advance(MINUTE)
      await mail.deliver()
      await mail.deliver()
      expect(mail.subjectsTo(to)).toEqual([`Invitation to Group ${count}`])
      expect(mail.outcomes.at(-1)).toMatchObject({ result: 'sent', attempts: 2, problem: null })
    })

  test('does not know the recipient is not asked again', async () => {
    await mail.server.setFault('permanent')
    const to = await queue()
    await mail.deliver()
    expect(mail.outcomes).toMatchObject([{ result: 'failed', attempts: 1 }])
    // What the server said repeats the address.
    expect(JSON.stringify(mail.outcomes)).not.toContain(to)
    await mail.server.setFault('none')
    mail.clock.advance(HOUR)
    await mail.deliver()
    expect(mail.subjectsTo(to)).toEqual([])
  })

  test('is down is tried ever more seldom, and a mail that is no longer of use is given up', async () => {
    await mail.server.setFault('refuse')
    const to = await queue(2 * HOUR)
    const attempts = mail.outcomes
    for (let minutes = 0; minutes < 180; minutes += 1) {
      await mail.deliver()
      mail.clock.advance(MINUTE)
    }
    expect(attempts.length).toBeLessThan(10)
    expect(attempts.at(-1)?.result).toBe('failed')
    expect((await readMailQueue(mail.db.read, mail.clock.now())).waiting).toBe(0)
    await mail.server.setFault('none')
    await mail.deliver()
    expect(mail.subjectsTo(to)).toEqual([])
  })

  test('rejects the password is named, without the password', async () => {
    const strict = await startMailServer({ login: { user: 'reeve', password: 'right' } })
    try {
      const to = await queue()
      await mail.deliver(strict.url.replace('right', 'wrong'))
      expect(mail.outcomes).toMatchObject([
        {
          result: 'postponed',
          problem: 'the mail server does not accept the user name and the password (status 535)',
        },
      ])
      mail.clock.advance(MINUTE)
      await mail.deliver(strict.url)
      expect(strict.mails.map(({ recipients }) => recipients)).toEqual([[to]])
    } finally {
      await strict.close()
    }
  })

  test('offers no encryption gets nothing', async () => {
    const to = await queue()
    const { port } = mail.server
    await mail.deliver({ host: '127.0.0.1', port, tls: 'starttls', user: null, password: '' })
    const problem = 'the connection to the mail server cannot be encrypted, or its certificate is not valid'
    expect(mail.outcomes).toMatchObject([{ result: 'postponed', problem: expect.stringContaining(problem) }])
    expect(mail.subjectsTo(to)).toEqual([])
  })

  test('has a certificate that nobody vouches for gets nothing', async () => {
    const impostor = await startMailServer({ tls: 'implicit' })
    try {
      await queue()
      await mail.deliver(impostor.url)
      expect(mail.outcomes).toMatchObject([{ result: 'postponed' }])
      expect(impostor.mails).toEqual([])
    } finally {
      await impostor.close()
    }
  })
})

test('a mail contains no address of another person, and no header that a name brings in', async () => {
  const to = 'victim@example.com'
  const groupName = 'Night\r\nBcc: other@example.com\r\n\r\nShift'
  const expiresAt = mail.clock.now() + HOUR
  await mail.db.write((tx) =>
    queueMail(tx, mail.ports, {
      accountId: null,
      to,
      lifetimeMs: HOUR,
      content: { kind: 'invitation', groupName, invitedBy: 'rob\nin', token: null, expiresAt },
    }),
  )
  await mail.deliver()
  const { headers, recipients, subject, text } = await mail.server.waitForMail(to)
  expect(subject).toBe('Invitation to Night Bcc: other@example.com Shift')
  expect([recipients, headers.has('bcc')]).toEqual([[to], false])
  expect(headers.get('auto-submitted')).toBe('auto-generated')
  expect(text).toContain('rob in invites you')
})

test('two processes send each mail once', async () => {
  const recipients = [await queue(), await queue(), await queue(), await queue()]
  await Promise.all([mail.deliver(), mail.deliver(), mail.deliver()])
  for (const to of recipients) expect(mail.subjectsTo(to)).toHaveLength(1)
})

test('a process that is killed while it sends loses no mail', async () => {
  const to = await queue()
  expect(await claimMail(mail.db, mail.ports)).not.toBeNull()
  await mail.deliver()
  expect(mail.subjectsTo(to)).toEqual([])
  mail.clock.advance(6 * MINUTE)
  await mail.deliver()
  expect(mail.subjectsTo(to)).toHaveLength(1)
})

test('a clock that is set back holds no mail up', async () => {
  mail.clock.advance(30 * 24 * HOUR)
  const to = await queue()
  mail.clock.advance(-30 * 24 * HOUR)
  await mail.deliver()
  expect(mail.subjectsTo(to)).toHaveLength(1)
})

test('the database contains neither the address nor the text of a mail, and forgets it a day after', async () => {
  const to = await queue()
  const rows = statement()((sql) => sql.selectFrom('mail').selectAll())
  const waiting = await mail.db.read.all(rows, {})
  expect(waiting.some(({ due_at }) => due_at !== null)).toBe(true)
  expect(JSON.stringify(waiting)).not.toMatch(/example\.com|Group/)
  await mail.deliver()
  expect(mail.subjectsTo(to)).toHaveLength(1)
  expect((await mail.db.read.all(rows, {})).every(({ content }) => content === '')).toBe(true)
  mail.clock.advance(25 * HOUR)
  await createCleanupJob(mail.db, mail.ports, databaseImageStore, databaseEvidenceStore).run(
    new AbortController().signal,
  )
  expect(await mail.db.read.all(rows, {})).toEqual([])
})

test('the queue is bounded', async () => {
  const content = { kind: 'no_password', username: 'robin' } as const
  const results = await mail.db.write(async (tx) => {
    const accepted = []
    for (let index = 0; index < 5001; index += 1)
      accepted.push(
        await queueMail(tx, mail.ports, {
          accountId: null,
          to: 'full@example.com',
          lifetimeMs: HOUR,
          content,
        }),
      )
    return accepted
  })
  expect(results.filter(Boolean)).toHaveLength(5000)
  expect(results.at(-1)).toBe(false)
  await mail.db.write((tx) => tx.run(deleteAll, {}))
})

const deleteAll = statement()((sql) => sql.deleteFrom('mail'))
