import { rmSync } from 'node:fs'
import { AppError, type AppErrorOptions, type ErrorCode } from '@reeve/core'
import { controlSocketPath } from '@reeve/db'
import type { FindCommand, Instance } from './commands/command.ts'
import type { ServerLog } from './log.ts'
import type { RequestWarning, RequestWarnings } from './request-warnings.ts'
import { VERSION } from './version.ts'

/** The longest path of a Unix socket that every supported system allows. Source: sun_path in unix(7), without the NUL. */
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
  /** Stops accepting commands and waits for those in progress. */
  readonly close: () => Promise<void>
}

/** What the control socket operates on and logs to. */
export interface ControlSocketOptions {
  readonly instance: Instance
  readonly findCommand: FindCommand
  readonly log: Pick<ServerLog, 'onCommand' | 'onFailure'>
  readonly listWarnings: RequestWarnings['list']
}

/**
 * Runs commands of other processes on the instance that this process has open. Only the same user can connect.
 * @returns null if the folder's path is too long for a socket
 */
export function openControlSocket(folder: string, options: ControlSocketOptions): ControlSocket | null {
  const socketPath = controlSocketPath(folder)
  if (Buffer.byteLength(socketPath) > MAX_PATH_BYTES) return null
  // This process has the folder's lock, so an existing socket is left over from a process that exited.
  rmSync(socketPath, { force: true })
  const server = listenPrivate(socketPath, (request) =>
    request.method === 'GET'
      ? Promise.resolve(Response.json(options.listWarnings()))
      : handleCommand(request, options),
  )
  return {
    async close() {
      await server.stop()
      rmSync(socketPath, { force: true })
    },
  }
}

/** Listens on a socket that other users can never open: the umask applies from its creation. */
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
        message: `The running server is Reeve ${VERSION}, but this command is ${commandRequest.version}. Use the same version or restart the server.`,
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
 * Runs a command in the process that has the folder's lock.
 * @returns its result, or null if no process listens on the control socket
 * @throws AppError as the command does; Error if the other process exited before replying
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
        ? 'The server runs as another user. Run this command as that user.'
        : 'The server exited before replying. Check whether the command took effect.',
    )
  }
  const { result, failure } = (await response.json()) as { result?: object; failure?: CommandFailure }
  if (failure) {
    const { code, message, details } = failure
    throw new AppError(code, { message, ...(details ? { details } : {}) })
  }
  return { result: result ?? {} }
}

/** The warnings of the server that uses a data folder; null if none is running, or if it is of another version. */
export async function readServerWarnings(folder: string): Promise<readonly RequestWarning[] | null> {
  try {
    const response = await fetch('http://reeve/', { unix: controlSocketPath(folder) })
    return response.ok ? ((await response.json()) as RequestWarning[]) : null
  } catch {
    return null
  }
}
