import { AppError, type FieldProblem, invalidRequest } from './error.ts'

/** The versions that an `If-Match` header accepts; null accepts any. */
export type ExpectedVersions = readonly string[] | null

/**
 * Parses an `If-Match` header: `"3"`, a comma-separated list of versions, or `*`.
 * @throws AppError `invalid_request` for anything else, weak tags included: they never match a write
 */
export function parseIfMatch(header: string | null | undefined): ExpectedVersions {
  if (header == null || header.trim() === '*') return null
  const tags = header.split(',').map((tag) => /^"([^"]*)"$/.exec(tag.trim())?.[1])
  if (tags.some((tag) => tag === undefined))
    throw invalidRequest({ field: 'If-Match', message: 'must be a version in double quotes, such as "3"' })
  return tags as string[]
}

/**
 * @param message replaces the default one
 * @throws AppError `version_mismatch` if the client expects another version of the record
 */
export function assertVersion(
  record: { readonly version: number },
  expected: ExpectedVersions,
  message?: string,
): void {
  if (expected && !expected.includes(String(record.version)))
    throw new AppError('version_mismatch', message === undefined ? {} : { message })
}

/** The problem of an `If-Match` header with a request that would ignore it. */
export const IF_MATCH_NOT_APPLICABLE: FieldProblem = {
  field: 'If-Match',
  message: 'applies only to a change of one record that has a version, which this request is not',
}

/** @throws AppError `invalid_request` if the client expects a version in a request that would ignore it */
export function assertNoVersion(expected: ExpectedVersions): void {
  if (expected) throw invalidRequest(IF_MATCH_NOT_APPLICABLE)
}

/** An entity tag: `"a"`, or weak, `W/"a"`. A tag may contain commas. */
const ENTITY_TAG = /(?:W\/)?"([^"]*)"/g

/**
 * The tags of an `If-None-Match` header without quotes and `W/`, because it compares weakly: `W/"1"` is `"1"`. `*` stands
 * for any tag.
 */
export function parseIfNoneMatch(header: string | null): readonly string[] | '*' {
  if (header === null) return []
  if (header.trim() === '*') return '*'
  return [...header.matchAll(ENTITY_TAG)].map(([, tag = '']) => tag)
}

/** Whether the client already has the representation with this tag, by its `If-None-Match` header. */
export function matchesIfNoneMatch(request: Request, etag: string): boolean {
  const tags = parseIfNoneMatch(request.headers.get('if-none-match'))
  return tags === '*' || tags.some((tag) => parseIfNoneMatch(etag).includes(tag))
}
