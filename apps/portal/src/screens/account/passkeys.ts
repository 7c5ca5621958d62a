import { queryOptions } from '@tanstack/react-query'
import { api, type PortalSchemas, unwrap } from '../../api/client.ts'
import { factorsQuery } from './factors.ts'

/** A passkey of the user. */
export type Passkey = PortalSchemas['Passkey']

/** The user's passkeys, and where passkeys work. */
export const passkeysQuery = queryOptions({ ...factorsQuery, select: ({ passkeys }) => passkeys })

export const renamePasskey = (id: string, name: string) =>
  unwrap(api.PATCH('/portal/api/passkeys', { body: { id, name } }))

export const removePasskey = (id: string) =>
  unwrap(api.DELETE('/portal/api/passkeys', { params: { query: { id } } }))
