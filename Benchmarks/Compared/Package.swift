// swift-tools-version: 6.2
import PackageDescription

/// The figures of the article Compared, by `./run`: in two programs, as the hooks of one are not to be in the other.
let package = Package(
  name: "compared",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "wifi-harness", path: "../..", traits: []),
    .package(url: "https://github.com/pointfreeco/swift-clocks", exact: "1.0.6"),
    .package(url: "https://github.com/pointfreeco/swift-concurrency-extras", exact: "1.4.0"),
  ],
  targets: [
    .executableTarget(
      name: "Peers",
      dependencies: [
        .product(name: "Clocks", package: "swift-clocks"),
        .product(name: "ConcurrencyExtras", package: "swift-concurrency-extras"),
      ]),
    .executableTarget(
      name: "Ours",
      dependencies: [
        .product(name: "Determinism", package: "wifi-harness"),
        .product(name: "DeterminismTesting", package: "wifi-harness"),
        .product(name: "SystemInterposing", package: "wifi-harness"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
