SELECT * FROM pragma_function_list, json_each('[1,[2,{"a":3}]]'), sqlite_schema, pragma_module_list
