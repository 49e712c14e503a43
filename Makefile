# stxtop - `make help` lists the targets.
#
# One Makefile for the whole tree; all output goes to $(BUILD). Sources are found by folder:
# engine/, widgets/ and tui/ are the program, tests/*/ the suites; keymaps/*.keys are embedded.

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 20
SOAK_SECONDS ?= 3600
SAN ?=
VERSION := 0.1

CC := gcc
CXX := g++
AR := gcc-ar
CLANG := clang
PKG_CONFIG := pkg-config

# One job per CPU, unless the user passes -j.
ifeq ($(MAKELEVEL)$(filter -j% --jobs%,$(MAKEFLAGS)),0)
MAKEFLAGS := -j$(shell nproc 2>/dev/null || echo 1) $(MAKEFLAGS)
endif

# The BPF source is compiled if clang, bpftool and libbpf are installed.
BPFTOOL := $(shell PATH="$$PATH:/usr/sbin" command -v bpftool)
ifndef BPF
BPF := $(if $(and $(BPFTOOL),$(shell command -v $(CLANG)),$(shell \
	$(PKG_CONFIG) --exists libbpf && echo yes)),1)
endif

# `make V=1` prints the commands.
V ?= 0
quiet_0 = @echo '  $(1)	$@';
say = $(quiet_$(V))

.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
.DEFAULT_GOAL := all

# ---- packages -------------------------------------------------------------

# Only the BPF source needs these three packages; BPF=0 omits them.
BPF_PACKAGES := clang bpftool libbpf-dev
BUILD_PACKAGES := gcc libc6-dev make pkg-config libncurses-dev libtraceevent-dev \
	libdw-dev libelf-dev zlib1g-dev libunwind-dev libiberty-dev \
	libpcre2-dev libzstd-dev \
	$(if $(filter 0,$(BPF)),,$(BPF_PACKAGES))
CHECK_PACKAGES := check libsubunit-dev libvterm-dev g++ rustc python3 strace linux-perf tmux \
	procps libcap2-bin mandoc shellcheck git sqlite3 openssl openssh-client
FUZZ_PACKAGES := clang libclang-rt-14-dev
BENCH_PACKAGES := strace linux-perf python3
# nginx is needed, too, but not installed here: its package starts a server.
SCREENSHOT_PACKAGES := libvterm-dev librsvg2-bin pngquant fonts-dejavu-core libsqlite3-dev \
	libc6-dbg wrk

# Recursive: expanded when a recipe runs, after `deps` installed the packages.
LIBRARIES := ncursesw libtraceevent libdw libelf zlib libunwind-generic \
	libpcre2-8 libzstd \
	$(if $(filter 1,$(BPF)),libbpf)
LIBRARY_CFLAGS = $(shell $(PKG_CONFIG) --cflags $(LIBRARIES))
LIBRARY_LIBS = $(shell $(PKG_CONFIG) --libs $(LIBRARIES)) -liberty -lpthread -lm

# ---- flags ----------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes \
	-Wold-style-definition -Wpointer-arith -Wvla -Wformat=2 -Wwrite-strings \
	-Wundef -Wcast-qual -Wno-format-nonliteral
# WERROR=1: a warning fails the build.
ifneq ($(WERROR),)
WARNINGS += -Werror
endif
CPPFLAGS := -D_GNU_SOURCE -DSTXTOP_VERSION='"$(VERSION)"' -I. -I$(BUILD)/gen
CFLAGS ?= -O2 -g
BASE_CFLAGS := -std=gnu11 $(WARNINGS) -fno-omit-frame-pointer -fPIE -pthread
LDFLAGS ?= -Wl,-z,relro,-z,now -Wl,--as-needed

ifeq ($(SAN),)
BASE_CFLAGS += -fstack-protector-strong
CPPFLAGS += -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
else
BASE_CFLAGS += -fsanitize=$(SAN) -fno-sanitize-recover=all
LDFLAGS += -fsanitize=$(SAN)
endif

COMPILE = $(CC) $(CPPFLAGS) $(BASE_CFLAGS) $(CFLAGS) $(LIBRARY_CFLAGS) -MMD -MP
LINK = $(CC) $(BASE_CFLAGS) $(CFLAGS) -pie $(LDFLAGS)

# ---- sources --------------------------------------------------------------

# The BPF programs are compiled separately.
find_c = $(sort $(shell find $(1) -name '*.c' ! -name '*.bpf.c'))
objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

