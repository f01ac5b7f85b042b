// The statements that read the catalogue of a database. Values are parameters; an empty @schema or
// @pattern filters nothing, @types is a list such as ",U,V,". To = a blank text is an empty one, to
// DATALENGTH it is not.
//
// A catalogue shows a login only what it has a right on: that of a type or of a table that is
// referred to may be missing, and what refers to it is still shown.
//
// The statements after the first read details of one page of it: of the objects from @firstSchema,
// @firstName up to @lastSchema, @lastName.
#pragma once

#include <string_view>

namespace toolpost::tools::mssql {

inline constexpr std::string_view kObjectsSql = R"sql(/* toolpost:objects */
WITH listed AS (
  SELECT s.name AS schema_name, o.name AS object_name, o.object_id, RTRIM(o.type) AS type,
         o.create_date, o.modify_date, o.parent_object_id
  FROM sys.objects AS o
  JOIN sys.schemas AS s ON s.schema_id = o.schema_id
  WHERE o.is_ms_shipped = 0
  UNION ALL
  SELECT s.name, t.name, NULL, 'UT', NULL, NULL, NULL
  FROM sys.types AS t
  JOIN sys.schemas AS s ON s.schema_id = t.schema_id
  WHERE t.is_user_defined = 1
)
SELECT TOP (@take) l.schema_name, l.object_name, l.type, l.create_date, l.modify_date,
       OBJECT_SCHEMA_NAME(NULLIF(l.parent_object_id, 0)) AS parent_schema,
       OBJECT_NAME(NULLIF(l.parent_object_id, 0)) AS parent_name,
       CAST(e.value AS nvarchar(4000)) AS description,
       CASE WHEN l.type = 'U' THEN
         (SELECT SUM(p.rows) FROM sys.partitions AS p
          WHERE p.object_id = l.object_id AND p.index_id IN (0, 1)) END AS row_estimate
FROM listed AS l
LEFT JOIN sys.extended_properties AS e
  ON e.class = 1 AND e.major_id = l.object_id AND e.minor_id = 0 AND e.name = N'MS_Description'
WHERE CHARINDEX(N',' + l.type + N',', @types) > 0
  AND (DATALENGTH(@schema) = 0 OR l.schema_name = @schema)
  AND (DATALENGTH(@pattern) = 0 OR l.object_name LIKE @pattern)
  AND (l.schema_name > @afterSchema
       OR (l.schema_name = @afterSchema AND l.object_name > @afterName)
       OR (l.schema_name = @afterSchema AND l.object_name = @afterName AND l.type > @afterType))
ORDER BY l.schema_name, l.object_name, l.type
)sql";

inline constexpr std::string_view kColumnsSql = R"sql(/* toolpost:columns */
SELECT s.name, o.name, c.name, COALESCE(t.name, TYPE_NAME(c.system_type_id)) AS type_name,
       c.max_length, c.[precision], c.scale,
       c.is_nullable, c.is_identity, c.is_computed, d.definition AS default_definition,
       k.key_ordinal, CAST(e.value AS nvarchar(4000)) AS description
FROM sys.objects AS o
JOIN sys.schemas AS s ON s.schema_id = o.schema_id
JOIN sys.columns AS c ON c.object_id = o.object_id
LEFT JOIN sys.types AS t ON t.user_type_id = c.user_type_id
LEFT JOIN sys.default_constraints AS d ON d.object_id = c.default_object_id
LEFT JOIN sys.indexes AS i ON i.object_id = o.object_id AND i.is_primary_key = 1
LEFT JOIN sys.index_columns AS k
  ON k.object_id = o.object_id AND k.index_id = i.index_id AND k.column_id = c.column_id
LEFT JOIN sys.extended_properties AS e
  ON e.class = 1 AND e.major_id = o.object_id AND e.minor_id = c.column_id
     AND e.name = N'MS_Description'
WHERE o.is_ms_shipped = 0
  AND CHARINDEX(N',' + RTRIM(o.type) + N',', @types) > 0
  AND (DATALENGTH(@schema) = 0 OR s.name = @schema)
  AND (DATALENGTH(@pattern) = 0 OR o.name LIKE @pattern)
  AND (s.name > @firstSchema OR (s.name = @firstSchema AND o.name >= @firstName))
  AND (s.name < @lastSchema OR (s.name = @lastSchema AND o.name <= @lastName))
ORDER BY s.name, o.name, c.column_id
)sql";

inline constexpr std::string_view kForeignKeysSql = R"sql(/* toolpost:foreign_keys */
SELECT s.name, o.name, f.name AS key_name, c.name AS column_name,
       rs.name AS referenced_schema, r.name AS referenced_table, rc.name AS referenced_column,
       f.delete_referential_action_desc
