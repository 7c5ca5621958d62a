import { readMailQueue } from '@reeve/auth'
import { HOUR_MS } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { pluralize } from '../format.ts'
import type { MailTransport } from '../mail/transport.ts'
import { type Finding, ok, warning } from './finding.ts'

/** A mail that waits longer than this is late. */
const LATE_MS = HOUR_MS

/** Checks the e-mails that wait, and those that were given up in the last day. Empty if there never were any. */
export async function checkMailQueue(read: Queries, now: number): Promise<Finding[]> {
  const { waiting, oldest, failed, problem } = await readMailQueue(read, now)
  const reason = problem === null ? '' : ` The last problem: ${problem}.`
  const isLate = oldest !== null && now - oldest > LATE_MS
  if (failed > 0 || isLate)
    return [
      warning(
        'mail',
        `${pluralize(failed, 'e-mail')} of the last day could not be sent, and ${waiting} wait.${reason}`,
        'Check REEVE_SMTP_URL and the mail server. The lines `mail failed` of the log say more.',
      ),
    ]
  return waiting === 0 ? [] : [ok('mail', `${pluralize(waiting, 'e-mail')} wait to be sent.`)]
}

/** Connects to the mail server and signs in, without sending anything. @param transport null if no server is set */
export async function checkMailServer(transport: MailTransport | null): Promise<Finding[]> {
  if (transport === null) return []
  try {
    await transport.verify()
    return [ok('mail', 'The mail server accepts the connection and the user.')]
  } catch (error) {
    return [
      warning(
        'mail',
        `E-mails cannot be sent: ${(error as Error).message}.`,
        'Check REEVE_SMTP_URL. Until then, nobody can reset a password by e-mail, and notices wait.',
      ),
    ]
  }
}
