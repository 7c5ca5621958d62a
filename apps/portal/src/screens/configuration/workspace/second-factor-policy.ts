import { type Permission, permissions, type SecondFactorPolicy } from '@reeve/core'
import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'

/** What the owner sees of the policy of a workspace. */
export interface PolicyState {
  /** Of whom the workspace requires a second factor; null for nobody. */
  readonly policy: SecondFactorPolicy | null
  /** How many members need a second factor and have none. */
  readonly membersWithout: number
}

export const secondFactorPolicyQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'workspaces', 'second-factor-policy'],
    queryFn: async (): Promise<PolicyState> => {
      const { policy, membersWithoutSecondFactor } = await unwrap(
        api.GET('/portal/api/second-factor-policy', { params: { query: { workspaceId } } }),
      )
      const required = JSON.parse(policy.permissions) as Permission[]
      return {
        policy: required.length === 0 ? null : { permissions: required, graceDays: Number(policy.graceDays) },
        membersWithout: Number(membersWithoutSecondFactor),
      }
    },
  })

/** Sets the policy of a workspace. Without permissions, nobody needs a second factor. */
export const saveSecondFactorPolicy = (
  workspaceId: string,
  { permissions: required, graceDays }: SecondFactorPolicy,
) =>
  unwrap(
    api.PATCH('/portal/api/second-factor-policy', {
      body: { workspaceId, permissions: JSON.stringify(required), graceDays: String(graceDays) },
    }),
  )

/** Everything that changes something. */
export const SUGGESTED_PERMISSIONS: readonly Permission[] = permissions.filter(
  (permission) => !permission.endsWith('.view'),
)
