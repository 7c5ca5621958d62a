import { wire } from '@reeve/core'
import type { SessionTable } from '@reeve/db'
import { inputField, nextCursor, pageFields, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

export const SessionsQuery = requestObject(pageFields)
export type SessionsQueryInput = Static<typeof SessionsQuery>
export const SessionQuery = requestObject({ id: inputField(wire.id, 'The session') })

const Session = responseObject(
  {
    id: stringField('Session id'),
    createdAt: stringField('When the session started', wire.time.example),
    lastSeenAt: stringField('When the session was last used, to the minute', wire.time.example),
    expiresAt: stringField('When the session ends at the latest', wire.time.example),
    address: stringField('IP address that the session started from', '203.0.113.7'),
    userAgent: stringField('User agent that the session started in'),
    current: stringField('Whether this request used the session', 'true'),
  },
  'A session',
)

export const SessionsResponse = responseObject(
  {
    sessions: Type.Array(Session),
    nextCursor,
  },
  'Sessions, newest first',
)
export const SessionEndedResponse = responseObject(
  { id: stringField('Id of the session that was ended') },
  'The session was ended',
)
export const SignedOutResponse = responseObject(
  { signedOut: stringField('Always `true`', 'true') },
  'The session was ended',
)

/** @param currentId the session of the request, or null */
export const presentSession = (row: SessionTable, currentId: string | null): Static<typeof Session> => ({
  id: row.id,
  createdAt: wire.time.write(row.created_at),
  lastSeenAt: wire.time.write(row.last_seen_at),
  expiresAt: wire.time.write(row.expires_at),
  address: row.address,
  userAgent: row.user_agent,
  current: wire.boolean.write(row.id === currentId),
})
