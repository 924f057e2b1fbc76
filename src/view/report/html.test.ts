import { describe, expect, test } from '@jest/globals';
import { html, Html, jsonIn } from './html.js';

const HOSTILE = `</script><img src=x onerror="alert('1')">&amp;`;
const ESCAPED = '&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;';

describe('a template', () => {
  test('escapes text wherever it stands', () => {
    expect(html`<p title="${HOSTILE}">${HOSTILE}</p>`.markup).toBe(
      `<p title="${ESCAPED}">${ESCAPED}</p>`,
    );
  });

  test('escapes text within what is put into another template once', () => {
    const inner = html`<b>${'<'}</b>`;
    expect(html`<p>${inner}</p>`.markup).toBe('<p><b>&lt;</b></p>');
  });

  test('takes a list, numbers, and nothing', () => {
    const items = ['a', '&'].map((text) => html`<i>${text}</i>`);
    expect(html`${items}|${0}|${undefined}|${[]}`.markup).toBe('<i>a</i>\n<i>&amp;</i>|0||');
  });

  test('leaves markup as it is that says that it is safe', () => {
    expect(html`${new Html('<hr>')}`.markup).toBe('<hr>');
  });
});

describe('JSON inside of a script element', () => {
  test.each([[HOSTILE], ['<!-- <script>'], [']]>'], ['\u2028\u2029'], ['<'.repeat(3)]])(
    'cannot be ended by %j, and says the same',
    (text) => {
      const { markup } = jsonIn([{ [text]: text }]);
      expect(markup).not.toContain('<');
      expect(JSON.parse(markup)).toEqual([{ [text]: text }]);
    },
  );
});
