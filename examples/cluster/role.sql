-- As a superuser, with psql. The role can do nothing but what Beckon needs, in a schema of its own.
CREATE ROLE beckon LOGIN PASSWORD 'choose one';
CREATE DATABASE beckon ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE beckon FROM PUBLIC;
GRANT CONNECT ON DATABASE beckon TO beckon;
\connect beckon
REVOKE ALL ON SCHEMA public FROM PUBLIC;
CREATE SCHEMA beckon AUTHORIZATION beckon;
