import { wire } from '@reeve/core'
import { formatPasswordLink } from '../methods/password/link-url.ts'
import type { MailContent, SecurityNotice } from './content.ts'

/** The subject and the text of a mail. */
export interface RenderedMail {
  readonly subject: string
  readonly text: string
}

const factorNames = { passkey: 'passkey', totp: 'authenticator app' } as const

const nameFactor = ({ factor, name }: { factor: keyof typeof factorNames; name?: string }): string =>
  name === undefined ? `${factorNames[factor]}` : `${factorNames[factor]} “${name}”`

/** What happened, as a subject and a sentence. */
function describe(notice: SecurityNotice): { readonly subject: string; readonly sentence: string } {
  switch (notice.event) {
    case 'new_device':
      return {
        subject: 'New sign-in to your account',
        sentence: `Somebody signed in to your account in a browser that has not been used for it before.\n\nIP address: ${notice.ip}\nBrowser: ${toLine(notice.userAgent) || 'unknown'}`,
      }
    case 'password_set':
      return { subject: 'Your password was changed', sentence: 'The password of your account was changed.' }
    case 'link_created':
      return {
        subject: 'A link to set your password was created',
        sentence: 'An operator created a link with which a new password can be set for your account.',
      }
    case 'factor_added':
      return {
        subject: 'A second factor was added to your account',
        sentence: `The ${nameFactor(notice)} was added to your account.`,
      }
    case 'factor_removed':
      return {
        subject: 'A second factor was removed from your account',
        sentence: `The ${nameFactor(notice)} was removed from your account.`,
      }
    case 'factors_reset':
      return {
        subject: 'Your second factors were reset',
        sentence:
          'An operator removed all second factors of your account. It can be signed in to without them.',
      }
    case 'recovery_code_used':
      return {
        subject: 'A recovery code was used',
        sentence: `A recovery code of your account was used. ${notice.remaining} are left.`,
      }
    case 'recovery_codes_created':
      return {
        subject: 'New recovery codes were created',
        sentence: 'New recovery codes were created for your account. The earlier ones no longer work.',
      }
    case 'identity_linked':
      return {
        subject: `${notice.provider} was linked to your account`,
        sentence: `An account of ${notice.provider} was linked to your account. It can be used to sign in.`,
      }
    case 'identity_unlinked':
      return {
        subject: `${notice.provider} was unlinked from your account`,
        sentence: `The account of ${notice.provider} that was linked to your account can no longer be used to sign in.`,
      }
    case 'email_changed':
      return {
        subject: 'Your e-mail address was changed',
        sentence: 'The e-mail address of your account was changed. Later mails go to the new address.',
      }
    case 'email_removed':
      return {
        subject: 'Your e-mail address was removed',
        sentence: 'The e-mail address of your account was removed. No more mails are sent to it.',
      }
  }
}

/** Control characters would end a line of a header. */
const toLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/** `2026-05-04 13:37 UTC`: the time zone of the reader is not known. */
const formatTime = (at: number): string => `${wire.time.write(at).slice(0, 16).replace('T', ' ')} UTC`

function renderLines(content: MailContent, publicUrl: URL): readonly [subject: string, ...lines: string[]] {
  switch (content.kind) {
    case 'password_link':
      return [
        'Set a new password',
        `Somebody, hopefully you, asked for a new password for the account ${toLine(content.username)}.`,
        `Open this link to set one. It works once, until ${formatTime(content.expiresAt)}:`,
        formatPasswordLink(publicUrl, content.token),
        'If you did not ask for it, ignore this mail: nothing has changed. A second factor is still required to sign in.',
      ]
    case 'no_password':
      return [
        'Your account has no password',
        `Somebody, hopefully you, asked for a new password for the account ${toLine(content.username)}.`,
        'This account has no password: sign in with a passkey or with the identity provider that is linked to it.',
        'If you cannot do that any more, an operator of the instance can create a link to set a password.',
      ]
    case 'email_code':
      return [
        'Confirm your e-mail address',
        `Enter this code to confirm the e-mail address of the account ${toLine(content.username)}:`,
        content.code,
        `It works until ${formatTime(content.expiresAt)}. If you did not ask for it, ignore this mail.`,
      ]
    case 'invitation':
    case 'invitation_link':
      return [
        `Invitation to ${toLine(content.groupName)}`,
        `${toLine(content.invitedBy)} invites you to the workspace ${toLine(content.groupName)}.`,
        content.token === null
          ? 'Sign in to accept or decline the invitation:'
          : `Open this link to accept the invitation. It works once, until ${formatTime(content.expiresAt)}:`,
        content.token === null ? publicUrl.origin : `${publicUrl.origin}/invitation#${content.token}`,
        'If you do not know who this is, ignore this mail.',
      ]
    case 'notice': {
      const { subject, sentence } = describe(content.notice)
      return [
        subject,
        sentence,
        `Account: ${toLine(content.username)}\nTime: ${formatTime(content.at)}`,
        `If this was not you, change your password, and look at your sessions and at the security activity of your account:\n${publicUrl.origin}/account`,
      ]
    }
  }
}

/** Writes a mail. @param publicUrl where its links lead */
export function renderMail(content: MailContent, publicUrl: URL): RenderedMail {
  const [subject, ...lines] = renderLines(content, publicUrl)
  return {
    subject: toLine(subject),
    text: `${lines.join('\n\n')}\n\n-- \nReeve at ${publicUrl.origin}\n`,
  }
}