KEYMAPS := $(wildcard keymaps/*.keys)
# Of each pair, one file is for builds without libbpf.
BPF_SOURCES := engine/source/bpf/bpf_load.c engine/source/bpf/bpf_load_error.c
ENGINE_OBJ := $(call objects,$(filter-out \
			$(if $(filter 1,$(BPF)),engine/source/bpf/bpf_none.c,$(BPF_SOURCES)) \
			engine/decode/btf_$(if $(filter 1,$(BPF)),none,read).c, \
			$(call find_c,engine)))
WIDGETS_OBJ := $(call objects,$(call find_c,widgets))
TUI_OBJ := $(call objects,$(filter-out tui/main.c,$(call find_c,tui)))
MAIN_OBJ := $(call objects,$(wildcard tui/main.c))
DATA_OBJ := $(BUILD)/obj/gen/keymaps_data.o
# The recording of --demo and its names, written by screenshots/demo/make.sh.
DEMO_DATA := screenshots/demo/demo.data.zst screenshots/demo/demo.names.zst
DEMO_OBJ := $(BUILD)/obj/gen/demo_data.o

# In dependency order, so that one pass of the linker is enough.
ARCHIVES := $(BUILD)/tui.a $(BUILD)/widgets.a $(BUILD)/engine.a $(BUILD)/traceevent.a

UNIT_OBJ := $(call objects,$(wildcard tests/unit/*.c))
REPLAY_OBJ := $(call objects,$(wildcard tests/replay/*.c))
SCREENS_OBJ := $(call objects,$(wildcard tests/screens/*.c))
LIVE_PROGRAMS := $(patsubst tests/live/programs/%.c,$(BUILD)/live/%, \
			$(wildcard tests/live/programs/*.c)) \
		 $(patsubst tests/live/programs/%.cxx,$(BUILD)/live/%, \
			$(wildcard tests/live/programs/*.cxx)) \
		 $(BUILD)/live/fail_alloc.so
BENCH_PROGRAMS := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/*.c)) \
	$(patsubst tests/bench/programs/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/programs/*.c)) \
	$(BUILD)/bench/interface
INTERFACE_OBJ := $(call objects,$(wildcard tests/bench/interface/*.c))
FUZZ_PROGRAMS := $(patsubst tests/fuzz/fuzz_%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

TEST_PROGRAMS := $(if $(UNIT_OBJ),$(BUILD)/unit) $(if $(REPLAY_OBJ),$(BUILD)/replay) \
	$(if $(SCREENS_OBJ),$(BUILD)/screens) $(LIVE_PROGRAMS) $(BUILD)/judge \
	$(BUILD)/bench/interface $(BUILD)/refuse
MANUALS := $(wildcard man/*.[1-9])

.PHONY: all run check check-long check-asan check-tsan check-build unit format hooks lint fuzz \
	soak bench screenshots accept install uninstall clean help deps deps-check tracefs

# ---- flags and lists of sources -------------------------------------------

# Rewritten only when its text changes: other flags recompile everything, and a deleted source
# leaves its archive.
changed = @mkdir -p $(@D); echo "$(subst ",\",$(1))" | cmp -s - $@ || \
	echo "$(subst ",\",$(1))" > $@

.PHONY: force
$(BUILD)/flags: force
	$(call changed,$(COMPILE))

$(BUILD)/sources: force
	$(call changed,$(ENGINE_OBJ) $(WIDGETS_OBJ) $(TUI_OBJ))

# ---- the program ----------------------------------------------------------

all: $(BUILD)/stxtop ## Build $(BUILD)/stxtop

$(BUILD)/stxtop: $(MAIN_OBJ) $(ARCHIVES)
ifeq ($(BPF),)
	@echo "stxtop: building without BPF, its cheaper way to watch; it takes:" \
		"apt-get install $(BPF_PACKAGES) (or make BPF=0, to leave it at that)"
endif
	$(call say,LINK)$(LINK) -o $@ $(MAIN_OBJ) $(ARCHIVES) $(LIBRARY_LIBS)

# libtraceevent does not check for failed allocations: see engine/source/tracepoint_memory.c.
# Without its static archive, the shared library is linked unchanged.
TRACEEVENT_MEMORY := $(BUILD)/obj/engine/source/tracepoint_memory.o
$(BUILD)/traceevent.a: $(TRACEEVENT_MEMORY)
	$(call say,AR)rm -f $@; \
	archive=$$($(PKG_CONFIG) --variable=libdir libtraceevent)/libtraceevent.a; \
	[ ! -f "$$archive" ] || objcopy --redefine-sym malloc=traceevent_malloc \
		--redefine-sym calloc=traceevent_calloc --redefine-sym realloc=traceevent_realloc \
		--redefine-sym strdup=traceevent_strdup \
		--redefine-sym asprintf=traceevent_asprintf "$$archive" $@; \
	ar rcs $@ $(TRACEEVENT_MEMORY)

$(BUILD)/engine.a: $(ENGINE_OBJ) $(DEMO_OBJ)
$(BUILD)/widgets.a: $(WIDGETS_OBJ)
$(BUILD)/tui.a: $(TUI_OBJ) $(DATA_OBJ)
$(filter-out %/traceevent.a,$(ARCHIVES)): $(BUILD)/sources
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/obj/%.o: %.c $(BUILD)/flags | $(BUILD)/gen/keymaps_data.h
	@mkdir -p $(@D)
	$(call say,CC)$(COMPILE) -c -o $@ $<

$(BUILD)/obj/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(COMPILE) -c -o $@ $<

# The programs of engine/source/bpf/ become one header. It does not depend on the running kernel:
# libbpf relocates the programs when it loads them.
$(BUILD)/gen/stxtop.bpf.o: engine/source/bpf/stxtop.bpf.c Makefile
	@mkdir -p $(@D) $(BUILD)/obj
	$(call say,BPF)$(CLANG) -target bpf -ffreestanding -D__TARGET_ARCH_x86 -mcpu=v3 \
		-O2 -g -Wall -Wextra -Wno-unused-parameter -I. \
		-I/usr/include/$(shell $(CC) -print-multiarch) \
		-MMD -MP -MT $@ -MF $(BUILD)/obj/stxtop.bpf.d -c -o $@.tmp $<
	@$(BPFTOOL) gen object $@ $@.tmp && rm -f $@.tmp

$(BUILD)/gen/stxtop.skel.h: $(BUILD)/gen/stxtop.bpf.o
	$(call say,GEN)$(BPFTOOL) gen skeleton $< name stxtop_bpf > $@

$(BUILD)/obj/engine/source/bpf/bpf_load.o $(BUILD)/fuzz-obj/engine/source/bpf/bpf_load.o: \
	$(BUILD)/gen/stxtop.skel.h

$(BUILD)/obj/engine/demo.o $(BUILD)/fuzz-obj/engine/demo.o: $(BUILD)/gen/demo_data.h

$(BUILD)/gen/demo_data.h: Makefile
	@mkdir -p $(@D)
	@{ echo '/* Made by the Makefile: what DEMO_DATA has, each Zstandard. */'; \
	echo '#ifndef DEMO_DATA_H'; echo '#define DEMO_DATA_H'; echo '#include <stddef.h>'; \
	for name in recording names; do \
		echo "extern const char demo_$$name[];"; \
		echo "extern const size_t demo_$${name}_len;"; \
	done; echo '#endif'; } > $@

