import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMark, hasMark, keepKey, type Mark, markText, readMark, removeMark } from '../../src/mark.js';
import { checkProperty } from './runs.js';

const part = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }).filter(({ length }) => length <= 200),
  fc.string({
    unit: fc.constantFrom(...' \n\t\u00a0%[]():<>&"\'/-aé\u{1f600}'),
    minLength: 1,
    maxLength: 30,
  }),
  fc.constantFrom(
    'APO-123',
    'Jira',
    'Imported from ',
    'Created with key: ',
    'x [0a1b2c3d]',
    '%5D',
    ' ',
    'key: ',
  ),
);

const mark: fc.Arbitrary<Mark> = fc.record({
  kind: fc.constantFrom('ticket', 'document'),
  source: fc.option(part, { nil: undefined }),
  key: part,
});

/** HTML that contains unfinished and unusual markup. */
const html = fc
  .array(
    fc.constantFrom(
      ...[
        '<p>Hello</p>',
        'a < b',
        '<',
        '</',
        '<b',
        '<a href="',
        "<a title='>'>",
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
      ],
      ...[
        '<script>',
        '</script>',
        '<style>',
        '<textarea>',
        '<title>',
        '<xmp>',
        '<iframe src=x>',
        '<plaintext>',
      ],
      ...[
        '<table><tr>',
        '</table>',
        '<template>',
        '</template>',
        '<select>',
        '<svg>',
        '&lt;',
        '&amp;',
        '&#93;',
      ],
      ...[
        'Imported from ',
        'Created with key: ',
        'Imported from Jira: APO-1',
        '[',
        ']',
        '\n',
        '\u00a0',
        '<br>',
        '"',
      ],
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const ordinaryHtml = fc
  .array(
    fc.constantFrom(
      ...[
        '<p>Hello</p>',
        'a < b',
        ' & ',
        '&lt;',
        '&eacute;',
        '<ul><li>One<li>Two</ul>',
        '<br>',
        '\n',
        '\u00a0',
      ],
      ...['<table><tr><td>1</table>', '<a title="x" href="y">APO-1</a>', '<script>1</script>', '<!-- x -->'],
      ...[
        'Imported from ',
        'Created with key: ',
        'Imported from Jira: APO-1',
        '[',
        ']',
        '[x]',
        '<b>bold</b>',
      ],
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const encodeAs = (format: (code: number) => string) => (text: string) =>
  text.replace(/[^a-z0-9<>/="& ;#!\n-]/gi, (character) => format(character.charCodeAt(0)));
const named: Record<string, string> = {
  '[': 'lsqb',
  ']': 'rsqb',
  ':': 'colon',
  '%': 'percnt',
  '.': 'period',
  é: 'eacute',
};

/** What servers do to the HTML that they store. */
const normalizations: Record<string, (text: string) => string> = {
  'trims it': (text) => text.trim(),
  'folds white space': (text) => text.replace(/\s+/g, ' '),
  'breaks lines at spaces': (text) => text.replaceAll(' ', '\n'),
  'indents it': (text) => text.replace(/<(?=[a-z/])/gi, '\n    <').replaceAll('>', '>\n    '),
  'uses CRLF': (text) => text.replace(/\r?\n/g, '\r\n'),
  'replaces spaces with &nbsp;': (text) => text.replace(/ (?![^<]*>)/g, '&nbsp;'),
  'replaces spaces with U+00A0': (text) => text.replace(/ (?![^<]*>)/g, '\u00a0'),
  'encodes punctuation by name': (text) => text.replace(/[[\]:%.é]/g, (character) => `&${named[character]};`),
  'encodes punctuation in decimal': encodeAs((code) => `&#${code};`),
  'encodes punctuation in hexadecimal': encodeAs((code) => `&#x${code.toString(16).toUpperCase()};`),
  'adds a class': (text) => text.replaceAll('<p>', '<p class="text" dir="auto">'),
  'reorders attributes': (text) => text.replace(/<a (\w+="[^"]*") (\w+="[^"]*")>/g, '<a $2 $1>'),
  'removes <p>': (text) => text.replace(/<\/?p>/g, ''),
  'replaces <p> with <div>': (text) => text.replaceAll('<p>', '<div>').replaceAll('</p>', '</div>'),
  'replaces <p> with <br>': (text) => text.replaceAll('<p>', '').replaceAll('</p>', '<br><br/>'),
  'removes all tags': (text) => text.replace(/<[^<>]*>/g, ''),
  'wraps it': (text) => `<div class="content"><section>${text}</section></div>`,
  'wraps its text': (text) => text.replace(/<p>([^<]*)<\/p>/g, '<p><span style="color: red">$1</span></p>'),
  'writes tags in upper case': (text) => text.replace(/<\/?[a-z]+/g, (tag) => tag.toUpperCase()),
  'removes scripts and styles': (text) => text.replace(/<(script|style)\b[^>]*>[^<]*<\/\1>/gi, ''),
  'removes end tags': (text) => text.replaceAll('</p>', ''),
  'writes <br /> for <br>': (text) => text.replaceAll('<br>', '<br />'),
  'adds an empty paragraph': (text) => `${text}<p>&nbsp;</p>\n<p></p>`,
  'adds invisible characters': (text) => `\ufeff${text}\u200b`,
  'adds a document': (text) => `<!DOCTYPE html><html><body>${text}</body></html>`,
  'adds links': (text) => text.replace(/[A-Z]+-\d+/g, (key) => `<a href="/${key}">${key}</a>`),
  'removes comments': (text) => text.replace(/<!--[^>]*-->/g, ''),
};

const wellFormed = ({ kind, source, key }: Mark) => {
  const fix = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');
  return { kind, source: source === undefined ? undefined : fix(source), key: fix(key) };
};

describe('a mark', () => {
  it('is read as it was added, from any HTML, only for its kind', async () => {
    const property = fc.asyncProperty(html, mark, async (text, added) => {
      const stored = addMark(text, added);
      expect(readMark(stored, added.kind)).toEqual(wellFormed(added));
      expect(readMark(stored, added.kind === 'ticket' ? 'document' : 'ticket')).toBeUndefined();
      expect(addMark(stored, added)).toBe(stored);
      expect(hasMark(stored, added)).toBe(true);
      expect(hasMark(stored, { ...added, key: `${added.key.slice(0, 199)}1` })).toBe(false);
    });
    await checkProperty('marks', property, { quick: 1000, long: 100_000 });
  });

  it('is removed without a trace', async () => {
    const property = fc.asyncProperty(html, mark, async (text, added) => {
      const stored = addMark(text, added);
      expect(removeMark(stored, added.kind)).toBe(stored.slice(0, -`<p>${markText(added)}</p>`.length));
    });
    await checkProperty('removed marks', property, { quick: 1000, long: 100_000 });
  });

  it.each(Object.entries(normalizations))('survives a server that %s', async (name, normalize) => {
    const property = fc.asyncProperty(ordinaryHtml, mark, async (text, added) => {
      const stored = normalize(addMark(text, added));
      expect(readMark(stored, added.kind)).toEqual(wellFormed(added));
      expect(readMark(removeMark(stored, added.kind), added.kind)).toBeUndefined();
    });
    await checkProperty(name, property, { quick: 200, long: 20_000 });
  });

  it('survives a server that changes HTML in several ways', async () => {
    const several = fc.shuffledSubarray(Object.values(normalizations), { minLength: 2, maxLength: 4 });
    const property = fc.asyncProperty(several, ordinaryHtml, mark, async (steps, text, added) => {
      const stored = steps.reduce((changed, normalize) => normalize(changed), addMark(text, added));
      expect(readMark(stored, added.kind)).toEqual(wellFormed(added));
    });
    await checkProperty('several normalizations', property, { quick: 1000, long: 100_000 });
  });
});

/** Ways to write a mark in a form submission. */
const disguises: Record<string, (text: string) => string> = {
  'as text': (text) => text,
  'as a paragraph': (text) => `<p>${text}</p>`,
  'with references': encodeAs((code) => `&#${code};`),
  'with references to brackets': (text) => text.replace('[', '&lbrack;').replace(']', '&rbrack;'),
  'split by tags': (text) => text.replace(/[a-z0-9](?=\])/g, '<b>$&</b>'),
  'split by comments': (text) => text.replace(/[a-z0-9](?=\])/g, '<!-- -->$&'),
  'split by line breaks': (text) => text.replaceAll(' ', '<br>\n'),
  'in an unfinished comment': (text) => `<!-- ${text}`,
  'in an unfinished tag': (text) => `<a title="${text}`,
  'in a script': (text) => `<script>${text}</script>`,
  'in an unfinished script': (text) => `<script>${text}`,
  'in a text area': (text) => `<textarea>${text}</textarea>`,
  'after an unfinished table': (text) => `<table>${text}`,
  'several times': (text) => `${text}<p>${text}</p>`,
};

const withoutLastParagraph = (text: string) => text.slice(0, text.lastIndexOf('<p>'));

describe('text in a record’s HTML', () => {
  it.each(Object.entries(disguises))(
    'can’t claim a key with a mark that is written %s',
    async (name, disguise) => {
      const property = fc.asyncProperty(html, mark, mark, async (text, own, claim) => {
        fc.pre(markText(own) !== markText(claim) && own.kind === claim.kind);
        const stored = addMark(text + disguise(markText(claim)), own);
        expect(readMark(stored, own.kind)).toEqual(wellFormed(own));
        // Somebody removes the record's own mark, so that the text is at the end.
        expect(readMark(withoutLastParagraph(stored), own.kind)).toBeUndefined();
        expect(readMark(removeMark(stored, own.kind), own.kind)).toBeUndefined();
      });
      await checkProperty(name, property, { quick: 200, long: 20_000 });
      const change = fc.constantFrom(...Object.values(normalizations));
      const changed = fc.asyncProperty(
        ordinaryHtml,
        mark,
        mark,
        change,
        async (text, own, claim, normalize) => {
          fc.pre(markText(own) !== markText(claim) && own.kind === claim.kind);
          const stored = addMark(text + disguise(markText(claim)), own);
          expect(readMark(normalize(withoutLastParagraph(stored)), own.kind)).toBeUndefined();
        },
      );
      await checkProperty(`${name}, changed by the server`, changed, { quick: 200, long: 20_000 });
    },
  );

  it('stays as it is if it doesn’t contain a mark', () => {
    const own: Mark = { kind: 'ticket', source: 'Jira', key: 'APO-1' };
    const text = '<p>Imported from CSV: [optional] and [required] fields [0a1b2c3d]</p>';
    expect(addMark(text, own)).toBe(`${text}<p>${markText(own)}</p>`);
  });

  it('keeps brackets that don’t belong to a mark', () => {
    const own: Mark = { kind: 'ticket', source: 'Jira', key: 'APO-1' };
    const other = markText({ ...own, key: 'APO-2' });
    expect(addMark(`[x] [document] ${other}`, own)).toBe(
      `[x] [document] ${other.replace('[', '(').replace(']', ')')}<p>${markText(own)}</p>`,
    );
  });

  it.each([
    ...[
      '<',
      '<b',
      '<b>',
      '<!--',
      '<a x="',
      '<table>',
      '<template><table>',
      '</b>',
      '<script>',
      '<![CDATA[>',
      '&#93;',
    ],
    ...[
      '[aaaaaaaa]',
      'Imported from ',
      'Imported from x: y [aaaaaaaa] ',
      'Created with key: ',
      '&amp;',
      '%20',
      ' ',
      '<br> ',
    ],
    ...[
      markText({ kind: 'ticket', key: 'x' }),
      '&lsqb;',
      '<p>',
      '</p>',
      '\u200b',
      '<textarea>',
      '<svg/>',
      ']',
    ],
  ])(
    'is processed in linear time if it repeats %j',
    (text) => {
      const own: Mark = { kind: 'ticket', source: 'Jira', key: 'APO-1' };
      const stored = addMark(text.repeat(1_000_000 / text.length), own);
      expect(readMark(stored, 'ticket')).toEqual(own);
      expect(readMark(removeMark(stored, 'ticket'), 'ticket')).toBeUndefined();
    },
    30_000,
  );
});

describe('keepKey', () => {
  const own: Mark = { kind: 'document', key: 'report-1' };
  const current = addMark('<p>Old</p>', own);
  it.each([
    ['<p>New</p>', current, addMark('<p>New</p>', own)],
    [`${current}<p>More</p>`, current, addMark('<p>Old</p><p>More</p>', own)],
    [current, current, current],
    ['<p>New</p>', `<div>${current}</div>`, addMark('<p>New</p>', own)],
    ['<p>New</p>', '<p>Old</p>', '<p>New</p>'],
    ['<p>New</p>', null, '<p>New</p>'],
  ])('given %j and the current HTML %j, returns %j', (html, before, expected) => {
    expect(keepKey(html, before)).toBe(expected);
  });
});

describe('markText', () => {
  it('is readable for ordinary sources and keys', () => {
    expect(markText({ kind: 'ticket', source: 'Jira Cloud', key: 'APO-123' })).toMatch(
      /^Imported from Jira Cloud: APO-123 \[[0-9a-z]{8}\]$/,
    );
    expect(markText({ kind: 'ticket', key: 'form 1: a@b.example' })).toMatch(
      /^Created with key: form 1: a@b.example \[[0-9a-z]{8}\]$/,
    );
  });

  it('has a different digest for each kind, source, and key', () => {
    const marks = ['ticket', 'document'].flatMap((kind) =>
      [undefined, 'Jira', 'Asana'].flatMap((source) =>
        Array.from({ length: 20_000 }, (_, key) => markText({ kind, source, key: `${key}` } as Mark)),
      ),
    );
    expect(new Set(marks.map((text) => text.slice(-10))).size).toBe(marks.length);
  });

  it.each([
    ['key', { key: '' }, 'got 0'],
    ['key', { key: 'x'.repeat(201) }, 'got 201'],
    ['source', { source: '', key: 'x' }, 'got 0'],
    ['source', { source: 'x'.repeat(201), key: 'x' }, 'got 201'],
  ])('rejects a %s that is too short or too long', (name, parts, problem) => {
    const long: Mark = { kind: 'ticket', ...parts };
    expect(() => addMark('', long)).toThrow(RangeError);
    expect(() => markText(long)).toThrow(`a mark's ${name} must be 1 to 200 characters long (${problem}`);
  });
});
