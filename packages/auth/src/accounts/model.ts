import { permissions, wire } from '@reeve/core'
import type { SessionTable } from '@reeve/db'
import {
  inputField,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import type { MembershipPermissions } from '../gate/membership.ts'
import { existingPassword, newPassword } from '../methods/password-hash.ts'
import { username } from './account.ts'

/** A name to look an account up by: any text, so that the rules of today lock nobody out. */
const existingUsername = wire.text({ min: 1, max: 200, example: username.example })

export const SignInRequest = requestObject({
  username: inputField(existingUsername, 'Without regard to case'),
  password: inputField(existingPassword),
})

export const PasswordRequest = requestObject({
  currentPassword: inputField(existingPassword, 'The present one'),
  newPassword: inputField(newPassword, 'The one to be'),
})

export const FirstRunRequest = requestObject({
  code: inputField(wire.text({ min: 1, max: 100, example: '7K3M-Q9TX-2ZBD' }), 'From the log of the server'),
  username: inputField(username, 'Of the first operator'),
  password: inputField(newPassword),
  groupName: inputField(wire.text({ min: 1, max: 100, example: 'Night Shift' }), 'Of the first workspace'),
})

export const NoFields = requestObject({})
export const PageQuery = requestObject(pageFields)
export type PageInput = Static<typeof PageQuery>
export const SessionQuery = requestObject({ id: inputField(wire.id, 'The session') })

/** An account as it is shown to itself. */
export const Account = responseObject(
  {
    id: stringField('Id of the account'),
    username: stringField('The name it signs in with', 'robin'),
    isOperator: stringField('Whether it operates the whole instance', 'false'),
  },
  'An account',
)

export const AccountResponse = responseObject({ account: Account }, 'The account')
export const SignedOutResponse = responseObject(
  { signedOut: stringField('Always `true`', 'true') },
  'The session has ended',
)
export const FirstRunResponse = responseObject(
  { needed: stringField('Whether this instance has still to be set up', 'false') },
  'Whether set-up is needed',
)
export const SetUpResponse = responseObject(
  { account: Account, workspaceId: stringField('The first workspace') },
  'What was set up',
)

const Membership = responseObject(
  {
    id: stringField('Id of the workspace'),
    groupName: stringField('Its name', 'Night Shift'),
    status: Type.String({ enum: ['active', 'archived'], description: '`archived` ones can only be read' }),
    roles: Type.Array(
      responseObject(
        {
          id: stringField('Id of the role'),
          name: stringField('Its name', 'Moderators'),
          color: nullableString('`#rrggbb`', '#3366ff'),
        },
        'A role',
      ),
    ),
    permissions: stringField('JSON array of what the account may do there', wire.permissionSet.example),
    rank: stringField('Its highest rank there', '10'),
    isOwner: stringField('Whether it owns the workspace', 'false'),
  },
  'A workspace the account belongs to',
)

export const MeResponse = responseObject(
  {
    account: Account,
    sessionId: stringField('The session of this call'),
    workspaces: Type.Array(Membership),
  },
  'Who is signed in',
)

const Session = responseObject(
  {
    id: stringField('Id of the session'),
    createdAt: stringField('When it began', wire.time.example),
    lastSeenAt: stringField('When it was last used, to the minute', wire.time.example),
    expiresAt: stringField('When it ends at the latest', wire.time.example),
    address: stringField('Where it began', '203.0.113.7'),
    userAgent: stringField('The browser it began in'),
    current: stringField('Whether it is the session of this call', 'true'),
  },
  'A session',
)

export const SessionsResponse = responseObject(
  { sessions: Type.Array(Session), nextCursor: nullableString('Give it as `cursor` for the next page') },
  'Sessions, newest first',
)
export const SessionEndedResponse = responseObject(
  { id: stringField('The session that ended') },
  'The session has ended',
)

export const presentAccount = (account: { id: string; username: string; isOperator: boolean }) => ({
  id: account.id,
  username: account.username,
  isOperator: wire.boolean.write(account.isOperator),
})

export const presentSession = (row: SessionTable, currentId: string | null): Static<typeof Session> => ({
  id: row.id,
  createdAt: wire.time.write(row.created_at),
  lastSeenAt: wire.time.write(row.last_seen_at),
  expiresAt: wire.time.write(row.expires_at),
  address: row.address,
  userAgent: row.user_agent,
  current: wire.boolean.write(row.id === currentId),
})

/** One workspace of an account: a row for each of its roles there, one of nulls where it has none. */
export interface MembershipRow {
  readonly workspace_id: string
  readonly group_name: string
  readonly archived_at: number | null
  readonly role_id: string | null
  readonly role_name: string | null
  readonly color: string | null
  readonly is_owner: number | null
}

export function presentMembership(
  rows: readonly MembershipRow[],
  membership: MembershipPermissions,
): Static<typeof Membership> {
  const [first] = rows
  if (!first) throw new Error('a workspace without a row')
  return {
    id: first.workspace_id,
    groupName: first.group_name,
    status: first.archived_at === null ? 'active' : 'archived',
    roles: rows.flatMap(({ role_id: id, role_name: name, color }) =>
      id === null || name === null ? [] : [{ id, name, color }],
    ),
    permissions: wire.permissionSet.write(
      permissions.filter((permission) => membership.permissions.has(permission)),
    ),
    rank: String(membership.rank),
    isOwner: wire.boolean.write(rows.some((row) => row.is_owner === 1)),
  }
}
