import { listAllAccounts } from '@reeve/auth'
import { formatTable, instanceCommand } from '../command-line/command.ts'

export const listUsersCommand = instanceCommand({
  options: {},
  run: ({ db }) => listAllAccounts(db.read),
  print: ({ accounts }) =>
    formatTable(
      ['ID', 'USERNAME', 'OPERATOR', 'STATUS', 'CREATED'],
      accounts.map((account) => [
        account.id,
        account.username,
        account.operator,
        account.status,
        account.createdAt,
      ]),
    ),
})
