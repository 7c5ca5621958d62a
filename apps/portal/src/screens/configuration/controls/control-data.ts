import type { Endpoint, SwitchableEndpoint } from '@reeve/core'
import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import type { Mode } from './endpoint-labels.ts'

/** The mode of an endpoint. */
export interface Control {
  readonly endpoint: Endpoint
  readonly mode: Mode
  readonly message: string | null
  readonly updatedAt: string | null
  readonly updatedByUsername: string | null
}

/** Query key of the endpoint controls of a workspace. */
export const controlsKey = (workspaceId: string) => [workspaceId, 'endpoint-controls'] as const

/** The controls of all endpoints. */
export const controlsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: controlsKey(workspaceId),
    queryFn: async (): Promise<readonly Control[]> => {
      const query = { workspaceId }
      const { controls } = await unwrap(api.GET('/portal/api/endpoint-controls', { params: { query } }))
      return controls as readonly Control[]
    },
  })

/** What the dialog changes of a control. */
export interface StoredMode {
  readonly mode: Mode
  readonly message: string
  /** When it was last changed; empty if never. */
  readonly version: string
}

export const toStoredMode = ({
  mode,
  message,
  updatedAt,
}: Pick<Control, 'mode' | 'message' | 'updatedAt'>): StoredMode => ({
  mode,
  message: message ?? '',
  version: updatedAt ?? '',
})

/**
 * Sets the mode of an endpoint, effective with the next request.
 * @param message none if empty
 * @param before what the user has seen
 * @throws ApiError `version_mismatch` if somebody else has changed it since then
 */
export async function setControl(
  workspaceId: string,
  endpoint: SwitchableEndpoint,
  { mode, message }: Pick<StoredMode, 'mode' | 'message'>,
  before: StoredMode,
): Promise<StoredMode> {
  const { control } = await unwrap(
    api.POST('/portal/api/endpoint-controls', {
      body: {
        workspaceId,
        endpoint,
        mode,
        message: message.trim() === '' ? null : message,
        expectedUpdatedAt: before.version === '' ? null : before.version,
      },
    }),
  )
  return toStoredMode(control)
}
