import { AppError, type FieldProblem } from '@reeve/core'
import { DatabaseServerError, DataFolderError, NewerSchemaError } from '@reeve/db'
import { CommanderError } from 'commander'
import { ConfigError, toSentence } from '../config.ts'
import { type Options, toFlag } from './command.ts'
import { UsageError } from './input.ts'

/** What a command that failed says, and the code it exits with: 1 where it failed, 2 where it was given wrongly. */
export interface Failure {
  readonly exitCode: 1 | 2
  readonly code: string
  readonly problems: readonly string[]
}

/** Every error of a command, in words for whoever ran it. */
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
  if (error instanceof AppError) return toAppFailure(error, options)
  const message = error instanceof Error ? error.message : String(error)
  return { exitCode: 1, code: 'failed', problems: [message] }
}

function toAppFailure(error: AppError, options: Options): Failure {
  const { details } = error.options
  return {
    exitCode: error.code === 'invalid_request' ? 2 : 1,
    code: error.code,
    problems: details ? details.map((problem) => formatFlagProblem(problem, options)) : [error.message],
  }
}

/** A problem with a field, told of the flag that gave it. */
function formatFlagProblem({ field, message }: FieldProblem, options: Options): string {
  const option = options[field]
  if (!option) return toSentence(`${field} ${message}`)
  return toSentence(`${option.kind === 'secret' ? `The ${field}` : `--${toFlag(field, option)}`} ${message}`)
}

/** A message of the command-line library as a sentence of ours. */
function formatParserMessage(message: string): string {
  const text = message.replace(/^error: /, '').replace(/\n/g, ' ')
  return toSentence(`${text.charAt(0).toUpperCase()}${text.slice(1)}`)
}
