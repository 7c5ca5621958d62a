import { describe, expect, test } from 'bun:test'
import { AppError } from '@reeve/core'
import { requestReader } from '@reeve/http'
import {
  findReadPermission,
  findWritePermission,
  inferAction,
  isAllowedWhileArchived,
  parseAction,
} from '../src/action.ts'
import { type WorkspaceInput, WorkspaceQuery, WorkspaceRequest } from '../src/model.ts'

const readFields = requestReader({ query: WorkspaceQuery, body: WorkspaceRequest })
const infer = (body: Record<string, unknown>) => inferAction(readFields({}, body).body)
const member = { kind: 'account', workspaceId: 'w' } as const
const apiKey = { kind: 'api_key', workspaceId: 'w' } as const

describe('the action of a request', () => {
  test('is the one it names, or the one that its fields imply', () => {
    expect(infer({ action: 'archive', groupName: 'x' })).toBe('archive')
    expect(infer({ archive: 'true', id: 'w' })).toBe('archive')
    expect(infer({ archive: '0', id: 'w' })).toBe('restore')
    expect(infer({ fromArchive: 'a', id: 'w', groupName: 'x' })).toBe('restore')
    expect(infer({ groupName: 'x' })).toBe('create')
    expect(infer({})).toBe('create')
    expect(infer({ id: 'w', groupName: 'x' })).toBe('rename')
    expect(infer({ id: 'w' })).toBeNull()
  })

  test('is implied by the presence of a field, even if its value is invalid', () => {
    expect(infer({ fromArchive: {} })).toBe('restore')
    expect(infer({ id: null, groupName: {} })).toBe('rename')
    expect(infer({ id: {} })).toBeNull()
    expect(infer({ action: 'destroy', groupName: 'x' })).toBe('create')
  })
})

describe('the permission of a write', () => {
  const permission = (body: Record<string, unknown>, workspaceId = 'w') =>
    findWritePermission(readFields({}, body), { workspaceId })

  test('is that of its action, and undecided without one', () => {
    expect(permission({ groupName: 'x' })).toBe('workspace.create')
    expect(permission({ id: 'w', groupName: 'x' })).toBe('workspace.rename')
    expect(permission({ id: 'w', archive: 'true' })).toBe('workspace.archive')
    expect(permission({ id: 'w', action: 'restore' })).toBe('workspace.restore')
    expect(permission({ id: 'w' })).toBeNull()
  })

  test('is left to the service for a session without a workspace', () => {
    expect(permission({ groupName: 'x' }, '')).toBeNull()
  })

  test('is also required in an archived workspace, which accepts only restore and archive', () => {
    const isAllowed = (body: Record<string, unknown>) => isAllowedWhileArchived(readFields({}, body))
    expect([isAllowed({ id: 'w', action: 'restore' }), isAllowed({ id: 'w', archive: '1' })]).toEqual([
      true,
      true,
    ])
    expect([isAllowed({ id: 'w', groupName: 'x' }), isAllowed({ id: 'w' })]).toEqual([false, false])
  })
})

test('a read requires a permission from an API key, and from a member only for the archives', () => {
  const permission = (query: Record<string, string>, caller: typeof member | typeof apiKey) =>
    findReadPermission(readFields(query, {}), caller)
  expect(permission({}, apiKey)).toBe('workspace.view')
  expect(permission({}, member)).toBeNull()
  expect(permission({ archives: 'true' }, member)).toBe('workspace.view')
  expect(permission({ archives: 'perhaps' }, member)).toBeNull()
  expect(findReadPermission({ query: { archives: true } }, { kind: 'account', workspaceId: '' })).toBeNull()
})

describe('the fields of an action', () => {
  const problemFields = (input: WorkspaceInput): string[] => {
    try {
      parseAction(input)
      return []
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return (error.options.details ?? []).map(({ field }) => field)
    }
  }

  test('are complete', () => {
    expect(problemFields({})).toEqual(['groupName'])
    expect(problemFields({ action: 'rename' })).toEqual(['id', 'groupName'])
    expect(problemFields({ action: 'archive' })).toEqual(['id'])
    expect(problemFields({ action: 'restore' })).toEqual(['id'])
    expect(problemFields({ id: 'w' })).toEqual(['action'])
  })

  test('do not contradict the action', () => {
    expect(problemFields({ action: 'create', groupName: 'x', id: 'w' })).toEqual(['id'])
    expect(problemFields({ action: 'archive', id: 'w', archive: false })).toEqual(['archive'])
    expect(problemFields({ action: 'restore', id: 'w', archive: true })).toEqual(['archive'])
    expect(problemFields({ action: 'restore', id: 'w', groupName: 'x' })).toEqual(['groupName'])
    expect(problemFields({ action: 'restore', id: 'w', fromArchive: 'a', groupName: 'x' })).toEqual([])
  })
})
