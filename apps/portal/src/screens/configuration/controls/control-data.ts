import type { Endpoint, SwitchableEndpoint } from '@reeve/core'
import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import type { Mode } from './endpoint-labels.ts'

/** The switch of an endpoint. */
export interface Control {
  readonly endpoint: Endpoint
  readonly mode: Mode
  readonly message: string | null
  readonly updatedAt: string | null
  readonly updatedByUsername: string | null
}

/** Everything there is of switches in a workspace begins its keys with this. */
export const controlsKey = (workspaceId: string) => [workspaceId, 'endpoint-controls'] as const

/** The switch of every endpoint. */
export const controlsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: controlsKey(workspaceId),
    queryFn: async (): Promise<readonly Control[]> => {
      const query = { workspaceId }
      const { controls } = await unwrap(api.GET('/portal/api/endpoint-controls', { params: { query } }))
      return controls as readonly Control[]
    },
  })

/** Switches an endpoint, from the next call on. @param message none where it is empty */
export const setControl = (workspaceId: string, endpoint: SwitchableEndpoint, mode: Mode, message: string) =>
  unwrap(
    api.POST('/portal/api/endpoint-controls', {
      body: { workspaceId, endpoint, mode, message: message.trim() === '' ? null : message },
    }),
  )
