SELECT id FROM customers WHERE ssn LIKE '{}%'
SELECT id FROM customers AS c WHERE c.ssn = '{}'
SELECT id FROM (SELECT id, email AS e FROM customers) AS t WHERE e LIKE '{}%'
WITH t (a, b) AS (SELECT id, email FROM customers) SELECT a FROM t WHERE b = '{}'
SELECT o.id FROM orders AS o WHERE o.email = '{}'
SELECT o.id FROM (SELECT id, email AS e FROM orders) AS o WHERE o.e IN ('{}', 'nobody')
SELECT id FROM orders WHERE '{}' IN codes
SELECT id FROM orders WHERE '{}' IN (SELECT code FROM codes)
SELECT id FROM places, customers WHERE ssn > '{}'
SELECT COUNT(*) FROM (SELECT email AS e FROM customers) AS t WHERE e > '{}'
SELECT id FROM customers WHERE rowid IN (SELECT rowid FROM customers WHERE email = '{}')
