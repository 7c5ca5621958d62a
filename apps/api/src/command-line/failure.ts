import { AppError, type FieldProblem } from '@reeve/core'
import {
  DatabaseServerError,
  DataFolderError,
  isDamagedDatabase,
  isDatabaseLocked,
  isDiskFailure,
  isDiskFull,
  NewerSchemaError,
} from '@reeve/db'
import { CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { toSentence } from '../format.ts'
import { SecretKeyError } from '../secret-key/error.ts'
import { type Options, toFlag } from './command.ts'
import { UsageError } from './input.ts'

/** The errors of a failed command and its exit status: 1 for a failure, 2 for invalid usage. */
export interface Failure {
  readonly exitCode: 1 | 2
  readonly code: string
  readonly problems: readonly string[]
}

/** Converts any error of a command to messages for the user. */
export function toFailure(error: unknown, options: Options): Failure {
  if (error instanceof UsageError) return { exitCode: 2, code: 'usage', problems: error.problems }
  if (error instanceof ConfigError) return { exitCode: 2, code: 'settings', problems: error.problems }
  if (error instanceof CommanderError) {
    return { exitCode: 2, code: 'usage', problems: [formatParserMessage(error.message)] }
  }
  if (error instanceof DataFolderError) return { exitCode: 1, code: 'data_folder', problems: [error.message] }
  if (error instanceof DatabaseServerError)
    return { exitCode: 1, code: 'database_server', problems: [error.message] }
  if (error instanceof NewerSchemaError)
    return { exitCode: 1, code: 'newer_schema', problems: [error.message] }
  if (error instanceof SecretKeyError) return { exitCode: 1, code: 'secret_key', problems: [error.message] }
  if (error instanceof AppError) return toAppFailure(error, options)
  const message = error instanceof Error ? error.message : String(error)
  if (isDamagedDatabase(error)) {
    return { exitCode: 1, code: 'damaged_database', problems: [`${toSentence(message)} ${DAMAGED_ADVICE}`] }
  }
  if (isDatabaseLocked(error)) {
    return { exitCode: 1, code: 'locked_database', problems: [`${toSentence(message)} ${LOCKED_ADVICE}`] }
  }
  if (isDiskFull(error)) {
    return { exitCode: 1, code: 'full_disk', problems: [`${toSentence(message)} ${FULL_DISK_ADVICE}`] }
  }
  if (isDiskFailure(error)) {
    return { exitCode: 1, code: 'disk_failure', problems: [`${toSentence(message)} ${DISK_FAILURE_ADVICE}`] }
  }
  return { exitCode: 1, code: 'failed', problems: [message] }
}

const DAMAGED_ADVICE =
  'The database file is damaged. `reeve doctor` shows where; copy the data folder, then restore a backup: `reeve restore --from <backup>`.'

const LOCKED_ADVICE =
  'Another program keeps the database file locked, such as a `sqlite3` shell with an open transaction. Close it, then try again.'

const FULL_DISK_ADVICE = 'Free up disk space, then try again.'

const DISK_FAILURE_ADVICE =
  'The disk is full or fails: check its free space (df -h) and the messages of the system (sudo dmesg), then try again.'

function toAppFailure(error: AppError, options: Options): Failure {
  const { details } = error.options
  return {
    exitCode: error.code === 'invalid_request' ? 2 : 1,
    code: error.code,
    problems: details ? details.map((problem) => formatFlagProblem(problem, options)) : [error.message],
  }
}

/** Formats a field problem with the name of its flag. */
function formatFlagProblem({ field, message }: FieldProblem, options: Options): string {
  const option = options[field]
  if (!option) return toSentence(`${field} ${message}`)
  return toSentence(`${option.kind === 'secret' ? `The ${field}` : `--${toFlag(field, option)}`} ${message}`)
}

/** Formats a message of commander as a sentence. */
function formatParserMessage(message: string): string {
  const text = message.replace(/^error: /, '').replace(/\n/g, ' ')
  return toSentence(`${text.charAt(0).toUpperCase()}${text.slice(1)}`)
}
