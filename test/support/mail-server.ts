import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { isMailFor, parseMail, type ReceivedMail } from './received-mail.ts'

/**
 * How a mail server fails: `refuse` lets nobody connect, `silent` sends no greeting, `temporary` and `permanent` reject each
 * recipient with an error of that kind, and `cut` closes the connection in the middle of a mail.
 */
export type MailFault = 'none' | 'refuse' | 'silent' | 'temporary' | 'permanent' | 'cut'

interface MailServerOptions {
  /** Default: none. */
  readonly tls?: 'none' | 'starttls' | 'implicit'
  /** Who may send; default: everybody. */
  readonly login?: { readonly user: string; readonly password: string }
}

/** The error with which the server rejects a command. */
const rejection = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode })

/** Starts a real mail server on a port of its own. */
export async function startMailServer({ tls = 'none', login }: MailServerOptions = {}) {
  let fault: MailFault = 'none'
  let attempts = 0
  const mails: ReceivedMail[] = []
  const listeners = new Set<() => void>()
  const sockets = new Set<Socket>()

  const options: SMTPServerOptions = {
    secure: tls === 'implicit',
    disabledCommands: [...(tls === 'starttls' ? [] : ['STARTTLS']), ...(login === undefined ? ['AUTH'] : [])],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    closeTimeout: 0,
    onConnect(_session, callback) {
      attempts += 1
      if (fault !== 'silent') callback()
    },
    onAuth({ username, password }, _session, callback) {
      if (username === login?.user && password === login?.password) callback(null, { user: username })
      else callback(rejection(535, `the password ${password} is wrong`))
    },
    onRcptTo({ address }, _session, callback) {
      if (fault === 'temporary') callback(rejection(450, `${address} is greylisted`))
      else if (fault === 'permanent') callback(rejection(550, `${address} is unknown`))
      else callback()
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (fault === 'cut') for (const socket of sockets) socket.destroy()
      })
      stream.on('end', () => {
        if (fault === 'cut') return
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        mails.push(parseMail(Buffer.concat(chunks).toString('latin1'), recipients))
        callback()
        for (const listener of listeners) listener()
      })
    },
  }
  const start = async (port: number) => {
    const server = new SMTPServer(options)
    // Connections that a client or a fault has cut.
    server.on('error', () => {})
    server.server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return server
  }
  let server = await start(0)
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const stop = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy()
      server.close(() => resolve())
    })

  return {
    port,
    /** The value of `REEVE_SMTP_URL`. */
    url: `${tls === 'implicit' ? 'smtps' : 'smtp'}://${login ? `${login.user}:${encodeURIComponent(login.password)}@` : ''}127.0.0.1:${port}`,
    /** All mails so far, oldest first. */
    mails,
    /** How many connections clients have made. */
    countAttempts: () => attempts,
    /** The newest mail to an address, or the next one. @param text that its subject or text contains */
    async waitForMail(to: string, text = ''): Promise<ReceivedMail> {
      for (;;) {
        const found = mails.findLast((mail) => isMailFor(mail, to, text))
        if (found) return found
        const { promise, resolve } = Promise.withResolvers<void>()
        listeners.add(resolve)
        await promise.finally(() => listeners.delete(resolve))
      }
    },
    async setFault(next: MailFault): Promise<void> {
      if (fault === 'refuse' && next !== 'refuse') server = await start(port)
      if (fault !== 'refuse' && next === 'refuse') await stop()
      fault = next
    },
    close: () => (fault === 'refuse' ? Promise.resolve() : stop()),
  }
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>
