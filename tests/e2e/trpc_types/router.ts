// Compiled by trpc_types.test.mjs, never run: what clients infer from AppRouter, and what they must refuse.
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type {
  AppRouter, DirectoryListing, ExecutionResult, FileContent, FileMetadata, HealthStatus, HttpResponse, InputIssue, PageContent, QueryResult,
  ServerEvent, ShellResult, TableList, TableSchema, ToolList,
} from '@toolpost/client-types';

const { mcp } = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: '' })] });
type Outputs = inferRouterOutputs<AppRouter>['mcp'];
type Inputs = inferRouterInputs<AppRouter>['mcp'];
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>) => {};

same<Outputs['status'], HealthStatus>(true);
same<Outputs['listTools'], ToolList>(true);
same<Outputs['executeTool']['executionTime'], ExecutionResult['executionTime']>(true);
same<Outputs['file']['read'], FileContent>(true);
same<Outputs['file']['write'], FileMetadata>(true);
same<Outputs['file']['list'], DirectoryListing>(true);
same<Outputs['shell']['execute'], ShellResult>(true);
same<Outputs['web']['request'], HttpResponse>(true);
same<Outputs['web']['fetch'], PageContent>(true);
same<Outputs['database']['query'], QueryResult>(true);
same<Outputs['database']['tables'], TableList>(true);
same<Outputs['database']['schema'], TableSchema>(true);
same<Inputs['status'], void>(true);
same<Outputs['status'], ToolList>(false);

export async function calls() {
  const content: string = (await mcp.file.read.query({ path: 'x', encoding: 'hex' })).content;
  const count: number = (await mcp.listTools.query()).count + (await mcp.listTools.query({ category: 'file' })).count;
  const names: string[] = (await mcp.database.tables.query()).tables.map((table) => table.name);
  const { success, result, executionTime } = await mcp.executeTool.mutate({ name: 'a/b', arguments: { c: 1 } });
  const subscription = mcp.events.subscribe({ types: ['toolExecuted'] }, {
    onData: ({ id, data }) => {
      const event: ServerEvent = data;
      if (event.type === 'toolExecuted') console.log(id, event.tool, event.durationMs);
      // @ts-expect-error sessions have no tool
      if (event.type === 'sessionOpened') console.log(event.tool);
    },
  });
  subscription.unsubscribe();

  // @ts-expect-error path is a string
  await mcp.file.read.query({ path: 1 });
  // @ts-expect-error path is required
  await mcp.file.read.query({});
  // @ts-expect-error there is no such encoding
  await mcp.file.read.query({ path: 'x', encoding: 'latin1' });
  // @ts-expect-error there is no such member
  await mcp.file.read.query({ path: 'x', pth: 'y' });
  // @ts-expect-error a query is no mutation
  await mcp.file.read.mutate({ path: 'x' });
  // @ts-expect-error there is no such procedure
  await mcp.file.burn.mutate({ path: 'x' });
  // @ts-expect-error the argument is set by the procedure
  await mcp.listTools.query({ schemas: true });
  // @ts-expect-error there is no such type of events
  mcp.events.subscribe({ types: ['nonsense'] }, {});
  return { content, count, names, success, result, executionTime };
}

export function issuesOf(error: unknown): InputIssue[] {
  return error instanceof TRPCClientError ? ((error as TRPCClientError<AppRouter>).data?.issues ?? []) : [];
}
