"""A gym whose members leave by a state: no date of ending, other words, keys in another style."""

SCRIPT = """
CREATE TABLE Branch (BranchId INTEGER PRIMARY KEY, BranchName TEXT NOT NULL, City TEXT NOT NULL);
CREATE TABLE Member (
    MemberId INTEGER PRIMARY KEY, Nickname TEXT NOT NULL, Age INTEGER, Plan TEXT NOT NULL,
    BranchId INTEGER NOT NULL REFERENCES Branch (BranchId), JoinedOn DATE NOT NULL,
    State TEXT NOT NULL
);
CREATE TABLE Checkin (
    CheckinId INTEGER PRIMARY KEY, MemberId INTEGER NOT NULL REFERENCES Member (MemberId),
    HappenedAt DATETIME NOT NULL, Minutes INTEGER NOT NULL
);
CREATE TABLE Payment (
    PaymentId INTEGER PRIMARY KEY, MemberId INTEGER NOT NULL REFERENCES Member (MemberId),
    PaidOn DATE NOT NULL, Amount DECIMAL(10, 2) NOT NULL
);
INSERT INTO Branch VALUES (1, 'Riverside', 'Ghent'), (2, 'Old Town', 'Bruges'), (3, 'Dockyard', 'Ghent');
INSERT INTO Member
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
SELECT i, printf('M%03d', i), CASE WHEN i % 11 = 0 THEN NULL ELSE 18 + (i * 7) % 50 END,
    CASE i % 3 WHEN 0 THEN 'basic' WHEN 1 THEN 'plus' ELSE 'family' END, 1 + (i * 5) % 3,
    date('2023-01-01', '+' || ((i * 31) % 700) || ' days'),
    CASE WHEN (i * i) % 7 < 2 THEN 'cancelled' ELSE 'active' END
FROM n;
INSERT INTO Checkin
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
SELECT n.i, m.MemberId, datetime('2025-01-01 07:30:00', '+' || ((n.i * 37) % 365) || ' days'),
    20 + (n.i * 13) % 70
FROM n JOIN Member m ON m.MemberId = 1 + (n.i * n.i * 3 + n.i) % 88
WHERE m.State = 'active' OR n.i % 4 = 0;
INSERT INTO Payment
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
SELECT i, 1 + (i * 17) % 90, date('2025-01-01', '+' || ((i * 29) % 365) || ' days'),
    25 + (i * 19) % 60 + CASE WHEN (i * 29) % 365 BETWEEN 59 AND 89 THEN -20 ELSE 0 END
FROM n;
"""
