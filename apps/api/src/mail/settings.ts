import { isEmailAddress } from '@reeve/auth'
import { isLoopback } from '../loopback.ts'
import { defineSetting, rejectValue } from '../setting.ts'

/** How to reach a mail server. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** `implicit`: from the first byte on; `starttls`: after a command, without which nothing is sent; `none`: not at all. */
  readonly tls: 'implicit' | 'starttls' | 'none'
  /** Null for a server that asks for none. */
  readonly user: string | null
  readonly password: string
}

/** Whom mails are from. */
export interface MailSender {
  readonly name: string
  readonly address: string
}

const EXAMPLE = 'smtps://user:password@mail.example.com'
const DEFAULT_PORTS = { 'smtps:': 465, 'smtp:': 587 } as const

/** The errors do not repeat the URL, because it contains a password. */
function readServer(text: string): MailServer | null {
  if (text === '') return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'smtps:' && url.protocol !== 'smtp:') || url.hostname === '')
    return rejectValue(`must be the URL of a mail server, such as ${EXAMPLE}`)
  const { protocol, searchParams } = url
  if (url.pathname.length > 1 || url.hash !== '')
    return rejectValue(`must be a URL without a path, such as ${EXAMPLE}`)
  const parameters = [...searchParams.keys()]
  if (parameters.some((name) => name !== 'tls') || !['', 'none'].includes(searchParams.get('tls') ?? ''))
    return rejectValue('must have no parameter but tls=none, which turns encryption off')
  const hasNoTls = searchParams.get('tls') === 'none'
  if (hasNoTls && protocol === 'smtps:')
    return rejectValue('must begin with smtp:// if it has tls=none: smtps:// means TLS')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const credentials = decodeCredentials(url)
  if (credentials === null)
    return rejectValue('must encode special characters of the user name and the password, such as %40 for @')
  const tls = protocol === 'smtps:' ? 'implicit' : hasNoTls || isLoopback(host) ? 'none' : 'starttls'
  return { host, port: Number(url.port) || DEFAULT_PORTS[protocol], tls, ...credentials }
}

function decodeCredentials(url: URL): Pick<MailServer, 'user' | 'password'> | null {
  try {
    const user = decodeURIComponent(url.username)
    return { user: user === '' ? null : user, password: decodeURIComponent(url.password) }
  } catch {
    return null
  }
}

function readSender(text: string): MailSender | null {
  if (text === '') return null
  const [, name = '', bracketed] = /^([^<>"\p{Cc}]*)<([^<>]*)>$/u.exec(text) ?? []
  const address = bracketed ?? text
  return isEmailAddress(address)
    ? { name: name.trim() || 'Reeve', address }
    : rejectValue('must be an e-mail address, such as reeve@example.com or Reeve <reeve@example.com>')
}

/** With which server mails are sent, and from whom. */
export const mailSettings = {
  smtpUrl: defineSetting({
    flag: null,
    env: 'REEVE_SMTP_URL',
    isSecret: true,
    placeholder: '<url>',
    fallback: '',
    fallbackLabel: 'none',
    help: `a mail server for password resets, invitations and security notices: ${EXAMPLE}, or smtp:// for STARTTLS`,
    read: readServer,
  }),
  mailFrom: defineSetting({
    flag: 'mail-from',
    env: 'REEVE_MAIL_FROM',
    placeholder: '<address>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the sender of e-mails, such as Reeve <reeve@example.com>; required with REEVE_SMTP_URL',
    read: readSender,
  }),
}

/** One of the two settings without the other. */
export const listMailProblems = (isSet: (variable: string) => boolean): string[] => {
  const { smtpUrl, mailFrom } = mailSettings
  if (isSet(smtpUrl.env) && !isSet(mailFrom.env))
    return [`${mailFrom.env} is missing. ${smtpUrl.env} also requires the sender of the e-mails.`]
  if (isSet(mailFrom.env) && !isSet(smtpUrl.env))
    return [`${smtpUrl.env} is missing. ${mailFrom.env} also requires a mail server.`]
  return []
}

/** Settings for mails that are valid but probably unintended, one sentence each. */
export function listMailWarnings(server: MailServer | null, publicUrl: URL | null): string[] {
  if (server === null) return []
  const warnings: string[] = []
  if (publicUrl === null)
    warnings.push(
      `REEVE_PUBLIC_URL is not set. The links in e-mails lead there: set it to the URL that people open, or ${mailSettings.smtpUrl.env} is of no use.`,
    )
  if (server.tls === 'none' && !isLoopback(server.host))
    warnings.push(
      `${mailSettings.smtpUrl.env}: the connection to ${server.host} is not encrypted, and e-mails contain links to set passwords. Remove tls=none, or use smtps://.`,
    )
  return warnings
}
