import { endAllSessions, endSessionById, listSessions } from '@reeve/auth'
import { wire } from '@reeve/core'
import {
  cliActor,
  formatTable,
  type Instance,
  instanceCommand,
  optional,
  readAllPages,
} from '../command-line/command.ts'
import { withNotFoundHint } from './not-found-hint.ts'
import { requireAccountByUsername, usernameOption } from './user-options.ts'

type Session = Awaited<ReturnType<typeof listSessions>>['sessions'][number]
type ListedSession = Omit<Session, 'current'>

export const userSessionsCommand = instanceCommand({
  options: {
    username: usernameOption,
    end: optional('<id>', 'the ID of a session to end, or all', wire.id),
  },
  async run(
    instance,
    { username, end },
  ): Promise<{ username: string; sessions: ListedSession[]; ended: string[] | 'all' | null }> {
    const { id, username: name } = await requireAccountByUsername(instance.db.read, username)
    const ended = end === null ? null : await endSessions(instance, { id, name }, end)
    return { username: name, sessions: await listAllSessions(instance, id), ended }
  },
  print: ({ username, sessions, ended }) => {
    if (ended === 'all') return `Ended all sessions of ${username}.`
    if (ended !== null) return `Ended session ${ended.join()} of ${username}.`
    return formatTable(
      ['ID', 'CREATED', 'LAST USED', 'EXPIRES', 'IP ADDRESS', 'USER AGENT'],
      sessions.map((session) => [
        session.id,
        session.createdAt,
        session.lastSeenAt,
        session.expiresAt,
        session.address,
        session.userAgent,
      ]),
    )
  },
})

const listAllSessions = ({ db, ports }: Instance, id: string): Promise<ListedSession[]> =>
  readAllPages(
    (page) => listSessions(db.read, ports, { id, sessionId: null }, page),
    (page) => page.sessions.map(({ current: _, ...session }) => session),
  )

async function endSessions(
  { db, ports }: Instance,
  account: { readonly id: string; readonly name: string },
  end: string,
): Promise<string[] | 'all'> {
  const actor = cliActor(ports)
  if (end === 'all') {
    await db.write((tx) => endAllSessions(tx, ports, actor, account.id))
    return 'all'
  }
  await withNotFoundHint(
    db.write((tx) => endSessionById(tx, ports, actor, end, account.id)),
    `${account.name} has no session ${end}. Run \`reeve user sessions --username ${account.name}\` to list them.`,
  )
  return [end]
}
