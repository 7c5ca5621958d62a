/** Something that happened to an account and that its owner should know about. */
export type SecurityNotice =
  | { readonly event: 'new_device'; readonly ip: string; readonly userAgent: string }
  | { readonly event: 'password_set' }
  | { readonly event: 'link_created' }
  | { readonly event: 'factor_added'; readonly factor: 'passkey' | 'totp'; readonly name?: string }
  | { readonly event: 'factor_removed'; readonly factor: 'passkey' | 'totp'; readonly name?: string }
  | { readonly event: 'factors_reset' }
  | { readonly event: 'recovery_code_used'; readonly remaining: number }
  | { readonly event: 'recovery_codes_created' }
  | { readonly event: 'identity_linked'; readonly provider: string }
  | { readonly event: 'identity_unlinked'; readonly provider: string }
  | { readonly event: 'email_changed' }
  | { readonly event: 'email_removed' }

/** Somebody has asked for a link to set a password. Answered in the background, so that the response reveals nothing. */
export interface PasswordResetRequest {
  readonly kind: 'password_reset'
  /** A username or an e-mail address, as it was entered. */
  readonly login: string
  readonly ip: string
  readonly requestId: string
}

/** What a mail says; its text is written when it is sent. Times are in epoch milliseconds. */
export type MailContent =
  | {
      readonly kind: 'password_link'
      readonly username: string
      readonly token: string
      readonly expiresAt: number
    }
  | { readonly kind: 'no_password'; readonly username: string }
  | {
      readonly kind: 'email_code'
      readonly username: string
      readonly code: string
      readonly expiresAt: number
    }
  | {
      /** Links count for the account that sends them, other invitations for the one that gets them. */
      readonly kind: 'invitation' | 'invitation_link'
      readonly groupName: string
      readonly invitedBy: string
      /** Of a link; null for an invitation to an account. */
      readonly token: string | null
      readonly expiresAt: number
    }
  | {
      readonly kind: 'notice'
      readonly username: string
      readonly notice: SecurityNotice
      readonly at: number
    }

export type MailKind = MailContent['kind']
