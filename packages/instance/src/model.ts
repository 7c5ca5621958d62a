import { Account, newPassword, username } from '@reeve/auth'
import { wire } from '@reeve/core'
import { answer, field, pageFields, request, shown, shownOrNull } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

const q = (of: string) => field(wire.text({ max: 100, example: 'rob' }), `Only those ${of}, ignoring case`)

const nextCursor = shownOrNull('Give it as `cursor` for the next page')

export const AccountsQuery = request({
  id: field(wire.id, 'One account instead of the list'),
  q: q('whose username holds this'),
  operators: field(wire.boolean, '`true`: only operators'),
  disabled: field(wire.boolean, '`true`: only disabled ones'),
  ...pageFields,
})
export type AccountsQueryInput = Static<typeof AccountsQuery>

const isOperator = field(wire.boolean, 'Whether it operates the whole instance')
const id = field(wire.id, 'The account')

export const NewAccountRequest = request({
  username: field(username),
  password: field(newPassword),
  isOperator,
})
export const PasswordResetRequest = request({ id, password: field(newPassword, 'The one to be') })
export const AccountRequest = request({
  id,
  isOperator,
  disabled: field(wire.boolean, '`true` ends its sessions and keeps it from signing in'),
})
export type AccountChange = Static<typeof AccountRequest>

const ListedAccount = answer(
  {
    ...Account.properties,
    status: Type.String({ enum: ['active', 'disabled'], description: 'A disabled one cannot sign in' }),
    disabledAt: shownOrNull('Since when it is disabled'),
    createdAt: shown('When it was made', wire.time.example),
    lastSeenAt: shownOrNull('When one of its sessions was last used; null where none is left'),
    workspaces: shown('How many workspaces it is a member of', '2'),
  },
  'An account',
)

export const AccountsAnswer = answer(
  { accounts: Type.Array(ListedAccount), nextCursor },
  'Accounts by username',
)
export const AccountAnswer = answer({ account: ListedAccount }, 'The account')
export const AccountDetailAnswer = answer(
  {
    account: ListedAccount,
    workspaces: Type.Array(
      answer(
        {
          id: shown('Id of the workspace'),
          groupName: shown('Its name', 'Night shift'),
          isOwner: shown('Whether the account owns it', 'false'),
        },
        'A workspace that it is a member of',
      ),
    ),
  },
  'The account, and the workspaces that it is a member of',
)

export const WorkspacesQuery = request({
  q: q('whose name, or whose owner, holds this, and the one of this id'),
  ...pageFields,
})
export type WorkspacesQueryInput = Static<typeof WorkspacesQuery>

export const WorkspacesAnswer = answer(
  {
    workspaces: Type.Array(
      answer(
        {
          id: shown('Id of the workspace'),
          groupName: shown('Its name', 'Night shift'),
          ownerId: shown('The account that owns it'),
          owner: shown('Its username', 'robin'),
          status: Type.String({
            enum: ['active', 'archived'],
            description: 'An archived workspace can be read, not changed',
          }),
          archivedAt: shownOrNull('Since when it is archived'),
          createdAt: shown('When it was made', wire.time.example),
          members: shown('How many members it has', '12'),
          records: shown('How many case numbers it has given out', '4211'),
          monthlyQuota: shownOrNull('Calls a calendar month (UTC); null is without limit'),
          callsThisMonth: shown('Calls since the month (UTC) began', '31000'),
        },
        'A workspace',
      ),
    ),
    nextCursor,
  },
  'Workspaces, newest first',
)

const count = (of: string) => shown(of, '12')

const Disk = answer(
  { freeBytes: count('Room that is left'), totalBytes: count('How large it is') },
  'The disk of the data folder',
)

export const InstanceAnswer = answer(
  {
    instance: answer(
      {
        version: shown('Of the program', '1.0.0'),
        engine: shown('The database and its version', 'SQLite 3.54.1'),
        startedAt: shown('When the process began to answer', wire.time.example),
        uptimeSeconds: count('Seconds since then'),
        memoryBytes: count('What the process holds in memory'),
        databaseBytes: count('The database on the disk, its log included'),
        disk: Type.Union([Disk, Type.Null()], {
          nullable: true,
          description: `${Disk.description}. Null where the data lies on a database server`,
        }),
        media: answer(
          { count: count('How many images the database holds'), bytes: count('Their bytes') },
          'Images of events',
        ),
        writes: answer(
          {
            committed: count('Units of work put on the disk since the start'),
            waiting: count('Units of work that wait at this moment'),
          },
          'How busy the database is',
        ),
        accounts: count('How many accounts'),
        workspaces: count('How many workspaces'),
        records: count('How many case numbers were given out in all workspaces'),
        backup: answer(
          {
            verdict: Type.String({
              enum: ['ok', 'warning', 'fault'],
              description: 'What `reeve doctor` says of the backups',
            }),
            found: shown('It in a sentence', 'The last backup is 3 hours old: backups/reeve.db.'),
            advice: shownOrNull('What to do about it'),
            madeAt: shownOrNull('When the last one was made; it gets its name once it has been checked'),
            file: shownOrNull('Where it lies'),
            failedAt: shownOrNull('When the last attempt failed, where it did'),
            problem: shownOrNull('Why it failed'),
          },
          'The last backup',
        ),
      },
      'How the instance is',
    ),
  },
  'How the instance is',
)
