import { expect, test } from 'bun:test'
import { type ContextSource, openBrowser, openTab, settlePages } from './browser.ts'
import { WAIT_MS } from './page-actions.ts'

/** The ways in which a page loads `/data`, as programs that return the text. */
const WAYS = {
  fetch: `(await fetch('/data')).text()`,
  XMLHttpRequest: `new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('GET', '/data')
    request.onload = () => resolve(request.responseText)
    request.send()
  })`,
  import: `import('/data').then(({ text }) => text)`,
}

test.each(Object.entries(WAYS))(
  'a page is not settled while it loads with %s, and is once it shows the result',
  async (name, load) => {
    const isSent = Promise.withResolvers<void>()
    const body = Promise.withResolvers<string>()
    const html = `<p>Waiting</p><script type="module">
      document.querySelector('p').textContent = await ${load}
    </script>`
    const [start, end] =
      name === 'import' ? ["export const text = 'Received", " completely'"] : ['Received', ' completely']
    const type = name === 'import' ? 'text/javascript' : 'text/plain'
    const server = Bun.serve({
      port: 0,
      fetch: ({ url }) =>
        url.endsWith('/data')
          ? new Response(
              new ReadableStream({
                async start(controller) {
                  controller.enqueue(start)
                  isSent.resolve()
                  controller.enqueue(await body.promise)
                  controller.close()
                },
              }),
              { headers: { 'content-type': type } },
            )
          : new Response(html, { headers: { 'content-type': 'text/html' } }),
    })
    const browser = await openBrowser()
    try {
      const { page } = await openTab(browser, 'about:blank')
      // Requests delay the load event.
      await page.goto(server.url.href, { waitUntil: 'commit' })
      await isSent.promise
      let isSettled = false
      const settled = settlePages(WAIT_MS).then(() => {
        isSettled = true
      })
      // Many more frames than an idle page needs to be settled.
      await page.evaluate(
        'new Promise((resolve) => { const next = (count) => count === 0 ? resolve() : requestAnimationFrame(() => next(count - 1)); next(30) })',
      )
      expect(isSettled).toBe(false)
      body.resolve(end)
      await settled
      expect(await page.locator('p').textContent()).toBe('Received completely')
    } finally {
      await browser.close()
      await server.stop(true)
    }
  },
)

/** What a page can see of what it or its context has stored, and whether it reaches its server. */
const READ_TRACES = `(async () => ({
  cookie: document.cookie,
  local: localStorage.length,
  session: sessionStorage.length,
  databases: (await indexedDB.databases()).length,
  clipboard: (await navigator.permissions.query({ name: 'clipboard-read' })).state,
  data: await fetch('/data').then((response) => response.text(), () => 'not reached'),
}))()`

const LEAVE_TRACES = `{
  document.cookie = 'name=value'
  localStorage.setItem('name', 'value')
  sessionStorage.setItem('name', 'value')
  new Promise((resolve) => { indexedDB.open('name').onsuccess = resolve })
}`

/** A width that no other test has: a context that others have used may be due for its replacement. */
const UNUSED = { viewport: { width: 421, height: 421 } }

/** A server whose every response is a document. */
const serveDocument = () =>
  Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response('data', { headers: { 'content-type': 'text/html' } }),
  })

test('a reused context has nothing of the test before', async () => {
  const server = serveDocument()
  const browser = await openBrowser()
  try {
    const before = await openTab(browser.reused, server.url.href, UNUSED)
    const untouched = await before.page.evaluate(READ_TRACES)
    await before.page.evaluate(LEAVE_TRACES)
    await before.context.newPage()
    await before.context.grantPermissions(['clipboard-read'])
    await before.context.route('**/data', (route) => route.fulfill({ body: 'from the test before' }))
    expect(await before.page.evaluate(READ_TRACES)).toEqual({
      cookie: 'name=value',
      local: 1,
      session: 1,
      databases: 1,
      clipboard: 'granted',
      data: 'from the test before',
    })
    await before.context.addCookies([{ name: 'name', value: 'value', url: 'http://localhost/' }])
    const pages = before.context.pages().length
    await before.context.setOffline(true)
    await before.close()

    const after = await openTab(browser.reused, server.url.href, UNUSED)
    expect(after.context).toBe(before.context)
    expect(await after.page.evaluate(READ_TRACES)).toEqual(untouched)
    expect(await after.context.cookies()).toEqual([])
    expect(after.context.pages()).toHaveLength(pages - 1)
  } finally {
    await browser.close()
    await server.stop(true)
  }
})

test('a page of a reused context is like a new tab', async () => {
  const server = serveDocument()
  const browser = await openBrowser()
  const describeTab = async (contexts: ContextSource) => {
    const { page } = await openTab(contexts, server.url.href, UNUSED)
    return page.evaluate('[opener, name, document.referrer, innerWidth, sessionStorage.length]')
  }
  try {
    expect(await describeTab(browser.reused)).toEqual(await describeTab(browser))
  } finally {
    await browser.close()
    await server.stop(true)
  }
})

test('a context is replaced after some uses', async () => {
  const browser = await openBrowser()
  try {
    const contexts = new Set<unknown>()
    for (let use = 0; use < 40; use += 1) {
      const tab = await openTab(browser.reused, 'about:blank')
      contexts.add(tab.context)
      await tab.close()
    }
    expect(contexts.size).toBeGreaterThan(1)
    expect(contexts.size).toBeLessThan(5)
  } finally {
    await browser.close()
  }
})

test('tabs that are open at the same time share no context', async () => {
  const browser = await openBrowser()
  try {
    const one = await openTab(browser.reused, 'about:blank')
    const other = await openTab(browser.reused, 'about:blank')
    expect(other.context).not.toBe(one.context)
    // A context that is given back twice is not lent twice.
    await one.close()
    await one.close()
    const next = await openTab(browser.reused, 'about:blank')
    const last = await openTab(browser.reused, 'about:blank')
    expect(last.context).not.toBe(next.context)
  } finally {
    await browser.close()
  }
})
