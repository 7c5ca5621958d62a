import type { CreatorKeyRow } from '@reeve/auth'
import { pluralize } from '../format.ts'
import { switchOption } from './command.ts'

export const revokeKeysOption = switchOption(
  'also revoke the API keys that the account created, in all workspaces',
)

/** An API key that an account leaves behind. */
interface KeyReference {
  readonly id: string
  readonly name: string
  readonly workspaceId: string
}

export const toKeyReferences = (keys: readonly CreatorKeyRow[]): KeyReference[] =>
  keys.map(({ id, name, workspace_id: workspaceId }) => ({ id, name, workspaceId }))

/** Lines on what became of the API keys of an account; none if it had none. */
export function formatKeptKeys({
  revokedKeys,
  keptKeys,
}: {
  readonly revokedKeys: readonly string[]
  readonly keptKeys: readonly KeyReference[]
}): string[] {
  if (revokedKeys.length > 0) return [`Revoked ${pluralize(revokedKeys.length, 'API key')} of the account.`]
  if (keptKeys.length === 0) return []
  return [
    `${pluralize(keptKeys.length, 'API key')} of the account can still be used. Revoke each that is not needed:`,
    ...keptKeys.map(
      ({ id, name, workspaceId }) => `  reeve key revoke --workspace ${workspaceId} --id ${id}   # ${name}`,
    ),
  ]
}
