// What a SQL Server would answer to the statements of the tools, for the scripted one.

const nvarchar = (name) => ({ name, type: 'nvarchar(4000)' });
const int = (name) => ({ name, type: 'int' });
const datetime = (name) => ({ name, type: 'datetime' });
const set = (columns, ...rows) => [{ columns, rows }];
const depth = (value) => set([int('toolpost_depth')], [value]);

const posture = [
  ...set([nvarchar('version'), nvarchar('database_name'), nvarchar('login_name'), int('is_sysadmin'), int('can_write'),
    int('can_execute'), int('is_read_only'), int('controls_server'), int('is_bulk')],
  ['Microsoft SQL Server 2022 (RTM)\nCopyright', 'shop', 'reader', 0, 0, 0, 0, 0, 0]),
  ...set([nvarchar('name')], ['db_datareader']),
];

const objectColumns = [nvarchar('schema_name'), nvarchar('object_name'), { name: 'type', type: 'varchar(2)' }, datetime('create_date'),
  datetime('modify_date'), nvarchar('parent_schema'), nvarchar('parent_name'), nvarchar('description'),
  { name: 'row_estimate', type: 'bigint' }];
const columnColumns = [nvarchar('schema'), nvarchar('object'), nvarchar('name'), nvarchar('type_name'), { name: 'max_length', type: 'smallint' },
  { name: 'precision', type: 'tinyint' }, { name: 'scale', type: 'tinyint' }, { name: 'is_nullable', type: 'bit' },
  { name: 'is_identity', type: 'bit' }, { name: 'is_computed', type: 'bit' }, nvarchar('default_definition'),
  { name: 'key_ordinal', type: 'tinyint' }, nvarchar('description')];
const jobColumns = [nvarchar('job_id'), nvarchar('name'), { name: 'enabled', type: 'tinyint' }, nvarchar('description'), nvarchar('owner_name'),
  nvarchar('category'), datetime('date_created'), datetime('date_modified'), { name: 'last_run_outcome', type: 'tinyint' },
  int('last_run_date'), int('last_run_time'), int('last_run_duration'), { name: 'next_run', type: 'bigint' }, int('is_running')];

