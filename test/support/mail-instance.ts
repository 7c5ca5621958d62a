import { type MailOutcome, sendMails } from '@reeve/api/mail/job'
import { mailSettings, type MailServer as ServerSettings } from '@reeve/api/mail/settings'
import { createMailTransport } from '@reeve/api/mail/transport'
import { openInstance, PUBLIC_URL } from './instance.ts'
import type { InstanceOptions } from './instance-options.ts'
import { startMailServer } from './mail-server.ts'
import { readMailCode } from './received-mail.ts'

/** Short, so that a server that never responds is noticed soon. */
const TIMEOUTS = { connect: 2000, response: 2000 }

/** Opens an instance that sends its mails to a server of its own, when the test says so. */
export async function openMailInstance(options: InstanceOptions = {}) {
  const instance = await openInstance({ sendsMail: true, ...options })
  const server = await startMailServer()
  const outcomes: MailOutcome[] = []

  /** Sends what is due. @param to the settings of another server */
  async function deliver(to: string | ServerSettings = server.url): Promise<void> {
    const { db, ports } = instance
    const mailServer = typeof to === 'string' ? mailSettings.smtpUrl.read(to) : to
    const from = mailSettings.mailFrom.read('Reeve <reeve@example.com>')
    if (mailServer === null || from === null) throw new Error('the settings are invalid')
    await sendMails(
      {
        db,
        ports,
        publicUrl: new URL(options.publicUrl ?? PUBLIC_URL),
        transport: createMailTransport(mailServer, from, TIMEOUTS),
        onOutcome: (outcome) => outcomes.push(outcome),
      },
      new AbortController().signal,
    )
  }

  /** Gives the account of a session an address, with the code of the mail. */
  async function setEmail(session: string, email: string): Promise<void> {
    const started = await instance.request('POST', '/portal/api/account/email', { session, body: { email } })
    await deliver()
    const code = readMailCode(await server.waitForMail(email, 'code'))
    const confirmed = await instance.request('POST', '/portal/api/account/email/confirmation', {
      session,
      body: { token: started.body.token, code },
    })
    if (confirmed.status !== 200) throw new Error(`the address was not confirmed: ${confirmed.text}`)
  }

  /** An account with an address. */
  async function account(username: string, email: string) {
    const id = await instance.account(username)
    const session = await instance.session(id)
    await setEmail(session, email)
    return { id, session }
  }

  /** Subjects of the mails to an address, oldest first. */
  const subjectsTo = (email: string): string[] =>
    server.mails.filter(({ recipients }) => recipients.includes(email)).map(({ subject }) => subject)

  return {
    ...instance,
    instance,
    server,
    outcomes,
    deliver,
    setEmail,
    mailAccount: account,
    subjectsTo,
    async close() {
      await instance.close()
      await server.close()
    },
  }
}

export type MailInstance = Awaited<ReturnType<typeof openMailInstance>>
