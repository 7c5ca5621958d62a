import { Account, pauseWebhookIds, revokeKeyIds, username } from '@reeve/auth'
import { wire } from '@reeve/core'
import {
  inputField,
  nextCursor,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

const searchField = (description: string) =>
  inputField(wire.text({ max: 100, example: 'rob' }), `Only ${description}, ignoring case`)

export const AccountsQuery = requestObject({
  id: inputField(wire.id, 'One account instead of the list'),
  q: searchField('accounts whose username contains this'),
  operators: inputField(wire.boolean, '`true`: only operators'),
  disabled: inputField(wire.boolean, '`true`: only disabled accounts'),
  ...pageFields,
})
export type AccountsQueryInput = Static<typeof AccountsQuery>

const isOperator = inputField(wire.boolean, 'Whether it is an operator of the whole instance')
const id = inputField(wire.id, 'The account')

export const NewAccountRequest = requestObject({
  username: inputField(username),
  isOperator,
})
export const FactorResetRequest = requestObject({ id })
export const PasswordLinkRequest = requestObject({ id })
export const AccountRequest = requestObject({
  id,
  isOperator,
  disabled: inputField(wire.boolean, '`true` ends its sessions and prevents it from signing in'),
  revokeKeyIds,
  pauseWebhookIds,
})
/** The query of lists of what an account leaves behind. */
export const AccountCreationsQuery = requestObject({ id })
export const DeleteAccountQuery = requestObject({ id, revokeKeyIds, pauseWebhookIds })
export const DeleteOwnAccountRequest = requestObject({ revokeKeyIds, pauseWebhookIds })
/** What becomes of what a deleted account created. */
export type AccountDeletion = Static<typeof DeleteOwnAccountRequest>
export type AccountChange = Static<typeof AccountRequest>

const ListedAccount = responseObject(
  {
    ...Account.properties,
    status: Type.String({ enum: ['active', 'disabled'], description: 'A disabled account cannot sign in' }),
    disabledAt: nullableString('When it was disabled'),
    createdAt: stringField('When it was created', wire.time.example),
    lastSeenAt: nullableString('When one of its sessions was last used; null if it has none'),
    workspaces: stringField('Number of workspaces it is a member of', '2'),
    hasSecondFactor: stringField('Whether signing in needs a second factor', 'true'),
  },
  'An account',
)

export const AccountsResponse = responseObject(
  { accounts: Type.Array(ListedAccount), nextCursor },
  'Accounts, by username',
)
export const AccountResponse = responseObject({ account: ListedAccount }, 'The account')
export const AccountWithLinkResponse = responseObject(
  {
    account: ListedAccount,
    link: responseObject(
      {
        token: stringField('Shown only once. The link is `/sign-in/password#<token>`', 'R2h5c3RlcnM'),
        expiresAt: stringField('When it stops working', wire.time.example),
      },
      'A link that works once',
    ),
  },
  'The account, and the link with which its owner sets a password',
)
export const AccountDetailResponse = responseObject(
  {
    account: ListedAccount,
    workspaces: Type.Array(
      responseObject(
        {
          id: stringField('ID of the workspace'),
          groupName: stringField('Its name', 'Night shift'),
          isOwner: stringField('Whether the account owns it', 'false'),
        },
        'A workspace that the account is a member of',
      ),
    ),
  },
  'The account and its workspaces',
)

export const DeletedAccountResponse = responseObject(
  { id: stringField('The deleted account') },
  'The account was deleted',
)

export const WorkspacesQuery = requestObject({
  q: searchField('workspaces whose name or owner contains this, or whose ID is this'),
  deleting: inputField(wire.boolean, '`true`: only workspaces whose deletion was requested'),
  ...pageFields,
})
export type WorkspacesQueryInput = Static<typeof WorkspacesQuery>

export const WorkspacesResponse = responseObject(
  {
    workspaces: Type.Array(
      responseObject(
        {
          id: stringField('ID of the workspace'),
          groupName: stringField('Its name', 'Night shift'),
          ownerId: stringField('The account that owns it'),
          owner: stringField('Username of the owner', 'robin'),
          status: Type.String({
            enum: ['active', 'archived'],
            description: 'An archived workspace is read-only',
          }),
          archivedAt: nullableString('When it was archived'),
          deleteAt: nullableString('When it will be deleted; null unless its owner has requested that'),
          createdAt: stringField('When it was created', wire.time.example),
          members: stringField('Number of members', '12'),
          records: stringField('Number of assigned case numbers', '4211'),
          monthlyQuota: nullableString('Requests per calendar month (UTC); null means no limit'),
          callsThisMonth: stringField('Requests since the start of the month (UTC)', '31000'),
          storageBytes: stringField('Stored bytes', '1200000000'),
          storageQuota: nullableString(
            'Its own storage quota in bytes; 0 means no limit, null the default of the instance',
          ),
          storageLimit: nullableString('The storage quota that applies, in bytes; null means no limit'),
        },
        'A workspace',
      ),
    ),
    nextCursor,
  },
  'Workspaces, newest first',
)

const countField = (description: string) => stringField(description, '12')

const Disk = responseObject(
  { freeBytes: countField('Free space in bytes'), totalBytes: countField('Size in bytes') },
  'The disk of the data folder',
)

export const InstanceResponse = responseObject(
  {
    instance: responseObject(
      {
        version: stringField('Version of Reeve', '1.0.0'),
        engine: stringField('The database and its version', 'SQLite 3.54.1'),
        startedAt: stringField('When the process started', wire.time.example),
        uptimeSeconds: countField('Seconds since startup'),
        memoryBytes: countField('Resident memory of the process'),
        databaseBytes: countField('Size of the database on disk, including the write-ahead log'),
        disk: Type.Union([Disk, Type.Null()], {
          nullable: true,
          description: `${Disk.description}. Null if the data is in PostgreSQL`,
        }),
        media: responseObject(
          { count: countField('Number of images in the database'), bytes: countField('Their size in bytes') },
          'Images of events',
        ),
        writes: responseObject(
          {
            committed: countField('Write transactions committed since startup'),
            waiting: countField('Write transactions waiting now'),
          },
          'Write load of the database',
        ),
        accounts: countField('Number of accounts'),
        workspaces: countField('Number of workspaces'),
        records: countField('Number of assigned case numbers in all workspaces'),
        openReports: countField('Number of reports about workspaces that are not resolved'),
        backup: responseObject(
          {
            verdict: Type.String({
              enum: ['ok', 'warning', 'fault'],
              description: 'The verdict of `reeve doctor` on the backups',
            }),
            found: stringField(
              'The verdict as a sentence',
              'The last backup is 3 hours old: backups/reeve.db.',
            ),
            advice: nullableString('What to do about it'),
            madeAt: nullableString('When the last verified backup was created'),
            file: nullableString('Its path'),
            failedAt: nullableString('When the last attempt failed; null if it succeeded'),
            problem: nullableString('Why it failed'),
          },
          'The last backup',
        ),
        warnings: Type.Array(
          responseObject(
            {
              found: stringField(
                'What was found',
                'A request was for the host reeve.lan, but REEVE_PUBLIC_URL is not set.',
              ),
              advice: stringField('What to do', 'Set it to the URL that people type.'),
            },
            'A mistake in the deployment',
          ),
          { description: 'What requests say about mistakes in the deployment, since the process started' },
        ),
      },
      'The status of the instance',
    ),
  },
  'The status of the instance',
)
