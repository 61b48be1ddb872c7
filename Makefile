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
  -Xswiftc -static-pie -Xlinker --pack-dyn-relocs=relr -Xlinker --icf=safe -Xlinker -O2 \
  -Xlinker -T -Xlinker $(CURDIR)/packaging/without-unwind-tables.ld -Xlinker --no-eh-frame-hdr -Xlinker --wrap=_Unwind_ForcedUnwind \
  -Xlinker --wrap=free -Xlinker --wrap=realloc
# The folder that it is built in stands nowhere in it (scripts/check-paths): assertions and tables for debuggers name files from there.
PREFIX_MAPS = -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=.
RELEASE_FLAGS = -c release -Xswiftc -Osize $(PREFIX_MAPS) --static-swift-stdlib $(if $(LIBNL),$(STATIC_FLAGS)) --product wifi-harness

# So many tests at once: all of them at once starve each other on a machine with two processors.
TEST_WIDTH = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(or $(WIDTH),4)

WITHOUT = WIFI_HARNESS_WITHOUT_LIBNL=1 WIFI_HARNESS_WITHOUT_NCURSES=1 WIFI_HARNESS_WITHOUT_LIBYAML=1 WIFI_HARNESS_WITHOUT_LIBZSTD=1

.PHONY: help run test test-release build release install lint check-imports check-without-libnl ci kernel kernel-test kernel-joins kernel-known kernel-worlds kernel-compare kernel-mutation kernel-views kernel-deb kernel-scan \
  benchmark fuzz mutation clean deb deb-test setup example docs determinism browser-test page-test page-attack serve-attack terminal-test check-views cluster-test worker-test check-checks exec-test gpsd-test programs-test daemons-test signal-test \
  compare-with-tshark demonstration

help:  ## say what there is
	@awk -F ':.*## ' '/^[a-z-]*:.*## / { printf "  make %-20s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:
	@scripts/setup build

run: release  ## scan; without an adapter, show a recording of a real kernel
	@scripts/run

test: setup  ## run the unit tests; no adapter, no root, no network
	$(SWIFT) build --build-tests
	$(TEST_WIDTH) $(SWIFT) test --skip-build

test-release: setup  ## run the unit tests in release, as the escapes and the traps of both builds differ
	$(SWIFT) build --build-tests -c release -Xswiftc -enable-testing --scratch-path .build-test-release
	$(TEST_WIDTH) $(SWIFT) test --skip-build -c release -Xswiftc -enable-testing --scratch-path .build-test-release

build: setup  ## build for debugging
	$(SWIFT) build
	@scripts/preload .build/debug

release: setup  ## build the command, linked statically against the Swift runtime
	@$(SWIFT) build $(RELEASE_FLAGS)
	@scripts/preload .build/release

install: release  ## install the command, its manual pages and shell completions under PREFIX (default /usr/local)
	@SWIFT=$(SWIFT) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) scripts/install $(BINARY)

example: setup  ## test models of other packages: of an app, on libraries of others, and of Wi-Fi with NonisolatedNonsendingByDefault and without
	for package in Stopwatch ThirdParty; do \
	  $(SWIFT) test --package-path Examples/$$package && $(SWIFT) test --package-path Examples/$$package -c release || exit 1; \
	done
	$(SWIFT) build --package-path Examples/Provisioning --build-tests
	$(SWIFT) test --package-path Examples/Provisioning --skip-build
	PROVISIONING_NONSENDING=1 $(SWIFT) build --package-path Examples/Provisioning --build-tests
	PROVISIONING_NONSENDING=1 $(SWIFT) test --package-path Examples/Provisioning --skip-build

docs: build  ## build the documentation, and hold it to the code and to what the compiler refuses; warnings are errors
	@scripts/docs
	@scripts/check-docs
	@scripts/check-refused

determinism: build release  ## the same seeds give the same: 10,000 of them in debug and release; takes some five minutes
	scripts/check-determinism

check-views: release  ## every view gives the same traces: scenarios, and SEEDS=1000 runs with random user input
	scripts/check-views $(SEEDS)

demonstration: release  ## make the recording and the pictures of the README
	scripts/demonstration $(BINARY)

