import type { SequenceStep } from './request-sequence.ts'

/** The path of a read in the workspace of the sequence. */
export const withWorkspace = (path: string, query: Record<string, string> = {}) =>
  `/${path}?${new URLSearchParams({ workspaceId: 'WORKSPACE', ...query })}`
    .replaceAll('WORKSPACE', '{workspace}')
    .replaceAll('%7B', '{')
    .replaceAll('%7D', '}')

export const readStep = (
  path: string,
  query: Record<string, string> = {},
  options: Partial<SequenceStep> = {},
): SequenceStep => ({
  method: 'GET',
  path: withWorkspace(path, query),
  ...options,
})
export const writeStep = (
  method: 'POST' | 'PATCH',
  path: string,
  body: Record<string, unknown>,
  options: Partial<SequenceStep> = {},
): SequenceStep => ({ method, path: `/${path}`, body: { workspaceId: '{workspace}', ...body }, ...options })
export const deleteStep = (path: string, id: string, options: Partial<SequenceStep> = {}): SequenceStep => ({
  method: 'DELETE',
  path: withWorkspace(path, { id }),
  ...options,
})
