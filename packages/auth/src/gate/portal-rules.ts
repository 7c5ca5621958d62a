import type { Rule } from './rule.ts'

/** For routes without authentication. */
export const publicRoute: Rule = { caller: 'anyone', permission: null, workspace: 'none' }

/** For routes about the signed-in account itself. */
export const sessionRoute: Rule = { caller: 'session', permission: null, workspace: 'none' }

/** For routes of operators. */
export const operatorRoute: Rule = { caller: 'operator', permission: null, workspace: 'none' }

/** The cost of a request whose work grows with the size of the instance or of the workspace. */
export const SCAN_COST = 10

/** For routes whose request or response contains a secret: the response is not stored, so it cannot be replayed. */
export const rejectIdempotencyKey = (rule: Rule): Rule => ({ ...rule, rejectsIdempotencyKey: true })
