import { list, operation } from '../operation.js';
import { createComment, documentComment } from '../schemas/comment.js';
import { createDocument, document, listDocumentsQuery, updateDocument } from '../schemas/document.js';

export const documentOperations = /* @__PURE__ */ (() => ({
  'documents.list': operation({
    number: 23,
    method: 'GET',
    path: '/organizations/{organization}/documents',
    scope: 'documents:read',
    status: 200,
    query: listDocumentsQuery,
    response: list(document),
    errorCodes: ['validation_failed'],
    paginated: true,
  }),
  'documents.create': operation({
    number: 24,
    method: 'POST',
    path: '/organizations/{organization}/documents',
    scope: 'documents:write',
    status: 201,
    body: createDocument,
    response: document,
    errorCodes: ['validation_failed', 'invalid_relation'],
  }),
  'documents.get': operation({
    number: 25,
    method: 'GET',
    path: '/documents/{document}',
    scope: 'documents:read',
    status: 200,
    response: document,
  }),
  'documents.update': operation({
    number: 26,
    method: 'PATCH',
    path: '/documents/{document}',
    scope: 'documents:write',
    status: 200,
    body: updateDocument,
    response: document,
    errorCodes: ['validation_failed', 'invalid_relation'],
  }),
  'documents.delete': operation({
    number: 27,
    method: 'DELETE',
    path: '/documents/{document}',
    scope: 'documents:write',
    status: 204,
  }),
  'documents.comments.create': operation({
    number: 28,
    method: 'POST',
    path: '/documents/{document}/comments',
    scope: 'document_comments:write',
    status: 201,
    body: createComment,
    response: documentComment,
    errorCodes: ['validation_failed'],
  }),
}))();
