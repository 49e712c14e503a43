#!/bin/sh
# Writes the main() of a test program that runs suite_NAME() for every NAME given.
set -eu

echo '/* Made by tests/unit/make_main.sh. */'
echo '#include "tests/unit/runner.h"'
for name in "$@"; do
	echo "Suite *suite_$name(void);"
done
echo 'int main(int argc, char **argv)'
echo '{'
echo '	static const struct test_module modules[] = {'
for name in "$@"; do
	echo "		{ \"$name\", suite_$name },"
done
echo '		{ NULL, NULL },'
echo '	};'
echo '	return run_tests(modules, argc, argv);'
echo '}'
