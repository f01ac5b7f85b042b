// Types of toolpost's tRPC API. Generated from the schemas of its tools; do not edit.
import type {
  TRPCBuiltRouter,
  TRPCDefaultErrorShape,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server';

/** A rule that an input broke: `error.data.issues` of a BAD_REQUEST. */
export interface InputIssue {
  /** JSON pointer of the value, empty for the whole input. */
  path: string;
  /** Such as required, type or maximum. */
  rule: string;
  /** Such as "must be an integer". */
  expected: string;
}

export interface ErrorShape extends Omit<TRPCDefaultErrorShape, 'data'> {
  data: TRPCDefaultErrorShape['data'] & { issues?: InputIssue[] };
}

/** Of mcp.database.query. */
export interface DatabaseQueryInput {
  /** One SELECT. */
  query: string;
  /** Values of $1, ? or :name. */
  params?: unknown[] | Record<string, unknown>;
  /** Rows. */
  limit?: number;
  /** Which database; database_tables lists them. */
  connection?: string;
  /** Of the rows. */
  format?: "json" | "csv" | "markdown";
  /** nextCursor of the last page. */
  cursor?: string;
}

/** From mcp.database.query. */
export interface QueryResult {
  columns: {
    name: string;
    type: string;
  }[];
  /** One array per row. */
  rows?: unknown[];
  /** The rows as csv or markdown. */
  text?: string;
  rowCount: number;
  /** Milliseconds. */
  executionTime: number;
  /** There are more rows. */
  truncated?: boolean;
  /** limit or size. */
  reason?: string;
  /** Pass as cursor for the rows that follow. */
  nextCursor?: string;
  /** Values that were too long. */
  cutValues?: number;
}

/** Of mcp.database.schema. */
export interface DatabaseSchemaInput {
  /** Name. */
  table: string;
  /** Further names. */
  tables?: string[];
  /** Default: public (SQLite: main). */
  schema?: string;
  /** Which database. */
  connection?: string;
}

/** From mcp.database.schema. */
export interface TableSchema {
  table: string;
  schema: string;
  type: string;
  comment?: string;
  /** An estimate. */
  rows?: number;
  columns: {
    name: string;
    type: string;
    nullable: boolean;
    default?: string;
    generated?: string;
    enum?: string[];
    comment?: string;
  }[];
  primaryKey?: string[];
  foreignKeys?: {
    columns: string[];
    table: string;
    references: string[];
    onDelete?: string;
  }[];
  indexes?: {
    name: string;
    columns: string[];
    unique?: boolean;
    method?: string;
    where?: string;
  }[];
  checks?: string[];
  /** The further ones. */
  tables?: {
    table: string;
    schema: string;
    type: string;
    comment?: string;
    /** An estimate. */
    rows?: number;
    columns: {
      name: string;
      type: string;
      nullable: boolean;
      default?: string;
      generated?: string;
      enum?: string[];
      comment?: string;
    }[];
    primaryKey?: string[];
    foreignKeys?: {
      columns: string[];
      table: string;
      references: string[];
      onDelete?: string;
    }[];
    indexes?: {
      name: string;
      columns: string[];
      unique?: boolean;
      method?: string;
      where?: string;
    }[];
    checks?: string[];
  }[];
}

/** Of mcp.database.tables. */
export interface DatabaseTablesInput {
  /** Default: public (SQLite: main). */
  schema?: string;
  /** Names LIKE this, such as %order%. */
  pattern?: string;
  /** Which database. */
  connection?: string;
  /** Tables. */
  limit?: number;
  /** nextCursor of the last page. */
  cursor?: string;
}

/** From mcp.database.tables. */
export interface TableList {
  connection: string;
  schema: string;
  tables: {
    name: string;
    type: string;
    /** An estimate. */
    rows?: number;
    /** With indexes. */
    bytes?: number;
    comment?: string;
  }[];
  count: number;
  nextCursor?: string;
  /** All, if there are several. */
  schemas?: string[];
  /** All you may use. */
  connections: {
    name: string;
    engine: string;
    description?: string;
  }[];
}

/** Of mcp.events. */
export interface EventsInput {
  /** Only these. */
  types?: Array<"toolRegistered" | "toolUnregistered" | "toolExecuted" | "sessionOpened" | "sessionClosed">;
  /** Go on after this one; clients set it when they reconnect. */
  lastEventId?: string;
}

/** From mcp.events. */
export type ServerEvent = {
  type: "toolRegistered";
  time: string;
  /** Canonical id. */
  tool: string;
  wireName: string;
  version: string;
} | {
  type: "toolUnregistered";
  time: string;
  /** Canonical id. */
  tool: string;
  wireName: string;
  version: string;
} | {
  type: "toolExecuted";
  time: string;
  /** Canonical id. */
  tool: string;
  success: boolean;
  /** OK, TOOL_ERROR or the error's name. */
  code: string;
  durationMs: number;
  requestId: string;
} | {
  type: "sessionOpened";
  time: string;
  /** Start of its id. */
  session: string;
  transport: string;
} | {
  type: "sessionClosed";
  time: string;
  /** Start of its id. */
  session: string;
  /** closed, idle, revoked or shutdown. */
  reason: string;
} | {
  type: "eventsLost";
  time: string;
};

/** Of mcp.executeTool. */
export interface ExecuteToolInput {
  /** Of the tool: category/name, or what MCP lists. */
  name: string;
  /** By name. */
  arguments?: Record<string, unknown>;
}

/** From mcp.executeTool. */
export interface ExecutionResult {
  /** Always true: failures are errors. */
  success: boolean;
  /** What the tool gives, as its outputSchema says. */
  result: unknown;
  /** Milliseconds. */
  executionTime: number;
}

/** Of mcp.file.delete. */
export interface FileDeleteInput {
  /** File or folder. */
  path: string;
  /** A folder with all it holds. */
  recursive?: boolean;
  /** Only tell what would go. */
  dryRun?: boolean;
}

/** From mcp.file.delete. */
export interface DeletionResult {
  path: string;
  deleted: boolean;
  /** Files and folders. */
  count: number;
  bytes: number;
  /** The first 100. */
  wouldDelete?: string[];
}

/** Of mcp.file.list. */
export interface FileListInput {
  /** Folder. */
  path: string;
  /** Also what is in folders below. */
  recursive?: boolean;
  /** Also names with a leading dot. */
  includeHidden?: boolean;
  /** Most levels. */
  depth?: number;
  /** Such as *.cc or src/** /*.h. */
  glob?: string;
  /** Only these. */
  type?: "file" | "directory" | "symlink" | "other";
  /** Entries. */
  limit?: number;
  /** nextCursor of the page before. */
  cursor?: string;
}

/** From mcp.file.list. */
export interface DirectoryListing {
  path: string;
  entries: Array<{
    /** Relative to path. */
    name: string;
    type: "file" | "directory" | "symlink" | "other";
    /** Of files, in bytes. */
    size?: number;
    modified: string;
    /** Of names that are not UTF-8. */
    nameBase64?: string;
  }>;
  /** Entries of all pages; on the first page. */
  total?: number;
  /** There is more. */
  nextCursor?: string;
  /** The folder is too large to be seen whole. */
  truncated?: boolean;
  /** Folders that could not be read. */
  unreadable?: number;
}

/** Of mcp.file.read. */
export interface FileReadInput {
  /** File. */
  path: string;
  /** Of the content. */
  encoding?: "utf-8" | "base64" | "hex";
  /** First byte. */
  offset?: number;
  /** Bytes. */
  length?: number;
  /** First line, from 1; negative: the last N lines. */
  startLine?: number;
  /** Last line. */
  endLine?: number;
}

/** From mcp.file.read. */
export interface FileContent {
  path: string;
  content: string;
  encoding: "utf-8" | "base64" | "hex";
  /** Of the whole file, in bytes. */
  size: number;
  /** Of the content. */
  offset: number;
  /** Of the content, in bytes. */
  length: number;
  startLine?: number;
  endLine?: number;
  /** There is more. */
  truncated?: boolean;
  /** The offset that goes on. */
  nextOffset?: number;
  /** The startLine that goes on. */
  nextLine?: number;
  /** Of a file that was read whole. */
  sha256?: string;
  created?: string;
  modified: string;
}

/** Of mcp.file.write. */
export interface FileWriteInput {
  /** File. */
  path: string;
  /** All of it. */
  content: string;
  /** Of the content. */
  encoding?: "utf-8" | "base64" | "hex";
  /** Make missing folders. */
  createDirectories?: boolean;
  /** Add to the end. */
  append?: boolean;
  /** SHA-256 the file must have now; "none": must not exist. */
  ifMatch?: string;
}

/** From mcp.file.write. */
export interface FileMetadata {
  path: string;
  /** Bytes. */
  size: number;
  encoding: "utf-8" | "base64" | "hex";
  /** There was a file before. */
  replaced: boolean;
  sha256?: string;
  created?: string;
  modified: string;
}

/** Of mcp.listTools. */
export interface ListToolsInput {
  /** Only this category. */
  category?: string;
  /** Only this tool, with its input schema. */
  name?: string;
}

/** From mcp.listTools. */
export interface ToolList {
  tools: {
    name: string;
    title: string;
    description: string;
    category: string;
    version: string;
    tags: string[];
    inputSchema?: Record<string, unknown>;
  }[];
  count: number;
}

/** Of mcp.shell.execute. */
export interface ShellExecuteInput {
  /** Programs, joined by |. */
  command: string;
  /** Folder to run in. */
  cwd?: string;
  /** Milliseconds. */
  timeout?: number;
  /** Such as LANG, CI. */
  env?: Record<string, string>;
}

/** From mcp.shell.execute. */
export interface ShellResult {
  stdout: string;
  stderr: string;
  /** Of the last program; 128 + number for a signal. */
  exitCode: number;
  /** That ended the last program. */
  signal?: string;
  timedOut: boolean;
  /** The output limit ended the command. */
  truncated?: boolean;
  /** Written until then. */
  stdoutBytes?: number;
  stderrBytes?: number;
  /** Hosts, and why. */
  refusedConnections?: string[];
  /** Milliseconds. */
  executionTime: number;
}

/** From mcp.status. */
export interface HealthStatus {
  /** starting, healthy, degraded or draining. */
  status: string;
  version: string;
  startedAt: string;
  uptimeSeconds: number;
  sessions: number;
  requests: {
    total: number;
    successful: number;
    failed: number;
  };
  /** 0 to 1. */
  successRate: number;
  latencyMs: {
    p50: number;
    p95: number;
    p99: number;
  };
  /** Tools that were called. */
  tools: {
    name: string;
    totalInvocations: number;
    successfulInvocations: number;
    failedInvocations: number;
    /** Milliseconds. */
    averageExecutionTime: number;
    latencyMs: {
      p50: number;
      p95: number;
      p99: number;
    };
    lastInvoked?: string;
    errors?: {
      type: string;
      count: number;
      lastAt: string;
      lastRequestId: string;
    }[];
  }[];
  /** Start of the counts. */
  since: string;
  /** Calls on worker threads. */
  queue: {
    running: number;
    waiting: number;
  };
  /** Database connections. */
  pools: {
    name: string;
    open: number;
    inUse: number;
    limit: number;
  }[];
  transports: {
    name: string;
    state: string;
    connections: number;
  }[];
  /** What the server depends on. */
  checks: {
    name: string;
    ok: boolean;
    /** For administrators. */
    problem?: string;
  }[];
  /** Of commands. */
  confinement?: {
    /** 0 (none) to 4. */
    level: number;
    description: string;
  };
  /** What to look after. */
  warnings?: string[];
}

/** Of mcp.web.fetch. */
export interface WebFetchInput {
  /** http or https. */
  url: string;
  /** false: raw HTML. */
  extractText?: boolean;
  /** Of the text. */
  format?: "text" | "markdown";
  /** Per call. */
  maxChars?: number;
  /** nextCursor of the last call. */
  cursor?: number;
  /** ms */
  timeout?: number;
}

/** From mcp.web.fetch. */
export interface PageContent {
  /** After redirects. */
  url: string;
  status: number;
  contentType: string;
  /** Bytes of the page. */
  size: number;
  title?: string;
  content: string;
  totalChars: number;
  /** There is more. */
  nextCursor?: number;
  /** Characters the page hides; not in extracted text. */
  hiddenChars?: number;
}

/** Of mcp.web.request. */
export interface WebRequestInput {
  /** http or https. */
  url: string;
  /** HTTP method. */
  method?: "GET" | "POST" | "PUT" | "DELETE" | "PATCH";
  /** By name. */
  headers?: Record<string, string>;
  /** Strings go as they are, all else as JSON. */
  body?: unknown;
  /** base64: body is bytes. */
  bodyEncoding?: "text" | "base64";
  /** ms */
  timeout?: number;
}

/** From mcp.web.request. */
export interface HttpResponse {
  status: number;
  /** Names in lower case; repeated ones joined. */
  headers: Record<string, string>;
  body: string;
  /** base64 when the body is no text. */
  bodyEncoding?: string;
  /** Invisible characters in the body. */
  hiddenChars?: number;
  contentType: string;
  /** Bytes of the body after decompression. */
  size: number;
  /** ms */
  executionTime: number;
  /** After redirects. */
  url: string;
  redirects: number;
}

interface Root {
  ctx: object;
  meta: object;
  errorShape: ErrorShape;
  transformer: false;
}

export type AppRouter = TRPCBuiltRouter<
  Root,
  {
    mcp: {
      database: {
        query: TRPCMutationProcedure<{ input: DatabaseQueryInput; output: QueryResult; meta: unknown }>;
        schema: TRPCQueryProcedure<{ input: DatabaseSchemaInput; output: TableSchema; meta: unknown }>;
        tables: TRPCQueryProcedure<{ input: DatabaseTablesInput | undefined; output: TableList; meta: unknown }>;
      };
      events: TRPCSubscriptionProcedure<{ input: EventsInput | undefined; output: AsyncIterable<{ id: string; data: ServerEvent }>; meta: unknown }>;
      executeTool: TRPCMutationProcedure<{ input: ExecuteToolInput; output: ExecutionResult; meta: unknown }>;
      file: {
        delete: TRPCMutationProcedure<{ input: FileDeleteInput; output: DeletionResult; meta: unknown }>;
        list: TRPCQueryProcedure<{ input: FileListInput; output: DirectoryListing; meta: unknown }>;
        read: TRPCQueryProcedure<{ input: FileReadInput; output: FileContent; meta: unknown }>;
        write: TRPCMutationProcedure<{ input: FileWriteInput; output: FileMetadata; meta: unknown }>;
      };
      listTools: TRPCQueryProcedure<{ input: ListToolsInput | undefined; output: ToolList; meta: unknown }>;
      shell: {
        execute: TRPCMutationProcedure<{ input: ShellExecuteInput; output: ShellResult; meta: unknown }>;
      };
      status: TRPCQueryProcedure<{ input: void; output: HealthStatus; meta: unknown }>;
      web: {
        fetch: TRPCQueryProcedure<{ input: WebFetchInput; output: PageContent; meta: unknown }>;
        request: TRPCMutationProcedure<{ input: WebRequestInput; output: HttpResponse; meta: unknown }>;
      };
    };
  }
>;