$(BUILD)/gen/demo_data.c: $(DEMO_DATA) $(BUILD)/gen/demo_data.h
	@{ echo '#include "demo_data.h"'; \
	for name in recording names; do \
		case $$name in recording) file=$(word 1,$(DEMO_DATA));; \
			*) file=$(word 2,$(DEMO_DATA));; esac; \
		printf '__asm__(".section .rodata; .globl demo_%s; demo_%s: "\n' $$name $$name; \
		printf '	".incbin \\"%s\\"; .previous");\n' $$file; \
		echo "const size_t demo_$${name}_len = $$(wc -c <$$file);"; \
	done; } > $@

# keymaps/NAME.keys becomes keymap_NAME_text and keymap_NAME_text_len.
$(BUILD)/gen/keymaps_data.h: $(KEYMAPS) Makefile
	@mkdir -p $(@D)
	@{ echo '/* Made from keymaps/ by the Makefile. */'; \
	echo '#ifndef KEYMAPS_DATA_H'; echo '#define KEYMAPS_DATA_H'; \
	echo '#include <stddef.h>'; \
	for name in $(notdir $(KEYMAPS:.keys=)); do \
		echo "extern const char keymap_$${name}_text[]; /* NUL-terminated */"; \
		echo "extern const size_t keymap_$${name}_text_len; /* without the NUL */"; \
	done; echo '#endif'; } > $@

