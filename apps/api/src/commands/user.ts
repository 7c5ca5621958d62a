import {
  accountNamed,
  allAccounts,
  createAccount,
  hashPassword,
  needGoodPassword,
  setPassword,
  username,
} from '@reeve/auth'
import { AppError } from '@reeve/core'
import { onInstance, present, required, secret, shell, table } from './command.ts'

const name = required('<name>', 'the name to sign in with', username)
const password = secret('read the password from standard input')

export const createUser = onInstance({
  options: { username: name, password, operator: present('may run the whole instance') },
  async run({ db, ports }, input) {
    needGoodPassword(input.password)
    const passwordHash = await hashPassword(input.password)
    const account = await db.write((tx) =>
      createAccount(tx, ports, shell(ports), {
        username: input.username,
        passwordHash,
        isOperator: input.operator,
      }),
    )
    return { userId: account.id }
  },
  print: ({ userId }) => `The account is made: ${userId}.`,
})

export const listUsers = onInstance({
  options: {},
  run: ({ db }) => allAccounts(db.read),
  print: ({ accounts }) =>
    table(
      ['ID', 'USERNAME', 'OPERATOR', 'STATUS', 'CREATED'],
      accounts.map((one) => [one.id, one.username, one.operator, one.status, one.createdAt]),
    ),
})

export const resetPassword = onInstance({
  options: { username: name, password },
  async run({ db, ports }, input) {
    needGoodPassword(input.password)
    const account = await accountNamed(db.read, input.username)
    if (!account) {
      throw new AppError('not_found', {
        message: `There is no account named ${input.username}; \`reeve user list\` shows them.`,
      })
    }
    const passwordHash = await hashPassword(input.password)
    await db.write((tx) => setPassword(tx, ports, shell(ports), { accountId: account.id, passwordHash }))
    return { userId: account.id }
  },
  print: () => 'The password is changed, and every session of the account has ended.',
})
