/** Realistic files for `worktrack import`. */

export interface ImportFile {
  title: string;
  name?: string;
  content: string | Uint8Array;
  args?: string[];
}

const rows = 'title,board_slug\r\nCafé €,to-do\r\nDoors,to-do\r\n';
const swapBytes = (text: string) => Buffer.from(text, 'utf16le').swap16();
const bytes = (text: string) => Buffer.from(text, 'latin1');
const ndjson = '{"title":"Café €","board_slug":"to-do"}\r{"title":"Doors","board_slug":"to-do"}\r';

/** Files that contain the tickets "Café €" and "Doors". */
export const readableFiles: ImportFile[] = [
  { title: 'UTF-8', content: rows },
  { title: 'UTF-8 with a byte order mark', content: `\ufeff${rows}` },
  { title: 'UTF-16LE with a byte order mark', content: Buffer.from(`\ufeff${rows}`, 'utf16le') },
  { title: 'UTF-16BE with a byte order mark', content: swapBytes(`\ufeff${rows}`) },
  { title: 'UTF-16LE', content: Buffer.from(rows, 'utf16le'), args: ['--encoding', 'utf-16le'] },
  { title: 'UTF-16BE', content: swapBytes(rows), args: ['--encoding', 'utf-16be'] },
  {
    title: 'CP1252',
    content: bytes(rows.replace('€', '\x80')),
    args: ['--encoding', 'windows-1252'],
  },
  { title: 'Latin-9', content: bytes(rows.replace('€', '\xa4')), args: ['--encoding', 'iso-8859-15'] },
  { title: 'classic Mac line breaks', content: rows.replaceAll('\r\n', '\r') },
  { title: 'mixed line breaks', content: rows.replace('\r\n', '\n').replace('\r\nDoors', '\r\r\nDoors') },
  { title: 'a file without a final line break', content: rows.trimEnd() },
  { title: 'NDJSON with classic Mac line breaks', name: 'tickets.ndjson', content: ndjson },
  {
    title: 'NDJSON in UTF-16',
    name: 'tickets.ndjson',
    content: Buffer.from(`\ufeff${ndjson}`, 'utf16le'),
  },
  { title: 'NDJSON with blank lines', name: 'tickets.jsonl', content: ndjson.replace('\r', '\n\n  \n') },
  { title: 'NDJSON with an extension in capital letters', name: 'TICKETS.NDJSON', content: ndjson },
  { title: 'CSV with an extension in capital letters', name: 'TICKETS.CSV', content: rows },
  { title: '--format ndjson', name: 'tickets.txt', content: ndjson, args: ['--format', 'ndjson'] },
  { title: '--format csv', name: 'tickets.csv.bak', content: rows, args: ['--format', 'csv'] },
  { title: 'semicolons', content: rows.replaceAll(',', ';'), args: ['--delimiter', ';'] },
  { title: 'tabs', content: rows.replaceAll(',', '\t'), args: ['--delimiter', 'tab'] },
  { title: 'columns without a name', content: rows.replaceAll('\r\n', ',,\r\n') },
  {
    title: 'unmapped columns with the same name',
    content: 'title,Label,board_slug,Label\nCafé €,a,to-do,b\nDoors,,to-do,\n',
  },
  {
    title: 'a column whose name a repeated column would get',
    content: 'Label (2),Label,Label,board_slug\nCafé €,a,b,to-do\nDoors,,,to-do\n',
    args: ['--map', 'title=Label (2)'],
  },
  {
    title: 'a column whose name a column without a name would get',
    content: '(column 2),,board_slug\nCafé €,a,to-do\nDoors,,to-do\n',
    args: ['--map', 'title=(column 2)'],
  },
];

const head = 'title,board_slug\nFuel,to-do\n';

