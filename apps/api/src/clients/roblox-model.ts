const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)

/** The end of a CDATA section cannot be part of it, so it is divided between two. */
const toCdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

const renderValue = (
  name: string,
  value: string,
): string => `    <Item class="StringValue" referent="${name}">
      <Properties>
        <string name="Name">${name}</string>
        <string name="Value">${escapeXml(value)}</string>
      </Properties>
    </Item>
`

/**
 * Renders a model for Roblox Studio: a ModuleScript with its source unchanged, and values below it that the module reads.
 * @param name of the module
 * @param values by name; names are letters only
 */
export const renderRobloxModel = (
  name: string,
  source: string,
  values: Readonly<Record<string, string>>,
): string => `<roblox version="4">
  <Item class="ModuleScript" referent="${name}">
    <Properties>
      <string name="Name">${name}</string>
      <ProtectedString name="Source">${toCdata(source)}</ProtectedString>
    </Properties>
${Object.entries(values)
  .map(([valueName, value]) => renderValue(valueName, value))
  .join('')}  </Item>
</roblox>
`
