import { Account, newPassword, username } from '@reeve/auth'
import { wire } from '@reeve/core'
import {
  inputField,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

const q = (description: string) =>
  inputField(wire.text({ max: 100, example: 'rob' }), `Only those ${description}, ignoring case`)

const nextCursor = nullableString('Give it as `cursor` for the next page')

export const AccountsQuery = requestObject({
  id: inputField(wire.id, 'One account instead of the list'),
  q: q('whose username holds this'),
  operators: inputField(wire.boolean, '`true`: only operators'),
  disabled: inputField(wire.boolean, '`true`: only disabled ones'),
  ...pageFields,
})
export type AccountsQueryInput = Static<typeof AccountsQuery>

const isOperator = inputField(wire.boolean, 'Whether it operates the whole instance')
const id = inputField(wire.id, 'The account')

export const NewAccountRequest = requestObject({
  username: inputField(username),
  password: inputField(newPassword),
  isOperator,
})
export const PasswordResetRequest = requestObject({ id, password: inputField(newPassword, 'The one to be') })
export const AccountRequest = requestObject({
  id,
  isOperator,
  disabled: inputField(wire.boolean, '`true` ends its sessions and keeps it from signing in'),
})
export type AccountChange = Static<typeof AccountRequest>

const ListedAccount = responseObject(
  {
    ...Account.properties,
    status: Type.String({ enum: ['active', 'disabled'], description: 'A disabled one cannot sign in' }),
    disabledAt: nullableString('Since when it is disabled'),
    createdAt: stringField('When it was made', wire.time.example),
    lastSeenAt: nullableString('When one of its sessions was last used; null where none is left'),
    workspaces: stringField('How many workspaces it is a member of', '2'),
  },
  'An account',
)

export const AccountsResponse = responseObject(
  { accounts: Type.Array(ListedAccount), nextCursor },
  'Accounts by username',
)
export const AccountResponse = responseObject({ account: ListedAccount }, 'The account')
export const AccountDetailResponse = responseObject(
  {
    account: ListedAccount,
    workspaces: Type.Array(
      responseObject(
        {
          id: stringField('Id of the workspace'),
          groupName: stringField('Its name', 'Night shift'),
          isOwner: stringField('Whether the account owns it', 'false'),
        },
        'A workspace that it is a member of',
      ),
    ),
  },
  'The account, and the workspaces that it is a member of',
)

export const WorkspacesQuery = requestObject({
  q: q('whose name, or whose owner, holds this, and the one of this id'),
  ...pageFields,
})
export type WorkspacesQueryInput = Static<typeof WorkspacesQuery>

export const WorkspacesResponse = responseObject(
  {
    workspaces: Type.Array(
      responseObject(
        {
          id: stringField('Id of the workspace'),
          groupName: stringField('Its name', 'Night shift'),
          ownerId: stringField('The account that owns it'),
          owner: stringField('Its username', 'robin'),
          status: Type.String({
            enum: ['active', 'archived'],
            description: 'An archived workspace can be read, not changed',
          }),
          archivedAt: nullableString('Since when it is archived'),
          createdAt: stringField('When it was made', wire.time.example),
          members: stringField('How many members it has', '12'),
          records: stringField('How many case numbers it has given out', '4211'),
          monthlyQuota: nullableString('Calls a calendar month (UTC); null is without limit'),
          callsThisMonth: stringField('Calls since the month (UTC) began', '31000'),
        },
        'A workspace',
      ),
    ),
    nextCursor,
  },
  'Workspaces, newest first',
)

const count = (description: string) => stringField(description, '12')

const Disk = responseObject(
  { freeBytes: count('Room that is left'), totalBytes: count('How large it is') },
  'The disk of the data folder',
)

export const InstanceResponse = responseObject(
  {
    instance: responseObject(
      {
        version: stringField('Of the program', '1.0.0'),
        engine: stringField('The database and its version', 'SQLite 3.54.1'),
        startedAt: stringField('When the process began to answer', wire.time.example),
        uptimeSeconds: count('Seconds since then'),
        memoryBytes: count('What the process holds in memory'),
        databaseBytes: count('The database on the disk, its log included'),
        disk: Type.Union([Disk, Type.Null()], {
          nullable: true,
          description: `${Disk.description}. Null where the data lies on a database server`,
        }),
        media: responseObject(
          { count: count('How many images the database holds'), bytes: count('Their bytes') },
          'Images of events',
        ),
        writes: responseObject(
          {
            committed: count('Units of work put on the disk since the start'),
            waiting: count('Units of work that wait at this moment'),
          },
          'How busy the database is',
        ),
        accounts: count('How many accounts'),
        workspaces: count('How many workspaces'),
        records: count('How many case numbers were given out in all workspaces'),
        backup: responseObject(
          {
            verdict: Type.String({
              enum: ['ok', 'warning', 'fault'],
              description: 'What `reeve doctor` says of the backups',
            }),
            found: stringField('It in a sentence', 'The last backup is 3 hours old: backups/reeve.db.'),
            advice: nullableString('What to do about it'),
            madeAt: nullableString('When the last one was made; it gets its name once it has been checked'),
            file: nullableString('Where it lies'),
            failedAt: nullableString('When the last attempt failed, where it did'),
            problem: nullableString('Why it failed'),
          },
          'The last backup',
        ),
      },
      'How the instance is',
    ),
  },
  'How the instance is',
)
