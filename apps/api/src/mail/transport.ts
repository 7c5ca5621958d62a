import type { RenderedMail } from '@reeve/auth'
import type { NodemailerError } from 'nodemailer'
import type { MailSender, MailServer } from './settings.ts'

/** How long each step of a delivery may take, in milliseconds: the connection, its greeting, and every response. */
const CONNECT_TIMEOUT_MS = 10_000
const RESPONSE_TIMEOUT_MS = 30_000

/** A mail with its recipient. */
export interface OutgoingMail extends RenderedMail {
  /** Does not differ between attempts, so that mail programs can recognize a second copy. */
  readonly id: string
  readonly to: string
}

/** Why a mail was not delivered. */
export class DeliveryError extends Error {
  /** Whether the server will never accept this mail. */
  readonly isPermanent: boolean
  /** Whether other mails would fail as well. */
  readonly concernsServer: boolean
  constructor(
    message: string,
    { isPermanent, concernsServer }: { isPermanent: boolean; concernsServer: boolean },
  ) {
    super(message)
    this.name = 'DeliveryError'
    this.isPermanent = isPermanent
    this.concernsServer = concernsServer
  }
}

/** Sends mails with a mail server. */
export interface MailTransport {
  /** @throws DeliveryError whose message contains no secret and no address; the reason of `signal` once that is aborted */
  readonly send: (mail: OutgoingMail, signal: AbortSignal) => Promise<void>
  /** Connects and signs in. @throws DeliveryError */
  readonly verify: () => Promise<void>
}

/** Creates the transport. The library is loaded when the first mail is sent. */
export function createMailTransport(
  server: MailServer,
  from: MailSender,
  timeouts = { connect: CONNECT_TIMEOUT_MS, response: RESPONSE_TIMEOUT_MS },
): MailTransport {
  const load = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host: server.host,
      port: server.port,
      secure: server.tls === 'implicit',
      requireTLS: server.tls === 'starttls',
      ignoreTLS: server.tls === 'none',
      ...(server.user === null ? {} : { auth: { user: server.user, pass: server.password } }),
      connectionTimeout: timeouts.connect,
      greetingTimeout: timeouts.connect,
      socketTimeout: timeouts.response,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  const [, domain = ''] = from.address.split('@')
  return {
    async send({ id, to, subject, text }, signal) {
      const transport = await load()
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        })
      } catch (error) {
        throw signal.aborted ? signal.reason : toDeliveryError(error as NodemailerError)
      }
    },
    async verify() {
      const transport = await load()
      try {
        await transport.verify()
      } catch (error) {
        throw toDeliveryError(error as NodemailerError)
      }
    },
  }
}

/** What went wrong, by the codes of the library. Its own messages repeat what the server said, such as addresses. */
const problems: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server does not accept the user name and the password',
  ENOAUTH: 'the mail server requires a user name and a password',
  ETLS: 'the connection to the mail server cannot be encrypted, or its certificate is not valid',
  EDNS: 'the host of the mail server is unknown',
  ETIMEDOUT: 'the mail server does not respond in time',
  ECONNECTION: 'the mail server closed the connection',
  ESOCKET: 'the mail server cannot be reached',
  EENVELOPE: 'the mail server rejects the sender or the recipient',
  EMESSAGE: 'the mail server rejects the mail',
  EPROTOCOL: 'the mail server sends an invalid response',
}

/** Errors about one mail. All others are about the server or the connection to it. */
const MAIL_CODES = ['EENVELOPE', 'EMESSAGE']

function toDeliveryError({
  code = '',
  responseCode,
  permanent,
  originalCode,
}: NodemailerError): DeliveryError {
  const problem = problems[code] ?? 'the mail could not be delivered'
  const details = [responseCode && `status ${responseCode}`, originalCode ?? (code in problems ? null : code)]
  const suffix = details.filter(Boolean).join(', ')
  const concernsMail = MAIL_CODES.includes(code)
  return new DeliveryError(suffix === '' ? problem : `${problem} (${suffix})`, {
    isPermanent: concernsMail && permanent === true,
    concernsServer: !concernsMail,
  })
}
