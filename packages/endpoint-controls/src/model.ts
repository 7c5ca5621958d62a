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

/** The codecs of the fields of an endpoint control. */
export const controlCodecs = {
  endpoint: wire.oneOf(endpoints),
  mode: wire.oneOf(modes),
  message: wire.text({ max: 500, example: 'Back at 18:00 UTC.' }),
}

export const ControlRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in the body or the query'),
  endpoint: inputField(controlCodecs.endpoint, 'The endpoint to control'),
  mode: inputField(controlCodecs.mode, '`read_only` rejects writes, `off` rejects all requests'),
  message: nullableInput(
    controlCodecs.message,
    'Error message of rejected requests; the default message if absent',
  ),
  expectedUpdatedAt: nullableInput(
    wire.time,
    'When the control had last been changed when it was read, null if never: changed again since then, nothing changes (412)',
  ),
})

export type ControlInput = Static<typeof ControlRequest>

const Control = responseObject(
  {
    workspaceId: stringField('Workspace id'),
    endpoint: stringField('Last segment of the endpoint path', endpoints[0]),
    mode: Type.String({
      enum: [...modes],
      description: '`on`, `read_only` (writes are rejected) or `off` (all requests are rejected)',
      example: 'on',
    }),
    message: nullableString('Error message of rejected requests; `null` for the default message'),
    updatedAt: nullableString('When the control was last changed', wire.time.example),
    updatedBy: nullableString('Id of the account that changed it'),
  },
  'The control of an endpoint in a workspace',
)

export const ControlResponse = responseObject({ control: Control }, 'The control')
export const ControlsResponse = responseObject(
  { controls: Type.Array(Control) },
  'The controls of all endpoints, in each workspace that the caller may view',
)

export const ControlQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })
export const ControlsWithUsernamesResponse = responseObject(
  {
    controls: Type.Array(
      responseObject(
        {
          ...Control.properties,
          updatedByUsername: nullableString('Username of that account'),
        },
        'A control, and the username of the account that last changed it',
      ),
    ),
  },
  'The controls of all endpoints of the workspace',
)

export const presentControl = (row: EndpointControlTable): Static<typeof Control> => ({
  workspaceId: row.workspace_id,
  endpoint: row.endpoint,
  mode: row.mode,
  message: row.message,
  updatedAt: wire.time.write(row.updated_at),
  updatedBy: row.updated_by,
})

/** The control of an endpoint that was never changed. */
export const defaultControl = (workspaceId: string, endpoint: string): Static<typeof Control> => ({
  workspaceId,
  endpoint,
  mode: 'on',
  message: null,
  updatedAt: null,
  updatedBy: null,
})
