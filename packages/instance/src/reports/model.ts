import { wire } from '@reeve/core'
import {
  inputField,
  nextCursor,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

export const NewReportRequest = requestObject({
  workspaceId: inputField(
    wire.id,
    'The workspace; your account must be a member of it or have an invitation to it',
  ),
  message: inputField(
    wire.text({ min: 1, max: 1000, example: 'It pretends to be our community.' }),
    'What is wrong with it',
  ),
})
export type NewReportInput = Static<typeof NewReportRequest>

export const ReportedResponse = responseObject(
  { id: stringField('The report') },
  'The report was sent to the operators',
)

export const ReportsQuery = requestObject({
  open: inputField(wire.boolean, '`true`: only reports that are not resolved'),
  ...pageFields,
})
export type ReportsQueryInput = Static<typeof ReportsQuery>

export const ResolveReportRequest = requestObject({ id: inputField(wire.id, 'The report') })

const Report = responseObject(
  {
    id: stringField('The report'),
    workspaceId: stringField('The reported workspace; it may have been deleted since'),
    groupName: stringField('Its name when it was reported', 'Night shift'),
    owner: nullableString('Username of its owner; null if the workspace was deleted', 'robin'),
    reporterId: stringField('The account that reported it'),
    reporter: stringField('Username of that account', 'quill'),
    message: stringField('What is wrong with it', 'It pretends to be our community.'),
    createdAt: stringField('When it was reported', wire.time.example),
    resolvedAt: nullableString('When an operator marked it as resolved; null while it is open'),
  },
  'A report about a workspace',
)

export const ReportResponse = responseObject({ report: Report }, 'The report')
export const ReportsResponse = responseObject(
  { reports: Type.Array(Report), nextCursor },
  'Reports about workspaces, newest first',
)

export type PresentedReport = Static<typeof Report>
