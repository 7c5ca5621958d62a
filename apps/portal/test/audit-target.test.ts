import { expect, test } from 'bun:test'
import type { AuditEntry } from '../src/screens/audit/audit-data.ts'
import { resolveTarget } from '../src/screens/audit/target.ts'

const nameOf = (changes: AuditEntry['changes']) =>
  resolveTarget(
    { targetKind: 'assignment', targetId: '01a21c00-0000-7000-8000-000000000000', changes } as AuditEntry,
    new Set(),
  ).name

test('an assignment of the audit log names the case, and whose it is or was', () => {
  const assignment = { username: 'mira', caseNumber: '12' }
  expect(nameOf({ before: null, after: assignment })).toBe('case 12 to mira')
  expect(nameOf({ before: assignment, after: { ...assignment, username: 'tomas' } })).toBe('case 12 to tomas')
  expect(nameOf({ before: assignment, after: null })).toBe('case 12 from mira')
  // Older entries have no number.
  expect(nameOf({ before: { username: 'mira' }, after: null })).toBe('a case from mira')
})
