SELECT randomblob(2147483647), replace(hex(zeroblob(3000)), '0', hex(zeroblob(3000)))
