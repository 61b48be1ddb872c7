// swift-tools-version: 6.2
import PackageDescription

/// Libraries of others, unchanged, on virtual time: streams of swift-async-algorithms, and a legacy model on OpenCombine.
let package = Package(
  name: "ThirdParty",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    .package(name: "wifi-harness", path: "../..", traits: []),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
  ],
  targets: [
    .testTarget(
      name: "ThirdPartyTests",
      dependencies: [
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "Determinism", package: "wifi-harness"),
        .product(name: "DeterminismTesting", package: "wifi-harness"),
        .product(name: "Observing", package: "wifi-harness"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "SystemInterposing", package: "wifi-harness"),
      ])
  ],
  swiftLanguageModes: [.v6]
)

if Context.environment["WIFI_HARNESS_WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets { target.swiftSettings = [.treatAllWarnings(as: .error)] }
}
