import type { Rule } from './rule.ts'

/** For routes without authentication. */
export const publicRoute: Rule = { caller: 'anyone', permission: null, workspace: 'none' }

/** For routes without authentication that only the pages of this instance use, such as signing in. */
export const publicPageRoute: Rule = { ...publicRoute, rejectsCrossSite: true }

/** For routes about the signed-in account itself. */
export const sessionRoute: Rule = {
  caller: 'session',
  permission: null,
  workspace: 'none',
  allowWithoutInstanceFactor: true,
}

/** For routes whose damage is lasting: a browser that was left open is not enough for them. */
export const requireVerification = (rule: Rule): Rule => ({ ...rule, requiresVerification: true })

/** For routes with which somebody could take over the account of a browser that was left open. */
export const verifiedSessionRoute: Rule = requireVerification(sessionRoute)

/** For routes of operators that read. */
export const operatorRoute: Rule = { caller: 'operator', permission: null, workspace: 'none' }

/** For routes of operators that change something. */
export const operatorWriteRoute: Rule = requireVerification(operatorRoute)

/** The cost of a request whose work grows with the size of the instance or of the workspace. */
export const SCAN_COST = 10

/** For routes whose request or response contains a secret: the response is not stored, so it cannot be replayed. */
export const rejectIdempotencyKey = (rule: Rule): Rule => ({ ...rule, rejectsIdempotencyKey: true })
