SELECT * FROM named_contexts NATURAL JOIN contexts; SELECT under(1, '**********'), path(9223372036854775807), calls_under(-1, NULL)
