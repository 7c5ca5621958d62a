import { createPasswordLink, formatPasswordLink } from '@reeve/auth'
import { cliActor, instanceCommand } from './command.ts'
import { requireAccountByUsername, usernameOption } from './user-options.ts'

export const linkUserCommand = instanceCommand({
  options: { username: usernameOption },
  async run({ db, ports, publicUrl }, input) {
    const { userId, link } = await db.write(async (tx) => {
      const { id } = await requireAccountByUsername(tx, input.username)
      return { userId: id, link: await createPasswordLink(tx, ports, cliActor(ports), id) }
    })
    return { userId, url: formatPasswordLink(publicUrl, link.token), expiresAt: link.expiresAt }
  },
  print: ({ url, expiresAt }) =>
    `${url}\nPass it on to the owner of the account only: the first person who opens it sets the password. It works once, until ${expiresAt}.`,
})
