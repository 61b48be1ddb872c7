// swift-tools-version: 6.2
import PackageDescription

/// An app's package that knows nothing of Wi-Fi, and tests its main-actor model on virtual time.
let package = Package(
  name: "Stopwatch",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "Stopwatch", targets: ["Stopwatch"])],
  dependencies: [
    // The name is that of the package, whatever its folder is called. Without its traits it fetches nothing else.
    .package(name: "wifi-harness", path: "../..", traits: [])
  ],
  targets: [
    .target(name: "Stopwatch"),
    .target(name: "SetupWizard", dependencies: [.product(name: "Observing", package: "wifi-harness")]),
    .testTarget(
      name: "SetupWizardTests", dependencies: ["SetupWizard", .product(name: "Observing", package: "wifi-harness")]),
    .testTarget(
      name: "StopwatchTests",
      dependencies: [
        "Stopwatch",
        .product(name: "Determinism", package: "wifi-harness"),
        .product(name: "DeterminismTesting", package: "wifi-harness"),
        .product(name: "SystemInterposing", package: "wifi-harness"),
      ],
      // Traces that the tests expect: read from the sources, and no resources.
      exclude: ["Golden"]),
  ],
  swiftLanguageModes: [.v6]
)

if Context.environment["WIFI_HARNESS_WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets { target.swiftSettings = [.treatAllWarnings(as: .error)] }
}
