import { createPasswordLink, formatPasswordLink } from '@reeve/auth'
import { cliActor, instanceCommand } from '../command-line/command.ts'
import { isLoopback } from '../loopback.ts'
import { settings } from '../settings.ts'
import { requireAccountByUsername, usernameOption } from './user-options.ts'

export const linkUserCommand = instanceCommand({
  options: { username: usernameOption },
  settings: ['publicUrl'],
  async run({ db, ports, publicUrl }, input) {
    const { userId, link } = await db.write(async (tx) => {
      const { id } = await requireAccountByUsername(tx, input.username)
      return { userId: id, link: await createPasswordLink(tx, ports, cliActor(ports), id) }
    })
    const warning = isLoopback(publicUrl.hostname)
      ? `This link leads to this machine only: replace ${publicUrl.origin} in it with the URL at which people reach the portal. With ` +
        `${settings.publicUrl.env}, links begin with that.`
      : null
    return { userId, url: formatPasswordLink(publicUrl, link.token), expiresAt: link.expiresAt, warning }
  },
  print: ({ url, expiresAt, warning }) =>
    [
      url,
      `Pass it on to the owner of the account only: the first person who opens it sets the password. It works once, until ${expiresAt}.`,
      ...(warning === null ? [] : [warning]),
    ].join('\n'),
})
