CREATE INDEX customers_region ON customers (region_id);
CREATE INDEX orders_customer ON orders (customer_id);
CREATE INDEX orders_moment ON orders (ordered_at);
CREATE INDEX order_lines_order ON order_lines (order_id);
CREATE INDEX order_lines_product ON order_lines (product_id);
CREATE INDEX refunds_order ON refunds (order_id);
CREATE INDEX tickets_customer ON support_tickets (customer_id);
