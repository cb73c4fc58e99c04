import { serveMcpStdio } from 'worktrack/mcp';
import { apollo } from './connect.js';

await serveMcpStdio({ mock: apollo(), mockTools: true, write: true, allowDestructive: true });
