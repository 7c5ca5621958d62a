import type { BlankedRow } from '@reeve/audit'

/** The account whose name is blanked. */
export interface AccountName {
  readonly accountId: string
  readonly name: string
  /** When the account was deleted: from then on, somebody else can have the name. */
  readonly deletedAt: number
}

/** The fields that contain the username of an account, with the field beside them that has its ID. */
const ID_OF_NAME: Readonly<Record<string, string>> = {
  username: 'accountId',
  actorUsername: 'actorUserId',
  authorUsername: 'authorId',
  createdByUsername: 'createdBy',
  revokedByUsername: 'revokedBy',
  owner: 'ownerId',
  trainingHost: 'hostAccountId',
}

/** Comments always have a name; other fields have none. */
const blankValue = (field: string): '' | null => (field === 'authorUsername' ? '' : null)

/**
 * Removes the username of an account from the fields that contain usernames, where they mean the account: others can have had the name
 * since, and an API key can have sent it as that of a player.
 * @param row the row of the audit log whose changes the JSON is
 * @returns the same text if none has it
 */
export function blankNameInJson(json: string, account: AccountName, row?: BlankedRow): string {
  if (!json.includes(JSON.stringify(account.name))) return json
  let isChanged = false
  const blanked = JSON.stringify(
    JSON.parse(json),
    function (this: Readonly<Record<string, unknown>>, field, value) {
      if (value !== account.name || !meansAccount(this, field, account, row)) return value
      isChanged = true
      return blankValue(field)
    },
  )
  return isChanged ? blanked : json
}

function meansAccount(
  fields: Readonly<Record<string, unknown>>,
  field: string,
  { accountId, deletedAt }: AccountName,
  row: BlankedRow | undefined,
): boolean {
  const idField = ID_OF_NAME[field]
  if (idField === undefined) return false
  if (field !== 'username') return fields[idField] === accountId
  // An invitation has only the name that was typed.
  if (row?.target_kind === 'invitation')
    return (typeof fields.createdAt === 'string' ? Date.parse(fields.createdAt) : row.at) <= deletedAt
  // The log leaves out the ID of a member, which is that of the target.
  return (fields[idField] ?? row?.target_id) === accountId
}