$(BUILD)/gen/keymaps_data.c: $(KEYMAPS) $(BUILD)/gen/keymaps_data.h
	@{ echo '#include "keymaps_data.h"'; \
	for file in $(KEYMAPS); do \
		name=$$(basename $$file .keys); \
		echo "const char keymap_$${name}_text[] = {"; \
		od -An -v -to1 $$file | sed "s/ \([0-7]*\)/'\\\\\\1',/g"; \
		echo "0 };"; \
		echo "const size_t keymap_$${name}_text_len ="; \
		echo "	sizeof(keymap_$${name}_text) - 1;"; \
	done; } > $@

run: deps tracefs ## Install missing packages, build, and watch the whole system (ARGS=...)
	@$(MAKE) --no-print-directory all
	@$(BUILD)/stxtop $(ARGS)

# ---- tests ----------------------------------------------------------------

CHECK_LIBS = $(shell $(PKG_CONFIG) --libs check)
VTERM_LIBS = $(shell $(PKG_CONFIG) --libs vterm)

# Selects tests by name and counts assertions.
TEST_WRAPS := -Wl,--wrap=_tcase_add_test,--wrap=_mark_point

suite_names = $(patsubst tests/$(1)/test_%.c,%,$(wildcard tests/$(1)/test_*.c))

$(BUILD)/gen/%_main.c: tests/unit/make_main.sh Makefile tests/%
	@mkdir -p $(@D)
	$(call say,GEN)tests/unit/make_main.sh $(call suite_names,$*) > $@

$(BUILD)/unit: $(UNIT_OBJ) $(BUILD)/obj/gen/unit_main.o $(ARCHIVES)
	$(call say,LINK)$(LINK) $(TEST_WRAPS) -o $@ $^ $(CHECK_LIBS) $(LIBRARY_LIBS)

# skip.c, which both suites use, is in tests/unit/.
SHARED_TEST_OBJ := $(filter-out $(BUILD)/obj/tests/unit/test_%,$(UNIT_OBJ))
$(BUILD)/replay: $(REPLAY_OBJ) $(SHARED_TEST_OBJ) $(BUILD)/obj/gen/replay_main.o $(ARCHIVES)
	$(call say,LINK)$(LINK) $(TEST_WRAPS) -o $@ $^ $(CHECK_LIBS) $(LIBRARY_LIBS)

# A single suite: make build/unit-str && build/unit-str
$(BUILD)/gen/unit-%_main.c: tests/unit/make_main.sh
	@mkdir -p $(@D)
	$(call say,GEN)tests/unit/make_main.sh $* > $@

$(BUILD)/unit-%: $(BUILD)/obj/tests/unit/test_%.o $(SHARED_TEST_OBJ) \
		$(BUILD)/obj/gen/unit-%_main.o $(ARCHIVES)
	$(call say,LINK)$(LINK) $(TEST_WRAPS) -o $@ $^ $(CHECK_LIBS) $(LIBRARY_LIBS)

# A tracer that stops the program, to compare the decoder with strace.
$(BUILD)/judge: $(BUILD)/obj/tests/judge/tracer.o $(ARCHIVES)
	$(call say,LINK)$(LINK) -o $@ $^ $(LIBRARY_LIBS)

# Restricted rights, for the sandbox tests.
$(BUILD)/refuse: $(BUILD)/obj/tests/sandbox/refuse.o
	$(call say,LINK)$(LINK) -o $@ $^

$(BUILD)/screens: $(SCREENS_OBJ) $(BUILD)/obj/tests/unit/workers.o $(BUILD)/engine.a
	$(call say,LINK)$(LINK) -o $@ $^ $(VTERM_LIBS) $(LIBRARY_LIBS) -lutil

# Traced programs: frame pointers, no sanitizers.
LIVE_FLAGS := -O1 -g -Wall -Wextra $(if $(WERROR),-Werror) \
	-D_GNU_SOURCE -fno-omit-frame-pointer -pthread
