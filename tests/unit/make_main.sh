#!/bin/sh
# Writes the main() of a test program that runs suite_NAME() for every NAME given.
set -eu

echo '/* Made by tests/unit/make_main.sh. */'
echo '#include "tests/unit/runner.h"'
for name in "$@"; do
	echo "Suite *suite_$name(void);"
done
echo 'int main(void)'
echo '{'
echo '	static suite_fn *const suites[] = {'
for name in "$@"; do
	echo "		suite_$name,"
done
echo '		NULL,'
echo '	};'
echo '	return run_suites(suites);'
echo '}'
