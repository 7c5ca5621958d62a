import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { meQuery } from '../../api/me.ts'

/** The secret for an authenticator app, until its first code is confirmed. */
export interface TotpEnrolment {
  /** Names the enrolment. */
  readonly token: string
  /** In Base32, for apps that cannot scan. */
  readonly secret: string
  /** The content of the QR code. */
  readonly uri: string
}

/** The passkeys and second factors of the user. */
export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: () => unwrap(api.GET('/portal/api/factors')),
})

/** Refetches what a change of the factors has changed. */
export function useRefreshFactors(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: factorsQuery.queryKey }),
      client.invalidateQueries({ queryKey: meQuery.queryKey }),
    ])
}

/** Generates the secret for an authenticator app. */
export const startTotpEnrolment = (): Promise<TotpEnrolment> => unwrap(api.POST('/portal/api/factors/totp'))

/** Adds the authenticator app. @returns recovery codes, if the account had none */
export const confirmTotpEnrolment = async (body: {
  readonly token: string
  readonly code: string
}): Promise<readonly string[] | null> =>
  (await unwrap(api.POST('/portal/api/factors/totp/confirm', { body }))).recoveryCodes

/** Removes the authenticator app. */
export const removeTotp = () => unwrap(api.DELETE('/portal/api/factors/totp'))

/** Replaces the recovery codes. @returns the new ones */
export const replaceRecoveryCodes = async (): Promise<readonly string[]> =>
  (await unwrap(api.POST('/portal/api/factors/recovery-codes'))).recoveryCodes