$(LIVE_PROGRAMS): $(wildcard tests/live/programs/*.h)
$(BUILD)/live/%: tests/live/programs/%.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) -std=gnu11 $(LIVE_FLAGS) -o $@ $<

$(BUILD)/live/%.so: tests/live/preload/%.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) -std=gnu11 $(LIVE_FLAGS) -shared -fPIC -o $@ $<

$(BUILD)/live/%: tests/live/programs/%.cxx
	@mkdir -p $(@D)
	$(call say,CXX)$(CXX) $(LIVE_FLAGS) -o $@ $<

$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LINK)$(LINK) -o $@ $^ $(LIBRARY_LIBS)

# stxtop with made-up calls and a counter of frames.
INTERFACE_WRAPS := source_open_live screen_show screen_input_next model_lock model_unlock poll
$(BUILD)/bench/interface: $(MAIN_OBJ) $(INTERFACE_OBJ) $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LINK)$(LINK) $(INTERFACE_WRAPS:%=-Wl,--wrap=%) -o $@ $^ $(LIBRARY_LIBS)

$(BUILD)/bench/%: tests/bench/programs/%.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) -std=gnu11 $(LIVE_FLAGS) -o $@ $<

check-build: all $(TEST_PROGRAMS)

check: deps-check tracefs ## Install missing packages, build, and test (TEST=NAME: only these tests)
	@$(MAKE) --no-print-directory check-build
	@BUILD=$(BUILD) TEST='$(TEST)' tests/check.py lint unit replay screens live

check-long: deps-check tracefs ## Tests that take long or load the machine
	@$(MAKE) --no-print-directory check-build
	@BUILD=$(BUILD) TEST='$(TEST)' tests/check.py --long live sandbox

unit: $(BUILD)/unit ## The unit tests alone
	@BUILD=$(BUILD) tests/check.py unit

format: ## Lay out the code as .clang-format says
	@git ls-files -z '*.c' '*.h' | xargs -0 clang-format -i

hooks: ## Run the quick checks of lint before each commit
	@install -m 755 tests/lint/pre-commit "$$(git rev-parse --git-path hooks)/pre-commit"

lint: ## Check layers, language, style, manual pages and scripts
	@BUILD=$(BUILD) tests/check.py lint

check-asan: deps-check tracefs ## The tests with address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory BUILD=$(BUILD)-asan SAN=address,undefined check-build
	@BUILD=$(BUILD)-asan SAN=address tests/check.py unit replay screens live

check-tsan: deps-check tracefs ## Unit tests and a batch run with the thread sanitizer
	@$(MAKE) --no-print-directory BUILD=$(BUILD)-tsan SAN=thread check-build
	@BUILD=$(BUILD)-tsan SAN=thread tests/check.py unit batch

accept: check-build ## Rewrite the saved screens and list the changed ones
	@BUILD=$(BUILD) ACCEPT=1 tests/screens/run
	@git --no-pager diff --stat -- tests/screens

# libFuzzer needs every object instrumented by clang, so these are built apart.
FUZZ_FLAGS := -std=gnu11 -O1 -g -fno-omit-frame-pointer -pthread \
	-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
FUZZ_ENGINE_OBJ := $(ENGINE_OBJ:$(BUILD)/obj/%=$(BUILD)/fuzz-obj/%) \
	$(WIDGETS_OBJ:$(BUILD)/obj/%=$(BUILD)/fuzz-obj/%) \
	$(TUI_OBJ:$(BUILD)/obj/%=$(BUILD)/fuzz-obj/%) \
	$(BUILD)/fuzz-obj/gen/keymaps_data.o $(BUILD)/fuzz-obj/gen/demo_data.o \
	$(BUILD)/fuzz-obj/tests/fuzz/recording_damage.o

FUZZ_COMPILE = $(CLANG) -D_GNU_SOURCE -DSTXTOP_VERSION='"$(VERSION)"' -I. -I$(BUILD)/gen \
	$(FUZZ_FLAGS) $(LIBRARY_CFLAGS) -MMD -MP

$(BUILD)/fuzz-obj/%.o: %.c | $(BUILD)/gen/keymaps_data.h
	@mkdir -p $(@D)
	$(call say,CC)$(FUZZ_COMPILE) -c -o $@ $<

$(BUILD)/fuzz-obj/gen/%.o: $(BUILD)/gen/%.c
	@mkdir -p $(@D)
	$(call say,CC)$(FUZZ_COMPILE) -c -o $@ $<

$(BUILD)/fuzz.a: $(FUZZ_ENGINE_OBJ) $(BUILD)/sources
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/fuzz/%: $(BUILD)/fuzz-obj/tests/fuzz/fuzz_%.o $(BUILD)/fuzz.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CLANG) -pthread -fsanitize=fuzzer,address,undefined -o $@ $^ \
		$(LIBRARY_LIBS)

fuzz: ## Fuzz the parsers of foreign bytes, FUZZ_SECONDS=20 each
	@$(MAKE) --no-print-directory install-packages \
		PACKAGES="$(BUILD_PACKAGES) $(FUZZ_PACKAGES)"
	@$(MAKE) --no-print-directory $(FUZZ_PROGRAMS)
	@BUILD=$(BUILD) FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz.sh

soak: deps-check tracefs ## An hour of random keys on a busy machine, SOAK_SECONDS=3600
	@$(MAKE) --no-print-directory BUILD=$(BUILD) SAN=$(SAN) check-build
	@BUILD=$(BUILD) SAN=$(SAN) SOAK_SECONDS=$(SOAK_SECONDS) tests/soak/run

bench: tracefs ## Measure the cost, beside strace and perf
	@$(MAKE) --no-print-directory install-packages \
		PACKAGES="$(BUILD_PACKAGES) $(BENCH_PACKAGES)"
	@$(MAKE) --no-print-directory all $(BENCH_PROGRAMS) $(BUILD)/live/many_stuck \
		$(BUILD)/live/crowd
	@BUILD=$(BUILD) tests/bench/run

screenshots: tracefs ## Pictures of real sessions (nginx, SQLite, a build), as root
	@$(MAKE) --no-print-directory install-packages \
		PACKAGES="$(BUILD_PACKAGES) $(SCREENSHOT_PACKAGES)"
	@$(MAKE) --no-print-directory check-build
	@BUILD=$(BUILD) screenshots/make.sh $(PICTURES)

# ---- this machine ---------------------------------------------------------

deps: ## Install the Debian packages that building needs
	@$(MAKE) --no-print-directory install-packages PACKAGES="$(BUILD_PACKAGES)"

deps-check: ## Install the Debian packages that testing needs
	@$(MAKE) --no-print-directory install-packages \
		PACKAGES="$(BUILD_PACKAGES) $(CHECK_PACKAGES)"

# As root or through sudo; without either, print the command.
.PHONY: install-packages
install-packages:
	@if ! command -v dpkg-query >/dev/null; then \
		echo "stxtop: not a Debian system; what it needs is called there: $(PACKAGES)"; \
		exit 0; \
	fi; \
	missing=; \
	for package in $(PACKAGES); do \
		dpkg-query -W -f='$${db:Status-Status}' $$package 2>/dev/null | \
			grep -qx installed || missing="$$missing $$package"; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	sudo=; \
	if [ "$$(id -u)" != 0 ]; then \
		sudo=sudo; \
		command -v sudo >/dev/null || { \
			echo "stxtop: as root, run: apt-get install -y$$missing"; \
			exit 1; }; \
	fi; \
	echo "$${sudo:+sudo }apt-get update"; \
	$$sudo apt-get -qq update || \
		echo "stxtop: the package lists could not be brought up to date; trying anyway"; \
	echo "$${sudo:+sudo }apt-get install -y --no-install-recommends$$missing"; \
	$$sudo env DEBIAN_FRONTEND=noninteractive \
		apt-get -qq install -y --no-install-recommends $$missing >/dev/null || { \
		echo "stxtop: installing failed; run that line by hand to see why"; exit 1; }

TRACEFS := /sys/kernel/tracing
tracefs: ## Mount tracefs where this user may
	@[ -e $(TRACEFS)/events ] && exit 0; \
	grep -q ' $(TRACEFS) tracefs ' /proc/mounts && exit 0; \
	if [ "$$(id -u)" = 0 ]; then \
		echo "mount -t tracefs tracefs $(TRACEFS)"; \
		mount -t tracefs tracefs $(TRACEFS) || \
			echo "stxtop: cannot mount tracefs; stxtop will say what it lacks"; \
	else \
		echo "stxtop: tracefs is not mounted; as root, run:" \
			"mount -t tracefs tracefs $(TRACEFS)"; \
	fi

install: all ## Install into DESTDIR=, PREFIX=/usr/local
	install -D -m 755 $(BUILD)/stxtop $(DESTDIR)$(PREFIX)/bin/stxtop
	set -e; for page in $(MANUALS); do \
		install -D -m 644 $$page \
			$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}; done
	@echo "stxtop: root may watch everything; what others may, and the lines that grant more:" \
		"$(PREFIX)/bin/stxtop --access (README: who may watch what)"

uninstall: ## Remove the installed files
	rm -f $(DESTDIR)$(PREFIX)/bin/stxtop
	set -e; for page in $(MANUALS); do \
		rm -f $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}; done

clean: ## Remove everything that was built
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

-include $(shell find $(BUILD)/obj $(BUILD)/fuzz-obj -name '*.d' 2>/dev/null)
