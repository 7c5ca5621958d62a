import {
  assertPasswordPolicy,
  createAccount,
  findAccountByUsername,
  hashPassword,
  listAllAccounts,
  setPassword,
  username,
} from '@reeve/auth'
import { AppError } from '@reeve/core'
import { cliActor, formatTable, instanceCommand, required, secret, switchOption } from './command.ts'

const name = required('<name>', 'the name to sign in with', username)
const password = secret('read the password from standard input')

export const createUserCommand = instanceCommand({
  options: { username: name, password, operator: switchOption('may run the whole instance') },
  async run({ db, ports }, input) {
    assertPasswordPolicy(input.password)
    const passwordHash = await hashPassword(input.password)
    const account = await db.write((tx) =>
      createAccount(tx, ports, cliActor(ports), {
        username: input.username,
        passwordHash,
        isOperator: input.operator,
      }),
    )
    return { userId: account.id }
  },
  print: ({ userId }) => `The account is made: ${userId}.`,
})

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

export const resetPasswordCommand = instanceCommand({
  options: { username: name, password },
  async run({ db, ports }, input) {
    assertPasswordPolicy(input.password)
    const account = await findAccountByUsername(db.read, input.username)
    if (!account) {
      throw new AppError('not_found', {
        message: `There is no account named ${input.username}; \`reeve user list\` shows them.`,
      })
    }
    const passwordHash = await hashPassword(input.password)
    await db.write((tx) => setPassword(tx, ports, cliActor(ports), { accountId: account.id, passwordHash }))
    return { userId: account.id }
  },
  print: () => 'The password is changed, and every session of the account has ended.',
})
