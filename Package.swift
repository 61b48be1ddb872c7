// swift-tools-version: 6.2
import PackageDescription

/// The live link needs Linux and libnl; everything else builds wherever Swift does.
/// `WIFI_HARNESS_WITHOUT_LIBNL=1` leaves libnl out on Linux too, which proves the second half of that sentence.
#if os(Linux)
  let withLibnl = Context.environment["WIFI_HARNESS_WITHOUT_LIBNL"] == nil
#else
  let withLibnl = false
#endif

/// Keys and mouse of the panel come through ncurses; without it the panel is there as one picture and line by line.
#if os(Linux) || os(macOS)
  let withNcurses = Context.environment["WIFI_HARNESS_WITHOUT_NCURSES"] == nil
#else
  let withNcurses = false
#endif

/// Scenario files are read with libyaml; everything else does without.
#if os(Linux) || os(macOS)
  let withLibyaml = Context.environment["WIFI_HARNESS_WITHOUT_LIBYAML"] == nil
#else
  let withLibyaml = false
#endif

/// Compressed recordings are read and written with libzstd; everything else does without.
#if os(Linux) || os(macOS)
  let withLibzstd = Context.environment["WIFI_HARNESS_WITHOUT_LIBZSTD"] == nil
#else
  let withLibzstd = false
#endif