FROM sys.objects AS o
JOIN sys.schemas AS s ON s.schema_id = o.schema_id
JOIN sys.foreign_keys AS f ON f.parent_object_id = o.object_id
JOIN sys.foreign_key_columns AS fc ON fc.constraint_object_id = f.object_id
JOIN sys.columns AS c ON c.object_id = fc.parent_object_id AND c.column_id = fc.parent_column_id
LEFT JOIN sys.objects AS r ON r.object_id = fc.referenced_object_id
LEFT JOIN sys.schemas AS rs ON rs.schema_id = r.schema_id
LEFT JOIN sys.columns AS rc
  ON rc.object_id = fc.referenced_object_id AND rc.column_id = fc.referenced_column_id
WHERE o.is_ms_shipped = 0 AND o.type = 'U'
  AND (DATALENGTH(@schema) = 0 OR s.name = @schema)
  AND (DATALENGTH(@pattern) = 0 OR o.name LIKE @pattern)
  AND (s.name > @firstSchema OR (s.name = @firstSchema AND o.name >= @firstName))
  AND (s.name < @lastSchema OR (s.name = @lastSchema AND o.name <= @lastName))
ORDER BY s.name, o.name, f.name, fc.constraint_column_id
)sql";

// A partitioning column that is no key column of a row store is listed, too, as neither.
inline constexpr std::string_view kIndexesSql = R"sql(/* toolpost:indexes */
SELECT s.name, o.name, i.name AS index_name, i.type_desc, i.is_unique, i.filter_definition,
       c.name AS column_name, k.is_included_column
FROM sys.objects AS o
JOIN sys.schemas AS s ON s.schema_id = o.schema_id
JOIN sys.indexes AS i ON i.object_id = o.object_id AND i.index_id > 0 AND i.is_primary_key = 0
JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id
JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
WHERE o.is_ms_shipped = 0 AND o.type IN ('U', 'V')
  AND (k.key_ordinal > 0 OR k.is_included_column = 1 OR i.type NOT IN (1, 2))
  AND (DATALENGTH(@schema) = 0 OR s.name = @schema)
  AND (DATALENGTH(@pattern) = 0 OR o.name LIKE @pattern)
  AND (s.name > @firstSchema OR (s.name = @firstSchema AND o.name >= @firstName))
  AND (s.name < @lastSchema OR (s.name = @lastSchema AND o.name <= @lastName))
ORDER BY s.name, o.name, i.index_id, k.is_included_column, k.key_ordinal, k.index_column_id
)sql";

inline constexpr std::string_view kDefinitionsSql = R"sql(/* toolpost:definitions */
SELECT s.name, o.name, m.definition
FROM sys.objects AS o
JOIN sys.schemas AS s ON s.schema_id = o.schema_id
JOIN sys.sql_modules AS m ON m.object_id = o.object_id
WHERE o.is_ms_shipped = 0
  AND CHARINDEX(N',' + RTRIM(o.type) + N',', @types) > 0
  AND (DATALENGTH(@schema) = 0 OR s.name = @schema)
  AND (DATALENGTH(@pattern) = 0 OR o.name LIKE @pattern)
  AND (s.name > @firstSchema OR (s.name = @firstSchema AND o.name >= @firstName))
  AND (s.name < @lastSchema OR (s.name = @lastSchema AND o.name <= @lastName))
ORDER BY s.name, o.name
)sql";

inline constexpr std::string_view kParametersSql = R"sql(/* toolpost:parameters */
SELECT s.name, o.name, p.name AS parameter_name, p.parameter_id,
       COALESCE(t.name, TYPE_NAME(p.system_type_id)) AS type_name,
       p.max_length, p.[precision], p.scale, p.is_output
FROM sys.objects AS o
JOIN sys.schemas AS s ON s.schema_id = o.schema_id
JOIN sys.parameters AS p ON p.object_id = o.object_id
LEFT JOIN sys.types AS t ON t.user_type_id = p.user_type_id
WHERE o.is_ms_shipped = 0
  AND CHARINDEX(N',' + RTRIM(o.type) + N',', @types) > 0
  AND (DATALENGTH(@schema) = 0 OR s.name = @schema)
  AND (DATALENGTH(@pattern) = 0 OR o.name LIKE @pattern)
  AND (s.name > @firstSchema OR (s.name = @firstSchema AND o.name >= @firstName))
  AND (s.name < @lastSchema OR (s.name = @lastSchema AND o.name <= @lastName))
ORDER BY s.name, o.name, p.parameter_id
)sql";

inline constexpr std::string_view kSchemasSql = R"sql(/* toolpost:schemas */
SELECT s.name
FROM sys.schemas AS s
WHERE s.name = @schema
   OR EXISTS (SELECT 1 FROM sys.objects AS o
              WHERE o.schema_id = s.schema_id AND o.is_ms_shipped = 0)
ORDER BY s.name
)sql";

}  // namespace toolpost::tools::mssql
