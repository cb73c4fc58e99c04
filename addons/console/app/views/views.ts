import type { Component } from 'vue';
import AnalyticsView from './AnalyticsView.vue';
import BoardsView from './BoardsView.vue';
import CredentialsView from './CredentialsView.vue';
import DocumentsView from './DocumentsView.vue';
import FaultsView from './FaultsView.vue';
import MembersView from './MembersView.vue';
import RequestsView from './RequestsView.vue';
import ServerDataView from './ServerDataView.vue';
import SpacesView from './SpacesView.vue';

interface View {
  name: string;
  label: string;
  component: Component;
  /** Whether the view shows an organization's records or credentials. */
  needsOrganization?: boolean;
}

interface ViewGroup {
  label: string;
  views: readonly View[];
}

/** The console's views, in navigation order. */
export const viewGroups: readonly ViewGroup[] = [
  {
    label: 'Traffic',
    views: [
      { name: 'requests', label: 'Requests', component: RequestsView },
      { name: 'faults', label: 'Faults', component: FaultsView },
    ],
  },
  {
    label: 'Records',
    views: [
      { name: 'boards', label: 'Boards', component: BoardsView, needsOrganization: true },
      { name: 'documents', label: 'Documents', component: DocumentsView, needsOrganization: true },
      { name: 'members', label: 'Members', component: MembersView, needsOrganization: true },
      { name: 'analytics', label: 'Analytics', component: AnalyticsView, needsOrganization: true },
    ],
  },
  {
    label: 'Server',
    views: [
      { name: 'data', label: 'Data and clock', component: ServerDataView },
      { name: 'credentials', label: 'Credentials', component: CredentialsView, needsOrganization: true },
      { name: 'spaces', label: 'Spaces', component: SpacesView },
    ],
  },
];

export const views = viewGroups.flatMap((group) => group.views);
const [firstView] = views as [View];

export const viewOf = (name: string): View => views.find((view) => view.name === name) ?? firstView;
