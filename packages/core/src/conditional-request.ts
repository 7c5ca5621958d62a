import { AppError, invalidRequest } from './error.ts'

/** The versions an `If-Match` header accepts; null where any will do. */
export type ExpectedVersions = readonly string[] | null

/**
 * Reads an `If-Match` header: `"3"`, a list of such, or `*`.
 * @throws AppError `invalid_request` for anything else; weak tags never match a write.
 */
export function parseIfMatch(header: string | null | undefined): ExpectedVersions {
  if (header == null || header.trim() === '*') return null
  const tags = header.split(',').map((tag) => /^"([^"]*)"$/.exec(tag.trim())?.[1])
  if (tags.some((tag) => tag === undefined))
    throw invalidRequest({ field: 'If-Match', message: 'must be a version in double quotes, such as "3"' })
  return tags as string[]
}

/** @throws AppError `version_mismatch` where the record is not at a version the caller expects. */
export function assertVersion(record: { readonly version: number }, expected: ExpectedVersions): void {
  if (expected && !expected.includes(String(record.version))) throw new AppError('version_mismatch')
}
