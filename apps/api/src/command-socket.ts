import { rmSync } from 'node:fs'
import { AppError, type AppErrorOptions, type ErrorCode } from '@reeve/core'
import { controlSocketPath } from '@reeve/db'
import type { CommandNamed, Instance } from './commands/command.ts'
import type { ServerLog } from './log.ts'
import { VERSION } from './version.ts'

/** The longest path that a Unix socket may have on every system we run on. Source: sun_path in unix(7), less its NUL. */
const MAX_PATH_BYTES = 103

interface Sent {
  readonly name: string
  readonly version: string
  readonly input: object
}

interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly details: AppErrorOptions['details'] | null
}

export interface CommandDoor {
  /** Waits for the commands under way, and takes no more. */
  readonly close: () => Promise<void>
}

/** What a door stands before, and who hears of what comes through it. */
export interface CommandDoorParts {
  readonly instance: Instance
  readonly commandNamed: CommandNamed
  readonly log: Pick<ServerLog, 'command' | 'failure'>
}

/**
 * Takes commands from other processes for the instance that this one holds. Only the user that runs it can reach the socket.
 * @returns null where the folder's path is too long for a socket in it
 */
export function openCommandDoor(folder: string, parts: CommandDoorParts): CommandDoor | null {
  const socket = controlSocketPath(folder)
  if (Buffer.byteLength(socket) > MAX_PATH_BYTES) return null
  // Whoever holds the folder's lock is alone in it: a socket that lies there is a dead process's.
  rmSync(socket, { force: true })
  const server = listenShut(socket, (request) => answer(request, parts))
  return {
    async close() {
      await server.stop()
      rmSync(socket, { force: true })
    },
  }
}

/** A socket that was never open to others, not even for a moment. */
function listenShut(socket: string, fetch: (request: Request) => Promise<Response>) {
  const mask = process.umask(0o177)
  try {
    return Bun.serve({ unix: socket, fetch })
  } finally {
    process.umask(mask)
  }
}

async function answer(
  request: Request,
  { instance, commandNamed, log }: CommandDoorParts,
): Promise<Response> {
  const sent = (await request.json()) as Sent
  try {
    if (sent.version !== VERSION) {
      throw new AppError('conflict', {
        message: `The running server is Reeve ${VERSION} and this is ${sent.version}: use the same, or restart the server.`,
      })
    }
    const command = await commandNamed(sent.name)
    if (command?.place !== 'instance') throw new AppError('not_found')
    const result = await command.run(instance, sent.input as never)
    log.command(sent.name, 'ok')
    return Response.json({ result })
  } catch (error) {
    if (!(error instanceof AppError)) log.failure(error, '')
    const known = error instanceof AppError ? error : new AppError('internal_error')
    log.command(sent.name, known.code)
    const failure: Failure = {
      code: known.code,
      message: known.message,
      details: known.options.details ?? null,
    }
    return Response.json({ failure })
  }
}

const NOBODY_THERE = new Set(['ENOENT', 'ECONNREFUSED', 'ENAMETOOLONG'])

/**
 * Hands a command to the process that holds the folder.
 * @returns its result, or null where no process takes commands there
 * @throws AppError as the command does; Error where the other process ended before it had answered
 */
export async function handOver(
  folder: string,
  name: string,
  input: object,
): Promise<{ readonly result: object } | null> {
  const sent: Sent = { name, version: VERSION, input }
  let response: Response
  try {
    response = await fetch('http://reeve/', {
      unix: controlSocketPath(folder),
      method: 'POST',
      body: JSON.stringify(sent),
    })
  } catch (error) {
    const code = String((error as { code?: unknown }).code)
    if (NOBODY_THERE.has(code)) return null
    throw new Error(
      code === 'EACCES'
        ? 'The server runs as another user: run this command as that user.'
        : 'The running server ended before it had answered; look whether the command was carried out.',
    )
  }
  const { result, failure } = (await response.json()) as { result?: object; failure?: Failure }
  if (failure) {
    const { code, message, details } = failure
    throw new AppError(code, { message, ...(details ? { details } : {}) })
  }
  return { result: result ?? {} }
}
