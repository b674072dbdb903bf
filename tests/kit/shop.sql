-- The shop of tests/kit/dataset.py, in an order in which every key finds its target.
CREATE TABLE customers (
    customer_id INTEGER PRIMARY KEY,
    name VARCHAR(80),
    "Country Name" VARCHAR(40),
    segment VARCHAR(20) NOT NULL,
    signup_date DATE NOT NULL,
    newsletter BOOLEAN
);
CREATE TABLE products (
    product_id INTEGER PRIMARY KEY,
    title VARCHAR(80) NOT NULL,
    category VARCHAR(40),
    list_price DECIMAL(10, 2) NOT NULL,
    description TEXT
);
CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY,
    customer_id INTEGER REFERENCES customers (customer_id),
    ordered_at TIMESTAMP NOT NULL,
    order_day VARCHAR(10) NOT NULL,
    status VARCHAR(20) NOT NULL,
    amount DOUBLE PRECISION,
    discount DOUBLE PRECISION,
    quantity INTEGER
);
CREATE TABLE order_items (
    order_id INTEGER NOT NULL REFERENCES orders (order_id),
    line_no INTEGER NOT NULL,
    product_id INTEGER NOT NULL REFERENCES products (product_id),
    quantity INTEGER NOT NULL,
    price DECIMAL(10, 2) NOT NULL,
    PRIMARY KEY (order_id, line_no)
);
CREATE TABLE events (
    event_id INTEGER PRIMARY KEY,
    customer_id INTEGER,
    event VARCHAR(20) NOT NULL,
    happened_at TIMESTAMP NOT NULL
);
CREATE TABLE experiment (
    visitor_id INTEGER PRIMARY KEY,
    variant VARCHAR(10) NOT NULL,
    converted BOOLEAN NOT NULL,
    revenue DOUBLE PRECISION NOT NULL
);
CREATE TABLE monthly_targets (
    month VARCHAR(7) PRIMARY KEY,
    target DOUBLE PRECISION NOT NULL
);
CREATE TABLE "Odd Names" (
    "Row ID" INTEGER PRIMARY KEY,
    "select" DOUBLE PRECISION,
    "group" VARCHAR(20),
    "Größe" DOUBLE PRECISION,
    "売上" INTEGER,
    "a ""quoted"" one" VARCHAR(20)
);
CREATE TABLE nothing_yet (
    id INTEGER PRIMARY KEY,
    label VARCHAR(20),
    amount DOUBLE PRECISION,
    day DATE
);
CREATE VIEW paid_orders AS
SELECT order_id, customer_id, ordered_at, amount FROM orders WHERE status = 'paid';
