import { rmSync } from 'node:fs'
import { AppError, type AppErrorOptions, type ErrorCode } from '@reeve/core'
import { controlSocketPath } from '@reeve/db'
import type { FindCommand, Instance } from './commands/command.ts'
import type { ServerLog } from './log.ts'
import { VERSION } from './version.ts'

/** The longest path that a Unix socket may have on every system we run on. Source: sun_path in unix(7), less its NUL. */
const MAX_PATH_BYTES = 103

interface CommandRequest {
  readonly name: string
  readonly version: string
  readonly input: object
}

interface CommandFailure {
  readonly code: ErrorCode
  readonly message: string
  readonly details: AppErrorOptions['details'] | null
}

export interface ControlSocket {
  /** Waits for the commands under way, and takes no more. */
  readonly close: () => Promise<void>
}

/** What a door stands before, and who hears of what comes through it. */
export interface ControlSocketOptions {
  readonly instance: Instance
  readonly findCommand: FindCommand
  readonly log: Pick<ServerLog, 'onCommand' | 'onFailure'>
}

/**
 * Takes commands from other processes for the instance that this one holds. Only the user that runs it can reach the socket.
 * @returns null where the folder's path is too long for a socket in it
 */
export function openControlSocket(folder: string, options: ControlSocketOptions): ControlSocket | null {
  const socketPath = controlSocketPath(folder)
  if (Buffer.byteLength(socketPath) > MAX_PATH_BYTES) return null
  // Whoever holds the folder's lock is alone in it: a socket that lies there is a dead process's.
  rmSync(socketPath, { force: true })
  const server = listenPrivate(socketPath, (request) => handleCommand(request, options))
  return {
    async close() {
      await server.stop()
      rmSync(socketPath, { force: true })
    },
  }
}

/** A socket that was never open to others, not even for a moment. */
function listenPrivate(socketPath: string, fetch: (request: Request) => Promise<Response>) {
  const mask = process.umask(0o177)
  try {
    return Bun.serve({ unix: socketPath, fetch })
  } finally {
    process.umask(mask)
  }
}

async function handleCommand(
  request: Request,
  { instance, findCommand, log }: ControlSocketOptions,
): Promise<Response> {
  const commandRequest = (await request.json()) as CommandRequest
  try {
    if (commandRequest.version !== VERSION) {
      throw new AppError('conflict', {
        message: `The running server is Reeve ${VERSION} and this is ${commandRequest.version}: use the same, or restart the server.`,
      })
    }
    const command = await findCommand(commandRequest.name)
    if (command?.target !== 'instance') throw new AppError('not_found')
    const result = await command.run(instance, commandRequest.input as never)
    log.onCommand(commandRequest.name, 'ok')
    return Response.json({ result })
  } catch (error) {
    if (!(error instanceof AppError)) log.onFailure(error, '')
    const appError = error instanceof AppError ? error : new AppError('internal_error')
    log.onCommand(commandRequest.name, appError.code)
    const failure: CommandFailure = {
      code: appError.code,
      message: appError.message,
      details: appError.options.details ?? null,
    }
    return Response.json({ failure })
  }
}

const NOT_LISTENING = new Set(['ENOENT', 'ECONNREFUSED', 'ENAMETOOLONG'])

/**
 * Hands a command to the process that holds the folder.
 * @returns its result, or null where no process takes commands there
 * @throws AppError as the command does; Error where the other process ended before it had answered
 */
export async function delegateCommand(
  folder: string,
  name: string,
  input: object,
): Promise<{ readonly result: object } | null> {
  const commandRequest: CommandRequest = { name, version: VERSION, input }
  let response: Response
  try {
    response = await fetch('http://reeve/', {
      unix: controlSocketPath(folder),
      method: 'POST',
      body: JSON.stringify(commandRequest),
    })
  } catch (error) {
    const code = String((error as { code?: unknown }).code)
    if (NOT_LISTENING.has(code)) return null
    throw new Error(
      code === 'EACCES'
        ? 'The server runs as another user: run this command as that user.'
        : 'The running server ended before it had answered; look whether the command was carried out.',
    )
  }
  const { result, failure } = (await response.json()) as { result?: object; failure?: CommandFailure }
  if (failure) {
    const { code, message, details } = failure
    throw new AppError(code, { message, ...(details ? { details } : {}) })
  }
  return { result: result ?? {} }
}
