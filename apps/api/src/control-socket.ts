import { rmSync } from 'node:fs'
import { AppError, type AppErrorOptions, type ErrorCode } from '@reeve/core'
import { controlSocketPath } from '@reeve/db'
import type { FindCommand, Instance } from './command-line/command.ts'
import type { ServerLog } from './log.ts'
import type { RequestWarning, RequestWarnings } from './request-warnings.ts'
import { MAX_SOCKET_PATH_BYTES } from './setting-values.ts'
import { VERSION } from './version.ts'

/** How long a server may take to respond to a request that does no work. */
export const RESPONSE_TIMEOUT_MS = 5000
/** After this time without a reply, a command checks whether the server responds at all: some commands take long. */
const CHECK_DELAY_MS = 1000

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
  /** Stops accepting commands and waits for those in progress, or ends them if `isForced`. */
  readonly close: (isForced?: boolean) => Promise<void>
}

/** What the control socket operates on and logs to. */
export interface ControlSocketOptions {
  readonly instance: Instance
  readonly findCommand: FindCommand
  readonly log: Pick<ServerLog, 'onCommand' | 'onFailure'>
  readonly listWarnings: RequestWarnings['list']
  /** Between automatic backups; null if there are none. */
  readonly backupIntervalMs: number | null
  /** The backup folder. */
  readonly backupDir: string
  /** How many backups to keep; 0 keeps all. */
  readonly backupKeep: number
  /** Whether the settings of the server name a bucket for backups. */
  readonly hasOffsiteBackups: boolean
}

/** What a server says about itself, for diagnostics. Commands of other versions read it too, so that its names stay. */
export interface ServerState {
  readonly version: string
  readonly warnings: readonly RequestWarning[]
  /** Interval between automatic backups, in milliseconds; null if there are none. */
  readonly backupEvery: number | null
  /** The backup folder. */
  readonly backupDir: string
  /** How many backups to keep; 0 keeps all. */
  readonly backupKeep: number
  /** Whether the settings of the server name a bucket for backups. */
  readonly hasOffsiteBackups: boolean
}

/**
 * Runs commands of other processes on the instance that this process has open. Only the same user can connect.
 * @returns null if the folder's path is too long for a socket
 */
export function openControlSocket(folder: string, options: ControlSocketOptions): ControlSocket | null {
  const socketPath = controlSocketPath(folder)
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES) return null
  // This process has the folder's lock, so an existing socket is left over from a process that exited.
  rmSync(socketPath, { force: true })
  const server = listenPrivate(socketPath, (request) =>
    request.method === 'GET'
      ? Promise.resolve(Response.json(presentState(options)))
      : handleCommand(request, options),
  )
  return {
    async close(isForced = false) {
      await server.stop(isForced)
      rmSync(socketPath, { force: true })
    },
  }
}

const presentState = ({
  listWarnings,
  backupIntervalMs,
  backupDir,
  backupKeep,
  hasOffsiteBackups,
}: ControlSocketOptions): ServerState => ({
  version: VERSION,
  warnings: listWarnings(),
  backupEvery: backupIntervalMs,
  backupDir,
  backupKeep,
  hasOffsiteBackups,
})

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
  const stopWatching = reportUnresponsive(folder)
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
  } finally {
    stopWatching()
  }
  const { result, failure } = (await response.json()) as { result?: object; failure?: CommandFailure }
  if (failure) {
    const { code, message, details } = failure
    throw new AppError(code, { message, ...(details ? { details } : {}) })
  }
  return { result: result ?? {} }
}

/** Reads the state of the server that uses a data folder; null if none of this version responds. */
export async function findServerState(folder: string): Promise<ServerState | null> {
  const state = await readServerState(folder)
  return state === 'unresponsive' ? null : state
}

/** Writes a line to standard error once the server turns out not to respond. @returns ends this */
function reportUnresponsive(folder: string): () => void {
  const replied = new AbortController()
  const timer = setTimeout(async () => {
    if ((await readServerState(folder, replied.signal)) !== 'unresponsive') return
    process.stderr.write(
      `The server that uses ${folder} does not respond. Waiting for it; if it hangs, restart it, and check whether the command took effect.\n`,
    )
  }, CHECK_DELAY_MS)
  return () => {
    clearTimeout(timer)
    replied.abort()
  }
}

/**
 * Reads the state of the server that uses a data folder.
 * @param signal ends the request
 * @returns null if none is running, or if it is of another version; `unresponsive` if it does not respond in time
 */
export async function readServerState(
  folder: string,
  signal?: AbortSignal,
): Promise<ServerState | 'unresponsive' | null> {
  const timeout = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
  try {
    const response = await fetch('http://reeve/', {
      unix: controlSocketPath(folder),
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    })
    const state = response.ok ? ((await response.json()) as ServerState) : null
    return state?.version === VERSION ? state : null
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'unresponsive' : null
  }
}
