import { FIRST_USERNAME_KEY } from '@reeve/db'

export const creatorStatuses = ['member', 'left', 'disabled', 'deleted'] as const

/** What a statement reads about who created something. */
export interface CreatorColumns {
  /** The normalized username of the creator; null if it was not an account. */
  readonly creator_key: string | null
  readonly creator_disabled_at: number | null
  /** The creator as a member of the workspace; null if they are none. */
  readonly creator_member_id: string | null
}

/** Whether the creator is an enabled member of the workspace, as the command line is, too; otherwise why not. */
export function getCreatorStatus(row: CreatorColumns): (typeof creatorStatuses)[number] {
  if (row.creator_key === null) return 'member'
  if (row.creator_key < FIRST_USERNAME_KEY) return 'deleted'
  if (row.creator_disabled_at !== null) return 'disabled'
  return row.creator_member_id === null ? 'left' : 'member'
}