# The C of the products that test is compiled by who uses them: no warnings, optimized or not.
TEST_PRODUCTS_C = $(wildcard Sources/CDeterminism/*.c Sources/CRuntimeHooks/*.c Sources/SystemInterposing/*.c)

lint: setup  ## check the format and the documentation rules, and that the C of the products that test compiles without warnings
	for level in 0 2; do \
	  for file in $(TEST_PRODUCTS_C); do \
	    "$$(dirname "$$(command -v $(SWIFT))")/clang" -O$$level -Wall -Werror -fsyntax-only -ISources/CDeterminism/include \
	      -I"$$(dirname $$file)/include" $$file || exit 1; \
	  done; \
	done
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests $(wildcard Benchmarks Examples Fuzz)

check-imports: setup  ## fail where a target imports what it does not declare
	$(SWIFT) build --explicit-target-dependency-import-check error

check-without-libnl:  ## build everything but the live link, the full screen, scenario files and compression, without libnl, ncurses, libyaml and libzstd
	@$(WITHOUT) scripts/setup build
	$(WITHOUT) $(SWIFT) build --scratch-path .build-without-libnl

kernel:  ## build and cache a User Mode Linux kernel with virtual radios
	@scripts/setup kernel
	kernel/build

kernel-test: release  ## run the command in that kernel against hostapd and over the three daemons, and compare that kernel with the simulated one
	@scripts/setup kernel
	kernel/build
	WIFI_HARNESS=$(abspath $(BINARY)) kernel/test
	WIFI_HARNESS=$(abspath $(BINARY)) kernel/worlds
	WIFI_HARNESS=$(abspath $(BINARY)) kernel/compare-kernels

kernel-joins: release  ## join over NetworkManager, iwd and wpa_supplicant in that kernel, in every situation; writes docs/joining.md
	@scripts/setup kernel
	kernel/build
	WIFI_HARNESS=$(abspath $(BINARY)) kernel/joins

kernel-known: release  ## list and change the known networks of the three real daemons in that kernel
	@scripts/setup kernel
	kernel/build
	WIFI_HARNESS=$(abspath $(BINARY)) kernel/known

kernel-views: release  ## use the panel, live over wpa_supplicant, in that kernel: joins, a link that is lost, the switch of the radio
	@scripts/setup kernel
	WIFI_HARNESS=$(abspath $(BINARY)) kernel/views

kernel-compare: release  ## let the simulated kernel and that kernel hear the same worlds, and compare what they answer, attribute by attribute
	@scripts/setup kernel
	kernel/build
	WIFI_HARNESS=$(abspath $(BINARY)) kernel/compare-kernels

kernel-mutation:  ## plant errors in the simulated kernel one by one, which that comparison has to see; PATCHES="01 02" for some
	@scripts/setup kernel
	kernel/build
	@SWIFT=$(SWIFT) scripts/kernel-mutation $(PATCHES)

kernel-worlds: release  ## check the same scenarios over the three real daemons in that kernel as over the simulated ones
	@scripts/setup kernel
	kernel/build
	WIFI_HARNESS=$(abspath $(BINARY)) kernel/worlds

kernel-scan: release  ## show a scan of virtual access points; no adapter, no root
	@scripts/setup kernel
	@kernel/build >/dev/null
	@WIFI_HARNESS=$(abspath $(BINARY)) kernel/scan

deb: release  ## make a Debian package of the command, which `apt install ./…` puts on a machine without Swift
	@scripts/setup deb
	@scripts/deb $(BINARY)

deb-test: release  ## install that package in a copy of this system that is thrown away, use it, and remove it; needs root
	@scripts/setup deb
	@package=$$(scripts/deb $(BINARY)) && lintian --fail-on error "$$package" && scripts/deb-test "$$package"

kernel-deb: release  ## install that package in the kernel of the lane and scan as an ordinary user of its group
	@scripts/setup kernel
	@scripts/setup deb
	kernel/build
	kernel/package "$$(scripts/deb $(BINARY))"

benchmark: release  ## measure against iw and C in the same run; FILTER='decode' for some of it
	@scripts/setup benchmark
	scripts/benchmark $(if $(FILTER),'$(FILTER)')

browser-test: build  ## open explanations in a real browser; pictures in .build/browser-test
	scripts/browser-test .build/debug/wifi-harness

page-test: release  ## use the page in a real browser at 390 and 1280 pixels, light and dark; pictures in .build/page-test
	scripts/page-test $(BINARY)

page-attack: release  ## attack the page's server: foreign hosts, no token, 10,000 slow connections, clients that read nothing
	scripts/page-attack $(BINARY)

serve-attack: release  ## attack `serve` with few descriptors, and look for passwords in its memory
	scripts/serve-attack $(BINARY)

terminal-test: release  ## run the panel in tmux at four sizes and compare what it shows; pictures in .build/terminal-test
	@scripts/setup terminal
	scripts/terminal-test $(BINARY)

cluster-test: release  ## explore in shards, killed and resumed, under GNU parallel and Slurm, and compare; SEEDS=321 PARTS="shards killed" for less
	SEEDS=$(SEEDS) scripts/cluster-test $(BINARY) $(PARTS)

compare-with-tshark: release  ## hold what is decoded from captures of other projects against tshark
	@scripts/setup strangers
	scripts/compare-with-tshark --plant

programs-test: build  ## run programs of others on the simulated kernel, and try every known way out of it; needs root
	@scripts/setup programs
	scripts/programs-test .build/debug/wifi-harness
	scripts/ways-out .build/debug/wifi-harness

daemons-test: build  ## let NetworkManager and iwd list the networks of a simulated world; needs root
	scripts/daemons-test .build/debug/wifi-harness

exec-test: release  ## watch with commands that hang, die, print without end or cannot be started
	scripts/exec-test $(BINARY)

gpsd-test: release  ## scan along a track that gpsfake plays to gpsd, and let promtool read the metrics
	@scripts/setup gpsd
	scripts/gpsd-test $(BINARY)

signal-test: release  ## end joins, questions for a password and the panel with signals, and look for what is left behind
	scripts/signal-test $(BINARY)

worker-test: release  ## explore in two processes, with either of them killed
	scripts/worker-test $(BINARY)

check-checks: release  ## run every check on a command that does nothing, which each has to see
	scripts/check-checks

fuzz:  ## feed random bytes to every decoder and every conversation with a daemon; SECONDS=1800 for half an hour
	@scripts/setup fuzz
	scripts/fuzz $(SECONDS)

mutation:  ## plant bugs one by one and let the exploration find them; writes docs/mutation.md; PATCHES="01 02" for some
	@scripts/setup mutation
	@SWIFT=$(SWIFT) scripts/mutation $(PATCHES)

clean:  ## remove what was built
	rm -rf .build .build-* Examples/*/.build
