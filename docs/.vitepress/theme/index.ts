import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import BenchmarkChart from './components/BenchmarkChart.vue';
import LiveExample from './components/LiveExample.vue';
import LiveOperation from './components/LiveOperation.vue';
import SiteLayout from './components/SiteLayout.vue';
import { enableTypeHovers } from './type-hovers.js';
import './fonts.css';
import './style.css';
import './layout.css';
import './code.css';
import './live.css';
import './tables.css';
import './operation.css';
import './charts.css';
import './home.css';
import './home-sections.css';
import './type-hovers.css';
import './print.css';

export default {
  extends: DefaultTheme,
  Layout: SiteLayout,
  enhanceApp({ app }) {
    app.component('BenchmarkChart', BenchmarkChart);
    app.component('LiveExample', LiveExample);
    app.component('LiveOperation', LiveOperation);
    if (!import.meta.env.SSR) enableTypeHovers();
  },
} satisfies Theme;
