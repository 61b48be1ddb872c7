# What a user types. Everything else is in scripts/ and kernel/.
SWIFT ?= swift
export SWIFT
PREFIX ?= /usr/local
BINARY = .build/release/wifi-harness
# Where libnl can be linked statically too, so is everything: the loader has nothing to look for (docs/benchmarks.md).
# A static program that has a path to look for libraries in ends at once, so it is given none.
# Nothing in it unwinds its stack, so it has no tables for that (docs/decisions/0023). Memory that held a secret is wiped (Sources/CSecrets).
LIBNL = $(wildcard $(shell pkg-config --variable=libdir libnl-3.0 2>/dev/null)/libnl-3.a)
STATIC_FLAGS = --disable-local-rpath -Xswiftc -static-executable -Xswiftc -use-ld=lld -Xswiftc -Xclang-linker \
  -Xswiftc -static-pie -Xlinker --pack-dyn-relocs=relr -Xlinker --icf=all -Xlinker -O2 \
  -Xlinker -T -Xlinker $(CURDIR)/packaging/without-unwind-tables.ld -Xlinker --no-eh-frame-hdr -Xlinker --wrap=_Unwind_ForcedUnwind \
  -Xlinker --wrap=free -Xlinker --wrap=realloc -Xlinker --wrap=_swift_stdlib_getScalarName
# The folder that it is built in stands nowhere in it (`make check NAME=paths`): assertions and tables for debuggers name files from there.
PREFIX_MAPS = -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=.
RELEASE_FLAGS = -c release -Xswiftc -Osize -Xcc -Oz -Xswiftc -enforce-exclusivity=unchecked $(PREFIX_MAPS) --static-swift-stdlib $(if $(LIBNL),$(STATIC_FLAGS)) --product wifi-harness

# So many tests at once: all of them at once starve each other on a machine with two processors.
TEST_WIDTH = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(or $(WIDTH),4)

.PHONY: help run test check build release install deb lint benchmark fuzz mutation clean setup

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]*:.*## / { printf "  make %-10s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:
	@scripts/setup build

run: release  ## scan; without an adapter, simulate a home
	@scripts/run

# RELEASE=1 runs them in release.
TEST_FLAGS = $(if $(RELEASE),-c release -Xswiftc -enable-testing --scratch-path .build-test-release)

test: setup  ## run the unit tests; no adapter, no root, no network
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	$(TEST_WIDTH) $(SWIFT) test --skip-build $(TEST_FLAGS)

check:  ## run all that CI runs; NAME="terminal page" for some checks, NAME=help lists them (docs/checking.md)
	@scripts/setup check
	@scripts/check.py $(NAME)

build: setup  ## build for debugging
	$(SWIFT) build
	@scripts/preload .build/debug

release: setup  ## build the command, linked statically against the Swift runtime
	@$(SWIFT) build $(RELEASE_FLAGS)
	@scripts/preload .build/release

install: release  ## install the command, its manual pages and shell completions under PREFIX (default /usr/local)
	@SWIFT=$(SWIFT) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) scripts/install $(BINARY)

deb: release  ## make a Debian package of the command, which `apt install ./…` puts on a machine without Swift
	@scripts/setup deb
	@scripts/deb $(BINARY)

# The C of the products that test is compiled by who uses them: no warnings, optimized or not.
TEST_PRODUCTS_C = $(wildcard Sources/CDeterminism/*.c Sources/CRuntimeHooks/*.c Sources/SystemInterposing/*.c)

lint: setup  ## check the format and the documentation rules, and the C of the products that test
	for level in 0 2; do \
	  for file in $(TEST_PRODUCTS_C); do \
	    "$$(dirname "$$(command -v $(SWIFT))")/clang" -O$$level -Wall -Werror -fsyntax-only -ISources/CDeterminism/include \
	      -I"$$(dirname $$file)/include" $$file || exit 1; \
	  done; \
	done
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests $(wildcard Benchmarks Examples Fuzz)

benchmark: release  ## measure against iw and C in the same run; FILTER='decode' for some of it
	@scripts/setup benchmark
	scripts/benchmark $(if $(FILTER),'$(FILTER)')

fuzz:  ## feed random bytes to every decoder and every conversation with a daemon; SECONDS=1800 for half an hour
	@scripts/setup fuzz
	scripts/fuzz $(SECONDS)

mutation:  ## plant bugs one by one and let the exploration find them; writes docs/mutation.md; PATCHES="01 02" for some
	@scripts/setup mutation
	@scripts/mutation $(PATCHES)

clean:  ## remove what was built
	rm -rf .build .build-* Examples/*/.build
