SELECT group_concat(hex(zeroblob(1000000))) FROM contexts a, contexts b, contexts c
