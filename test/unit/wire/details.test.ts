import { describe, expect, it } from 'vitest';
import { defaultWire } from 'worktrack';
import { operationOf } from 'worktrack/contract';
import type { Schema } from '../../../src/contract/index.js';
import { isObject } from '../../../src/shared/json.js';
import {
  decodeCredential,
  decodeQuery,
  decodeSegment,
  encodeCredential,
  encodePath,
  encodeQuery,
} from '../../../src/wire/index.js';

describe('a credential', () => {
  const { credential } = defaultWire;
  const bare = { header: 'x-api-key', scheme: '' };
  const read = (value: string, wire = credential) =>
    decodeCredential(wire, new Headers({ [wire.header]: value }));

  it('is encoded as a bearer token in the Authorization header', () => {
    expect(credential).toEqual({ header: 'authorization', scheme: 'Bearer' });
    expect(encodeCredential(credential, 'wt_1')).toBe('Bearer wt_1');
    expect(encodeCredential(bare, 'wt_1')).toBe('wt_1');
  });

  it.each([
    ['Bearer wt_1', 'wt_1'],
    ['bearer wt_1', 'wt_1'],
    ['BEARER wt_1', 'wt_1'],
    ['  Bearer   wt_1  ', 'wt_1'],
    ['Bearer a b', 'a b'],
    ['Basic wt_1', undefined],
    ['Bearerwt_1', undefined],
    ['Bearer1', undefined],
    ['Bearer', undefined],
    ['Bearer   ', undefined],
    ['wt_1', undefined],
    ['', undefined],
  ])('is decoded from "%s" as %s', (value, token) => {
    expect(read(value)).toBe(token);
  });

  it('is the entire header if the scheme is empty', () => {
    expect(read('Bearer wt_1', bare)).toBe('Bearer wt_1');
    expect(read(' wt_1 ', bare)).toBe('wt_1');
    expect(read('', bare)).toBeUndefined();
  });

  it('is undefined if the header is missing', () => {
    expect(decodeCredential(credential, new Headers({ 'x-api-key': 'wt_1' }))).toBeUndefined();
    expect(decodeCredential(bare, new Headers())).toBeUndefined();
  });
});

describe('the default envelope', () => {
  const { envelope } = defaultWire;

  it('wraps a record in `data` and unwraps it', () => {
    expect(envelope.encode({ id: 'a' })).toEqual({ data: { id: 'a' } });
    expect(envelope.decode({ data: { id: 'a' }, more: 1 })).toEqual({ data: { id: 'a' } });
    expect(envelope.decode({ data: null })).toEqual({ data: null });
  });

  it.each([undefined, null, 'data', 1, [], {}, { date: 1 }])('decodes the body %j as undefined', (body) => {
    expect(envelope.decode(body)).toBeUndefined();
  });
});

describe('an error body', () => {
  const { error } = defaultWire;

  it('contains the message, plus the code and field errors if there are any', () => {
    expect(error.encode({ message: 'No.' })).toEqual({ message: 'No.' });
    const content = { message: 'No.', errors: { title: ['is required'] }, code: 'validation_failed' };
    expect(error.encode(content)).toEqual(content);
    expect(error.decode(content)).toEqual(content);
  });

  it.each([
    [{ message: 'No.' }, { message: 'No.' }],
    [{ error: 'No.' }, { message: 'No.' }],
    [{ error: { message: 'No.' } }, { message: 'No.' }],
    [{ message: 'No.', error: 'Bad Request' }, { message: 'No.' }],
    [{ message: 1, code: 2, errors: 3 }, {}],
    [{ error: { text: 'No.' } }, {}],
    [{ error: null }, {}],
    [{ code: 'not_found' }, { code: 'not_found' }],
    [{ errors: { title: 'is required' } }, { errors: { title: ['is required'] } }],
    [{ errors: { title: ['a', 1, 'b', null] } }, { errors: { title: ['a', 'b'] } }],
    [{ errors: { title: { min: 1 } } }, { errors: { title: [] } }],
    [{ errors: ['title'] }, {}],
    [{ errors: null }, {}],
    [{}, {}],
    [null, {}],
    ['No.', {}],
    [['No.'], {}],
  ])('is decoded from %j to %j', (body, content) => {
    expect(error.decode(body)).toEqual(content);
  });
});

it('the default request ID header is x-request-id', () => {
  expect(defaultWire.requestIdHeader).toBe('x-request-id');
});

describe('a path', () => {
  it('has percent-encoded parameters', () => {
    expect(encodePath('/a/{one}/b/{two_2}', { one: 'x/y?', two_2: 'ä', three: 'z' })).toBe(
      '/a/x%2Fy%3F/b/%C3%A4',
    );
    expect(encodePath('/a/{one}/b', {})).toBe('/a//b');
    expect(encodePath('/a', { one: 'x' })).toBe('/a');
  });

  it('is decoded segment by segment, and segments with invalid percent-encoding become undefined', () => {
    expect(decodeSegment('plain')).toBe('plain');
    expect(decodeSegment('x%2Fy%3F')).toBe('x/y?');
    expect(decodeSegment('%C3%A4')).toBe('ä');
    expect(decodeSegment('100%')).toBeUndefined();
    expect(decodeSegment('%ff')).toBeUndefined();
  });
});

describe('a query', () => {
  const schema = operationOf('tickets.list').query as Schema<unknown, never>;
  const read = (text: string) => decodeQuery(new URLSearchParams(text), schema);

  it('contains only the fields that are set, in order', () => {
    expect(encodeQuery({ q: 'a b&c', page: 2, none: undefined, empty: '', no: false })).toBe(
      'q=a+b%26c&page=2&empty=&no=false',
    );
    expect(encodeQuery({ q: undefined })).toBe('');
    expect(encodeQuery({})).toBe('');
  });

  it.each([
    ['', {}],
    ['q=launch&other=1', { q: 'launch' }],
    ['q=', { q: '' }],
    ['q=12', { q: '12' }],
    ['per_page=20', { per_page: 20 }],
    ['per_page=-1', { per_page: -1 }],
    ['per_page=%2B5', { per_page: 5 }],
    ['per_page=1.5', { per_page: '1.5' }],
    ['per_page=1e2', { per_page: '1e2' }],
    ['per_page=5x', { per_page: '5x' }],
    ['per_page=x5', { per_page: 'x5' }],
    ['per_page=', { per_page: '' }],
    ['per_page=1&per_page=2', { per_page: 2 }],
  ])('is decoded from "%s" to %j', (text, query) => {
    expect(read(text)).toStrictEqual(query);
  });
});

it('isObject returns true only for objects, not for lists, null, primitive values, or functions', () => {
  expect([{}, { a: 1 }].map(isObject)).toEqual([true, true]);
  expect([[], null, undefined, 'a', 1, true, () => {}].filter(isObject)).toEqual([]);
});
