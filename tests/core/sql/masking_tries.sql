SELECT * FROM customers
SELECT c.* FROM customers c
SELECT email FROM customers
SELECT email AS id FROM customers
SELECT "email", "salary" FROM "customers"
SELECT "customers"."email" FROM "customers"
SELECT customers.email FROM customers
SELECT CUSTOMERS.EMAIL FROM Customers
SELECT main.customers.email FROM main.customers
SELECT public.customers.email FROM public.customers
SELECT main.customers.* FROM main.customers
SELECT public.customers.* FROM public.customers
SELECT ssn FROM customers
SELECT customers.ssn FROM customers
SELECT c.ssn FROM customers AS c
SELECT "ssn" FROM customers
SELECT id FROM customers WHERE ssn LIKE '%9'
SELECT id FROM customers ORDER BY ssn
SELECT MIN(ssn), MAX(ssn) FROM customers
SELECT MIN(email), MAX(salary) FROM customers
SELECT email || '' FROM customers
SELECT COALESCE(email, 'none') FROM customers
SELECT CAST(salary AS VARCHAR(20)) FROM customers
SELECT salary + 0, salary * 1.0 FROM customers
SELECT SUBSTR(email, 1, 3) FROM customers
SELECT REPLACE(email, '@', ' at ') FROM customers
SELECT (SELECT email) FROM customers
SELECT (SELECT c.email FROM customers c WHERE c.id = o.customer_id) FROM orders o
SELECT (SELECT MAX(x.email) FROM customers AS x) FROM orders
SELECT e FROM (SELECT email AS e FROM customers) AS t
SELECT MAX(e) FROM (SELECT email AS e FROM customers) AS t
SELECT e FROM (SELECT email FROM customers) AS t (e)
SELECT a FROM customers AS t (a, b, c, d)
SELECT a, b, c, d, e FROM customers AS t (a, b, c, d, e)
SELECT b FROM (SELECT * FROM customers) AS t (a, b, c, d)
WITH t AS (SELECT * FROM customers) SELECT * FROM t
WITH t AS (SELECT email AS e FROM customers) SELECT MAX(e), MIN(e) FROM t
WITH t (x, y) AS (SELECT id, email FROM customers) SELECT y FROM t WHERE y LIKE 'z%'
WITH customers AS (SELECT * FROM customers) SELECT * FROM customers
WITH customers AS (SELECT * FROM main.customers) SELECT email FROM customers
WITH customers AS (SELECT * FROM public.customers) SELECT email FROM customers
WITH Customers AS (SELECT 1 AS email) SELECT email FROM customers
WITH "CUSTOMERS" AS (SELECT 1 AS email) SELECT email FROM customers
WITH customers AS (SELECT 1 AS email) SELECT email FROM main.customers
WITH customers AS (SELECT 1 AS email) SELECT email FROM public.customers
WITH a AS (WITH b AS (SELECT * FROM customers) SELECT * FROM b) SELECT * FROM a
WITH RECURSIVE t AS (SELECT id, email FROM customers UNION ALL SELECT id + 9, email FROM t WHERE id < 9) SELECT * FROM t
WITH RECURSIVE customers AS (SELECT 1 AS id, 'x' AS email UNION ALL SELECT id + 1, email FROM customers WHERE id < 3) SELECT * FROM customers
SELECT email FROM customers UNION SELECT country FROM places
SELECT country FROM places UNION ALL SELECT email FROM customers
SELECT country FROM places UNION ALL SELECT ssn FROM customers
SELECT email FROM orders EXCEPT SELECT country FROM places
SELECT email FROM orders INTERSECT SELECT email FROM customers
SELECT email FROM customers EXCEPT SELECT email FROM orders
SELECT a.email FROM customers a, customers b
SELECT a.email, b.email FROM customers a LEFT JOIN orders b ON a.id = b.customer_id
SELECT b.email FROM (customers a JOIN orders b ON a.id = b.customer_id)
SELECT * FROM (customers)
SELECT * FROM (customers CROSS JOIN places)
SELECT * FROM ((SELECT * FROM customers)) AS t
SELECT * FROM customers NATURAL JOIN places
SELECT * FROM customers JOIN places USING (country)
SELECT id FROM customers WHERE email IN (SELECT email FROM orders)
SELECT id FROM orders WHERE email IN (SELECT email FROM customers)
SELECT id FROM customers WHERE EXISTS (SELECT 1 FROM orders WHERE orders.email = customers.email)
SELECT id FROM places, customers WHERE (id, email) IN (SELECT customer_id, email FROM orders)
SELECT DISTINCT email FROM customers
SELECT COUNT(*) FROM customers GROUP BY SUBSTR(email, 1, 1)
SELECT id FROM customers GROUP BY id HAVING MAX(email) > 'm'
SELECT FIRST_VALUE(email) OVER (ORDER BY id) FROM customers
SELECT LAG(e) OVER (ORDER BY id) FROM (SELECT id, email AS e FROM customers) AS t
SELECT CASE WHEN 1 = 1 THEN email END FROM customers
SELECT * FROM codes
SELECT code FROM codes
SELECT * FROM main.codes
SELECT * FROM public.codes
SELECT 1 WHERE 'secret-code' IN codes
SELECT id FROM orders WHERE 'secret-code' IN (codes)
SELECT id FROM orders WHERE 'secret-code' IN (SELECT code FROM codes)
SELECT (SELECT code FROM codes)
SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM codes)
WITH codes AS (SELECT * FROM codes) SELECT * FROM codes
WITH codes AS (SELECT * FROM main.codes) SELECT * FROM codes
WITH CODES AS (SELECT 'x' AS code) SELECT * FROM codes
TABLE customers
TABLE codes
VALUES ((SELECT MAX(ssn) FROM customers))
VALUES ((SELECT MAX(e) FROM (SELECT email AS e FROM customers) AS t))
SELECT table_name FROM information_schema.tables
SELECT column_name FROM information_schema.columns WHERE table_name = 'customers'
SELECT sql FROM sqlite_master
SELECT sql FROM main.sqlite_schema
SELECT rowid, * FROM customers
SELECT ctid, * FROM customers
SELECT customers FROM customers
SELECT c FROM customers c
SELECT c::text FROM customers c
SELECT (c).email FROM customers c
SELECT (c).ssn FROM customers c
SELECT (c.*)::text FROM customers c
SELECT row_to_json(c) FROM customers c
SELECT to_jsonb(customers) FROM customers
SELECT json_agg(c) FROM customers c
SELECT json_agg(email) FROM customers
SELECT array_agg(e) FROM (SELECT email AS e FROM customers) t
SELECT string_agg(e, ',') FROM (SELECT email AS e FROM customers) t
SELECT group_concat(e) FROM (SELECT email AS e FROM customers) t
SELECT json_group_array(e) FROM (SELECT email AS e FROM customers) t
SELECT ssn(c) FROM customers c
SELECT ssn(customers) FROM customers
SELECT email FROM ONLY customers
SELECT email FROM customers TABLESAMPLE BERNOULLI (100)
SELECT email FROM customers TABLESAMPLE 100%
SELECT t.e FROM orders o, LATERAL (SELECT email AS e FROM customers c WHERE c.id = o.customer_id) t
SELECT most_common_vals FROM pg_stats WHERE tablename = 'customers'
SELECT query_to_xml('SELECT * FROM customers', true, false, '')
SELECT table_to_xml('customers', true, false, '')
SELECT * FROM pragma_table_info('customers')
SELECT email FROM customers NOT INDEXED
SELECT [email] FROM [customers]
SELECT `email` FROM `customers`
SELECT email COLLATE NOCASE FROM customers
SELECT hex(e), typeof(e), quote(e) FROM (SELECT email AS e FROM customers)
FROM customers
FROM customers SELECT email
SELECT COLUMNS(*) FROM customers
SELECT COLUMNS('e.*') FROM customers
SELECT COLUMNS('ssn') FROM customers
SELECT * EXCLUDE (id) FROM customers
SELECT * REPLACE (email AS country) FROM customers
SELECT * REPLACE (ssn AS country) FROM customers
SELECT * RENAME (email AS e) FROM customers
SELECT #2 FROM customers
SELECT #4 FROM customers
SELECT * FROM query_table('customers')
SELECT * FROM query('SELECT ssn FROM customers')
SELECT * FROM 'customers'
SUMMARIZE customers
SELECT * FROM (SUMMARIZE customers)
DESCRIBE customers
SELECT * FROM (DESCRIBE customers)
SELECT * FROM (SHOW TABLES)
SELECT list(e), histogram(e), arg_max(e, id) FROM (SELECT id, email AS e FROM customers)
SELECT arg_max(email, id), list(ssn) FROM customers
SELECT customers.email FROM (SELECT customers FROM customers)
SELECT struct_extract(c, 'ssn') FROM customers c
SELECT unnest(c) FROM customers c
SELECT c['email'] FROM customers c
PIVOT customers ON country USING MAX(email)
PIVOT customers ON country USING MAX(ssn)
UNPIVOT customers ON email, country
SELECT * FROM customers UNPIVOT (v FOR n IN (email, country))
SELECT * FROM customers PIVOT (MAX(ssn) FOR country IN ('ES', 'DE'))
SELECT * FROM orders ASOF JOIN customers ON orders.id >= customers.id
SELECT * FROM orders POSITIONAL JOIN customers
SELECT * FROM orders SEMI JOIN customers USING (email)
SELECT email FROM customers QUALIFY ROW_NUMBER() OVER (ORDER BY ssn) = 1
SELECT id FROM customers QUALIFY ROW_NUMBER() OVER (ORDER BY email DESC) = 1
SELECT * FROM duckdb_columns()
SELECT id FROM customers c WHERE c = (SELECT c FROM customers c LIMIT 1)
SELECT to_json(c) FROM customers AS c
SELECT x FROM customers, unnest([email]) AS t (x)
SELECT x FROM customers, unnest(ARRAY[email]) AS t (x)
SELECT jsonb_each_text(to_jsonb(c)) FROM customers c
SELECT j.value FROM customers c, jsonb_each_text(to_jsonb(c)) AS j
SELECT j.value FROM customers c, json_each(json_array(c.email)) AS j
