import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { renderRobloxModel } from '@reeve/api/clients/roblox-model'
import { DOMParser, type Element } from '@xmldom/xmldom'
import { type Instance, openInstance } from '../support/instance.ts'
import { ROOT } from '../support/program.ts'

let instance: Instance
let source: string

beforeAll(async () => {
  instance = await openInstance({ publicUrl: 'https://staff.example.com' })
  source = await Bun.file(join(ROOT, 'packages/client-luau/src/Reeve.luau')).text()
})
afterAll(() => instance.close())

/** The properties of an item of a model, by name, and those of the items below it by their name. */
function readItem(item: Element): {
  class: string | null
  properties: Record<string, string>
  items: ReturnType<typeof readItem>[]
} {
  const children = (parent: Element, tag: string) =>
    [...parent.childNodes].filter((node): node is Element => node.nodeName === tag)
  const properties = children(item, 'Properties').flatMap((list) => [...list.childNodes] as Element[])
  return {
    class: item.getAttribute('class'),
    properties: Object.fromEntries(
      properties
        .filter(({ nodeType }) => nodeType === 1)
        .map((property) => [property.getAttribute('name') ?? '', property.textContent ?? '']),
    ),
    items: children(item, 'Item').map(readItem),
  }
}

/** Parses a model as XML. @throws Error if it is not well-formed */
function parseModel(xml: string) {
  const root = new DOMParser({ onError: (_, message) => expect.unreachable(message) }).parseFromString(
    xml,
    'text/xml',
  )
  const model = root.documentElement as Element
  expect([model.tagName, model.getAttribute('version')]).toEqual(['roblox', '4'])
  return [...model.childNodes].filter((node): node is Element => node.nodeName === 'Item').map(readItem)
}

describe('the client for Roblox', () => {
  test('is served unchanged to anyone, as a download that no browser executes', async () => {
    const { status, headers, text } = await instance.request('GET', '/clients/reeve.luau')
    expect([status, text]).toEqual([200, source])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="Reeve.luau"',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
  })

  test('as a model contains the source unchanged, the URL and the workspace', async () => {
    const { id } = await instance.workspace()
    const { status, headers, text } = await instance.request('GET', `/clients/reeve.rbxmx?workspaceId=${id}`)
    expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="reeve.rbxmx"'])
    const value = (Name: string, Value: string) => ({
      class: 'StringValue',
      properties: { Name, Value },
      items: [],
    })
    expect(parseModel(text)).toEqual([
      {
        class: 'ModuleScript',
        properties: { Name: 'Reeve', Source: source },
        items: [value('Url', 'https://staff.example.com'), value('WorkspaceId', id)],
      },
    ])
  })

  test('as a model is not offered without a workspace, and for nothing else than an ID', async () => {
    for (const query of [
      '',
      '?workspaceId=',
      '?workspaceId=%3C%2FItem%3E',
      '?workspaceId=%00',
      '?workspaceid=x',
    ]) {
      const { status, body } = await instance.request('GET', `/clients/reeve.rbxmx${query}`)
      expect([query, status, body.code]).toEqual([query, 400, 'invalid_request'])
    }
  })

  test('keeps a source and values that look like XML or Luau as they are', () => {
    const hostile = [
      'a[b[1]]>c',
      ']]></ProtectedString>',
      '<![CDATA[x]]>',
      '"]] error() --',
      '&amp;&lt;\'"',
      'ünï',
    ]
    for (const text of hostile) {
      const [item] = parseModel(renderRobloxModel('Reeve', text, { Url: text }))
      expect(item?.properties).toEqual({ Name: 'Reeve', Source: text })
      expect(item?.items[0]?.properties).toEqual({ Name: 'Url', Value: text })
    }
  })
})