/** Files that are rejected before any ticket is created. */
export const malformedFiles: (ImportFile & { error: string })[] = [
  {
    title: 'CP1252 without --encoding',
    content: bytes(`${head}Caf\xe9,to-do\n`),
    error:
      "could not read FILE: line 3 isn't valid UTF-8; if it's encoded in windows-1252, pass --encoding windows-1252",
  },
  {
    title: 'a file cut off within a character',
    content: Buffer.concat([Buffer.from(head), Buffer.from('€').subarray(0, 2)]),
    error:
      "could not read FILE: line 3 isn't valid UTF-8; if it's encoded in windows-1252, pass --encoding windows-1252",
  },
  {
    title: 'half a UTF-16 character',
    content: Buffer.from(`\ufeff${head}\ud83d,to-do\n`, 'utf16le'),
    error: "could not read FILE: line 3 isn't valid UTF-16LE",
  },
  {
    title: 'UTF-16LE without a byte order mark',
    content: Buffer.from(head, 'utf16le'),
    error:
      "could not read FILE: line 1 contains a NUL character; if it's encoded in utf-16le, pass --encoding utf-16le",
  },
  {
    title: 'UTF-16BE without a byte order mark',
    content: swapBytes(head),
    error:
      "could not read FILE: line 1 contains a NUL character; if it's encoded in utf-16be, pass --encoding utf-16be",
  },
  {
    title: 'a BOM that contradicts --encoding',
    content: Buffer.from(`\ufeff${head}`),
    args: ['--encoding', 'latin1'],
    error: 'could not read FILE: its byte order mark indicates utf-8; omit --encoding',
  },
  {
    title: 'a NUL character',
    content: `${head}Do\0ors,to-do\n`,
    error: 'could not read FILE: line 3 contains a NUL character',
  },
  {
    title: 'two mapped columns with the same name',
    content: '\ntitle,board_slug,title\nFuel,to-do,Doors\n',
    error: 'title: line 2 has 2 columns named "title" (columns 1, 3); rename all but one of them',
  },
  {
    title: 'two key columns',
    content: 'title,board_slug,Key,Key\nFuel,to-do,1,2\n',
    args: ['--key', 'Key'],
    error: '--key: line 1 has 2 columns named "Key" (columns 3, 4); rename all but one of them',
  },
  {
    title: 'a quote that is never closed',
    content: `${head}"Doors,to-do\r\nRadio,to-do\r\n`,
    error: 'could not read FILE: line 3 opens a quote that is never closed',
  },
  {
    title: 'an unclosed quote before another quote',
    content: `${head}"Doors,to-do\r\n"Radio",to-do\r\n`,
    error:
      "could not read FILE: line 4 has text after the closing quote of the value that starts on line 3; a quote is missing, or quotes in the value aren't doubled",
  },
  {
    title: 'a quote in a value without quotes',
    content: `"title\r\n",board_slug\r\n5" pipe,to-do\r\n`,
    error:
      "could not read FILE: line 3 has a quote inside a value that isn't quoted; quote the value, and double the quotes in it",
  },
  { title: 'an empty file', content: '', error: 'FILE is empty' },
  {
    title: 'a file with only a BOM and blank lines',
    content: '\ufeff\r\n\r\n',
    error: 'FILE is empty',
  },
  { title: 'a file with only a header', content: 'title,board_slug\n', error: 'FILE has no rows' },
  {
    title: 'NDJSON with an invalid middle line',
    name: 'tickets.ndjson',
    content: '{"title":"Fuel","board_slug":"to-do"}\n\n{"title"}\n{"title":"Doors","board_slug":"to-do"}\n',
    error: "could not read FILE: line 3 isn't valid JSON",
  },
  {
    title: 'NDJSON with an object as a key',
    name: 'tickets.ndjson',
    content:
      '{"id":1,"title":"Fuel","board_slug":"to-do"}\n{"id":{"n":2},"title":"Doors","board_slug":"to-do"}\n',
    args: ['--key', 'id'],
    error: 'could not read FILE: line 2: the key in column "id" must be a string or a number (got an object)',
  },
  {
    title: 'NDJSON with a key that loses digits',
    name: 'tickets.ndjson',
    content: '{"id":90071992547409931,"title":"Fuel","board_slug":"to-do"}\n',
    args: ['--key', 'id'],
    error:
      'could not read FILE: line 1: the key in column "id" is too large for a number; write it as a string',
  },
  {
    title: 'NDJSON whose key is only inherited',
    name: 'tickets.ndjson',
    content: '{"toString":"1","title":"Fuel","board_slug":"to-do"}\n{"title":"Doors","board_slug":"to-do"}\n',
    args: ['--key', 'toString'],
    error: 'could not read FILE: line 2: the key in column "toString" is empty',
  },
];
