import {
  type ChoiceId,
  type DeploymentChoices,
  type ErrorChoices,
  observableCodes,
} from '../mock-server/deployment/choices.js';
import {
  observeArchivedDocuments,
  observeArchivedInLimit,
  observeArchivedProjects,
  observeArchivedTickets,
  observeBoardForNewTickets,
  observeBoardSlugs,
  observeDefaultBoards,
  observeDocumentOrder,
  observeEmptyFields,
  observeEmptyStrings,
  observeFirstPosition,
  observeHiddenBoards,
  observeProjectOrder,
  observeTicketOrder,
  observeTimestampFormat,
  observeUnknownFields,
} from './behavior-observation.js';
import { observeError, observeErrorFields } from './error-observation.js';
import { type Observation, observeRecordFields } from './observation.js';
import { observePageFields, observePageParameter, observePastLastPage } from './page-observation.js';

/** Observes a deployment's behavior. Throws instead of guessing if the behavior can't be observed. */
type Observe<Value> = (observation: Observation) => Promise<Value>;

export const observers: { readonly [Id in ChoiceId]: Observe<DeploymentChoices[Id]> } = {
  recordFields: (observation) => observation.once(observeRecordFields),
  pageFields: observePageFields,
  pageParameter: observePageParameter,
  pastLastPage: observePastLastPage,
  errorFields: (observation) => observation.once(observeErrorFields),
  emptyFields: observeEmptyFields,
  timestampFormat: observeTimestampFormat,
  firstPosition: observeFirstPosition,
  defaultBoards: observeDefaultBoards,
  boardForNewTickets: observeBoardForNewTickets,
  boardSlugs: observeBoardSlugs,
  ticketOrder: observeTicketOrder,
  documentOrder: observeDocumentOrder,
  projectOrder: observeProjectOrder,
  archivedTickets: observeArchivedTickets,
  archivedDocuments: observeArchivedDocuments,
  archivedProjects: observeArchivedProjects,
  hiddenBoards: observeHiddenBoards,
  archivedTicketsInWipLimit: observeArchivedInLimit,
  emptyStrings: observeEmptyStrings,
  unknownFields: observeUnknownFields,
  ...(Object.fromEntries(observableCodes.map((code) => [`error.${code}`, observeError(code)])) as {
    [Id in keyof ErrorChoices]: Observe<ErrorChoices[Id]>;
  }),
};
