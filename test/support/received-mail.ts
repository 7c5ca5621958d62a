/** A mail that a server has received. */
export interface ReceivedMail {
  /** The recipients of the envelope. */
  readonly recipients: readonly string[]
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly subject: string
  readonly text: string
  /** As it was received. */
  readonly source: string
}

const decodeQuotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

const decodeBody = (body: string, encoding: string): string =>
  encoding === 'base64'
    ? Buffer.from(body, 'base64').toString('utf8')
    : encoding === 'quoted-printable'
      ? decodeQuotedPrintable(body)
      : Buffer.from(body, 'latin1').toString('utf8')

/** RFC 2047. */
const decodeHeader = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_match, encoding: string, word: string) =>
      decodeBody(
        encoding.toUpperCase() === 'Q' ? word.replaceAll('_', ' ') : word,
        encoding.toUpperCase() === 'Q' ? 'quoted-printable' : 'base64',
      ),
    )

/** Parses a mail of one part. @param source with the bytes as characters */
export function parseMail(source: string, recipients: readonly string[]): ReceivedMail {
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), decodeHeader(line.slice(colon + 1).trim())] as const
    }),
  )
  const encoding = (headers.get('content-transfer-encoding') ?? '').toLowerCase()
  return {
    recipients,
    headers,
    subject: headers.get('subject') ?? '',
    text: decodeBody(source.slice(end + 4), encoding).replaceAll('\r\n', '\n'),
    source,
  }
}

/** Whether a mail was sent to an address and contains a text. */
export const isMailFor = ({ recipients, subject, text }: ReceivedMail, to: string, part: string): boolean =>
  recipients.includes(to) && `${subject}\n${text}`.includes(part)

/** The token of the first link with a fragment. */
export function readMailToken({ text }: ReceivedMail): string {
  const token = /https?:\/\/\S+#(\S+)/.exec(text)?.[1]
  if (token === undefined) throw new Error(`the mail has no link: ${text}`)
  return token
}

/** The code to confirm an address. */
export function readMailCode({ text }: ReceivedMail): string {
  const code = /^[0-9A-Z]{4}-[0-9A-Z]{4}$/m.exec(text)?.[0]
  if (code === undefined) throw new Error(`the mail has no code: ${text}`)
  return code
}
