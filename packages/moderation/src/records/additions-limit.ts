import { AppError } from '@reeve/core'
import type { RecordTable } from '@reeve/db'
import { MAX_ADDITIONS_BYTES } from './codecs.ts'
import { parseComments, parseEvidence } from './columns.ts'

/** The comments and evidence of a record share one limit, so that no record grows without bounds. */

const countBytes = (texts: readonly string[]): number =>
  texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0)

const listComments = (row: RecordTable): string[] => parseComments(row).map(({ text }) => text)

/** @throws AppError `conflict` naming `value`, if the record has no space left for texts that are added to it */
export function assertCanAdd(row: RecordTable, added: readonly string[]): void {
  assertFits('value', [...listComments(row), ...parseEvidence(row)], added)
}

/**
 * Less evidence than before always fits, also in a record from before the limit existed.
 * @throws AppError `conflict` naming `evidence`, if the record has no space for evidence that replaces its own
 */
export function assertCanReplaceEvidence(row: RecordTable, evidence: readonly string[]): void {
  if (countBytes(evidence) > countBytes(parseEvidence(row))) {
    assertFits('evidence', listComments(row), evidence)
  }
}

function assertFits(field: 'value' | 'evidence', kept: readonly string[], added: readonly string[]): void {
  const used = countBytes(kept)
  const excess = used + countBytes(added) - MAX_ADDITIONS_BYTES
  if (excess <= 0) return
  const message =
    `is too long by ${formatBytes(excess)}: the comments and evidence of a record can have ` +
    `${formatBytes(MAX_ADDITIONS_BYTES)} of UTF-8 in total, of which ${formatBytes(used)} are used; shorten it, or add a note instead`
  throw new AppError('conflict', { message: `${field}: ${message}`, details: [{ field, message }] })
}

const formatBytes = (bytes: number): string => (bytes === 1 ? '1 byte' : `${bytes} bytes`)
