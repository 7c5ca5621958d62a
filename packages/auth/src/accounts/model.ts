import { parsePlatforms, permissions, switchableEndpoints, wire } from '@reeve/core'
import type { EndpointControlTable } from '@reeve/db'
import { inputField, nullableString, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { verificationFactorsField } from '../factors/model.ts'
import type { Membership as MembershipAccess } from '../gate/membership.ts'
import { needsSecondFactor } from '../gate/second-factor-policy.ts'
import { newPassword } from '../methods/password/policy.ts'
import { workspaceCreations } from '../settings.ts'
import { username } from './username.ts'

export const FirstRunRequest = requestObject({
  code: inputField(
    wire.text({ min: 1, max: 100, example: '7K3M-Q9TX-2ZBD' }),
    'The setup code from the server log',
  ),
  username: inputField(username, 'Username of the first operator'),
  password: inputField(newPassword),
  groupName: inputField(
    wire.name({ min: 1, max: 100, example: 'Night Shift' }),
    'Name of the first workspace',
  ),
})

export const Account = responseObject(
  {
    id: stringField('Account id'),
    username: stringField('Username', 'robin'),
    isOperator: stringField('Whether the account operates the instance', 'false'),
  },
  'An account',
)

export const AccountResponse = responseObject({ account: Account }, 'The account')
export const FirstRunResponse = responseObject(
  { needed: stringField('Whether this instance still has to be set up', 'false') },
  'Whether setup is needed',
)
export const SetUpResponse = responseObject(
  { account: Account, workspaceId: stringField('Id of the first workspace') },
  'The first operator and workspace',
)

const missingSecondFactors = ['none', 'add', 'verify'] as const

const RestrictedEndpoint = responseObject(
  {
    endpoint: Type.String({
      enum: [...switchableEndpoints],
      description: 'Last segment of the endpoint path',
    }),
    mode: Type.String({
      enum: ['read_only', 'off'],
      description: '`read_only` (writes are rejected) or `off` (all requests are rejected)',
    }),
    message: nullableString('Error message of rejected requests; `null` for the default message'),
  },
  'An endpoint of the workspace that is not fully on; every member may know',
)

const Membership = responseObject(
  {
    id: stringField('Workspace id'),
    groupName: stringField('Workspace name', 'Night Shift'),
    status: Type.String({ enum: ['active', 'archived'], description: '`archived` workspaces are read-only' }),
    deleteAt: nullableString('When it will be deleted; null unless its owner has requested that'),
    profileUrl: nullableString('Link to a player’s profile, with `{id}` for the player’s id; null for none'),
    platforms: Type.Array(Type.String(), {
      description:
        'The platforms that ids of players without a platform mean, or meant before the default changed; the default first',
    }),
    roles: Type.Array(
      responseObject(
        {
          id: stringField('Role id'),
          name: stringField('Role name', 'Moderators'),
          color: nullableString('`#rrggbb`', '#3366ff'),
        },
        'A role',
      ),
    ),
    permissions: stringField(
      'JSON array of the permissions of the account in the workspace',
      wire.permissionSet.example,
    ),
    rank: stringField('Highest rank of the account in the workspace', '10'),
    isOwner: stringField('Whether the account owns the workspace', 'false'),
    restrictedEndpoints: Type.Array(RestrictedEndpoint),
    missingSecondFactor: Type.String({
      enum: [...missingSecondFactors],
      description:
        'What the workspace requires before it can be used: `add` a second factor to the account, `verify` one in this session, or `none`',
    }),
    secondFactorDueAt: nullableString(
      'From when the account cannot use the workspace without a second factor; null if the workspace does not require one',
      wire.time.example,
    ),
    sequence: stringField(
      'The sequence of the last change; as `lastEventId`, live updates continue from here',
      '42',
    ),
  },
  'A workspace that the account is a member of',
)

export const MeResponse = responseObject(
  {
    account: Account,
    hasPassword: stringField(
      'Whether the account has a password; one without signs in by other means',
      'true',
    ),
    email: nullableString(
      'Where mails to the account are sent; null if it has no address',
      'robin@example.com',
    ),
    verificationFactors: verificationFactorsField,
    verificationProviders: Type.Array(stringField('Id of the provider', 'roblox'), {
      description:
        'With which identity providers the account confirms sensitive actions, if `verificationFactors` is empty',
    }),
    missingSecondFactor: Type.String({
      enum: [...missingSecondFactors],
      description:
        'What the instance requires before anything else: `add` a second factor to the account, `verify` one in this session, or `none`',
    }),
    sessionId: stringField('Id of the current session'),
    workspaceCreation: Type.String({
      enum: [...workspaceCreations],
      description: 'Who may create workspaces on this instance',
    }),
    workspaceLimit: nullableString('How many workspaces an account may own; null for no limit', '10'),
    ownedWorkspaces: stringField('How many workspaces the account owns, archived ones included', '1'),
    receivedInvitations: stringField('How many invitations to workspaces the account has received', '0'),
    workspaces: Type.Array(Membership),
  },
  'The signed-in account',
)

/** The account fields of every response that contains an account. */
export const presentAccount = (account: { id: string; username: string; isOperator: boolean }) => ({
  id: account.id,
  username: account.username,
  isOperator: wire.boolean.write(account.isOperator),
})

/** One row per role of an account in a workspace; a single row with null role columns if it has no role. */
export interface MembershipRow {
  readonly workspace_id: string
  readonly group_name: string
  readonly archived_at: number | null
  readonly delete_at: number | null
  readonly audit_sequence: number
  readonly profile_url: string | null
  readonly platforms: string | null
  readonly role_id: string | null
  readonly role_name: string | null
  readonly color: string | null
  readonly is_owner: number | null
}

const isSwitchable = (endpoint: string): boolean =>
  (switchableEndpoints as readonly string[]).includes(endpoint)

/** An endpoint that is read-only or off. */
export type RestrictedEndpointRow = Pick<
  EndpointControlTable,
  'workspace_id' | 'endpoint' | 'mode' | 'message'
>

/** What a membership is presented with. */
interface MembershipState {
  readonly restrictedEndpoints: readonly RestrictedEndpointRow[]
  /** What the session lacks to have a second factor. */
  readonly missingSecondFactor: (typeof missingSecondFactors)[number]
  /** In epoch milliseconds. */
  readonly now: number
}

/**
 * Merges the rows of one workspace into one membership.
 * @param rows at least one
 */
export function presentMembership(
  rows: readonly MembershipRow[],
  membership: MembershipAccess,
  { restrictedEndpoints, missingSecondFactor, now }: MembershipState,
): Static<typeof Membership> {
  const [first] = rows
  if (!first) throw new Error('presentMembership: no rows')
  return {
    id: first.workspace_id,
    groupName: first.group_name,
    status: first.archived_at === null ? 'active' : 'archived',
    deleteAt: wire.writeNullableTime(first.delete_at),
    profileUrl: first.profile_url,
    platforms: [...parsePlatforms(first.platforms)],
    roles: rows.flatMap(({ role_id: id, role_name: name, color }) =>
      id === null || name === null ? [] : [{ id, name, color }],
    ),
    permissions: wire.permissionSet.write(
      permissions.filter((permission) => membership.permissions.has(permission)),
    ),
    rank: String(membership.rank),
    isOwner: wire.boolean.write(rows.some((row) => row.is_owner === 1)),
    restrictedEndpoints: restrictedEndpoints.flatMap(({ endpoint, mode, message }) =>
      isSwitchable(endpoint) ? [{ endpoint, mode, message }] : [],
    ),
    missingSecondFactor: needsSecondFactor(membership, now) ? missingSecondFactor : 'none',
    secondFactorDueAt:
      membership.secondFactorDueAt === null ? null : wire.time.write(membership.secondFactorDueAt),
    sequence: String(first.audit_sequence),
  }
}
