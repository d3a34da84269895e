package com.acme;

/** Stands for a database: each query is a round trip. */
class Dao {
    int query(String what, int id) {
        return what.length() + id;
    }
}
