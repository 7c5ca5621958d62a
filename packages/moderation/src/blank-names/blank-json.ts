/** The fields that contain the username of an account, in records, comments and the changes of the audit log. */
const NAME_FIELDS: ReadonlySet<string> = new Set([
  'username',
  'actorUsername',
  'authorUsername',
  'createdByUsername',
  'revokedByUsername',
  'updatedByUsername',
  'inviteeUsername',
  'owner',
  'trainingHost',
])

/** Comments always have a name; other fields have none. */
const blankValue = (field: string): '' | null => (field === 'authorUsername' ? '' : null)

/**
 * Removes a username from the fields that contain usernames.
 * @returns the same text if none has it
 */
export function blankNameInJson(json: string, name: string): string {
  if (!json.includes(JSON.stringify(name))) return json
  let isChanged = false
  const blanked = JSON.stringify(JSON.parse(json), (field, value) => {
    if (value !== name || !NAME_FIELDS.has(field)) return value
    isChanged = true
    return blankValue(field)
  })
  return isChanged ? blanked : json
}