/** Steps by tag: a server on which every tool finds something. */
export const full = {
  posture,
  rights: [...set([nvarchar('name')]), ...set([nvarchar('name')])],
  configuration: set([nvarchar('name')]),
  linked_servers: set([int('linked_servers')], [0]),
  check: depth(0),
  ping: set([int('one')], [1]),
  read: set([int('Id'), nvarchar('Name'), { name: 'Total', type: 'decimal(38,10)' }, { name: 'At', type: 'datetimeoffset(7)' }],
    [1, 'John Doe', '1234567890123456789012345678.0123456789', '2026-01-31T23:59:59.1234567+05:30'], [2, '𝄞', null, null]),
  objects: set(objectColumns, ['dbo', 'Users', 'U', '2024-01-01T00:00:00', '2024-02-01T00:00:00', null, null, 'People', 3],
    ['dbo', 'VUsers', 'V', null, null, null, null, null, null], ['dbo', 'WAge', 'FN', null, null, null, null, null, null]),
  columns: set(columnColumns, ['dbo', 'Users', 'UserId', 'int', 4, 10, 0, false, true, false, null, 1, null],
    ['dbo', 'Users', 'Username', 'nvarchar', 200, 0, 0, false, false, false, null, null, null]),
  foreign_keys: set(['s', 'o', 'k', 'c', 'rs', 'rt', 'rc', 'a'].map(nvarchar),
    ['dbo', 'Users', 'FK_Users_Names', 'Username', 'dbo', 'Names', 'Name', 'CASCADE'],
    ['dbo', 'VUsers', 'FK_Users_Names', 'Username', 'dbo', 'Names', 'Name', 'CASCADE']),
  indexes: set([...['s', 'o', 'i', 't'].map(nvarchar), { name: 'is_unique', type: 'bit' }, nvarchar('f'), nvarchar('c'), { name: 'inc', type: 'bit' }],
    ['dbo', 'Users', 'UX_Username', 'NONCLUSTERED', true, null, 'Username', false]),
  definitions: set([nvarchar('s'), nvarchar('o'), { name: 'definition', type: 'nvarchar(max)' }],
    ['dbo', 'VUsers', 'CREATE VIEW VUsers AS SELECT 1 AS ü'], ['dbo', 'WAge', { repeat: 'é', times: 1_000_000 }]),
  parameters: set([...['s', 'o', 'p'].map(nvarchar), int('parameter_id'), nvarchar('type'), { name: 'max_length', type: 'smallint' },
    { name: 'precision', type: 'tinyint' }, { name: 'scale', type: 'tinyint' }, { name: 'is_output', type: 'bit' }],
  ['dbo', 'WAge', '', 0, 'int', 4, 10, 0, true], ['dbo', 'WAge', '@name', 1, 'nvarchar', 100, 0, 0, false]),
  schemas: set([nvarchar('name')], ['dbo'], ['sales']),
  agent_jobs: set(jobColumns, ['7F8D9E0A-1B2C-3D4E-5F60-718293A4B5C6', 'DatabaseBackup', 1, 'Nightly', 'sa', 'Maintenance',
    '2024-01-01T00:00:00', '2024-02-01T00:00:00', 1, 20260131, 30000, 205, '20260201030000', 0]),
  agent_steps: set([int('id'), nvarchar('name'), nvarchar('subsystem'), { name: 'command', type: 'nvarchar(max)' }, nvarchar('database'), int('s'),
    int('f'), int('r')], [1, 'Copy', 'CmdExec', 'sqlcmd -S a -U sa -P hunter2', null, 3, 2, 0]),
  agent_schedules: set([nvarchar('name'), ...['enabled', 'type', 'interval', 'sd', 'st', 'ed', 'et', 'nd', 'nt'].map(int)],
    ['Nightly', 1, 4, 1, 20240101, 30000, 99991231, 235959, 20260201, 30000]),
  agent_history: set([int('instance'), int('step'), nvarchar('name'), int('date'), int('time'), int('status'), int('duration'), nvarchar('message')],
    [12, 0, '(Job outcome)', 20260131, 30000, 0, 12, 'The job failed.']),
  ssis_database: set([nvarchar('server_name'), datetime('create_date'), int('has_access')], ['SQL1', '2023-05-01T00:00:00', 1]),
  ssis_folders: set([{ name: 'id', type: 'bigint' }, nvarchar('name'), nvarchar('description'), datetime('created')], [1, 'Finance', null, null]),
  ssis_projects: set([{ name: 'folder', type: 'bigint' }, { name: 'id', type: 'bigint' }, nvarchar('name'), nvarchar('description'),
    datetime('created'), datetime('deployed')], [1, 7, 'Load', null, null, null]),
  ssis_packages: set([{ name: 'project', type: 'bigint' }, nvarchar('name'), nvarchar('description'), { name: 'entry', type: 'bit' },
    { name: 'status', type: 'char(1)' }, datetime('validated')], [7, 'Main.dtsx', null, true, 'S', null]),
  ssis_parameters: set([{ name: 'project', type: 'bigint' }, { name: 'type', type: 'smallint' }, nvarchar('object'), nvarchar('name'),
    nvarchar('data_type'), { name: 'required', type: 'bit' }, { name: 'sensitive', type: 'bit' }, nvarchar('value')],
  [7, 20, 'Load', 'Root', 'String', true, false, '/data'],
  [7, 30, 'Main.dtsx', 'Source', 'String', false, false, 'Data Source=a;User ID=u;Password=hunter2;'],
  [7, 30, 'Main.dtsx', 'Token', 'String', false, true, 'hunter2']),
  ssis_environments: set([{ name: 'folder', type: 'bigint' }, { name: 'id', type: 'bigint' }, nvarchar('name'), nvarchar('description'),
    nvarchar('variable'), nvarchar('type'), { name: 'sensitive', type: 'bit' }, nvarchar('value')],
  [1, 3, 'Test', null, 'DbPassword', 'String', false, 'hunter2'], [1, 4, 'Empty', null, null, null, null, null]),
  ssis_executions: set([{ name: 'id', type: 'bigint' }, nvarchar('folder'), nvarchar('project'), nvarchar('package'), int('status'),
    { name: 'start', type: 'datetimeoffset(7)' }, { name: 'end', type: 'datetimeoffset(7)' }],
  [500, 'Finance', 'Load', 'Main.dtsx', 7, '2026-01-01T00:00:00+00:00', null]),
  ssis_legacy: set([nvarchar('folder'), nvarchar('name'), nvarchar('description'), datetime('created')],
  ['Maintenance', 'Old', null, '2010-01-01T00:00:00']),
  devops_tables: set([...['p', 'r', 'b', 'w', 'c'].map(int), nvarchar('database_name')], [1, 2, 3, 4, 16, 'Tfs_Default']),
  devops_projects: set([...['id', 'name', 'process', 'description'].map(nvarchar), datetime('created'), datetime('updated')],
    ['P1', 'Alpha', 'Agile', null, null, null]),
  devops_repositories: set([nvarchar('id'), nvarchar('name'), { name: 'size', type: 'bigint' }, datetime('created'), nvarchar('container')],
    ['R2', 'beta', null, null, null]),
  devops_contained_repositories: set([nvarchar('id'), nvarchar('name'), { name: 'size', type: 'bigint' }, datetime('created'), nvarchar('container')],
    ['R1', 'alpha', 1000, null, 'P1']),
  devops_pipelines: set([{ name: 'n', type: 'bigint' }], [12]),
  devops_work_items: set([{ name: 'n', type: 'bigint' }], ['3000000000']),
};

/** The same without a row, except where the server speaks of itself. */
export const empty = Object.fromEntries(Object.entries(full).map(([tag, steps]) => [
  tag, ['posture', 'check', 'ping'].includes(tag) ? steps : steps.map((step) => ({ ...step, rows: [] })),
]));

/** Every statement of a tool fails; the session's own go on working. */
export const failing = (error) => Object.fromEntries(Object.keys(full).map((tag) => [
  tag, ['check', 'ping'].includes(tag) ? full[tag] : [{ error }],
]));
/** Every statement of a tool begins with this step. */
export const beginning = (step) => Object.fromEntries(Object.entries(full).map(([tag, steps]) => [
  tag, ['check', 'ping'].includes(tag) ? steps : [step, ...steps],
]));

/** A script of the TDS server. */
export const scriptOf = (replies) => ({
  login: { user: 'reader', password: 'example', databases: ['shop', 'master'] },
  rules: Object.entries(replies).map(([tag, steps]) => ({ tag: `toolpost:${tag}`, steps })),
  after: { 'toolpost:read': depth(1), 'toolpost:write': depth(1) },
});