let package = Package(
  name: "wifi-harness",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Determinism", targets: ["Determinism", "RuntimeHooks"]),
    .library(name: "DeterminismTesting", targets: ["DeterminismTesting", "RuntimeHooks"]),
    .library(name: "SystemInterposing", targets: ["SystemInterposing"]),
    .library(name: "SimulatedSuites", targets: ["SimulatedSuites", "RuntimeHooks", "SystemInterposing"]),
    .library(name: "Observing", targets: ["Observing"]),
    .library(name: "WiFi", targets: ["WiFi"]),
    .library(name: "Scanner", targets: ["Scanner"]),
    .library(name: "DaemonProtocols", targets: ["DaemonProtocols"]),
    .library(name: "DaemonControl", targets: ["DaemonControl"]),
    .library(name: "Models", targets: ["Models"]),
    .library(name: "Terminal", targets: ["Terminal"]),
    .library(name: "Page", targets: ["Page"]),
    .library(name: "PageServer", targets: ["PageServer"]),
    .library(name: "Simulator", targets: ["Simulator"]),
    .library(name: "ScanTools", targets: ["ScanTools"]),
    .library(name: "Harness", targets: ["Harness", "RuntimeHooks"]),
    .executable(name: "wifi-harness", targets: ["HarnessCLI"]),
    .executable(name: "simulated-tests", targets: ["SimulatedTests"]),
  ],
  // Without it nothing of other packages is fetched, for those who want the libraries alone.
  traits: [
    .default(enabledTraits: ["Command"]),
    .trait(name: "Command", description: "The command wifi-harness and the library PageServer, which need other packages."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    // Without what it has for Foundation.
    // Only NIOCore, NIOPosix and NIOHTTP1, of which none imports Foundation.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    .target(name: "CDeterminism"),
    .target(name: "Determinism", dependencies: ["CDeterminism"]),
    // What is private of the runtime; in programs that test, never in the command.
    .target(name: "CRuntimeHooks", dependencies: ["CDeterminism"]),
    // Traits of Swift Testing; what imports it is for test targets alone.
    .target(name: "DeterminismTesting", dependencies: ["CDeterminism", "Determinism"]),
    .target(name: "SystemInterposing", dependencies: ["CDeterminism"]),
    // What the command simulated-tests puts around the tests of others; for copies of suites alone.
    .target(name: "SimulatedSuites", dependencies: ["Determinism", "DeterminismTesting"]),
    .target(name: "RuntimeHooks", dependencies: ["CRuntimeHooks", "Determinism"]),
    .target(name: "Observing"),
    .target(name: "WiFi"),
    .target(name: "Scanner", dependencies: withLibnl ? ["WiFi", "CNetlink"] : ["WiFi"]),
    .target(name: "DaemonProtocols", dependencies: ["WiFi"]),
    .target(name: "DaemonControl", dependencies: ["DaemonProtocols", "WiFi"]),
    .target(name: "Models", dependencies: ["Observing", "WiFi"]),
    .target(name: "Terminal", dependencies: ["Models", "Observing", "WiFi"]),
    .target(
      name: "Page", dependencies: ["Models", "Observing", "WiFi"],
      // In the program, not beside it: there is nothing to find at run time.
      resources: [.embedInCode("Assets/page.html"), .embedInCode("Assets/page.css"), .embedInCode("Assets/page.js")]),
    .target(
      name: "PageServer",
      dependencies: [
        "Page",
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Command"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Command"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Command"])),
      ]),
    .target(name: "Simulator", dependencies: ["DaemonProtocols", "Determinism", "WiFi"]),
    .target(
      name: "ScanTools", dependencies: ["Determinism", "Models", "Terminal", "WiFi"] + (withLibzstd ? ["CZstd"] : [])),
    .target(
      name: "Harness",
      dependencies: [
        "DaemonControl", "Determinism", "Models", "Observing", "Page", "ScanTools", "Scanner", "Simulator", "Terminal", "WiFi",
      ] + (withLibyaml ? ["CYAML"] : [])),
    // What has to happen in a signal handler.
    .target(name: "CTerminal"),
    // What starting and watching a program needs of C; Sources/Preload, which is built by scripts/preload, is the other side.
    .target(name: "CPrograms"),
    // Keeps the capabilities of the command to it, in a constructor: nothing imports it.
    .target(name: "CCapabilities"),
    // Keeps secrets out of cores, of other processes and of memory that was given back.
    .target(name: "CSecrets"),
    .executableTarget(
      name: "HarnessCLI",
      dependencies: [
        "CCapabilities", "CPrograms", "CSecrets", "CTerminal", "DaemonControl", "DaemonProtocols", "Determinism", "Harness", "Models",
        "Observing", "Page", "PageServer", "ScanTools", "Scanner", "Simulator", "Terminal", "WiFi",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"])),
      ] + (withNcurses ? ["CNcurses"] : []),
      linkerSettings: withNcurses
        ? [
          .linkedLibrary("ncursesw", .when(platforms: [.linux])), .linkedLibrary("tinfo", .when(platforms: [.linux])),
          .linkedLibrary("ncurses", .when(platforms: [.macOS])),
        ] : []),
    .executableTarget(
      name: "SimulatedTests",
      dependencies: [
        "Determinism", .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"])),
      ]),
    .target(name: "WireProperties", dependencies: ["DaemonProtocols", "Determinism", "ScanTools", "WiFi"], path: "Tests/WireProperties"),
    .testTarget(name: "WiFiTests", dependencies: ["Determinism", "WiFi", "WireProperties"]),
    .testTarget(name: "DaemonProtocolsTests", dependencies: ["DaemonProtocols", "Determinism", "WiFi", "WireProperties"]),
    .target(name: "LinkContract", dependencies: ["DaemonProtocols", "WiFi"], path: "Tests/LinkContract"),
    .testTarget(name: "ScannerTests", dependencies: ["LinkContract", "Scanner", "WiFi"]),
    .testTarget(
      name: "DaemonControlTests",
      dependencies: ["DaemonControl", "DaemonProtocols", "Determinism", "LinkContract", "Simulator", "WiFi", "WireProperties"]),
    .testTarget(
      name: "DeterminismTests",
      dependencies: ["CDeterminism", "Determinism", "DeterminismTesting", "Observing", "RuntimeHooks", "SystemInterposing"]),
    .target(name: "Isolations", path: "Tests/Isolations"),
    .testTarget(name: "ObservingTests", dependencies: ["Determinism", "Isolations", "Observing", "RuntimeHooks"]),
    .target(name: "ViewFixture", dependencies: ["Models", "Observing", "Simulator", "WiFi"], path: "Tests/ViewFixture"),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["Determinism", "Models", "Observing", "Simulator", "Terminal", "ViewFixture", "WiFi"]),
    .testTarget(
      name: "PageTests",
      dependencies: [
        "Determinism", "Models", "Observing", "Page", "PageServer", "Simulator", "Terminal", "ViewFixture", "WiFi",
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Command"])),
        .product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["Command"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Command"])),
      ]),
    // What holds of the sources themselves.
    .testTarget(name: "TidyTests"),
    .testTarget(
      name: "SimulatedTestsTests",
      dependencies: ["Determinism", "DeterminismTesting", "RuntimeHooks", "SimulatedSuites", "SimulatedTests", "SystemInterposing"],
      exclude: ["Golden"]),
    .target(name: "StrictFormats", path: "Tests/StrictFormats"),
    .testTarget(
      name: "ScanToolsTests",
      dependencies: [
        "DaemonControl", "Determinism", "Harness", "Models", "Observing", "Page", "ScanTools", "Scanner", "Simulator", "StrictFormats",
        "Terminal", "WiFi", "WireProperties",
      ]),
    .testTarget(
      name: "HarnessTests",
      dependencies: [
        "Determinism", "Harness", "Models", "Page", "ScanTools", "Simulator", "StrictFormats", "Terminal", "WiFi",
      ]),
    .testTarget(
      name: "ModelsTests",
      dependencies: ["Determinism", "Harness", "Isolations", "Models", "Observing", "Scanner", "Simulator", "ViewFixture", "WiFi"]),
    .testTarget(
      name: "SimulatorTests",
      dependencies: [
        "Determinism", "Harness", "LinkContract", "ScanTools", "Scanner", "Simulator", "ViewFixture", "WiFi",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

if withLibnl {
  package.targets.append(
    .systemLibrary(
      name: "CNetlink", pkgConfig: "libnl-genl-3.0", providers: [.apt(["libnl-3-dev", "libnl-genl-3-dev"])]))
}

if withLibyaml {
  package.targets.append(
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]))
}

if withLibzstd {
  package.targets.append(
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]))
}

if withNcurses {
  package.targets.append(
    // Without pkg-config, which gives flags that SwiftPM warns of in every build; HarnessCLI names the libraries.
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]))
}

for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
  ]
  // In release it is what is tested that is optimized, and those tests whose own code is what they try: to optimize the
  // others, too, takes twice as long.
  if target.type == .test, !["DeterminismTests", "ObservingTests", "SimulatedTestsTests"].contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
  }
  // In CI a warning is an error; for everybody else a newer compiler must not break the build.
  if Context.environment["WIFI_HARNESS_WARNINGS_AS_ERRORS"] != nil {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
}
