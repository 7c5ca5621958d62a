import { fileNameCodec, wire } from '@reeve/core'
import { inputField, requestObject, responseObject } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { RecordResponse } from '../records/model.ts'
import { EvidenceFile } from './stored-files.ts'

const workspaceId = inputField(wire.id, 'The workspace')

export const EvidenceUploadQuery = requestObject({
  workspaceId,
  id: inputField(wire.id, 'The record; absent for a record that is created with the file'),
  name: inputField(fileNameCodec),
})

export const EvidenceDownloadQuery = requestObject({
  workspaceId,
  fileId: inputField(wire.id, 'The file'),
})

export const EvidenceRemovalQuery = requestObject({
  workspaceId,
  id: inputField(wire.id, 'The record'),
  fileId: inputField(wire.id, 'The file'),
})

export const EvidenceUploadResponse = Type.Union(
  [
    responseObject(
      { ...RecordResponse.properties, file: EvidenceFile },
      'The record, and the file that it has now',
    ),
    responseObject(
      { file: EvidenceFile },
      'The file, for `evidenceFiles` of a record that the same account creates within a day',
    ),
  ],
  { description: 'The file, and the record that has it' },
)
