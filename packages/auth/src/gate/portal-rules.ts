import type { Rule } from './rule.ts'

/** Routes that come before there is anyone. */
export const publicRoute: Rule = { caller: 'anyone', permission: null, workspace: 'none' }

/** Routes of whoever is signed in, about themselves. */
export const sessionRoute: Rule = { caller: 'session', permission: null, workspace: 'none' }

/** Routes of those who run the instance. */
export const operatorRoute: Rule = { caller: 'operator', permission: null, workspace: 'none' }

/** The rule of a route whose request or response contains a secret, which is never stored to replay the response. */
export const rejectIdempotencyKey = (rule: Rule): Rule => ({ ...rule, rejectsIdempotencyKey: true })

export const getUserAgent = (request: Request): string => request.headers.get('user-agent') ?? ''
