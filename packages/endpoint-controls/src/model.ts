import { endpoints, wire } from '@reeve/core'
import type { EndpointControlTable } from '@reeve/db'
import {
  inputField,
  nullableInput,
  nullableString,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

const modes = ['on', 'read_only', 'off'] as const

/** The formats of a switch's fields. */
export const controlCodecs = {
  endpoint: wire.oneOf(endpoints),
  mode: wire.oneOf(modes),
  message: wire.text({ max: 500, example: 'Back at 18:00 UTC.' }),
}

export const ControlRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; here or in the query'),
  endpoint: inputField(controlCodecs.endpoint, 'The endpoint to switch'),
  mode: inputField(controlCodecs.mode, '`read_only` refuses writes, `off` every call'),
  message: nullableInput(
    controlCodecs.message,
    'What refused callers read instead of the usual sentence; none where it is absent',
  ),
})

export type ControlInput = Static<typeof ControlRequest>

const Control = responseObject(
  {
    workspaceId: stringField('The workspace'),
    endpoint: stringField('Last part of the path of the endpoint', endpoints[0]),
    mode: Type.String({
      enum: [...modes],
      description: '`on`, `read_only` (writes are refused) or `off` (every call is refused)',
      example: 'on',
    }),
    message: nullableString('What refused callers read instead of the usual sentence'),
    updatedAt: nullableString('When it was last switched', wire.time.example),
    updatedBy: nullableString('The account that switched it'),
  },
  'The control of one endpoint in one workspace',
)

export const ControlResponse = responseObject({ control: Control }, 'The control')
export const ControlsResponse = responseObject(
  { controls: Type.Array(Control) },
  'Every endpoint of every workspace that the caller may ask about',
)

export const ControlQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })
export const ControlsWithUsernamesResponse = responseObject(
  {
    controls: Type.Array(
      responseObject(
        {
          ...Control.properties,
          updatedByUsername: nullableString('The name of the account that switched it'),
        },
        'A control, and who switched it last',
      ),
    ),
  },
  'Every endpoint of the workspace',
)

/** A row as the interface shows it. */
export const presentControl = (row: EndpointControlTable): Static<typeof Control> => ({
  workspaceId: row.workspace_id,
  endpoint: row.endpoint,
  mode: row.mode,
  message: row.message,
  updatedAt: wire.time.write(row.updated_at),
  updatedBy: row.updated_by,
})

/** An endpoint that was never switched. */
export const defaultControl = (workspaceId: string, endpoint: string): Static<typeof Control> => ({
  workspaceId,
  endpoint,
  mode: 'on',
  message: null,
  updatedAt: null,
  updatedBy: null,
})
